/* The judgements of the pack's game on a component, below its form. */
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { Icon } from "../../parts/buttons.js";
import { t } from "../../words.js";

/** Figures on a component, asked for again after each edit. */
export function Judgements({ studio, kind, id }) {
  const { store, wire } = studio;
  const [found, setFound] = useState([]);
  useEffect(() => {
    let isWanted = true;
    wire
      .get("/api/judgements", { kind, id })
      .then((answer) => isWanted && setFound(answer))
      .catch(() => {});
    return () => {
      isWanted = false;
    };
  }, [kind, id, store.number.value]);
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
