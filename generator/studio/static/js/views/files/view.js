/* Files: the tree of the project, the text of one file, and the faces that it makes. */
import { html, signal, useMemo, useState } from "../../../vendor/preact.js";
import { useAnswer } from "../../answer.js";
import { Icon } from "../../parts/buttons.js";
import { place } from "../../route.js";
import { t } from "../../words.js";
import { Editor } from "./editor.js";
import { FileFaces } from "./faces.js";
import { Quarrel } from "./quarrel.js";
import { Tree } from "./tree.js";

const SEEN = new Set(["picture", "icon"]);

/** The view Files. */
export function View({ studio }) {
  const { store, wire } = studio;
  const path = place.value.path || firstOf(store);
  const file = store.files.value.get(path);
  const { found: help } = useAnswer(() => wire.get("/api/help"), []);
  return html`<div class="files">
    <${Tree} studio=${studio} path=${path}/>
    ${
      path
        ? html`<${Shown} key=${`${store.pack.value}/${path}`} studio=${studio} path=${path}
          file=${file} help=${help}/>`
        : html`<p class="empty">${t("files.none")}</p>`
    }
  </div>`;
}

/** The file that is shown without a choice: that of the component in hand, or the pack's first. */
function firstOf(store) {
  const { kind, id } = store.chosen.peek();
  const own = store.component(kind, id)?.file;
  if (store.files.value.has(own)) return own;
  const files = [...store.files.value.values()];
  return (files.find((file) => file.sort === "components") ?? files[0])?.path ?? "";
}

function Shown({ studio, path, file, help }) {
  const line = useMemo(() => signal(1), []);
  const isPicture = SEEN.has(file?.sort);
  const about = file ?? { path, sort: "other", readonly: "", state: "saved", size: 0 };
  return html`<section class="file-main" aria-label=${path}>
      <${Head} studio=${studio} file=${about}/>
      ${
        isPicture
          ? html`<${Picture} studio=${studio} file=${about}/>`
          : html`<${Text} key=${about.state === "conflict"} studio=${studio} file=${about}
            help=${help} line=${line}/>`
      }
    </section>
    ${
      file &&
      !isPicture &&
      html`<${FileFaces} studio=${studio} file=${about}
      line=${line.value}/>`
    }`;
}

function Head({ studio: { store }, file }) {
  const parts = file.path.split("/");
  const count = store.findings.value.filter((finding) => finding.file === file.path).length;
  return html`<header class="file-head">
    <h2>${parts.at(-1)}</h2><span class="faint">${parts.slice(0, -1).join("/")}</span>
    <span class="top-space"></span>
    ${!SEEN.has(file.sort) && html`<span class="faint">${t("files.keys")}</span>`}
    ${count > 0 && html`<span class="soft">${t("files.faults", { count })}</span>`}
    ${
      file.readonly &&
      html`<span class="soft file-lock"><${Icon} name="lock" small/>
      <span>${file.readonly}</span></span>`
    }
  </header>`;
}

/** The text of a file, or why it is not shown. */
function Text({ studio, file, help, line }) {
  const { wire } = studio;
  const { found: read, error } = useAnswer(() => wire.get("/api/file", { path: file.path }), []);
  const [theirs, setTheirs] = useState(undefined);
  const hand = useMemo(() => ({ copy: null, text: () => "" }), []);
  if (error) return html`<p class="empty">${wordsOf(file, error.message)}</p>`;
  if (!read) return html`<p class="empty" role="status">${t("view.opening")}</p>`;
  const said = (promise) => promise.catch((error) => wire.toast(error.message));
  if (file.state === "conflict") {
    const keep = (which) => said(wire.post("/api/resolve", { file: file.path, keep: which }));
    return html`<${Quarrel} mine=${read.text ?? ""} theirs=${read.theirs} isOutside
      onKeep=${keep}/>`;
  }
  const settle = (which) => {
    setTheirs(undefined);
    said(hand.copy.settle(which === "mine"));
  };
  return html`${
    theirs !== undefined &&
    html`<${Quarrel} mine=${hand.text()} theirs=${theirs} onKeep=${settle}/>`
  }
    <div class="editor-room" hidden=${theirs !== undefined}>
      <${Editor} studio=${studio} file=${file} text=${read.text} rev=${read.file.rev} help=${help}
        hand=${hand} onQuarrel=${setTheirs} onLine=${(at) => (line.value = at)}/>
    </div>`;
}

function wordsOf(file, error) {
  if (file.sort === "font") return t("files.font", { name: file.path.split("/").at(-1) });
  return file.readonly || error;
}

function Picture({ studio: { wire }, file }) {
  return html`<div class="file-picture desk"><img src=${wire.asset(file.path, 800)}
    alt=${file.path.split("/").at(-1)}/></div>`;
}
