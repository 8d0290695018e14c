/* The frame of every view: top bar, status line, toasts; and the keys that work everywhere. */
import { html, useEffect, useLayoutEffect } from "../../vendor/preact.js";
import { Icon } from "../parts/buttons.js";
import { t } from "../words.js";
import { Status } from "./status.js";
import { TopBar } from "./top_bar.js";

/** Frame a view. */
export function Shell({ studio, view, children }) {
  useEffect(() => {
    const key = (event) => everywhere(event, studio);
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  }, []);
  useEffect(() => {
    const tell = ({ files: { length: count, 0: file } }) =>
      studio.wire.toast(t("outside", { count, file }), "note");
    return studio.wire.on("outside", tell);
  }, []);
  // A word for cards finds no file. At once: the next word may be typed already.
  useLayoutEffect(() => {
    studio.store.query.value = "";
  }, [view === "files"]);
  const pack = studio.store.model.value?.title ?? t("studio");
  useEffect(() => {
    document.title = `${pack} · ${t("studio")}`;
  }, [pack]);
  return html`<div class="shell">
    <${TopBar} studio=${studio} view=${view}/>
    <main class="view view-${view}" id="view" tabindex="-1">${children}</main>
    <${Status} studio=${studio}/>
    <div class="toasts" role="status" aria-live="polite">
      ${studio.store.toasts.value.map(
        (toast) => html`<p class="toast ${toast.sort}" key=${toast.id}>
        <${Icon} name=${toast.sort === "error" ? "error" : "info"}/><span>${toast.text}</span>
      </p>`,
      )}
    </div>
  </div>`;
}

/** Undo, redo and search by keys, unless an editor has taken them. */
function everywhere(event, { wire }) {
  if (event.defaultPrevented) return;
  const isChord = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable=true]");
  if (isChord && key === "z") act(event, event.shiftKey ? wire.redo : wire.undo);
  else if (isChord && key === "y") act(event, wire.redo);
  else if ((isChord && key === "k") || (key === "/" && !isTyping)) {
    act(event, () => document.getElementById("search")?.focus());
  }
}

function act(event, what) {
  event.preventDefault();
  what()?.catch?.(() => {});
}
