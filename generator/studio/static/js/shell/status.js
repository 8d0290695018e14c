/* The status line: the first fault in words, or what is going on. */
import { html } from "../../vendor/preact.js";
import { Icon } from "../parts/buttons.js";
import { t } from "../words.js";
import { addressOf, whereOf } from "./faults.js";

/** The line below every view. */
export function Status({ studio: { store } }) {
  const worker = store.worker.value;
  const first = store.findings.value[0];
  const rest = store.findings.value.length - 1;
  return html`<footer class="status">
    ${
      first
        ? html`<a class="status-fault ${first.severity}" href=${addressOf(store, first)}
          title=${[first.message, first.hint].filter(Boolean).join("\n")}>
          <${Icon} name=${first.severity} small/>
          <span class="status-message">${first.message}</span>
          <span class="faint status-where">${whereOf(store, first)}</span>
        </a>
        ${rest > 0 && html`<span class="faint">${t("status.more", { count: rest })}</span>`}`
        : html`<span class="soft">${quiet(store)}</span>`
    }
    <span class="top-space"></span>
    <span class="soft" role="status">${goingOn(store, worker)}</span>
  </footer>`;
}

/** Say what is known without a fault. */
function quiet(store) {
  if (!store.project.value || !store.online.value) return "";
  return t(store.checking.value ? "status.checking" : "status.sound");
}

function goingOn(store, worker) {
  if (!store.online.value) return t("status.offline");
  if (worker.state === "again") return worker.why || t("status.again");
  if (!store.project.value) return "";
  if (worker.state === "opening") return t("status.opening");
  if (store.looking.value || worker.state === "busy") return t("status.drawing");
  return "";
}
