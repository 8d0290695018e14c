/* A page shown large: what is on it leads to its card; faults stand beside it. */
import { html, useLayoutEffect, useRef, useState } from "../../../vendor/preact.js";
import { IconButton } from "../../parts/buttons.js";
import { useSize } from "../../parts/face.js";
import { to } from "../../route.js";
import { t } from "../../words.js";
import { Found } from "./found.js";
import { labelOf, PageFace } from "./page.js";
import { pinsOf } from "./pins.js";

const EDGE = 40; // px

/** A page over the view. */
export function Large({ studio, job, file, number, findings, pages, onAccept, ...rest }) {
  const { onPage, onClose } = rest;
  const { store } = studio;
  const dialog = useRef(null);
  const [box, size] = useSize();
  const [marked, setMarked] = useState(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown.showModal();
    return () => {
      dialog.current = null;
      shown.close(); // which gives the focus back
    };
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    onClose();
  };
  // The browser tells later that it has closed a dialog; the next one may be open already.
  const closed = () => dialog.current && onClose();
  const page = pages?.[number - 1] ?? { width: 210, height: 297, label: "", faces: [] };
  const turn = (by) => {
    const next = number + by;
    if (next >= 1 && next <= file.pages) onPage(next);
  };
  const key = (event) => {
    const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    turn(by);
  };
  const room = [size.width - EDGE, size.height - EDGE];
  const width = Math.max(200, Math.min(room[0], (room[1] * page.width) / page.height));
  const src = `/api/jobs/${job.id}/${encodeURIComponent(file.name)}/${number}.png`;
  const pins = pinsOf(findings, file.name, number, page);
  const found = [...new Set(pins.map((pin) => pin.finding))];
  const label = t("print.page", { label: labelOf(page, number), file: file.name });
  return html`<dialog ref=${dialog} class="large" aria-label=${label} onKeyDown=${key}
    onCancel=${cancel} onClose=${closed}>
    <header>
      <h2>${label}</h2>
      <span class="soft number">${number} / ${file.pages}</span>
      <span class="top-space"></span>
      <${IconButton} icon="left" label=${t("print.page.before")} disabled=${number === 1}
        onClick=${() => turn(-1)}/>
      <${IconButton} icon="right" label=${t("print.page.after")} disabled=${number === file.pages}
        onClick=${() => turn(1)}/>
      <${IconButton} icon="close" label=${t("print.page.close")}
        onClick=${onClose}/>
    </header>
    <div class="large-page" ref=${box}>
      ${
        size.width > 0 &&
        html`<${PageFace} src=${src} page=${page} pins=${pins} marked=${marked} width=${width}>
        ${page.faces.map(
          (face, at) => html`<a key=${at} href=${to("cards", face.kind, face.id.split("~")[0])}
            tabindex="-1" aria-hidden="true"><rect class="place" x=${face.x} y=${face.y}
            width=${face.width} height=${face.height}/></a>`,
        )}<//>`
      }
    </div>
    <aside class="large-side" tabindex="0" aria-label=${t("print.onPage")}>
      <h3>${t("print.findings")}</h3>
      ${found.length === 0 && html`<p class="soft">${t("print.sound")}</p>`}
      <${Found} studio=${studio} findings=${found} onPoint=${setMarked} onAccept=${onAccept}/>
      <h3>${t("print.onPage")}</h3>
      <ul class="large-cards">${counted(store, page.faces).map(
        ({ kind, id, name, count }) => html`<li key=${`${kind}/${id}`}>
        <a href=${to("cards", kind, id)}>${name}</a>
        ${count > 1 && html`<span class="faint number">${count} ×</span>`}</li>`,
      )}</ul>
    </aside>
  </dialog>`;
}

/** Return the components on a page, each once. */
function counted(store, faces) {
  const found = new Map();
  for (const { kind, id } of faces) {
    const own = id.split("~")[0];
    const key = `${kind}/${own}`;
    const name = store.component(kind, own)?.name ?? own;
    const known = found.get(key) ?? { kind, id: own, name, count: 0 };
    found.set(key, { ...known, count: known.count + 1 });
  }
  return [...found.values()];
}
