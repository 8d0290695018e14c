/* A field of a form: its label, the editor of its type, its description and its faults.
 *
 *   <${Field} studio field=${Field of the model} place=${placeIn(…)} faults=${[Finding]}
 *     disabled=${…} bare=${a label that is only read out}/>
 *
 * `faults` are those of the component; each field takes those that are its own. Types of guests
 * are edited as text.
 */
import { html } from "../../../vendor/preact.js";
import { Icon } from "../buttons.js";
import { Accept } from "./accept.js";
import { BoolEditor, ChoiceEditor, isNarrow } from "./choice.js";
import { NumberEditor } from "./number.js";
import { ColourEditor, IconEditor, ImageEditor, RefEditor } from "./pick.js";
import { ListEditor, MapEditor } from "./rows.js";
import { IdEditor, RichEditor, TextEditor } from "./text.js";
import { titled } from "./titled.js";

const EDITORS = {
  id: IdEditor,
  rich: RichEditor,
  int: NumberEditor,
  number: NumberEditor,
  choice: ChoiceEditor,
  bool: BoolEditor,
  colour: ColourEditor,
  icon: IconEditor,
  image: ImageEditor,
  ref: RefEditor,
  list: ListEditor,
  table: ListEditor,
  map: MapEditor,
};
const SHORT = new Set(["int", "number", "bool", "length", "colour", "icon", "ref"]);
const GROUPS = new Set(["list", "table", "map"]);
const FEW = 18; // letters that fit into half the width

/** Return True for a field that takes half the width of a form. */
export function isShort(field) {
  if (field.type === "choice") {
    const letters = field.choices.reduce((sum, name) => sum + name.length + 3, 0);
    return !isNarrow(field) || letters <= FEW;
  }
  return SHORT.has(field.type) || (field.type === "text" && (field.max_length ?? 200) <= FEW);
}

/** A field with its label and faults. */
export function Field({ studio, field, place, faults, disabled = false, bare = "" }) {
  const isGroup = GROUPS.has(field.type) && !place.isTable;
  const Editor =
    (place.isTable && GROUPS.has(field.type) ? null : EDITORS[field.type]) ?? TextEditor;
  const own = faults.filter((fault) => isOf(fault, place.path, isGroup));
  const id = `field-${place.key}`;
  const notes = [field.description ? `${id}-note` : "", own.length ? `${id}-faults` : ""];
  const label = bare || titled(field.name);
  const attributes = {
    id,
    disabled,
    "data-field": place.key,
    "aria-label": label,
    "aria-describedby": notes.filter(Boolean).join(" ") || undefined,
    "aria-invalid": own.some((fault) => fault.severity === "error") ? "true" : undefined,
  };
  const worst = own[0]?.severity ?? "";
  const classes = `field ${isShort(field) ? "short" : ""} ${isGroup ? "group" : ""} ${worst}`;
  return html`<div class=${classes}>
    ${
      !bare &&
      html`<div class="field-head">
      <label for=${isGroup ? undefined : id}>${label}</label>
      ${
        field.description &&
        html`<span class="field-note" id="${id}-note"
        title=${field.description}>${field.description}</span>`
      }
    </div>`
    }
    <${Editor} studio=${studio} field=${field} place=${place} faults=${faults}
      attributes=${attributes}/>
    ${
      own.length > 0 &&
      html`<ul class="field-faults" id="${id}-faults">
      ${own.map(
        (fault, at) => html`<li key=${at} class=${fault.severity}>
        <${Icon} name=${fault.severity} small/><${FaultWords} fault=${fault}/>
        <${Accept} studio=${studio} fault=${fault}/>
      </li>`,
      )}
    </ul>`
    }
  </div>`;
}

/** A finding in words, with its hint. */
export function FaultWords({ fault }) {
  return html`<span>${fault.message}${
    fault.hint && html` <span class="fault-hint">${fault.hint}</span>`
  }</span>`;
}

/** Return True for a fault of a place; a group leaves those of its entries to them. */
function isOf({ path }, place, isGroup) {
  if (!path || (isGroup && path.length !== place.length)) return false;
  return place.every((key, at) => String(path[at]) === String(key));
}
