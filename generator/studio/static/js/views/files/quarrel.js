/* Two versions of a file side by side, to choose from. */
import { html, useMemo } from "../../../vendor/preact.js";
import { Button } from "../../parts/buttons.js";
import { t } from "../../words.js";
import { plain, sideBySide } from "./merge.js";

const AROUND = 3; // lines that are the same, above and below each change

/** Ask which version stays. `theirs` is null for a file that was deleted. */
export function Quarrel({ mine, theirs, isOutside, onKeep }) {
  const lines = useMemo(() => shortened(sideBySide(mine, plain(theirs ?? ""))), [mine, theirs]);
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
      </thead><tbody>
        ${lines.map(({ sort, left, right }, at) =>
          sort === "skip"
            ? html`<tr key=${at} class="skip"><td colspan="2">
              ${t("files.same", { count: left })}</td></tr>`
            : html`<tr key=${at} class=${sort}>
              <td class=${left === null ? "none" : ""}>${left}</td>
              <td class=${right === null ? "none" : ""}>${right}</td></tr>`,
        )}
      </tbody></table>
    </div>
  </section>`;
}

function shortened(lines) {
  const near = new Set();
  lines.forEach(({ sort }, at) => {
    if (sort !== "other") return;
    for (let by = -AROUND; by <= AROUND; by += 1) near.add(at + by);
  });
  const shown = [];
  let skipped = 0;
  const flush = () => {
    if (skipped) shown.push({ sort: "skip", left: skipped });
    skipped = 0;
  };
  lines.forEach((line, at) => {
    if (!near.has(at)) {
      skipped += 1;
      return;
    }
    flush();
    shown.push(line);
  });
  flush();
  return shown;
}
