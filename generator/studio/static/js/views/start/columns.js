/* What became of the columns of a table. */
import { html, useState } from "../../../vendor/preact.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";
import { takeAgain } from "./taken.js";

/** The columns, each with its part on the card; without a table, the fields. */
export function Columns({ studio, kind, table }) {
  const columns =
    table?.columns ??
    kind.fields
      .filter(({ name }) => name !== "id")
      .map(({ name, type }) => ({ head: titled(name), field: name, type, part: "", sample: "" }));
  return html`<section class="columns" aria-labelledby="start-columns">
    <h3 id="start-columns">${t(table ? "start.columns" : "start.fields")}</h3>
    ${table?.sheets.length > 0 && html`<${Sheets} studio=${studio} table=${table}/>`}
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

/** The sheets of a workbook, to take another one. */
function Sheets({ studio, table }) {
  const [busy, setBusy] = useState(false);
  const take = async ({ target }) => {
    setBusy(true);
    await takeAgain(studio, table, { sheet: target.value });
    setBusy(false);
  };
  const names = [table.sheet, ...table.sheets.filter((name) => name !== table.sheet)];
  return html`<label class="sheets"><span>${t("start.sheet")}</span>
    <select class="select" value=${table.sheet} disabled=${busy} onChange=${take}>
      ${names.map(
        (name) => html`<option key=${name} value=${name}>
        ${name || t("start.sheet.first")}</option>`,
      )}
    </select></label>`;
}

/** Return what a type is called; those of guests have their own names. */
function typeWord(type) {
  const word = t(`start.type.${type}`);
  return word.startsWith("start.") ? type : word;
}
