/* The judgements of the pack's game on a component, below its form. */
import { html } from "../../../vendor/preact.js";
import { useAnswer } from "../../answer.js";
import { Icon } from "../../parts/buttons.js";
import { t } from "../../words.js";

/** Figures on a component, asked for again after each edit. */
export function Judgements({ studio, kind, id }) {
  const { store, wire } = studio;
  const asked = () => wire.get("/api/judgements", { kind, id });
  const { found = [] } = useAnswer(asked, [kind, id, store.number.value]);
  if (found.length === 0) return null;
  return html`<section class="judgements" aria-label=${t("form.judged")}>
    <h3>${t("form.judged")}</h3>
    <dl>
      ${found.map(
        ({ label, value, is_warning: isWarning }) =>
          html`<dt key=${label}>${
            isWarning && html`<${Icon} name="warning" small/>`
          }${label}</dt><dd>${value}</dd>`,
      )}
    </dl>
  </section>`;
}
