/* Actual size on this screen: browsers take 96 pixels for an inch, which few screens have. */
import { html, useRef, useState } from "../../../vendor/preact.js";
import { IconButton } from "../../parts/buttons.js";
import { Popover } from "../../parts/popover.js";
import { stored } from "../../stored.js";
import { t } from "../../words.js";

const USUAL = 96 / 25.4; // CSS pixels a mm
const BANK_CARD = { width: 85.6, height: 53.98 }; // mm, ISO/IEC 7810 ID-1
const screenScale = stored("screenScale", USUAL);

/** True while faces have their actual size. */
export const isActual = stored("actual", false);

/** Return how many CSS pixels a mm has on this screen. */
export function actualScale() {
  return screenScale.value;
}

/** The switch for actual size, and a bank card to fit the screen to. */
export function ActualSize() {
  const [open, setOpen] = useState(false);
  const anchor = useRef(null);
  const toggle = () => (isActual.value = !isActual.value);
  return html`<${IconButton} icon="ruler" label=${t("desk.actual")} pressed=${isActual.value}
      onClick=${toggle}/>
    ${
      isActual.value &&
      html`<button ref=${anchor} type="button" class="menu-button" aria-haspopup="dialog"
        aria-expanded=${open} onClick=${() => setOpen(!open)}>${t("desk.screen")}</button>`
    }
    ${
      open &&
      isActual.value &&
      html`<${Popover} anchor=${anchor} onClose=${() => setOpen(false)}><${Fitting}/><//>`
    }`;
}

/** A bank card, to be made as large as a real one that is held to the screen. */
function Fitting() {
  const scale = screenScale.value;
  const size = { width: `${BANK_CARD.width * scale}px`, height: `${BANK_CARD.height * scale}px` };
  return html`<div class="fitting" role="dialog" aria-label=${t("desk.screen")}>
    <p>${t("desk.screen.note")}</p>
    <div class="bank-card" style=${size}></div>
    <input type="range" data-first min="2" max="8" step="0.01" value=${scale}
      aria-label=${t("desk.screen")}
      onInput=${(event) => (screenScale.value = Number(event.target.value))}/>
    <button type="button" class="button small" disabled=${scale === USUAL}
      onClick=${() => (screenScale.value = USUAL)}>${t("desk.screen.usual")}</button>
  </div>`;
}
