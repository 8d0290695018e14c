/* What became of the columns of a table. */
import { html } from "../../../vendor/preact.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";

/** The columns, each with its part on the card; without a table, the fields. */
export function Columns({ kind, table }) {
  const columns =
    table?.columns ??
    kind.fields
      .filter(({ name }) => name !== "id")
      .map(({ name, type }) => ({ head: titled(name), field: name, type, part: "", sample: "" }));
  return html`<section class="columns" aria-labelledby="start-columns">
    <h3 id="start-columns">${t(table ? "start.columns" : "start.fields")}</h3>
    <ul>
      ${columns.map(
        ({ head, field, type, part, sample }) => html`<li key=${field} class="column">
        <span class="column-head">${head}</span>
        <span class="column-part ${table && !part ? "none" : ""}">
          ${table ? t(`start.part.${part || "none"}`) : ""}
          <small class="faint">${typeWord(type)}</small></span>
        ${sample && html`<span class="column-sample faint">${sample}</span>`}
      </li>`,
      )}
    </ul>
    ${table?.notes && html`<p class="column-notes soft">${table.notes}</p>`}
  </section>`;
}

/** Return what a type is called; those of guests have their own names. */
function typeWord(type) {
  const word = t(`start.type.${type}`);
  return word.startsWith("start.") ? type : word;
}
