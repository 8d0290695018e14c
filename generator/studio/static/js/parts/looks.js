/* What cards wear: looks as pictures, and palettes. */
import { html } from "../../vendor/preact.js";
import { language, t } from "../words.js";
import { roam } from "./buttons.js";
import { titled } from "./fields/titled.js";
import { usePictureInTurn } from "./turns.js";

const PICTURES = new URL("../../looks", import.meta.url).pathname;
const MM = {
  poker: [63.5, 88.9],
  tarot: [69.85, 120.65],
  mini: [44.45, 63.5],
  square: [63.5, 63.5],
};

/** The sizes that all looks have. */
export const SIZES = Object.keys(MM);

/** Return the size of looks that cards of a stock have, undefined if none has it. */
export function sizeOfStock({ width, height, shape }) {
  if (shape !== "rectangle" && shape !== "rounded") return undefined;
  return SIZES.find((name) => MM[name][0] === width && MM[name][1] === height);
}

/** Return a look or palette with its title and description in the language of the page. */
export function inWords(one) {
  return { title: titled(one.name), ...one, ...one[language.value] };
}

/** All looks as pictures to press. */
export function LookPictures({ looks, size, tone, value, busy, onPick, small = false }) {
  return html`<ul class="look-pictures ${small ? "small" : ""}">
    ${looks.map(inWords).map(
      (look) => html`<li key=${look.name}>
      <button type="button" class="look-card" title=${look.description} disabled=${Boolean(busy)}
        aria-pressed=${value === undefined ? undefined : look.name === value}
        aria-busy=${busy === look.name} onClick=${() => onPick(look.name)}>
        <${Picture} look=${look.name} size=${size} tone=${tone}/>
        <span class="look-name">${look.title}</span>
        ${!small && html`<span class="look-about faint">${look.description}</span>`}
      </button></li>`,
    )}
  </ul>`;
}

/** The picture of a look: a shipped one, or one that is drawn while the last one stays. */
function Picture({ look, size, tone }) {
  const shipped = `${PICTURES}/${look}.webp`;
  const query = new URLSearchParams({ size, ...(tone ? { palette: tone } : {}) });
  const src = size === "poker" && !tone ? shipped : `/api/looks/${look}.webp?${query}`;
  const shown = usePictureInTurn(src) || shipped;
  return html`<span class="look-picture">
    <img src=${shown} alt="" class=${shown === src ? "" : "old"}/></span>`;
}

/** The palettes, with their colours and names; "" is the look's own. */
export function Tones({ palettes, value, onPick, disabled = false }) {
  const moved = (event) => {
    if (roam(event, "[role=radio]")) document.activeElement.click();
  };
  const tones = [{ name: "" }, ...palettes];
  return html`<div class="tones" role="radiogroup" aria-label=${t("start.tone")}
    onKeyDown=${moved}>
    ${tones.map(inWords).map(
      ({ name, title, colours, description }) => html`<button type="button" role="radio" key=${name}
        aria-checked=${name === value} tabindex=${name === value ? 0 : -1} disabled=${disabled}
        title=${name ? description : t("start.tone.own.note")} onClick=${() => onPick(name)}>
        ${
          name &&
          html`<svg viewBox="0 0 20 20" aria-hidden="true">
            <rect width="20" height="20" fill=${colours.band}/>
            <rect x="10" width="10" height="10" fill=${colours.warm}/>
            <rect x="10" y="10" width="10" height="10" fill=${colours.cool}/></svg>`
        }
        ${name ? title : t("start.tone.own")}</button>`,
    )}
  </div>`;
}
