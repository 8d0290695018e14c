/* The count of faults in the top bar, and the list that it opens. */
import { html, useRef, useState } from "../../vendor/preact.js";
import { Icon, roam } from "../parts/buttons.js";
import { Accept } from "../parts/fields/accept.js";
import { LongList } from "../parts/list.js";
import { Popover } from "../parts/popover.js";
import { route, to, toFile } from "../route.js";
import { t } from "../words.js";

const [HEIGHT, LINE] = [54, 18]; // px of a row, and of its second line
const LONG = 58; // letters of a line

/** Return the address where a finding can be put right: in Table, its cell there. */
export function addressOf(store, finding) {
  const { kind, id, path, file, line, column } = finding;
  // A new one has its row, and its faults, before it is in the model.
  const row = () => store.rows(kind).value?.find((typed) => typed.id === id);
  const one = kind && id && (store.component(kind, id) ?? row());
  if (one && route.value.view === "table" && !one.made_from) {
    return to("table", kind, id, ...(path ?? []).slice(0, 1));
  }
  if (one) return to("cards", kind, id, ...(path ?? []));
  return toFile(file, line, column);
}

/** A button with the number of faults. */
export function Faults({ studio }) {
  const { errors, warnings } = studio.store.counts.value;
  const isUnknown = studio.store.checking.value;
  const [open, setOpen] = useState(false);
  const anchor = useRef(null);
  const label =
    [
      errors ? t("faults.errors", { count: errors }) : "",
      warnings ? t("faults.warnings", { count: warnings }) : "",
    ]
      .filter(Boolean)
      .join(", ") || t(isUnknown ? "status.checking" : "faults.none");
  return html`<button ref=${anchor} type="button" class="faults-button" aria-label=${label}
      title=${label} aria-haspopup="dialog" aria-expanded=${open}
      onClick=${() => setOpen(!open)}>
      ${errors > 0 && html`<span class="count error"><${Icon} name="error" small/>${errors}</span>`}
      ${
        warnings > 0 &&
        html`<span class="count warning"><${Icon} name="warning" small/>${warnings}</span>`
      }
      ${
        !errors &&
        !warnings &&
        html`<span class="count good">
          ${isUnknown ? "…" : html`<${Icon} name="check" small/>`}</span>`
      }
    </button>
    ${
      open &&
      html`<${Popover} anchor=${anchor} align="end" onClose=${() => setOpen(false)}>
      <${FaultList} studio=${studio} label=${label} onClose=${() => setOpen(false)}/>
    <//>`
    }`;
}

function FaultList({ studio, label, onClose }) {
  const { store } = studio;
  const rows = store.findings.value.map((finding, at) => ({
    key: at,
    height: HEIGHT + (finding.message.length > LONG ? LINE : 0),
    finding,
  }));
  const tall = rows.reduce((sum, { height }) => sum + height, 0);
  const key = (event) => roam(event, "a");
  return html`<section class="faults" role="dialog" aria-label=${t("faults")} tabindex="-1"
    onKeyDown=${key}>
    <h2>${label}</h2>
    <${LongList} rows=${rows} class="fault-rows"
      style=${{ height: `${Math.min(tall, 400)}px` }}
      render=${({ finding }) => html`<div class="fault-row"><a class="fault"
        href=${addressOf(store, finding)} onClick=${onClose}
        title=${[finding.message, finding.hint].filter(Boolean).join("\n")}>
        <span class="fault-mark ${finding.severity}">
          <${Icon} name=${finding.severity} small/>
        </span>
        <span class="fault-text">
          <span class="fault-message">${finding.message}</span>
          <small class="faint cut">${whereOf(store, finding)}</small>
        </span>
      </a><${Accept} studio=${studio} fault=${finding}/></div>`}/>
  </section>`;
}

/** Say where a finding is, for the small print. */
export function whereOf(store, { kind, id, file, line }) {
  const name = kind && id && store.component(kind, id)?.name;
  if (name) return `${store.kinds.value.get(kind)?.title ?? kind}: ${name}`;
  return line ? `${file}:${line}` : file;
}
