/* Editors of choices and of yes or no. */
import { html } from "../../../vendor/preact.js";
import { textOf } from "../../nodes.js";
import { t } from "../../words.js";
import { Segments } from "../buttons.js";
import { Unused } from "./unused.js";

const ROOM = 52; // letters that fit beside each other
const ROOM_INSIDE = 36; // in an entry of a list or group
const YES = new Set(["yes", "true", "on"]);
const NO = new Set(["no", "false", "off"]);

/** One of a few, and below them those that no component has. */
export function ChoiceEditor(given) {
  return html`<${Choices} ...${given}/><${Unused} ...${given}/>`;
}

/** The choices side by side if they fit, else in a list. */
function Choices({ field, place, attributes }) {
  const typed = textOf(place.node);
  const value = typed || String(field.default ?? "");
  const canBeNone = field.optional || (field.default !== null && field.default !== "");
  const pick = (text) => place.set(text === "" ? undefined : text);
  const none = field.optional ? [{ value: "", label: "–", title: t("choice.none") }] : [];
  const options = [...none, ...field.choices.map((name) => ({ value: name, label: name }))];
  const isKnown = value === "" || field.choices.includes(value);
  const room = place.path.length > 1 ? ROOM_INSIDE : ROOM;
  if (isKnown && isNarrow(field, room) && !attributes.disabled) {
    return html`<${Segments} label=${attributes["aria-label"]} id=${attributes.id} value=${value}
      describedBy=${attributes["aria-describedby"]} options=${options} onPick=${pick}/>`;
  }
  return html`<select class="select" ...${attributes} value=${value}
    onChange=${(event) => pick(event.target.value)}>
    ${(canBeNone || value === "") && html`<option value="">–</option>`}
    ${!isKnown && html`<option value=${value}>${value}</option>`}
    ${field.choices.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
  </select>`;
}

/** Return True if the choices fit beside each other. */
export function isNarrow(field, room = ROOM) {
  const letters = field.choices.reduce((sum, name) => sum + Math.max(2, name.length) + 3, 0);
  return letters + (field.optional ? 4 : 0) <= room;
}

/** Yes or no. What is neither is shown as it is typed. */
export function BoolEditor({ field, place, attributes }) {
  const typed = textOf(place.node).toLowerCase();
  const value = YES.has(typed) ? true : NO.has(typed) ? false : typed === "" ? field.default : null;
  if (value === null && typed !== "") {
    return html`<input class="text-input" ...${attributes} value=${typed}
      onInput=${(event) => place.set(event.target.value)}/>`;
  }
  return html`<span class="switch-field"><input type="checkbox" role="switch" class="switch"
    ...${attributes} checked=${value === true}
    onChange=${(event) => place.set(event.target.checked)}/></span>`;
}
