/* The bar above a table, and the line that tells of the cell with the cursor. */
import { html } from "../../../vendor/preact.js";
import { Button, Icon, IconButton, Menu } from "../../parts/buttons.js";
import { Accept } from "../../parts/fields/accept.js";
import { FaultWords } from "../../parts/fields/field.js";
import { rangeOf as limitsOf } from "../../parts/fields/range.js";
import { NewField } from "../../parts/new_field.js";
import { go, to } from "../../route.js";
import { t } from "../../words.js";
import { rangeOf } from "./sheet.js";
import { cellText, inOneLine } from "./values.js";

/** The kind that is shown, and what can be done with its rows. */
export function TableBar({ studio, about, sheet, actions, rows, total }) {
  const { store } = studio;
  const { top, bottom } = rangeOf(sheet);
  const isLocked = rows.slice(top, bottom + 1).every((row) => row.readonly);
  const query = store.query.value;
  const kinds = store.model.value.kinds;
  const counted = (kind) => store.model.value.components[kind.name]?.length ?? 0;
  const listed = [...kinds].sort((a, b) => (a.own ? 0 : 1) - (b.own ? 0 : 1));
  const items = listed.map((kind) => ({
    label: kind.title,
    note: String(counted(kind)),
    checked: kind.name === about.name,
    onPick: () => go(to("table", kind.name)),
  }));
  const count = query
    ? t("table.found", { count: rows.length, total })
    : t("table.rows", { count: total });
  return html`<div class="table-bar" role="toolbar" aria-label=${t("table.bar")}>
    <h2><${Menu} label=${t("table.kind")} text=${about.title} items=${items}/></h2>
    <span class="faint number" role="status">${count}</span>
    ${
      query &&
      html`<${Button} small icon="close" label=${t("table.all")}
      onClick=${() => (store.query.value = "")}/>`
    }
    <span class="top-space"></span>
    ${
      sheet.sort.value &&
      html`<span class="table-sorted soft">
      <${Button} small icon="check" label=${t("table.keep")} onClick=${actions.keepOrder}/>
      <${Button} small label=${t("table.unsort")} onClick=${() => (sheet.sort.value = null)}/>
    </span><span class="bar-line"></span>`
    }
    <${IconButton} icon="up" label=${t("table.up")} disabled=${isLocked || !actions.canMove}
      onClick=${() => actions.moveRows(-1)}/>
    <${IconButton} icon="down" label=${t("table.down")} disabled=${isLocked || !actions.canMove}
      onClick=${() => actions.moveRows(1)}/>
    <${IconButton} icon="copy" label=${t("table.duplicate")} disabled=${isLocked}
      onClick=${actions.duplicate}/>
    <${IconButton} icon="trash" label=${t("table.delete")} disabled=${isLocked}
      onClick=${actions.remove}/>
    <${NewField} studio=${studio} about=${about} rows=${rows} align="end"/>
    <${Button} small icon="plus" label=${t("table.add")}
      disabled=${!about.own || Boolean(about.made_from)} onClick=${actions.add}/>
  </div>`;
}

function wordsOf({ message, hint }) {
  return [message, hint].filter(Boolean).join("\n");
}

/** What the cell with the cursor holds, or what is wrong with it. */
export function CellLine({ studio, row, column, faults }) {
  if (!row || !column) return html`<div class="cell-line"></div>`;
  const own = faults.get(row.id)?.get(column.name) ?? faults.get(row.id)?.get("");
  const [first] = own ?? [];
  const { field } = column;
  const kind = { int: limitsOf(field), number: limitsOf(field) }[field.type] ?? "";
  return html`<div class="cell-line">
    <strong>${row.nodes.name?.text ?? row.id}</strong><span class="faint">${column.title}</span>
    <span class="cell-what" role="status">
      ${
        first
          ? html`<span class="cell-fault ${first.severity}" title=${wordsOf(first)}>
            <${Icon} name=${first.severity} small/>
            <${FaultWords} fault=${first}/><${Accept} studio=${studio} fault=${first}/></span>`
          : row.readonly
            ? html`<span class="cell-fault soft"><${Icon} name="lock" small/>
              <span>${row.readonly}</span></span>`
            : html`<span class="cell-value">${inOneLine(cellText(row, column))}</span>`
      }
    </span>
    ${
      !first &&
      html`<span class="faint cell-about">
        ${[field.description, kind].filter(Boolean).join(" · ")}</span>`
    }
  </div>`;
}
