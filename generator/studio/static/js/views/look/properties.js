/* The properties of the chosen box: the keys that its sort has, as the server tells them. */
import { html, useId } from "../../../vendor/preact.js";
import { nodeAt, textOf } from "../../nodes.js";
import { IconButton } from "../../parts/buttons.js";
import { rounded } from "../../parts/geometry.js";
import { toFile } from "../../route.js";
import { t } from "../../words.js";
import { contentOfItem } from "./adding.js";
import {
  ColourInput,
  ContentInput,
  EdgeInput,
  IconChoice,
  MeasureInput,
  SelectInput,
  TextInput,
} from "./inputs.js";
import { TableLines } from "./table_lines.js";
import { variantOf, written } from "./typed.js";

const GROUPS = [
  ["letters", ["style", ["size", "steps"], ["align", "valign"]]],
  ["paint", ["colour", "ground", "edge", "lines", "shape", "radius", "width", "opacity"]],
  ["picture", ["fit", "focus", "times"]],
  ["row", ["across", "gap"]],
  ["rule", ["turn", "when"]],
];
const COLOURS = new Set(["fill", "frame", "line", "colour", "ground", "lines"]);
const ALIGN = {
  left: "text-left",
  center: "text-center",
  right: "text-right",
  justify: "text-justify",
};
const VALIGN = { top: "to-top", middle: "to-middle", bottom: "to-bottom" };
const STEPS = { opacity: 0.1, turn: 5, across: 1 };
const FIELD_TYPES = {
  text: ["text", "rich", "choice", "int", "number"],
  badge: ["text", "choice", "int", "number"],
  picture: ["image"],
  icon: ["icon"],
  fill: ["colour"],
  frame: ["colour"],
  line: ["colour"],
};

/** The properties that several boxes share. A change is one step for all of them. */
export function SharedProperties({ studio, board, boxes, kind }) {
  const { sorts } = board.layout.value;
  const known = boxes.map((box) => new Set(sorts[box.what] ?? []));
  const nodesOf = (key) => boxes.map((box) => box.values[key]?.node);
  const isMixed = (key) => new Set(nodesOf(key).map((one) => JSON.stringify(one))).size > 1;
  const target = {
    what: "",
    isMixed,
    node: (key) => (isMixed(key) ? undefined : nodesOf(key)[0]),
    value: () => undefined,
    set: (key, value, join) => {
      const name = t("look.count", { count: boxes.length });
      board.putAll(boxes, key, value, t("look.step.set", { name, key: keyName(key) }), join);
    },
  };
  const props = { studio, board, box: boxes[0], kind, target };
  return html`<div class="look-props">
    <${Groups} has=${(name) => known.every((one) => one.has(name))} ...${props}/>
  </div>`;
}

/** The properties of one box, or of an entry of a row or column. */
export function Properties({ studio, board, box, kind }) {
  const layout = board.layout.value;
  const item = board.item.value?.name === box.name ? board.item.value : null;
  const target = item ? entryOf(board, box, item.at) : boxTarget(board, box);
  if (!target?.what) return html`<${Faulty} board=${board} box=${box}/>`;
  const known = new Set(layout.sorts[target.what]);
  const props = { studio, board, box, kind, target };
  return html`<div class="look-props" key=${`${box.name}/${item?.at ?? ""}`}>
    ${
      ["row", "column", "part", "table"].includes(target.what)
        ? html`<${Whole} ...${props}/>`
        : html`<${Property} name=${target.what} ...${props}/>`
    }
    ${!item && box.at && html`<${Place} ...${props}/>`}
    <${Groups} has=${(name) => known.has(name)} ...${props}/>
  </div>`;
}

/** The keys that boxes have besides what they show and where. */
function Groups({ has, ...props }) {
  return GROUPS.map(([group, names]) => {
    const rows = names.map((name) => [name].flat().filter(has)).filter((row) => row.length > 0);
    return (
      rows.length > 0 &&
      html`<div class="look-group" key=${group}>
      ${rows.map(
        ([name, beside]) => html`<${Property} key=${name} name=${name} beside=${beside}
        ...${props}/>`,
      )}
    </div>`
    );
  });
}

/** How values of a box are read and set. */
function boxTarget(board, box) {
  return {
    what: box.what,
    node: (key) => box.values[key]?.node,
    value: (key) => box.values[key],
    set: (key, value, join) => {
      const label = t("look.step.set", { name: box.name, key: keyName(key) });
      board.put(box.name, { [key]: value }, label, join);
    },
  };
}

/** The same for an entry of a row or column: the whole list is set. */
function entryOf(board, box, at) {
  const node = box.values[box.what]?.node.items?.[at];
  if (!node) return null;
  const sorts = Object.keys(board.layout.value.sorts);
  return {
    what: node.entries?.map(([key]) => key).find((key) => sorts.includes(key)),
    node: (key) => nodeAt(node, [key]),
    value: () => undefined,
    set: (key, value, join) => {
      const list = written(box.values[box.what].node);
      const entry = { ...list[at], [key]: value };
      if (value === undefined) delete entry[key];
      list[at] = entry;
      const label = t("look.step.set", { name: box.name, key: keyName(key) });
      board.put(box.name, { [box.what]: list }, label, join);
    },
  };
}

export function keyName(key) {
  return t(`look.key.${key}`);
}

/**
 * One key: its name, its input, and a mark where it is written for a variant or can be reset;
 * perhaps with another key beside it.
 */
function Property({ studio, board, box, kind, target, name, beside }) {
  const id = useId();
  const layout = board.layout.value;
  const value = target.value(name);
  const variant = value ? variantOf(layout, value) : "";
  const isOver = value && !box.own && value.file === layout.files[0].path;
  const props = { target, studio, kind, board, box };
  return html`<div class="prop">
    <label for=${id}>${keyName(name)}
      ${variant && html`<${Chip} variant=${variant}/>`}
    </label>
    ${
      beside
        ? html`<span class="prop-pair"><${Input} id=${id} name=${name} ...${props}/>
          <${Input} name=${beside} ...${props}/></span>`
        : html`<${Input} id=${id} name=${name} ...${props}/>`
    }
    ${
      isOver &&
      !board.isReadonly() &&
      html`<${Reset} board=${board} onReset=${() => target.set(name, undefined)}/>`
    }
  </div>`;
}

/** Return the input of a key. */
function Input({ id, name, target, studio, kind, board, box }) {
  const layout = board.layout.value;
  const model = studio.store.model.value;
  const key = layout.keys[name];
  const node = target.node(name);
  const text = node?.items ? node.items.map(textOf).join(", ") : textOf(node);
  const label = keyName(name);
  const disabled = board.isReadonly();
  const join = `look ${box.name} ${name}`;
  const isWhat = name === target.what; // without it, the box would be none
  const onSet = (value) =>
    value === undefined && isWhat ? undefined : target.set(name, value, join);
  const mixed = target.isMixed?.(name) ? t("look.mixed") : "";
  const shared = { id, text, label, onSet, disabled, placeholder: mixed };
  const fields = fieldsFor(kind, name);
  if (COLOURS.has(name)) {
    return html`<${ColourInput} ...${shared} palette=${model.palette} fields=${fields}
      empty=${mixed || t(name === "lines" ? "look.noEdge" : "look.usual")} optional=${!isWhat}/>`;
  }
  if (name === "edge") return html`<${EdgeInput} ...${shared} palette=${model.palette}/>`;
  if (name === "style") {
    const options = model.styles.map((one) => ({ value: one.name, label: one.name }));
    return html`<${SelectInput} ...${shared} options=${options} none=${mixed || "body"}/>`;
  }
  if (name === "align" || name === "valign") {
    const choices =
      target.what === "icon" || target.what === "row"
        ? key.choices.filter((one) => one !== "justify")
        : key.choices;
    const shown = text || (mixed ? "" : key.default) || "";
    return html`<${IconChoice} ...${shared} text=${shown} choices=${choices}
      icons=${name === "align" ? ALIGN : VALIGN} word=${(one) => t(`look.choice.${one}`)}/>`;
  }
  if (key.choices.length > 0) {
    const options = key.choices.map((one) => ({ value: one, label: t(`look.choice.${one}`) }));
    const usual = key.default ? t(`look.choice.${key.default}`) : t("look.usual");
    const isUsual = (one) => one.value === key.default && text !== key.default && !mixed;
    return html`<${SelectInput} ...${shared} options=${options.filter((one) => !isUsual(one))}
      none=${mixed || usual}/>`;
  }
  if (["length", "number", "int"].includes(key.type)) {
    const isSize = name === "size";
    const usual = isSize ? sizeOfStyle(model, target) : String(key.default ?? "");
    const unit = isSize ? "pt" : key.type === "length" ? "mm" : name === "turn" ? "°" : "";
    return html`<${MeasureInput} ...${shared} unit=${unit} written=${isSize ? "pt" : ""}
      step=${STEPS[name] ?? 0.5}
      min=${isSize ? 1 : key.min} max=${isSize ? 1400 : key.max}
      placeholder=${mixed || usual}/>`;
  }
  if (name === "steps") {
    const list = (value) => onSet(value?.split(/[\s,;]+/).filter(Boolean));
    return html`<${TextInput} ...${shared} onSet=${list} placeholder=${mixed || label}/>`;
  }
  if (["text", "words", "badge", "picture", "icon"].includes(name)) {
    const icons =
      name === "icon"
        ? model.icons.map((one) => ({ value: one, label: one, icon: studio.wire.icon(one) }))
        : [];
    const items = [
      ...fields.map((one) => ({ value: one, label: one, note: t("look.field") })),
      ...icons,
    ];
    return html`<${ContentInput} ...${shared} items=${items} live=${name === "words"}/>`;
  }
  return html`<${TextInput} ...${shared} mono/>`;
}

function fieldsFor(kind, name) {
  const types = FIELD_TYPES[name] ?? [];
  return kind.fields.filter((field) => types.includes(field.type)).map((field) => field.name);
}

function sizeOfStyle(model, target) {
  const style = textOf(target.node("style")) || "body";
  return String(model.styles.find((one) => one.name === style)?.size ?? "");
}

/** The name of the variant that a value is for. */
function Chip({ variant }) {
  return html`<span class="chip" title=${t("look.inVariant", { variant })}>${variant}</span>`;
}

/** A button that makes a value again what it is in the file that is taken over. */
function Reset({ board, onReset }) {
  const file = board.layout.value.files[1]?.path.split("/").at(-1) ?? "";
  return html`<${IconButton} small icon="undo" label=${t("look.reset", { file })}
    onClick=${onReset}/>`;
}

/** Left, top, width and height. */
function Place({ board, box }) {
  const at = board.atOf(box);
  const value = box.values.at;
  const variant = value ? variantOf(board.layout.value, value) : "";
  const isOver = value && !box.own && value.file === board.layout.value.files[0].path;
  const set = (index, given) => {
    if (given === undefined) return;
    const next = [...box.at];
    next[index] = Number(given);
    if (Number.isNaN(next[index])) return;
    const step = index < 2 ? "look.step.move" : "look.step.resize";
    board.place({ [box.name]: next }, t(step, { name: box.name }), `place ${box.name} ${index}`);
  };
  const label = t("look.step.restore", { name: box.name });
  const reset = () => board.put(box.name, { at: undefined }, label);
  return html`<fieldset class="look-place">
    <legend class="unseen">${t("look.place")}</legend>
    ${["x", "y", "w", "h"].map(
      (name, index) => html`<label key=${name}>
      <span class="faint" aria-hidden="true">${name.toUpperCase()}</span>
      <${MeasureInput} text=${String(rounded(at[index], true))} label=${t(`look.at.${name}`)}
        min=${index < 2 ? undefined : 0} disabled=${board.isReadonly()}
        onSet=${(given) => set(index, given)}/>
    </label>`,
    )}
    ${
      (variant || (isOver && !board.isReadonly())) &&
      html`<span class="look-place-note">
      ${variant && html`<${Chip} variant=${variant}/>`}
      ${
        isOver &&
        html`<${Reset} board=${board} onReset=${reset}/>`
      }
    </span>`
    }
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
      <button type="button" onClick=${() => board.choose([box.name], { name: box.name, at })}>
        ${contentOfItem(one) || t("look.none")}</button></li>`,
    )}
  </ul>`;
}

function Faulty({ board, box }) {
  const file = box.values && Object.values(box.values)[0]?.file;
  const address = toFile(file ?? board.layout.value.files[0].path, box.line);
  return html`<p class="look-note">${t("look.faulty")}
    <a href=${address}>${t("look.toFile")}</a></p>`;
}
