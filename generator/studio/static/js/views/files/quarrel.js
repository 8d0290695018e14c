/* Two versions of a file side by side, to choose from. */
import { html, useMemo } from "../../../vendor/preact.js";
import { Button } from "../../parts/buttons.js";
import { t } from "../../words.js";
import { plain, sideBySide } from "./merge.js";

/** Ask which version stays. `theirs` is null for a file that was deleted. */
export function Quarrel({ mine, theirs, isOutside, onKeep }) {
  const rows = useMemo(() => sideBySide(mine, plain(theirs ?? "")), [mine, theirs]);
  const other = isOutside ? "files.theirs.disk" : "files.theirs.tab";
  const note = t(theirs === null ? "files.quarrel.gone" : "files.quarrel.note");
  return html`<section class="quarrel" aria-label=${t("files.quarrel")}>
    <header role="alert"><p><strong>${t("files.quarrel")}</strong>
      <span class="soft">${note}</span></p>
      <${Button} label=${t("files.keep.mine")} sort="main" onClick=${() => onKeep("mine")}/>
      <${Button} label=${t(isOutside ? "files.keep.disk" : "files.keep.tab")}
        onClick=${() => onKeep("theirs")}/>
    </header>
    <div class="quarrel-lines" tabindex="0" role="group" aria-label=${t("files.quarrel")}>
      <table><thead><tr><th scope="col">${t("files.mine")}</th><th scope="col">${t(other)}</th></tr>
      </thead><tbody>${rows.map((row, at) => html`<${Row} key=${at} row=${row}/>`)}</tbody></table>
    </div>
  </section>`;
}

function Row({ row }) {
  if (typeof row === "number") {
    return html`<tr class="skip"><td colspan="2">${t("files.same", { count: row })}</td></tr>`;
  }
  return html`<tr class=${row[0] === row[1] ? "same" : "other"}>
    ${row.map((line) => html`<td class=${line === null ? "none" : ""}>${line}</td>`)}
  </tr>`;
}
