/* Print: what is to be printed and how at the left, the real pages beside it; or files for shops
 * and programs. */
import { html } from "../../../vendor/preact.js";
import { Segments } from "../../parts/buttons.js";
import { go, route, to } from "../../route.js";
import { t } from "../../words.js";
import { Exports } from "./exports.js";
import { Home } from "./home.js";

/** The view Print. */
export function View({ studio }) {
  const [sort] = route.value.parts;
  const what = sort === "files" ? "export" : "home";
  const setWhat = (value) => go(value === "home" ? to("print") : to("print", "files"));
  return html`<div class="print">
    <header class="print-bar">
      <${Segments} label=${t("print.what")} value=${what} onPick=${setWhat}
        options=${["home", "export"].map((value) => ({ value, label: t(`print.what.${value}`) }))}/>
    </header>
    ${
      what === "home"
        ? html`<${Home} studio=${studio} key=${studio.store.pack.value}/>`
        : html`<${Exports} studio=${studio} key=${studio.store.pack.value}/>`
    }
  </div>`;
}
