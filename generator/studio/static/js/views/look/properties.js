/* The properties of chosen boxes: the keys that their sorts have, as the server tells them. */
import { html, useId } from "../../../vendor/preact.js";
import { nodeAt, textOf } from "../../nodes.js";
import { Button, IconButton } from "../../parts/buttons.js";
import { rounded } from "../../parts/geometry.js";
import { iconItems } from "../../parts/items.js";
import { toFile } from "../../route.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";
import * as inputs from "./inputs.js";
import { shownText, writtenText } from "./mail.js";
import { backLabel, bringBack, offCard } from "./off_card.js";
import { sayItem, sayVariant, sayWhen } from "./spoken.js";
import { TableLines } from "./table_lines.js";
import { variantOf, written } from "./typed.js";

const GROUPS = [
  ["letters", ["style", "size", ["align", "valign"]]],
  ["paint", ["colour", "ground", "edge", "lines", "shape", "radius", "width", "opacity"]],
  ["picture", ["fit", "focus", "times"]],
  ["row", ["across", "gap"]],
  ["rule", ["turn", "when"]],
];
const COLOURS = new Set(["fill", "frame", "line", "colour", "ground", "lines"]);
const ICONS = {
  align: { left: "text-left", center: "text-center", right: "text-right", justify: "text-justify" },
  valign: { top: "to-top", middle: "to-middle", bottom: "to-bottom" },
};
const LEAST = 0.1; // mm; only a line may have no width or height
const STEPS = { opacity: 0.1, turn: 5, across: 1 };
const FIELD_TYPES = {
  text: ["text", "rich", "choice", "int", "number"],
  words: [],
  badge: ["text", "choice", "int", "number"],
  picture: ["image"],
  icon: ["icon"],
  fill: ["colour"],
  frame: ["colour"],
  line: ["colour"],
};

/** The properties of boxes, or of an entry of a row or column. Several have those they share. */
export function Properties({ studio, board, boxes, kind, stock }) {
  const { sorts } = board.layout.value;
  const [box] = boxes;
  const isOne = boxes.length === 1;
  const item = isOne && board.item.value?.name === box.name ? board.item.value : null;
  const target = item ? entryOf(board, box, item.at) : boxesOf(board, boxes);
  if (isOne && !target?.what) return html`<${Faulty} board=${board} box=${box}/>`;
  const whats = item ? [target.what] : boxes.map((one) => one.what);
  const has = (name) => whats.every((what) => sorts[what]?.includes(name));
  const props = { studio, board, box, kind, target };
  return html`<div class="look-props"
    key=${`${boxes.map((one) => one.name).join()}/${item?.at ?? ""}`}>
    ${isOne && !item && html`<${OffCard} board=${board} box=${box} stock=${stock}/>`}
    ${
      isOne &&
      (["row", "column", "part", "table"].includes(target.what)
        ? html`<${Whole} ...${props}/>`
        : html`<${Property} name=${target.what} ...${props}/>`)
    }
    ${isOne && !item && box.at && html`<${Place} ...${props}/>`}
    ${GROUPS.map(([group, names]) => {
      const rows = names.map((name) => [name].flat().filter(has)).filter((row) => row.length > 0);
      return (
        rows.length > 0 &&
        html`<div class="look-group" key=${group}>${rows.map(
          ([name, beside]) => html`<${Property} key=${name} name=${name} beside=${beside}
          ...${props}/>`,
        )}</div>`
      );
    })}
  </div>`;
}

/** Put the cursor into the words of the chosen box, if it has any. */
export function editWords() {
  requestAnimationFrame(() => {
    const words = document.querySelector(".look-props [data-words]");
    words?.focus();
    words?.select();
  });
}

/** That a box lies off the card, and the way back. */
function OffCard({ board, box, stock }) {
  const off = offCard(box, stock);
  if (!off) return null;
  return html`<p class="look-note off"><span>${titled(t(`look.off.${off}`))}</span>
    <${Button} small label=${t("look.off.bring")} disabled=${board.isReadonly()}
      aria-label=${backLabel(box, off)} onClick=${() => bringBack(board, box, stock)}/></p>`;
}

/** How values of boxes are read and set: a change is one step for all of them. */
function boxesOf(board, boxes) {
  const isMixed = (key) =>
    new Set(boxes.map((box) => JSON.stringify(box.values[key]?.node))).size > 1;
  const isOne = boxes.length === 1;
  const name = isOne ? titled(boxes[0].name) : t("look.count", { count: boxes.length });
  return {
    what: isOne ? boxes[0].what : "",
    isMixed,
    node: (key) => (isMixed(key) ? undefined : boxes[0].values[key]?.node),
    value: (key) => (isOne ? boxes[0].values[key] : undefined),
    set: (key, value, join) => {
      const values = Object.fromEntries(boxes.map((box) => [box.name, { [key]: value }]));
      board.set(values, t("look.step.set", { name, key: keyName(key) }), join);
    },
  };
}

/** The same for an entry of a row or column: the whole list is set. */
function entryOf(board, box, at) {
  const node = box.values[box.what]?.node.items?.[at];
  if (!node) return null;
  const { sorts } = board.layout.value;
  return {
    what: node.entries?.map(([key]) => key).find((key) => key in sorts),
    isMixed: () => false,
    node: (key) => nodeAt(node, [key]),
    value: () => undefined,
    set: (key, value, join) => {
      const list = written(box.values[box.what].node);
      list[at] = { ...list[at], [key]: value };
      if (value === undefined) delete list[at][key];
      const label = t("look.step.set", { name: titled(box.name), key: keyName(key) });
      board.set({ [box.name]: { [box.what]: list } }, label, join);
    },
  };
}

function keyName(key) {
  return t(`look.key.${key}`);
}

/** One key: its name, its input, and where it is written; perhaps another key beside it. */
function Property({ name, beside, ...props }) {
  const id = useId();
  const { board, box, target } = props;
  return html`<div class="prop">
    <label for=${id}>${keyName(name)}</label>
    <span class=${beside ? "prop-pair" : "prop-input"}>
      <${Input} id=${id} name=${name} ...${props}/>
      ${beside && html`<${Input} name=${beside} ...${props}/>`}
    </span>
    <${Origin} board=${board} box=${box} value=${target.value(name)}
      onReset=${() => target.set(name, undefined)}/>
  </div>`;
}

/** The variant that a value is for, and a button that makes it again what it is in the file that
 * is taken over. */
function Origin({ board, box, value, onReset }) {
  const [own, base] = board.layout.value.files;
  const { variants, names } = board.layout.value;
  const now = value && variantOf(board.layout.value, value);
  const group = variants.find((one) => one.values.includes(now)) ?? { by: "" };
  const variant = now && sayVariant(group, now, names);
  const isOver = value?.file === own.path && !box.own && !board.isReadonly();
  const file = base?.path.split("/").at(-1) ?? "";
  if (!variant && !isOver) return null;
  return html`<span class="prop-origin">
    ${
      variant &&
      html`<span class="chip cut" title=${t("look.inVariant", { variant })}>${variant}</span>`
    }
    ${
      isOver &&
      html`<${IconButton} small icon="undo" label=${t("look.reset", { file })}
      onClick=${onReset}/>`
    }
  </span>`;
}

/** Return the input of a key. */
function Input({ id, name, target, studio, kind, board, box }) {
  const { palette, styles } = studio.store.model.value;
  const key = board.layout.value.keys[name];
  const node = target.node(name);
  const text = node?.items ? node.items.map(textOf).join(", ") : textOf(node);
  const isWhat = name === target.what; // without it, the box would be none
  const onSet = (value) => {
    if (value !== undefined || !isWhat) target.set(name, value, `look ${box.name} ${name}`);
  };
  const mixed = target.isMixed(name) ? t("look.mixed") : "";
  const label = keyName(name);
  const attributes = { id, disabled: board.isReadonly(), "aria-label": label, placeholder: mixed };
  const shared = { text, attributes, onSet };
  const hinted = (placeholder) => ({ ...attributes, placeholder: mixed || placeholder });
  const fields = kind.fields
    .filter((field) => FIELD_TYPES[name]?.includes(field.type))
    .map((field) => field.name);
  if (COLOURS.has(name)) {
    const empty = mixed || t(name === "lines" ? "look.noEdge" : "look.usual");
    return html`<${inputs.ColourInput} ...${shared} palette=${palette} fields=${fields}
      empty=${empty} canClear=${!isWhat}/>`;
  }
  if (name === "edge") return html`<${inputs.EdgeInput} ...${shared} palette=${palette}/>`;
  if (name === "style") {
    const options = styles.map((one) => ({ value: one.name, label: titled(one.name) }));
    return html`<${inputs.SelectInput} ...${shared} options=${options}
      none=${mixed || titled("body")}/>`;
  }
  const wordOf = (value) => t(`look.choice.${value}`);
  if (name in ICONS) {
    const choices = key.choices.filter(
      (one) => one !== "justify" || !["icon", "row"].includes(target.what),
    );
    const options = choices.map((value) => {
      return { value, label: wordOf(value), icon: ICONS[name][value] };
    });
    const shown = text || (mixed ? "" : key.default) || "";
    return html`<${inputs.IconChoice} ...${shared} text=${shown} options=${options}/>`;
  }
  if (key.choices.length > 0) {
    const usual = key.default ? wordOf(key.default) : t("look.usual");
    const options = key.choices
      .filter((one) => one !== key.default || text === one || mixed)
      .map((value) => ({ value, label: wordOf(value) }));
    return html`<${inputs.SelectInput} ...${shared} options=${options} none=${mixed || usual}/>`;
  }
  if (name === "size") {
    const style = textOf(target.node("style")) || "body";
    const usual = String(styles.find((one) => one.name === style)?.size ?? "");
    return html`<${inputs.MeasureInput} ...${shared} attributes=${hinted(usual)} unit="pt"
      written="pt" min=${1} max=${1400}/>`;
  }
  if (["length", "number", "int"].includes(key.type)) {
    const unit = key.type === "length" ? "mm" : name === "turn" ? "°" : "";
    return html`<${inputs.MeasureInput} ...${shared} attributes=${hinted(String(key.default ?? ""))}
      unit=${unit} step=${STEPS[name]} min=${key.min ?? undefined} max=${key.max ?? undefined}/>`;
  }
  if (name in FIELD_TYPES) {
    const { names } = board.layout.value;
    const known = [...kind.fields.map((field) => field.name), ...Object.keys(names)];
    if (["text", "badge"].includes(name)) {
      shared.text = shownText(text, known);
      shared.onSet = (value) => onSet(value && writtenText(value, known));
    }
    if (name === "words") attributes["data-words"] = "";
    return html`<${inputs.ContentInput} ...${shared} fields=${fields} live=${name === "words"}
      icons=${name === "icon" ? iconItems(studio) : []}/>`;
  }
  const note = name === "when" && sayWhen(box, board.layout.value.names);
  return html`<span class="prop-when"><${inputs.TextInput} ...${shared} mono/>
    ${note && html`<span class="faint">${note}</span>`}</span>`;
}

/** Left, top, width and height. */
function Place({ board, box }) {
  const at = board.atOf(box);
  const set = (index, given) => {
    const next = box.at.with(index, Number(given));
    if (given === undefined || Number.isNaN(next[index])) return;
    const step = index < 2 ? "look.step.move" : "look.step.resize";
    board.place(
      { [box.name]: next },
      t(step, { name: titled(box.name) }),
      `place ${box.name} ${index}`,
    );
  };
  const reset = () =>
    board.set(
      { [box.name]: { at: undefined } },
      t("look.step.restore", { name: titled(box.name) }),
    );
  const least = box.what === "line" ? 0 : LEAST;
  const attributes = (name) => ({
    "aria-label": t(`look.at.${name}`),
    disabled: board.isReadonly(),
  });
  return html`<fieldset class="look-place">
    <legend class="unseen">${t("look.place")}</legend>
    ${["x", "y", "w", "h"].map(
      (name, index) => html`<label key=${name}>
      <span class="faint" aria-hidden="true">${name.toUpperCase()}</span>
      <${inputs.MeasureInput} text=${String(rounded(at[index], true))}
        attributes=${attributes(name)} min=${index > 1 ? least : undefined}
        onSet=${(given) => set(index, given)}/>
    </label>`,
    )}
    <${Origin} board=${board} box=${box} value=${box.values.at} onReset=${reset}/>
  </fieldset>`;
}

/** What a row, column, table or part shows. */
function Whole({ board, box, target }) {
  const node = target.node(target.what);
  if (target.what === "table") return html`<${TableLines} board=${board} box=${box} node=${node}/>`;
  if (target.what === "part") {
    return html`<p class="look-note">${t("look.part")} <code>${textOf(node)}</code></p>`;
  }
  return html`<ul class="look-items" aria-label=${t(`look.sort.${target.what}`)}>
    ${(node?.items ?? []).map(
      (one, at) => html`<li key=${at}>
      <button type="button" class="cut"
        onClick=${() => board.choose([box.name], { name: box.name, at })}>
        ${sayItem(one, board.layout.value.names) || t("look.none")}</button></li>`,
    )}
  </ul>`;
}

function Faulty({ board, box }) {
  const file = Object.values(box.values ?? {})[0]?.file ?? board.file;
  return html`<p class="look-note">${t("look.faulty")}
    <a href=${toFile(file, box.line)}>${t("look.toFile")}</a></p>`;
}
