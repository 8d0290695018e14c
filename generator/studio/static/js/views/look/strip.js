/* Cards beside the one on the stage: all follow a change, and a press shows another. */
import { html } from "../../../vendor/preact.js";
import { Face, useSize } from "../../parts/face.js";
import { t } from "../../words.js";

const HEIGHT = 84; // px
const GAP = 10;

/** Return the entries around the chosen one that fit. */
export function neighbours(entries, id, count) {
  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.id === id),
  );
  const first = Math.max(0, Math.min(at - Math.floor(count / 2), entries.length - count));
  return entries.slice(first, first + count);
}

/** A row of cards. */
export function Strip({ studio, kind, side, entries, id, stock, onPick }) {
  const [ref, { width }] = useSize();
  const wide = Math.min(140, (HEIGHT / stock.height) * stock.width);
  const count = Math.max(1, Math.floor((width - 2 * GAP + GAP) / (wide + GAP)));
  return html`<div class="strip" ref=${ref} role="group" aria-label=${t("look.strip")}>
    ${
      width > 0 &&
      neighbours(entries, id, count).map(
        (entry) => html`<button type="button"
      key=${entry.id} class="strip-card" aria-pressed=${entry.id === id} title=${entry.name}
      onClick=${() => onPick(entry.id)}>
      <${Face} studio=${studio} face=${studio.store.face(`${kind.name}/${entry.id}/${side}`).value}
        blank=${stock} width=${wide} label=${entry.name}/>
    </button>`,
      )
    }
  </div>`;
}
