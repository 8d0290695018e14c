/* Choices that prints and files for outlets share: ink, players, language. */
import { html, useId } from "../../../vendor/preact.js";
import { Segments } from "../../parts/buttons.js";
import { language, t } from "../../words.js";

const INKS = ["full", "low", "mono"];

/** A labelled menu. `options` are [value, words]. */
export function Choice({ label, value, options, onPick }) {
  const id = useId();
  return html`<div class="print-field"><label for=${id}>${label}</label>
    <select id=${id} class="select" value=${value}
      onChange=${({ target }) => onPick(target.value)}>
      ${options.map(([key, words]) => html`<option key=${key} value=${key}>${words}</option>`)}
    </select></div>`;
}

/** How much ink, and what that means. */
export function Ink({ order, set }) {
  return html`<div class="print-field"><span>${t("print.ink")}</span>
    <${Segments} label=${t("print.ink")} value=${order.ink} onPick=${(ink) => set({ ink })}
      options=${INKS.map((value) => ({ value, label: t(`print.ink.${value}`) }))}/>
    ${
      order.ink !== "full" &&
      html`<small class="faint">${t(`print.ink.${order.ink}.about`)}</small>`
    }
  </div>`;
}

/** For how many players, where their number changes what is printed. */
export function Players({ model: { players }, order, set }) {
  if (!players || players.min === players.max) return null;
  const { min, max, now } = players;
  const range = Array.from({ length: max - min + 1 }, (_, at) => String(min + at));
  return html`<${Choice} label=${t("print.players")} value=${order.players ?? ""}
    options=${range.map((number) => [number === String(now) ? "" : number, number])}
    onPick=${(number) => set({ players: number ? Number(number) : null })}/>`;
}

/** In which language, where there are several. */
export function Language({ model: { languages }, order, set }) {
  if (languages.length < 2) return null;
  return html`<${Choice} label=${t("print.language")} value=${order.locale ?? ""}
    options=${languages.map((code, at) => [at ? code : "", named(code)])}
    onPick=${(locale) => set({ locale: locale || null })}/>`;
}

/** Return the name of a language in the language of the page. */
function named(code) {
  try {
    return new Intl.DisplayNames([language.value], { type: "language" }).of(code);
  } catch {
    return code;
  }
}
