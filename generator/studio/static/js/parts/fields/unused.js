/* The choices of a field that no component has, each to be removed: often misspelt ones. */
import { html } from "../../../vendor/preact.js";
import { choiceEdit, unusedChoices } from "../../kind_edits.js";
import { t } from "../../words.js";
import { Button } from "../buttons.js";

/** Offer to remove unused choices of a field of a kind. */
export function Unused({ studio, field, place }) {
  const { store, wire } = studio;
  const kind = place.path.length === 1 ? store.kinds.value.get(store.chosen.value.kind) : null;
  const isOwn = kind?.own && !kind.readonly && kind.fields.includes(field);
  const rows = isOwn && store.rows(kind.name).value;
  if (!rows) return null;
  const unused = unusedChoices(field, rows);
  if (unused.length === 0 || unused.length === field.choices.length) return null;
  const remove = (name) => {
    const label = t("choice.remove", { name });
    wire.edit({ label, edits: [choiceEdit(kind, field, name)] }).catch(() => {});
  };
  return html`<details class="unused soft">
    <summary>${t("choice.unused", { names: unused.join(", ") })}</summary>
    ${unused.map(
      (name) => html`<${Button} key=${name} small icon="trash"
      label=${t("choice.remove", { name })} onClick=${() => remove(name)}/>`,
    )}
  </details>`;
}
