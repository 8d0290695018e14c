/* Mounts the page: the shell around the view that the route names. */
import { html, render, useEffect, useErrorBoundary, useState } from "../vendor/preact.js";
import { route, toFile } from "./route.js";
import { Shell } from "./shell/shell.js";
import { createStore } from "./store.js";
import { createWire } from "./wire.js";
import { language, speak, t } from "./words.js";

/* Each view is a module that exports `View`, a component that takes {studio}. It is loaded when it
 * is first shown. */
const VIEWS = {
  start: () => import("./views/start/view.js"),
  cards: () => import("./views/cards/view.js"),
  look: () => import("./views/look/view.js"),
  table: () => import("./views/table/view.js"),
  files: () => import("./views/files/view.js"),
  print: () => import("./views/print/view.js"),
};

/* Those that show the pack, and so need one that can be read. */
const OF_MODEL = new Set(["cards", "look", "table"]);

/** Say why a pack cannot be shown, and where to put it right. */
function Broken({ finding }) {
  const { file, line, column, message } = finding;
  return html`<span>${t("view.broken")}<br/><strong>${message}</strong><br/>
    <a href=${toFile(file, line, column)}>${file}:${line}</a></span>`;
}

/** Show a view. A fault in it leaves the rest of the page alone, and goes with the next model. */
function Guarded({ studio, View }) {
  const [fault, again] = useErrorBoundary((error) => reportError(error));
  useEffect(() => {
    if (fault) again();
  }, [studio.store.model.value]);
  return fault ? html`<p class="empty">${t("view.failed")}</p>` : html`<${View} studio=${studio}/>`;
}

/** Show the view of the route. */
function Page({ studio }) {
  const { project, model, findings } = studio.store;
  const name = !project.value && studio.store.online.value ? "start" : route.value.view;
  const wanted = VIEWS[name] ? name : "cards";
  const [shown, setShown] = useState({ name: "", View: null, failed: false });
  useEffect(() => {
    let isWanted = true;
    const show = (found) => isWanted && setShown({ name: wanted, ...found });
    VIEWS[wanted]()
      .then(({ View }) => show({ View }))
      .catch((error) => {
        show({ failed: true });
        throw error;
      });
    return () => {
      isWanted = false;
    };
  }, [wanted]);
  const isReady = shown.name === wanted && shown.View && (model.value || !OF_MODEL.has(wanted));
  const [broken] = OF_MODEL.has(wanted) && !model.value ? findings.value : [];
  return html`<${Shell} studio=${studio} view=${wanted}>
    ${isReady && html`<${Guarded} key=${wanted} studio=${studio} View=${shown.View}/>`}
    ${shown.name === wanted && shown.failed && html`<p class="empty">${t("view.failed")}</p>`}
    ${
      !isReady &&
      !shown.failed &&
      html`<p class="empty" role="status">
        ${broken ? html`<${Broken} finding=${broken}/>` : t("view.opening")}
      </p>`
    }
  <//>`;
}

/** Keep the page when a file is dropped where nothing takes it. */
function keepPage(event) {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "none";
}

addEventListener("dragover", keepPage);
addEventListener("drop", keepPage);
const store = createStore();
const wire = createWire(store);
await speak(language.value);
wire.connect();
render(html`<${Page} studio=${{ store, wire }}/>`, document.getElementById("studio"));
