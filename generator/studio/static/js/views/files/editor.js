/* A text in CodeMirror, kept the same as the server's. */
import {
  Annotation,
  EditorState,
  EditorView,
  Prec,
  basicSetup,
  indentWithTab,
  keymap,
  lintGutter,
  search,
  setDiagnostics,
} from "../../../vendor/codemirror.js";
import { html, useEffect, useRef } from "../../../vendor/preact.js";
import { place } from "../../route.js";
import { t } from "../../words.js";
import { completionOf } from "./complete.js";
import { createCopy } from "./copy.js";
import { hoverOf } from "./hover.js";
import { languageOf } from "./language.js";
import { marksOf, offsetOf } from "./marks.js";
import { plain } from "./merge.js";

const PHRASES =
  "Find,Replace,next,previous,all,match case,regexp,by word,replace,replace all,close," +
  "Go to line,go,Diagnostics,No diagnostics,Completions,Fold line,Unfold line,folded code,unfold";
const elsewhere = Annotation.define();

/** An editor of one file. `hand` gets {copy, text} for the view around it; `told` has the line that
 * the address has from here, which leads nowhere. */
export function Editor({ studio, file, text, rev, help, hand, onQuarrel, onLine, told }) {
  const { store, wire } = studio;
  const box = useRef(null);
  const view = useRef(null);
  const about = useRef({ file, help });
  about.current = { file, help };

  useEffect(() => {
    const made = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: plain(text),
        extensions: extensionsOf(studio, file, () => about.current, hand, onLine),
      }),
    });
    view.current = made;
    hand.text = () => made.state.doc.toString();
    hand.copy = createCopy({
      wire,
      file: file.path,
      rev,
      text,
      label: t("files.edit", { file: file.path.split("/").at(-1) }),
      editor: { text: hand.text, change: (changes, isOwn) => changed(made, changes, isOwn) },
      quarrel: onQuarrel,
    });
    const stop = wire.on("file", (event) => heard(wire, file.path, event, hand));
    return () => {
      stop();
      hand.copy.flush();
      hand.copy = null;
      made.destroy();
    };
  }, [file.path]);

  const findings = store.findings.value;
  useEffect(() => {
    const { state } = view.current;
    const own = findings.filter((finding) => finding.file === file.path);
    view.current.dispatch(setDiagnostics(state, marksOf(state.doc, own)));
  }, [findings, file.path]);

  const { path, line, column } = place.value;
  useEffect(() => {
    const isTold = !column && line === told.current;
    if (path !== file.path || !line || isTold) return;
    const at = offsetOf(view.current.state.doc, line, column || 1);
    view.current.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y: "center" }),
    });
    if (!history.state?.quietly) view.current.focus();
  }, [path, line, column, file.path]);
  return html`<div class="editor" ref=${box}></div>`;
}

/** Put changes from elsewhere into an editor; the cursor goes to the end of those of this page. */
function changed(view, changes, isOwn) {
  let end = 0;
  changes.iterChangedRanges((_from, _to, _start, stop) => (end = stop));
  view.dispatch({
    changes,
    annotations: elsewhere.of(true),
    ...(isOwn && !changes.empty && { selection: { anchor: end }, scrollIntoView: true }),
  });
}

/** Take the new text of an event; long ones are asked for. */
async function heard(wire, path, { file, text, tab }, hand) {
  if (file.path !== path || !hand.copy || file.state === "conflict") return;
  if (tab === wire.tab && hand.copy.isSending()) return; // its own echo
  const now = text ?? (await wire.get("/api/file", { path }).catch(() => ({ text: null }))).text;
  if (now !== null) hand.copy?.take(now, file.rev, tab === wire.tab);
}

function extensionsOf(studio, file, about, hand, onLine) {
  const { wire } = studio;
  const act = (what) => () => {
    hand.copy.flush();
    what().catch(() => {});
    return true;
  };
  const own = [
    { key: "Mod-z", run: act(wire.undo), preventDefault: true },
    { key: "Mod-y", run: act(wire.redo), preventDefault: true },
    { key: "Mod-Shift-z", run: act(wire.redo), preventDefault: true },
    { key: "Mod-s", run: act(() => saved(wire, hand)), preventDefault: true },
  ];
  const nonce = document.querySelector("meta[name=csp-nonce]").content;
  const name = file.path.split("/").at(-1);
  // Tab leads on, as on the rest of the page, until somebody writes.
  let isWriting = false;
  const rest = () => {
    isWriting = false;
    return false;
  };
  const tab = {
    key: "Tab",
    run: (view) => isWriting && indentWithTab.run(view),
    shift: (view) => isWriting && indentWithTab.shift(view),
  };
  const isOwn = (one) => one.docChanged && !one.annotation(elsewhere);
  return [
    Prec.highest(keymap.of(own)),
    basicSetup,
    keymap.of([tab, { key: "Escape", run: rest }]),
    EditorView.cspNonce.of(nonce),
    EditorView.contentAttributes.of({
      "aria-label": name,
      "aria-describedby": "editor-keys",
      spellcheck: "false",
      tabindex: "0",
    }),
    EditorState.readOnly.of(Boolean(file.readonly)),
    EditorState.phrases.of(phrases()),
    lintGutter(),
    search({ top: true }),
    languageOf(file.path),
    file.sort === "table" ? [] : EditorView.lineWrapping,
    completionOf(studio, about),
    hoverOf(studio, about),
    EditorView.domEventHandlers({
      blur: () => {
        rest();
        hand.copy?.flush();
      },
    }),
    EditorView.updateListener.of((update) => {
      if (update.selectionSet || update.docChanged) {
        onLine(update.state.doc.lineAt(update.state.selection.main.head).number);
      }
      isWriting ||= update.transactions.some(isOwn);
      if (update.transactions.some(isOwn)) hand.copy.typed(isBreak(update));
    }),
  ];
}

async function saved(wire, hand) {
  await hand.copy.flush();
  await wire.post("/api/save", {}).catch((error) => wire.toast(error.message));
}

/** Return the words of the editor's own panels. */
function phrases() {
  const said = (name) => t(`editor.${name.toLowerCase().replaceAll(" ", "-")}`);
  return Object.fromEntries(PHRASES.split(",").map((name) => [name, said(name)]));
}

/** Return True for an edit that begins another step of undo. */
function isBreak({ transactions, changes, startState }) {
  if (transactions.some((one) => one.isUserEvent("input.paste") || one.isUserEvent("delete.cut"))) {
    return true;
  }
  let breaks = false;
  const caret = startState.selection.main.head;
  changes.iterChanges((from, to, _from, _to, inserted) => {
    breaks ||= inserted.lines > 1 || Math.abs(from - caret) > 2;
  });
  return breaks;
}
