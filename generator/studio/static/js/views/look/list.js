/* The list of boxes, the foremost first: choose, rename, drag to another place in the order. */
import { html, useRef, useState } from "../../../vendor/preact.js";
import { textOf } from "../../nodes.js";
import { Icon, IconButton } from "../../parts/buttons.js";
import { t } from "../../words.js";
import { contentOf, contentOfItem } from "./adding.js";
import * as steps from "./steps.js";
import { sortable } from "./typed.js";

const SORTS = {
  text: "text-left",
  words: "quote",
  picture: "picture",
  icon: "star",
  fill: "fill",
  frame: "frame",
  line: "minus",
  badge: "badge",
  part: "link",
  table: "table",
  row: "row",
  column: "column",
};

/** All boxes of the face. */
export function BoxList({ board }) {
  const layout = board.layout.value;
  const [renaming, setRenaming] = useState("");
  const [drop, setDrop] = useState(null);
  const dragged = useRef("");
  const order = sortable(layout);
  const boxes = [...layout.boxes].reverse();
  const canSort = (name) => order.includes(name) && !board.isReadonly();
  const over = (event, name) => {
    if (!dragged.current || !canSort(name)) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    setDrop({ name, above: event.clientY < top + height / 2 });
  };
  const dropped = (event) => {
    event.preventDefault();
    if (drop && dragged.current && drop.name !== dragged.current) {
      const next = order[order.indexOf(drop.name) + 1] ?? null;
      const before = drop.above ? next : drop.name;
      if (before !== dragged.current) steps.reorderTo(board, dragged.current, before);
    }
    end();
  };
  const end = () => {
    dragged.current = "";
    setDrop(null);
  };
  return html`<ul class="box-list" aria-label=${t("look.boxes")} onDragEnd=${end}>
    ${boxes.map(
      (box) => html`<li key=${box.name}
      class="box-entry ${drop?.name === box.name ? (drop.above ? "drop-above" : "drop-below") : ""}"
      draggable=${canSort(box.name) && renaming !== box.name}
      onDragStart=${(event) => {
        dragged.current = box.name;
        event.dataTransfer.effectAllowed = "move";
      }}
      onDragOver=${(event) => over(event, box.name)} onDrop=${dropped}>
      <${Entry} board=${board} box=${box} canSort=${canSort(box.name)}
        isRenaming=${renaming === box.name} onRename=${setRenaming}/>
      ${["row", "column"].includes(box.what) && html`<${Inside} board=${board} box=${box}/>`}
    </li>`,
    )}
  </ul>`;
}

function Entry({ board, box, canSort, isRenaming, onRename }) {
  const layout = board.layout.value;
  const isChosen = board.chosen.value.includes(box.name) && !board.item.value;
  const canRename = box.own && layout.heirs.length === 0 && !board.isReadonly();
  const press = (event) => {
    const chosen = board.chosen.value;
    if (event.shiftKey || event.ctrlKey || event.metaKey) {
      const others = chosen.filter((one) => one !== box.name);
      board.choose(others.length < chosen.length ? others : [...chosen, box.name]);
    } else board.choose([box.name]);
  };
  const note = box.dropped ? t("look.dropped") : box.drawn ? contentOf(box) : t("look.notHere");
  const classes = [
    "box-row",
    isChosen && "chosen",
    (box.dropped || !box.drawn) && "absent",
    board.hover.value === box.name && "hover",
  ]
    .filter(Boolean)
    .join(" ");
  if (isRenaming) {
    return html`<div class=${classes}><${Rename} box=${box} onDone=${(name) => {
      onRename("");
      if (name) steps.rename(board, box, name);
    }}/></div>`;
  }
  return html`<div class=${classes} onPointerEnter=${() => (board.hover.value = box.name)}
    onPointerLeave=${() => (board.hover.value = "")}>
    <button type="button" class="box-pick" aria-pressed=${isChosen} onClick=${press}
      onDblClick=${() => canRename && onRename(box.name)}
      onKeyDown=${(event) => {
        if (event.key === "F2" && canRename) onRename(box.name);
      }}
      title=${canRename ? t("look.renameHint") : undefined}>
      <${Icon} name=${SORTS[box.what] ?? "warning"} small/>
      <span class="box-name ${box.dropped ? "gone" : ""}">${box.name}</span>
      <span class="box-note faint">${note}</span>
    </button>
    ${
      !box.own &&
      html`<span class="box-mark" title=${t("look.taken", { file: fileOf(layout, box) })}>
      <${Icon} name="link" small/></span>`
    }
    ${
      box.dropped &&
      !board.isReadonly() &&
      html`<${IconButton} small icon="undo"
      label=${t("look.restore", { name: box.name })} onClick=${() => steps.restore(board, box)}/>`
    }
    ${
      !box.dropped &&
      box.values.when &&
      html`<${IconButton} small icon=${box.drawn ? "eye" : "eye-off"}
      class="box-eye" label=${whenOf(box)}
      onClick=${() => board.choose([box.name])}/>`
    }
    ${
      canSort &&
      html`<span class="box-grip" aria-hidden="true"><${Icon} name="grip" small/></span>`
    }
  </div>`;
}

function whenOf(box) {
  const when = textOf(box.values.when.node);
  return t(box.drawn ? "look.shownWhen" : "look.hiddenWhen", { when });
}

function fileOf(layout, box) {
  const file = Object.values(box.values)[0]?.file ?? layout.files[1]?.path ?? "";
  return file.split("/").at(-1);
}

function Rename({ box, onDone }) {
  const [wrong, setWrong] = useState(false);
  const isName = (text) => /^[a-z][a-z0-9_-]*$/.test(text);
  const key = (event) => {
    event.stopPropagation();
    if (event.key === "Escape") onDone("");
    if (event.key === "Enter" && isName(event.target.value)) onDone(event.target.value);
  };
  const first = (input) => input && !input.dataset.ready && ready(input);
  return html`<input class="text-input" value=${box.name} ref=${first} spellcheck=${false}
    aria-label=${t("look.rename", { name: box.name })} aria-invalid=${wrong}
    onInput=${(event) => setWrong(!isName(event.target.value))} onKeyDown=${key}
    onBlur=${(event) => onDone(isName(event.target.value) ? event.target.value : "")}/>`;
}

function ready(input) {
  input.dataset.ready = "yes";
  input.focus();
  input.select();
}

/** The entries of a row or column, which can be put in another order. */
function Inside({ board, box }) {
  const items = box.values[box.what].node.items ?? [];
  const chosen = board.item.value;
  const shift = (at, by) => {
    board.step(t("look.step.order", { name: box.name }), (draft, layout) =>
      steps.orderItems(draft, layout, box, at, at + by, board.scope.value),
    );
    board.choose([box.name], { name: box.name, at: at + by });
  };
  return html`<ul class="box-inside">
    ${items.map((item, at) => {
      const on = chosen?.name === box.name && chosen.at === at;
      const sort = item.entries?.map(([key]) => key).find((key) => SORTS[key]);
      return html`<li key=${at} class="box-row ${on ? "chosen" : ""}">
        <button type="button" class="box-pick" aria-pressed=${on}
          onClick=${() => board.choose([box.name], { name: box.name, at })}>
          <${Icon} name=${SORTS[sort] ?? "warning"} small/>
          <span class="box-name">${contentOfItem(item) || sort}</span>
        </button>
        ${
          on &&
          !board.isReadonly() &&
          html`
          <${IconButton} small icon="up" label=${t("look.earlier")} disabled=${at === 0}
            onClick=${() => shift(at, -1)}/>
          <${IconButton} small icon="down" label=${t("look.later")}
            disabled=${at === items.length - 1} onClick=${() => shift(at, 1)}/>`
        }
      </li>`;
    })}
  </ul>`;
}
