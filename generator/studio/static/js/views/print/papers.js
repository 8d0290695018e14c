/* The papers that pages are made for. */
import { html } from "../../../vendor/preact.js";
import { t } from "../../words.js";
import { papersOf } from "./unchosen.js";

/** The papers that the prints are made for; none chosen means all. */
export function Papers({ model, chosen, onPick }) {
  const names = papersOf(model.prints);
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
