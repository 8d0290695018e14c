/* What became of the columns of a table. */
import { html, useState } from "../../../vendor/preact.js";
import { Button } from "../../parts/buttons.js";
import { t } from "../../words.js";
import { takeAgain } from "./taken.js";

/** The columns, each with its part on the card. */
export function Columns({ studio, table }) {
  const { columns, sheets, notes, is_unsure: isUnsure } = table;
  return html`<section class="columns" aria-labelledby="start-columns">
    <h3 id="start-columns">${t("start.columns")}</h3>
    ${sheets.length > 0 && html`<${Sheets} studio=${studio} table=${table}/>`}
    ${
      isUnsure &&
      html`<p class="headless"><span class="soft">${t("start.headless.note")}</span>
        <${Button} label=${t("start.headless")}
          onClick=${() => takeAgain(studio, table, { headless: "" })}/></p>`
    }
    <ul>
      ${columns.map(
        ({ head, field, type, part, sample }) => html`<li key=${field} class="column">
        <span class="column-head">${head}</span>
        <span class="column-part ${part ? "" : "none"}">
          ${t(`start.part.${part || "none"}`)}
          <small class="faint">${typeWord(type)}</small></span>
        ${sample && html`<span class="column-sample faint">${sample}</span>`}
      </li>`,
      )}
    </ul>
    ${notes && html`<p class="column-notes soft" lang="en">${notes}</p>`}
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
  const { sheet = "" } = table.wanted;
  const names = [sheet, ...table.sheets.filter((name) => name !== sheet)];
  return html`<label class="sheets"><span>${t("start.sheet")}</span>
    <select class="select" value=${sheet} disabled=${busy} onChange=${take}>
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
