/* Small inputs of the properties: texts, numbers with units, choices, colours. Each takes the text
 * that is typed in the file (`text`, "" for none) and calls `onSet(value)`, undefined to clear;
 * `attributes` are those of the input: id, label, placeholder, disabled. */
import { html } from "../../../vendor/preact.js";
import { Icon, Segments } from "../../parts/buttons.js";
import { AnyColour, Chooser, Picker } from "../../parts/chooser.js";
import { useOpening } from "../../parts/popover.js";
import { useTyped } from "../../parts/fields/draft.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";

const NUMBER = /^\s*([-+]?\d*[.,]?\d+)\s*([a-z"%]*)\s*$/i;

/** A text that counts when one leaves it or presses Enter; with `live` at every key. */
export function TextInput({ text, attributes, live = false, mono = false, onSet }) {
  const [draft, change] = useTyped(text);
  const hasLines = text.includes("\n");
  const send = ({ target }) => {
    if (!live && target.value !== text) onSet(target.value.trim() || undefined);
  };
  const props = {
    ...attributes,
    class: `text-input ${mono ? "mono" : ""}`,
    value: draft,
    autocomplete: "off",
    spellcheck: !mono,
    title: text || attributes.placeholder,
    onInput: ({ target }) => {
      change(target.value);
      if (live) onSet(target.value || undefined);
    },
    onChange: send,
    onKeyDown: (event) => event.key === "Enter" && !hasLines && send(event),
  };
  if (!hasLines) return html`<input type="text" ...${props}/>`;
  return html`<textarea rows=${Math.min(6, draft.split("\n").length + 1)} ...${props}/>`;
}

function measureOf(text) {
  const found = NUMBER.exec(text);
  return found ? { number: Number(found[1].replace(",", ".")), unit: found[2] } : null;
}

/**
 * A number with a unit. What is typed keeps the unit of the file; a new one is `written` with its
 * own. Arrow keys step it, with Shift ten times as far.
 */
export function MeasureInput({ text, attributes, unit = "", written = "", onSet, ...limits }) {
  const { step = 0.5, min = -Infinity, max = Infinity } = limits;
  const known = measureOf(text);
  const shown = known ? String(tidy(known.number)) : text;
  const bare = unit === "pt" ? "mm" : unit; // a bare number is of mm
  const own = known ? known.unit || bare : unit;
  const [draft, change] = useTyped(shown);
  const send = (value) => {
    const found = measureOf(value);
    if (!value.trim()) onSet(undefined);
    if (!found) return;
    const within = tidy(Math.max(min, Math.min(max, found.number)));
    const ending = found.unit || (known ? known.unit : written);
    onSet(ending ? `${within}${ending}` : within);
  };
  const commit = ({ target }) => {
    if (target.value !== shown) send(target.value);
    if (!measureOf(target.value)) change(shown); // no number: show what is in the file
  };
  const key = (event) => {
    if (event.key === "Enter") commit(event);
    const by = { ArrowUp: step, ArrowDown: -step }[event.key];
    if (!by) return;
    event.preventDefault();
    const now = measureOf(event.target.value) ?? measureOf(attributes.placeholder ?? "");
    const from = now?.number ?? limits.min ?? 0;
    const next = String(tidy(from + by * (event.shiftKey ? 10 : event.altKey ? 0.2 : 1)));
    change(next);
    send(next);
  };
  return html`<span class="measure">
    <input ...${attributes} type="text" inputmode="decimal" class="text-input number"
      value=${draft} autocomplete="off" onInput=${({ target }) => change(target.value)}
      onChange=${commit} onKeyDown=${key}/>
    ${own && html`<span class="unit faint">${own}</span>`}
  </span>`;
}

function tidy(value) {
  return Math.round(value * 1000) / 1000;
}

/** One of several words, the first of them none. */
export function SelectInput({ text, attributes, options, none, onSet }) {
  const known = options.some((option) => option.value === text);
  return html`<select ...${attributes} class="select" value=${text}
    onChange=${({ target }) => onSet(target.value || undefined)}>
    <option value="">${none}</option>
    ${!known && text && html`<option value=${text}>${text}</option>`}
    ${options.map(
      ({ value, label }) => html`<option key=${value} value=${value}
      selected=${value === text}>${label}</option>`,
    )}
  </select>`;
}

/** A few choices as icons; the one that is on is cleared by another press. */
export function IconChoice({ text, attributes, options, onSet }) {
  const pick = (value) => !attributes.disabled && onSet(value === text ? undefined : value);
  return html`<${Segments} id=${attributes.id} label=${attributes["aria-label"]} value=${text}
    options=${options} onPick=${pick}/>`;
}

/** A colour: of the palette, of a field, or any. */
export function ColourInput({ text, attributes, palette, fields = [], empty, onSet, canClear }) {
  const { "aria-label": label, ...rest } = attributes;
  const named = palette.find((one) => one.name === text);
  const colour = named?.colour ?? (/^#[0-9a-f]{3,8}$/i.test(text) ? text : "");
  const items = [
    ...palette.map((one) => ({
      ...one,
      value: one.name,
      label: titled(one.name),
      note: one.colour,
    })),
    ...fieldItems(fields),
    ...(canClear && text ? [{ value: undefined, label: empty }] : []),
  ];
  const shown = named ? titled(text) : text;
  return html`<${Picker} label=${label} text=${text} item=${colour && { label: shown, colour }}
    empty=${empty} attributes=${rest} items=${items} onPick=${onSet}>
    <${AnyColour} colour=${colour} onPick=${onSet}/><//>`;
}

/** Return the names of fields as items of a chooser. */
function fieldItems(names) {
  return names.map((name) => ({ value: name, label: titled(name), note: t("look.field") }));
}

/** A line around a box: a colour and a width, "warm 1mm". */
export function EdgeInput({ text, attributes, palette, onSet }) {
  const [, colour = "", width = ""] = /^(.*) (\S+)$/.exec(text) ?? [];
  const first = palette.find((one) => one.name === "mark") ?? palette[0];
  const set = (name, wide) => onSet(name && wide && `${name} ${wide}`);
  const ofWidth = { "aria-label": t("look.key.width"), disabled: attributes.disabled };
  return html`<span class="edge-input">
    <${ColourInput} text=${colour} attributes=${attributes} palette=${palette} canClear
      empty=${t("look.noEdge")} onSet=${(name) => set(name, width || "0.5mm")}/>
    <${MeasureInput} text=${width} attributes=${ofWidth} unit="mm" written="mm" step=${0.1}
      min=${0.1} max=${50} onSet=${(wide) => set(colour || first?.name || "#000000", wide)}/>
  </span>`;
}

/** What a box shows: a field, a sentence, a picture or an icon. */
export function ContentInput({ attributes, fields, icons, ...input }) {
  const { isOpen, button, box } = useOpening();
  const items = [...fieldItems(fields), ...icons];
  const label = t("look.choose", { what: attributes["aria-label"] });
  return html`<span class="content-input">
    <${TextInput} attributes=${attributes} ...${input}/>
    ${
      items.length > 0 &&
      html`<button type="button" class="icon-button" aria-label=${label} title=${label}
        disabled=${attributes.disabled} ...${button}><${Icon} name="down" small/></button>`
    }
    ${
      isOpen &&
      html`<${Chooser} ...${box} label=${attributes["aria-label"]} items=${items}
        value=${input.text} shape=${icons.length > 0 ? "grid" : "list"} onPick=${input.onSet}/>`
    }
  </span>`;
}
