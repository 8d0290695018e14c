/* Files: the tree of the project, the text of one file, and the faces that it makes. */
import { html, signal, useEffect, useMemo, useRef, useState } from "../../../vendor/preact.js";
import { useAnswer } from "../../answer.js";
import { go, place, route, toFile } from "../../route.js";
import { t } from "../../words.js";
import { Editor } from "./editor.js";
import { FileFaces } from "./faces.js";
import { componentAt, draws, hasText } from "./made.js";
import { Purpose } from "./purpose.js";
import { Quarrel } from "./quarrel.js";
import { Tree } from "./tree.js";

const ADDRESSED = 300; // ms after the cursor's last move
const NONE = [];
const SEEN = new Set(["picture", "icon"]);

/** The view Files. */
export function View({ studio }) {
  const { store, wire } = studio;
  const first = place.value.path ? null : firstOf(store);
  const path = first?.file ?? place.value.path;
  useEffect(() => {
    if (first?.line && route.peek().view === "files") go(toFile(first.file, first.line), true);
  }, [first?.file, first?.line]);
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

/** The place that is shown without a choice: the component in hand, or the pack's first file. */
function firstOf(store) {
  const { kind, id } = store.chosen.peek();
  const own = store.component(kind, id);
  if (store.files.value.has(own?.file)) return own;
  const files = [...store.files.value.values()];
  const { path = "" } = files.find((file) => file.sort === "components") ?? files[0] ?? {};
  return { file: path, line: 0 };
}

function Shown({ studio, path, file, help }) {
  const { store, wire } = studio;
  const line = useMemo(() => signal(0), []);
  const isPicture = SEEN.has(file?.sort);
  const about = file ?? { path, sort: "other", readonly: "", state: "saved", size: 0 };
  const asked = async () => (draws(about) ? wire.get("/api/takers", { path }) : NONE);
  const { found: takers = NONE } = useAnswer(asked, [path, about.sort]);
  const told = useRef(0); // the line that the address has from the cursor
  useFollowing(store, about, line.value, told);
  return html`<section class="file-main" aria-label=${path}>
      <${Head} studio=${studio} file=${about} takers=${takers}/>
      ${
        isPicture
          ? html`<${Picture} studio=${studio} file=${about}/>`
          : html`<${Text} key=${about.state === "conflict"} studio=${studio} file=${about}
            help=${help} line=${line} told=${told}/>`
      }
    </section>
    ${
      file &&
      hasText(file) &&
      html`<${FileFaces} studio=${studio} file=${about} takers=${takers}
      line=${line.value}/>`
    }`;
}

/** Keep the line of the cursor in the address, and take the component there in hand. */
function useFollowing(store, file, line, told) {
  useEffect(() => {
    if (!line) return undefined;
    const one = componentAt(store, file, line);
    if (one) store.chosen.value = { kind: one.kind, id: one.id };
    const follow = () => {
      const isHere = route.peek().view === "files" && place.peek().path === file.path;
      if (!isHere || place.peek().line === line) return;
      told.current = line;
      go(toFile(file.path, line), true);
    };
    const timer = setTimeout(follow, ADDRESSED);
    return () => clearTimeout(timer);
  }, [file.path, line]);
}

function Head({ studio, file, takers }) {
  const parts = file.path.split("/");
  const faults = studio.store.findings.value.filter((finding) => finding.file === file.path);
  const [first] = faults;
  return html`<header class="file-head"><div>
    <h2>${parts.at(-1)}</h2><span class="faint">${parts.slice(0, -1).join("/")}</span>
    <span class="top-space"></span>
    ${
      hasText(file) &&
      html`<span id="editor-keys" class="faint file-keys">${t("files.keys")}</span>`
    }
    ${
      first &&
      html`<a class="soft" href=${toFile(file.path, first.line, first.column)}>
      ${t("files.faults", { count: faults.length })}</a>`
    }
    </div><${Purpose} studio=${studio} file=${file} takers=${takers}/>
  </header>`;
}

/** The text of a file, or why it is not shown. */
function Text({ studio, file, help, line, told }) {
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
        hand=${hand} onQuarrel=${setTheirs} onLine=${(at) => (line.value = at)} told=${told}/>
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
