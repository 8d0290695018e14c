/* What cards wear: looks as pictures, and palettes. */
import { html } from "../../vendor/preact.js";
import { t } from "../words.js";
import { roam } from "./buttons.js";
import { titled } from "./fields/titled.js";
import { usePictureInTurn } from "./turns.js";

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

/** All looks as pictures to press. */
export function LookPictures({ looks, size, tone, value, busy, onPick, small = false }) {
  return html`<ul class="look-pictures ${small ? "small" : ""}">
    ${looks.map(
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

/** The picture of a look; the last one stays until the next has come. */
function Picture({ look, size, tone }) {
  const query = new URLSearchParams({ size, ...(tone ? { palette: tone } : {}) });
  const src = `/api/looks/${look}.png?${query}`;
  const shown = usePictureInTurn(src);
  const blank = { aspectRatio: MM[size].join("/") };
  return html`<span class="look-picture">${
    shown
      ? html`<img src=${shown} alt="" class=${shown === src ? "" : "old"}/>`
      : [0, 1, 2].map((at) => html`<i key=${at} style=${blank}></i>`)
  }</span>`;
}

/** The palettes as swatches; "" is the look's own. */
export function Tones({ palettes, value, onPick, disabled = false }) {
  const moved = (event) => {
    if (roam(event, "[role=radio]")) document.activeElement.click();
  };
  const tones = [{ name: "", colours: {}, description: t("start.tone.own") }, ...palettes];
  return html`<div class="tones" role="radiogroup" aria-label=${t("start.tone")}
    onKeyDown=${moved}>
    ${tones.map(({ name, colours, description }) => {
      const on = name === value;
      const label = name ? titled(name) : t("start.tone.own");
      const { band, warm, cool } = colours;
      return html`<button type="button" role="radio" aria-checked=${on} key=${name}
        tabindex=${on ? 0 : -1} aria-label=${label} title=${`${label}: ${description}`}
        disabled=${disabled} onClick=${() => onPick(name)}>
        ${
          name
            ? html`<svg viewBox="0 0 20 20" aria-hidden="true">
              <rect width="20" height="20" fill=${band}/>
              <rect x="10" width="10" height="10" fill=${warm}/>
              <rect x="10" y="10" width="10" height="10" fill=${cool}/></svg>`
            : html`<span class="tone-own">${t("start.tone.own.short")}</span>`
        }</button>`;
    })}
  </div>`;
}
