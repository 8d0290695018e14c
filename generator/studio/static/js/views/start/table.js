/* The tile that takes a table: dropped, chosen or pasted. */
import { html, useRef } from "../../../vendor/preact.js";
import { Button, Icon } from "../../parts/buttons.js";
import { t } from "../../words.js";
import { tableIn } from "./taken.js";

const KINDS = ".csv,.tsv,.txt,.xlsx,.xlsm,.json,.md,.ods";

/** Take a table. */
export function Table({ busy, onTable }) {
  const file = useRef(null);
  const choose = (event) => {
    const [chosen] = event.target.files;
    if (chosen) onTable(chosen.name, chosen);
    event.target.value = "";
  };
  const paste = (event) => {
    const table = tableIn(event.clipboardData);
    if (!table) return;
    event.preventDefault();
    onTable(...table);
  };
  return html`<section class="tile tile-table" aria-labelledby="start-table" aria-busy=${busy}>
    <div class="tile-words">
      <h3 id="start-table">${t("start.table")}</h3>
      <p class="soft">${t("start.table.note")}</p>
      <div class="tile-acts">
        <${Button} sort="main" icon="upload" label=${t("start.table.choose")} disabled=${busy}
          onClick=${() => file.current.click()}/>
        <input class="text-input paste" placeholder=${t("start.table.paste")}
          aria-label=${t("start.table.paste")} onPaste=${paste} disabled=${busy} value=""/>
      </div>
      <input ref=${file} type="file" accept=${KINDS} hidden onChange=${choose}/>
      <p class="faint" role="status">${busy ? t("start.table.busy") : t("start.table.kinds")}</p>
    </div>
    <div class="drop-sample" aria-hidden="true">
      <table>${t("start.table.sample")
        .split("\n")
        .map(
          (row, at) => html`<tr key=${at} class=${at === 0 ? "head" : ""}>
        ${row.split("|").map((cell) => html`<td>${cell}</td>`)}</tr>`,
        )}</table>
      <${Icon} name="right"/>
      <span class="sample-cards"><i></i><i></i></span>
    </div>
  </section>`;
}
