/* The list of boxes, the foremost first: choose, rename, drag to another place in the order. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../../vendor/preact.js";
import { Icon, IconButton } from "../../parts/buttons.js";
import { useSorting } from "../../parts/sorting.js";
import { t } from "../../words.js";
import { titled } from "../../parts/fields/titled.js";
import { boxNameFrom } from "./conditions.js";
import { backLabel, bringBack, offCard } from "./off_card.js";
import { sayContent, sayItem, sayWhen } from "./spoken.js";
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
  part: "look",
  table: "table",
  row: "row",
  column: "column",
};

/** All boxes of the face. */
export function BoxList({ board, stock }) {
  const layout = board.layout.value;
  const [renaming, setRenaming] = useState("");
  const order = board.isReadonly() ? [] : sortable(layout).reverse();
  const sorting = useSorting(order.length, (from, to) =>
    steps.moveTo(board, order[from], order.length - 1 - to),
  );
  const chosen = board.chosen.value.join();
  useEffect(() => {
    sorting.list.current.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return html`<ul class="box-list" aria-label=${t("look.boxes")} ref=${sorting.list}>
    ${[...layout.boxes].reverse().map((box) => {
      const at = order.indexOf(box.name);
      const isSortable = at >= 0 && order.length > 1;
      return html`<li key=${box.name} class="box-entry ${isSortable ? sorting.mark(at) : ""}"
        data-sort=${isSortable ? at : undefined}>
        ${
          renaming === box.name
            ? html`<${Rename} board=${board} box=${box} onDone=${() => setRenaming("")}/>`
            : html`<${Entry} board=${board} box=${box} stock=${stock} onRename=${setRenaming}
              grip=${isSortable && sorting.grip(at)}/>`
        }
        ${["row", "column"].includes(box.what) && html`<${Inside} board=${board} box=${box}/>`}
      </li>`;
    })}
  </ul>`;
}

function Entry({ board, box, stock, grip, onRename }) {
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
  const rename = () => canRename && onRename(box.name);
  const off = offCard(box, stock);
  const note = noteOf(layout, box, off);
  const classes = [
    "box-row",
    isChosen && "chosen",
    (box.dropped || !box.drawn) && "absent",
    board.hover.value === box.name && "hover",
  ];
  return html`<div class=${classes.filter(Boolean).join(" ")}
    onPointerEnter=${() => (board.hover.value = box.name)}
    onPointerLeave=${() => (board.hover.value = "")}>
    <button type="button" class="box-pick" aria-pressed=${isChosen} onClick=${press}
      onDblClick=${rename} onKeyDown=${(event) => event.key === "F2" && rename()}
      title=${canRename ? t("look.renameHint") : undefined}>
      <${Icon} name=${SORTS[box.what] ?? "warning"} small/>
      <span class="box-name cut ${box.dropped ? "gone" : ""}">${titled(box.name)}</span>
      <span class="box-note cut faint">${note}</span>
    </button>
    ${
      box.dropped &&
      !board.isReadonly() &&
      html`<${IconButton} small icon="undo" label=${t("look.restore", { name: titled(box.name) })}
      onClick=${() => steps.restore(board, box)}/>`
    }
    ${
      off &&
      !board.isReadonly() &&
      html`<${IconButton} small icon="warning" class="box-off" label=${backLabel(box, off)}
      onClick=${() => bringBack(board, box, stock)}/>`
    }
    ${
      !box.dropped &&
      sayWhen(box, layout.names) &&
      html`<${IconButton} small icon=${box.drawn ? "eye" : "eye-off"} label=${whenOf(layout, box)}
      onClick=${() => board.choose([box.name])}/>`
    }
    ${grip && html`<${Grip} ...${grip}/>`}
  </div>`;
}

/** What a finger or the mouse drags. */
function Grip(props) {
  return html`<span class="box-grip" aria-hidden="true" ...${props}>
    <${Icon} name="grip" small/></span>`;
}

function noteOf(layout, box, off) {
  if (box.dropped) return t("look.dropped");
  if (!box.drawn) return t("look.notHere");
  return off ? t(`look.off.${off}`) : sayContent(box, layout.names);
}

function whenOf({ names }, box) {
  const when = sayWhen(box, names);
  return t(box.drawn ? "look.shownWhen" : "look.hiddenWhen", { when });
}

function Rename({ board, box, onDone }) {
  const input = useRef(null);
  useLayoutEffect(() => input.current.select(), []);
  const key = (event) => {
    event.stopPropagation();
    if (event.key === "Escape") event.target.value = titled(box.name);
    if (event.key === "Escape" || event.key === "Enter") event.target.blur();
  };
  const left = ({ target }) => {
    onDone();
    steps.rename(board, box, boxNameFrom(target.value));
  };
  return html`<div class="box-row chosen"><input class="text-input" ref=${input}
    defaultValue=${titled(box.name)} spellcheck=${false} onKeyDown=${key} onBlur=${left}
    aria-label=${t("look.rename", { name: titled(box.name) })}/></div>`;
}

/** The entries of a row or column, which can be put in another order. */
function Inside({ board, box }) {
  const items = box.values[box.what].node.items ?? [];
  const chosen = board.item.value;
  const move = (from, to) => steps.moveItem(board, box, from, to);
  const sorting = useSorting(items.length, move);
  const canSort = items.length > 1 && !board.isReadonly();
  return html`<ul class="box-inside" ref=${sorting.list}>
    ${items.map((item, at) => {
      const on = chosen?.name === box.name && chosen.at === at;
      const sort = item.entries?.map(([key]) => key).find((key) => SORTS[key]);
      const step = (icon, label, to) => html`<${IconButton} small icon=${icon} label=${t(label)}
        disabled=${!(to in items)} onClick=${() => move(at, to)}/>`;
      const words = sayItem(item, board.layout.value.names) || t(`look.sort.${sort}`);
      return html`<li key=${at} class="box-entry box-row ${on ? "chosen" : ""} ${sorting.mark(at)}"
        data-sort=${at}>
        <button type="button" class="box-pick" aria-pressed=${on}
          onClick=${() => board.choose([box.name], { name: box.name, at })}>
          <${Icon} name=${SORTS[sort] ?? "warning"} small/>
          <span class="box-name cut">${words}</span>
        </button>
        ${on && canSort && [step("up", "look.earlier", at - 1), step("down", "look.later", at + 1)]}
        ${canSort && html`<${Grip} ...${sorting.grip(at)}/>`}
      </li>`;
    })}
  </ul>`;
}
