/* One page of a PDF, as it is in the file, with what is found wrong on it. */
import { html } from "../../../vendor/preact.js";
import { t } from "../../words.js";

const A4 = { width: 210, height: 297, faces: [] };

/** The picture of a page with its pins, as `pinsOf` returns them; `children` are SVG in mm. */
export function PageFace({ src, page = A4, pins, marked, width, isSmall = false, children }) {
  const pixels = Math.ceil((width * (window.devicePixelRatio || 1)) / 16) * 16;
  return html`<span class="page-face" style=${{
    width: `${width}px`,
    height: `${(width * page.height) / page.width}px`,
  }}>
    <img src=${`${src}?w=${pixels}`} alt="" loading=${isSmall ? "lazy" : "eager"} decoding="async"/>
    <svg viewBox=${`0 0 ${page.width} ${page.height}`} aria-hidden=${isSmall ? "true" : undefined}>
      ${pins.map(
        ({ finding, transform, rects }, at) => html`<g key=${at} transform=${transform}
          class="pin ${finding.severity} ${finding === marked ? "marked" : ""}">
          ${rects.map(([x, y, w, h]) => html`<rect x=${x} y=${y} width=${w} height=${h}/>`)}
        </g>`,
      )}
      ${children}
    </svg>
  </span>`;
}

/** Return what a page is called: the number of its sheet, and its side. */
export function labelOf(page, number) {
  const [, sheet, side] = /^(\S+) (front|back)$/.exec(page?.label ?? "") ?? [];
  if (!side) return page?.label || String(number);
  return t(side === "front" ? "print.label.front" : "print.label.back", { sheet });
}
