/* What is to be printed, and how. */
import { html, useId } from "../../../vendor/preact.js";
import { Button, Icon } from "../../parts/buttons.js";
import { addressOf } from "../../shell/faults.js";
import { language, t } from "../../words.js";
import { changedSince } from "./changed.js";
import { Choice, Ink, Language, Players } from "./choices.js";

const BACKS = ["duplex-long", "duplex-short", "gutterfold", "none"];
const SHOWN = 5;

/** The order, as a form. */
export function Order({ studio: { store }, order, setOrder, last, isRunning, onPrint }) {
  const model = store.model.value;
  if (!model)
    return html`<aside class="print-order"><p class="empty">${t("view.opening")}</p></aside>`;
  const set = (change) => setOrder({ ...order, ...change });
  const errors = store.findings.value.filter(({ severity }) => severity === "error");
  const submit = (event) => {
    event.preventDefault();
    onPrint();
  };
  return html`<aside class="print-order" aria-label=${t("print.order")}>
    <form onSubmit=${submit}>
      <${Papers} model=${model} chosen=${order.papers} onPick=${(papers) => set({ papers })}/>
      <${Choice} label=${t("print.backs")} value=${order.backs ?? ""}
        options=${["", ...BACKS].map((value) => [value, t(`print.backs.${value || "pack"}`)])}
        onPick=${(backs) => set({ backs: backs || null })}/>
      <${Ink} order=${order} set=${set}/>
      <${Players} model=${model} order=${order} set=${set}/>
      <${Language} model=${model} order=${order} set=${set}/>
      <${Changed} store=${store} order=${order} last=${last} set=${set}/>
      <${Prints} store=${store} model=${model} papers=${order.papers}/>
      <footer>
        ${errors.length > 0 && html`<${Errors} store=${store} errors=${errors}/>`}
        <${Button} sort="main" icon="print" type="submit" label=${t("print.do")}
          disabled=${isRunning || errors.length > 0}/>
      </footer>
    </form>
  </aside>`;
}

/** The prints of the pack, with what is in them. */
function Prints({ store, model, papers }) {
  const isPrinted = (print) => !papers.length || print.papers.some((one) => papers.includes(one));
  const pieces = (kind) =>
    (model.components[kind] ?? []).reduce((sum, { quantity }) => sum + quantity, 0);
  const kindTitle = (name) => store.kinds.value.get(name)?.title ?? name;
  return html`<section aria-labelledby="prints"><h2 id="prints">${t("print.prints")}</h2>
    <ul class="prints">${model.prints.map(
      (print) => html`<li key=${print.name} class=${isPrinted(print) ? "" : "out"}>
      <span class="prints-title">${print.title}</span>
      <span class="number soft">${t("print.pieces", {
        count: print.kinds.reduce((sum, kind) => sum + pieces(kind), 0),
      })}</span>
      <span class="faint prints-kinds">${print.kinds.map(kindTitle).join(", ")}</span>
    </li>`,
    )}</ul></section>`;
}

/** The papers that the prints are made for; none chosen means all. */
function Papers({ model, chosen, onPick }) {
  const names = [...new Set(model.prints.flatMap((print) => print.papers))];
  const titles = new Map(model.papers.map((paper) => [paper.name, paper.title]));
  const toggle = (name) => {
    const on = chosen.length ? chosen : names;
    const next = on.includes(name) ? on.filter((one) => one !== name) : [...on, name];
    onPick(next.length === names.length ? [] : next);
  };
  return html`<fieldset class="print-papers"><legend>${t("print.paper")}</legend>
    ${names.map((name) => {
      const on = !chosen.length || chosen.includes(name);
      const isLast = on && (chosen.length === 1 || names.length === 1);
      return html`<label key=${name}><input type="checkbox" checked=${on} disabled=${isLast}
        onChange=${() => toggle(name)}/>${titles.get(name) ?? name}</label>`;
    })}
  </fieldset>`;
}

/** "Only what changed since I printed", and what that is. */
function Changed({ store, order, last, set }) {
  const id = useId();
  const isPlain = order.ink === "full" && order.players === null && order.locale === null;
  const changed = last && isPlain ? changedSince(store, last.digests) : null;
  const when =
    last &&
    new Date(last.at * 1000).toLocaleString(language.value, {
      dateStyle: "medium",
      timeStyle: "short",
    });
  const note = !last
    ? t("print.changed.never")
    : changed === null
      ? t("print.changed.when", { when })
      : changed.length
        ? t("print.changed.some", { count: changed.length, when, names: listed(changed) })
        : t("print.changed.none", { when });
  return html`<div class="print-changed">
    <label><input type="checkbox" checked=${order.only_changed && Boolean(last)} disabled=${!last}
      aria-describedby=${id}
      onChange=${(event) => set({ only_changed: event.target.checked })}/>
      ${t("print.changed")}</label>
    <p id=${id} class="faint">${last === undefined ? "" : note}</p>
  </div>`;
}

/** What is wrong, with the way there. */
function Errors({ store, errors }) {
  return html`<section class="print-errors" role="status">
    <p>${t("print.errors", { count: errors.length })}</p>
    <ul>${errors.slice(0, SHOWN).map(
      (one, at) => html`<li key=${at}><${Icon} name="error" small/>
        <a href=${addressOf(store, one)}>${one.message}</a></li>`,
    )}</ul></section>`;
}

function listed(entries) {
  const names = entries.slice(0, SHOWN).map(({ name }) => name);
  return names.join(", ") + (entries.length > SHOWN ? " …" : "");
}
