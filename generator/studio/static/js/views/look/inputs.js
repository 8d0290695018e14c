/* Small inputs of the properties: texts, numbers with units, choices, colours. Each takes the text
 * that is typed in the file (`text`, "" for none) and calls `onSet(value)`, undefined to clear. */
import { html, useRef, useState } from "../../../vendor/preact.js";
import { Icon, Segments } from "../../parts/buttons.js";
import { Chooser } from "../../parts/chooser.js";
import { t } from "../../words.js";

const NUMBER = /^\s*([-+]?\d*[.,]?\d+)\s*([a-z"%]*)\s*$/i;

/** Return what an input shows, and how to change it; another text in the file takes its place. */
function useTyped(text) {
  const state = useRef({ from: text, shown: text });
  const [, again] = useState(0);
  if (state.current.from !== text) state.current = { from: text, shown: text };
  const change = (shown) => {
    state.current = { from: state.current.from, shown };
    again((count) => count + 1);
  };
  return [state.current.shown, change];
}

/** A text that counts when one leaves it or presses Enter; with `live` at every key. */
export function TextInput({
  id,
  text,
  live = false,
  placeholder = "",
  label,
  onSet,
  disabled,
  mono,
}) {
  const [draft, change] = useTyped(text);
  const send = (event) => {
    if (!live && event.target.value !== text) onSet(event.target.value.trim() || undefined);
  };
  const hasLines = text.includes("\n");
  const props = {
    id,
    class: `text-input ${mono ? "mono" : ""}`,
    value: draft,
    placeholder,
    autocomplete: "off",
    spellcheck: !mono,
    disabled,
    "aria-label": id ? undefined : label,
    title: text || placeholder,
    onInput: (event) => {
      change(event.target.value);
      if (live) onSet(event.target.value || undefined);
    },
    onChange: send,
    onKeyDown: (event) => event.key === "Enter" && !hasLines && send(event),
  };
  const rows = Math.min(6, draft.split("\n").length + 1);
  if (hasLines) return html`<textarea rows=${rows} ...${props}/>`;
  return html`<input type="text" ...${props}/>`;
}

/** Return the number and the unit of a text, null if it is none. */
export function measureOf(text) {
  const found = NUMBER.exec(text);
  return found ? { number: Number(found[1].replace(",", ".")), unit: found[2] } : null;
}

/**
 * A number with a unit. What is typed keeps the unit of the file; arrow keys step it, with Shift
 * ten times as far.
 */
export function MeasureInput({
  id,
  text,
  unit = "",
  step = 0.5,
  min,
  max,
  label,
  placeholder = "",
  onSet,
  disabled,
  written = "",
}) {
  const known = measureOf(text);
  const shown = known ? String(tidy(known.number)) : text;
  const bare = unit === "pt" ? "mm" : unit; // a bare number is of mm
  const own = known ? known.unit || bare : unit;
  const [draft, change] = useTyped(shown);
  const send = (value) => {
    const found = measureOf(value);
    if (!value.trim()) return onSet(undefined);
    if (!found) return undefined;
    const within = Math.max(min ?? -Infinity, Math.min(max ?? Infinity, found.number));
    const ending = found.unit || (known ? known.unit : written);
    return onSet(ending ? `${tidy(within)}${ending}` : tidy(within));
  };
  const commit = (event) => {
    if (event.target.value !== shown) send(event.target.value);
    if (!measureOf(event.target.value)) change(shown); // no number: show what is in the file
  };
  const key = (event) => {
    if (event.key === "Enter") commit(event);
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const now = measureOf(event.target.value)?.number ?? measureOf(placeholder)?.number ?? min ?? 0;
    const next = String(tidy(now + by * step * (event.shiftKey ? 10 : event.altKey ? 0.2 : 1)));
    change(next);
    send(next);
  };
  return html`<span class="measure">
    <input id=${id} type="text" inputmode="decimal" class="text-input number" value=${draft}
      aria-label=${label} placeholder=${placeholder} autocomplete="off" disabled=${disabled}
      onInput=${(event) => change(event.target.value)} onChange=${commit} onKeyDown=${key}/>
    ${own && html`<span class="unit faint">${own}</span>`}
  </span>`;
}

function tidy(value) {
  return Math.round(value * 1000) / 1000;
}

/** One of several words, the first of them none. */
export function SelectInput({ id, text, options, none, onSet, disabled }) {
  const known = options.some((option) => option.value === text);
  return html`<select id=${id} class="select" disabled=${disabled} value=${text}
    onChange=${(event) => onSet(event.target.value || undefined)}>
    ${none !== undefined && html`<option value="">${none}</option>`}
    ${!known && text && html`<option value=${text}>${text}</option>`}
    ${options.map(
      ({ value, label }) => html`<option key=${value} value=${value}
      selected=${value === text}>${label}</option>`,
    )}
  </select>`;
}

/** A few choices as icons; the one that is on is cleared by another press. */
export function IconChoice({ id, text, choices, icons, label, word, onSet, disabled }) {
  const options = choices.map((value) => ({ value, label: word(value), icon: icons[value] }));
  return html`<${Segments} id=${id} label=${label} value=${text} options=${options}
    onPick=${(value) => !disabled && onSet(value === text ? undefined : value)}/>`;
}

/** Return the CSS colour of a name or code, "" if it is neither. */
export function cssColour(palette, text) {
  const named = palette.find((one) => one.name === text)?.colour;
  return named ?? (/^#[0-9a-f]{3,8}$/i.test(text) ? text : "");
}

/** A colour: of the palette, of a field, or any. */
export function ColourInput({
  id,
  text,
  palette,
  fields = [],
  label,
  empty,
  optional = true,
  onSet,
  disabled,
}) {
  const [open, setOpen] = useState(false);
  const anchor = useRef(null);
  const colour = cssColour(palette, text);
  const items = [
    ...palette.map((one) => ({
      value: one.name,
      label: one.name,
      note: one.colour,
      colour: one.colour,
    })),
    ...fields.map((name) => ({ value: name, label: name, note: t("look.field") })),
  ];
  return html`<span class="colour-input">
    <button ref=${anchor} id=${id} type="button" class="colour-button" disabled=${disabled}
      aria-haspopup="dialog" aria-expanded=${open} aria-label="${label}: ${text || empty}"
      onClick=${() => setOpen(!open)}>
      <span class="swatch ${colour ? "" : "unset"}" style=${colour ? { background: colour } : {}}/>
      <span class="colour-name ${text ? "" : "faint"}">${text || empty}</span>
      <${Icon} name="down" small/>
    </button>
    ${
      open &&
      html`<${Chooser} anchor=${anchor} label=${label} items=${items} value=${text}
      onPick=${onSet} onClose=${() => setOpen(false)}>
      <div class="colour-more">
        <label class="any-colour">
          <input type="color" value=${/^#[0-9a-f]{6}$/i.test(colour) ? colour : "#888888"}
            onInput=${(event) => onSet(event.target.value)}/>
          <span>${t("look.anyColour")}</span>
        </label>
        ${
          optional &&
          text &&
          html`<button type="button" class="button small"
          onClick=${() => {
            onSet(undefined);
            setOpen(false);
          }}>${empty}</button>`
        }
      </div>
    <//>`
    }
  </span>`;
}

/** A line around a box: a colour and a width, "warm 1mm". */
export function EdgeInput({ id, text, palette, label, onSet, disabled }) {
  const at = text.lastIndexOf(" ");
  const colour = at > 0 ? text.slice(0, at) : "";
  const width = at > 0 ? text.slice(at + 1) : "";
  const first = palette.find((one) => one.name === "mark") ?? palette[0];
  const usual = colour || first?.name || "#000000";
  const join = (name, wide) => onSet(name === undefined ? undefined : `${name} ${wide}`);
  return html`<span class="edge-input">
    <${ColourInput} id=${id} text=${colour} palette=${palette} label=${label} disabled=${disabled}
      empty=${t("look.noEdge")}
      onSet=${(name) => join(name, width || "0.5mm")}/>
    <${MeasureInput} text=${width} unit="mm" written="mm" step=${0.1} min=${0.1} max=${50}
      label=${t("look.key.width")} disabled=${disabled}
      onSet=${(wide) => join(wide === undefined ? undefined : usual, wide)}/>
  </span>`;
}

/** What a box shows: a field, a sentence, a picture or an icon. */
export function ContentInput({ id, text, items, label, live, onSet, disabled }) {
  const [open, setOpen] = useState(false);
  const anchor = useRef(null);
  return html`<span class="content-input">
    <${TextInput} id=${id} text=${text} live=${live} onSet=${onSet} disabled=${disabled}/>
    ${
      items.length > 0 &&
      html`<button ref=${anchor} type="button" class="icon-button"
        aria-label=${t("look.choose", { what: label })} title=${t("look.choose", { what: label })}
        aria-haspopup="dialog" aria-expanded=${open} disabled=${disabled}
        onClick=${() => setOpen(!open)}><${Icon} name="down" small/></button>`
    }
    ${
      open &&
      html`<${Chooser} anchor=${anchor} label=${label} items=${items} value=${text}
      shape=${items.some((one) => one.icon) ? "grid" : "list"} onPick=${onSet}
      onClose=${() => setOpen(false)}/>`
    }
  </span>`;
}
