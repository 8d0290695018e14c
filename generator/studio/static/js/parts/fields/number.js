/* Editor of numbers: a field with steppers and its limits. */
import { html } from "../../../vendor/preact.js";
import { textOf } from "../../nodes.js";
import { t } from "../../words.js";
import { IconButton } from "../buttons.js";
import { useDraft } from "./draft.js";
import { rangeOf } from "./range.js";

const WHOLE = /^[-+]?\d+$/;
const ANY = /^[-+]?(\d+\.?\d*|\.\d+)$/;

/** Return what to write for a typed number: a number where it is one, else the text itself. */
function asNumber(field, text) {
  const canBeNone = field.optional || field.default !== null;
  if (text.trim() === "") return canBeNone ? undefined : "";
  const form = field.type === "int" ? WHOLE : ANY;
  return form.test(text.trim()) ? Number(text) : text;
}

function isSame(a, b) {
  return a === b || (a !== "" && b !== "" && Number(a) === Number(b));
}

/** A number with its limits. */
export function NumberEditor({ field, place, attributes }) {
  const [draft, change] = useDraft(
    textOf(place.node),
    (text) => place.set(asNumber(field, text)),
    isSame,
  );
  const { min, max } = field;
  const now = draft.trim() === "" ? Number(field.default ?? min ?? 0) : Number(draft);
  const within = (value) => Math.max(min ?? -Infinity, Math.min(max ?? Infinity, value));
  const step = (by) => change(String(within(Number.isNaN(now) ? 0 : rounded(now + by))));
  const key = (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(event.shiftKey ? by * 10 : by);
  };
  const off = attributes.disabled;
  return html`<div class="number-field">
    <input type="text" inputmode=${field.type === "int" ? "numeric" : "decimal"}
      class="text-input number" autocomplete="off" title=${rangeOf(field)}
      ...${attributes} value=${draft} placeholder=${field.default ?? ""}
      onKeyDown=${key} onInput=${(event) => change(event.target.value)}/>
    <${IconButton} small icon="minus" label=${t("number.less")} tabindex="-1"
      disabled=${off || now <= (min ?? -Infinity)} onClick=${() => step(-1)}/>
    <${IconButton} small icon="plus" label=${t("number.more")} tabindex="-1"
      disabled=${off || now >= (max ?? Infinity)} onClick=${() => step(1)}/>
    <span class="range faint number">${rangeOf(field)}</span>
  </div>`;
}

function rounded(value) {
  return Math.round(value * 1000) / 1000;
}
