/* What is to be printed, and how. */
import { html, useId } from "../../../vendor/preact.js";
import { Button, Icon } from "../../parts/buttons.js";
import { addressOf } from "../../shell/faults.js";
import { language, t } from "../../words.js";
import { backsOf, backsOfPack } from "./unchosen.js";
import { changedSince } from "./changed.js";
import { Choice, Ink, Language, Players } from "./choices.js";
import { Papers } from "./papers.js";

const BACKS = ["duplex-long", "duplex-short", "gutterfold", "none"];
const SHOWN = 5;

/** The order, as a form. */
export function Order({ studio: { store }, order, setOrder, printed, isRunning, onPrint }) {
  const model = store.model.value;
  if (!model)
    return html`<aside class="print-order"><p class="empty">${t("view.opening")}</p></aside>`;
  const set = (change) => setOrder({ ...order, ...change });
  const errors = store.findings.value.filter(({ severity }) => severity === "error");
  const isEmpty = !model.prints.some(({ kinds }) =>
    kinds.some((kind) => model.components[kind]?.length),
  );
  const submit = (event) => {
    event.preventDefault();
    onPrint();
  };
  return html`<aside class="print-order" aria-label=${t("print.order")}>
    <form onSubmit=${submit}>
      <${Papers} model=${model} chosen=${order.papers} onPick=${(papers) => set({ papers })}/>
      <${BackChoice} store=${store} model=${model} order=${order} set=${set}/>
      <${Ink} order=${order} set=${set}/>
      <${Players} model=${model} order=${order} set=${set}/>
      <${Language} model=${model} order=${order} set=${set}/>
      <${Changed} store=${store} order=${order} printed=${printed} set=${set}/>
      <${Prints} store=${store} model=${model} order=${order}/>
      <footer>
        ${errors.length > 0 && html`<${Errors} store=${store} errors=${errors}/>`}
        ${isEmpty && html`<p class="soft">${t("print.empty")}</p>`}
        <${Button} sort="main" icon="print" type="submit" label=${t("print.do")}
          disabled=${isRunning || isEmpty || errors.length > 0}/>
      </footer>
    </form>
  </aside>`;
}

/** Where the backs come. What the pack says is named if it says one thing for all. */
function BackChoice({ store, model, order, set }) {
  const own = backsOfPack(model.prints, store.kinds.value);
  const others = BACKS.filter((value) => value !== own).map((value) => [value, value]);
  const options = [["", own ?? "pack"], ...others];
  return html`<${Choice} label=${t("print.backs")} value=${order.backs ?? ""}
    options=${options.map(([value, word]) => [value, t(`print.backs.${word}`)])}
    onPick=${(backs) => set({ backs: backs || null })}/>`;
}

/** The prints of the pack, with what is in them, and on what and how they are printed. */
function Prints({ store, model, order: { papers, backs, players } }) {
  const isPrinted = (print) => !papers.length || print.papers.some((one) => papers.includes(one));
  const pieces = (kind) =>
    (model.components[kind] ?? []).reduce((sum, { quantity }) => sum + quantity, 0);
  const piecesIn = (print) => print.kinds.reduce((sum, kind) => sum + pieces(kind), 0);
  const kinds = store.kinds.value;
  const about = (print) => [
    print.kinds.map((name) => kinds.get(name)?.title ?? name).join(", "),
    [print.media, t(`print.backs.${backsOf(print, backs, kinds)}`)].filter(Boolean).join(" · "),
  ];
  return html`<section aria-labelledby="prints"><h2 id="prints">${t("print.prints")}</h2>
    <ul class="prints">${model.prints.map(
      (print) => html`<li key=${print.name} class=${isPrinted(print) ? "" : "out"}>
      <span class="prints-title">${print.title}</span>
      ${
        players === null && // the copies are known for the usual players alone
        html`<span class="number soft">${t("print.pieces", { count: piecesIn(print) })}</span>`
      }
      ${about(print).map((line) => html`<span class="faint prints-about">${line}</span>`)}
    </li>`,
    )}</ul></section>`;
}

/** "Only what changed since I printed", and what that is. */
function Changed({ store, order, printed, set }) {
  const id = useId();
  const isPlain = order.ink === "full" && order.players === null && order.locale === null;
  const changed = printed && isPlain ? changedSince(store, printed.digests) : null;
  const when =
    printed &&
    new Date(printed.at * 1000).toLocaleString(language.value, {
      dateStyle: "medium",
      timeStyle: "short",
    });
  const note = !printed
    ? t("print.changed.never")
    : changed === null
      ? t("print.changed.when", { when })
      : changed.length
        ? t("print.changed.some", { count: changed.length, when, names: listed(changed) })
        : t("print.changed.none", { when });
  return html`<div class="print-changed">
    <label><input type="checkbox" checked=${order.only_changed && Boolean(printed)}
      disabled=${!printed} aria-describedby=${id}
      onChange=${(event) => set({ only_changed: event.target.checked })}/>
      ${t("print.changed")}</label>
    <p id=${id} class="faint">${printed === undefined ? "" : note}</p>
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
