/* Start: from a spreadsheet, from a look, or open what is there. A table becomes a draft at once,
 * shown with what became of it; it is named when it is kept. */
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { Button } from "../../parts/buttons.js";
import { go, route, to } from "../../route.js";
import { t } from "../../words.js";
import { Draft } from "./draft.js";
import { Looks } from "./looks.js";
import { Open } from "./open.js";
import { Table } from "./table.js";
import { tableIn, takeTable } from "./taken.js";

/** The view Start. */
export function View({ studio }) {
  const { store, wire } = studio;
  const isOther = route.value.parts[0] === "new";
  const [busy, setBusy] = useState(false);
  const take = async (name, content) => {
    if (busy) return;
    setBusy(true);
    await takeTable(studio, name, content).catch((error) => wire.toast(error.message));
    setBusy(false);
  };
  useEffect(() => {
    if (route.value.view !== "start") go(to("start"), true);
  }, []);
  const project = store.project.value;
  if (!project && !store.online.value) return html`<div class="start"></div>`; // is there a draft?
  if (project?.draft && !isOther) {
    return html`<${Draft} studio=${studio} key=${project.folder} dropping=${dropping(take, wire)}
      onOther=${() => go(to("start", "new"))}/>`;
  }
  return html`<div class="start" ...${dropping(take, wire)}>
    <div class="start-inside">
      <header class="start-head">
        <h2>${t("start.title")}</h2>
        ${
          project?.draft &&
          html`<${Button} icon="left" label=${t("start.back")} onClick=${() => go(to("start"))}/>`
        }
      </header>
      <div class="start-top">
        <${Table} busy=${busy} onTable=${take}/>
        <${Open} studio=${studio}/>
      </div>
      <${Looks} studio=${studio}/>
    </div>
  </div>`;
}

/** Return what takes a file that is dropped anywhere. */
function dropping(take, wire) {
  const mark = (event, on) => event.currentTarget.classList.toggle("over", on);
  return {
    onDragOver: (event) => {
      event.preventDefault();
      mark(event, true);
    },
    onDragLeave: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget)) mark(event, false);
    },
    onDrop: (event) => {
      event.preventDefault();
      mark(event, false);
      const table = tableIn(event.dataTransfer);
      if (table) take(...table);
      else if (event.dataTransfer.files.length > 0) wire.toast(t("start.table.picture"));
    },
    onPaste: (event) => {
      if (event.target.closest("input, textarea")) return;
      const table = tableIn(event.clipboardData);
      if (!table) return;
      event.preventDefault();
      take(...table);
    },
  };
}
