/* A button that gives a kind another field: its name, and its type in plain words. */
import { html, useId, useState } from "../../vendor/preact.js";
import { fieldNameFrom } from "../ids.js";
import { fieldEdits, whyFixed } from "../kind_edits.js";
import { t } from "../words.js";
import { Button } from "./buttons.js";
import { Popover, useOpening } from "./popover.js";

const TYPES = ["text", "rich", "number", "choice", "bool", "colour", "icon", "image", "list"];

/** A button that adds a field to a kind. */
export function NewField({ studio, about, rows, align = "start" }) {
  const { isOpen, button, box } = useOpening();
  if (!about.own || about.made_from) return null;
  const why = whyFixed(about, rows);
  const label = t("newField");
  return html`<${Button} small icon="plus" label=${label} title=${why || label}
      disabled=${Boolean(why)} ...${button}/>
    ${
      isOpen &&
      html`<${Popover} ...${box} align=${align}>
      <${Asking} studio=${studio} about=${about} rows=${rows} onClose=${box.onClose}/>
    <//>`
    }`;
}

function Asking({ studio, about, rows, onClose }) {
  const [title, setTitle] = useState("");
  const [type, setType] = useState("text");
  const [listed, setListed] = useState("");
  const id = useId();
  const name = fieldNameFrom(title);
  const isTaken = about.fields.some((one) => one.name === name);
  const choices = [...new Set(listed.split(/[,;\n]/).map((word) => word.trim()))].filter(Boolean);
  const isReady = name && !isTaken && (type !== "choice" || choices.length > 0);
  const add = (event) => {
    event.preventDefault();
    if (!isReady) return;
    addField(studio, about, rows, { name, type, choices }).catch(() => {});
    onClose();
  };
  return html`<form class="new-field" aria-label=${t("newField")} onSubmit=${add}>
    <label>${t("newField.name")}
      <input class="text-input" data-first value=${title} aria-invalid=${isTaken}
        aria-describedby="${id}-taken" onInput=${(event) => setTitle(event.target.value)}/></label>
    <label>${t("newField.type")}
      <select class="select" value=${type} onChange=${(event) => setType(event.target.value)}>
        ${TYPES.map(
          (one) => html`<option key=${one} value=${one}>${t(`newField.${one}`)}</option>`,
        )}
      </select></label>
    <p id="${id}-taken" class="error">${isTaken && t("newField.taken")}</p>
    <div class="new-field-end">
      ${
        type === "choice" &&
        html`<input class="text-input" value=${listed} aria-label=${t("newField.choices")}
          placeholder=${t("newField.choices")}
          onInput=${(event) => setListed(event.target.value)}/>`
      }
      <button type="submit" class="button main" disabled=${!isReady}>
        <span>${t("newField.add")}</span></button>
    </div>
  </form>`;
}

/** Give a kind another field, as one step of undo with further edits. */
export function addField({ store, wire }, about, rows, field, further = []) {
  const label = t("newField.step", { name: field.name });
  const edits = [...fieldEdits(about, rows ?? store.rows(about.name).peek() ?? [], field)];
  return wire.edit({ label, edits: [...edits, ...further] });
}
