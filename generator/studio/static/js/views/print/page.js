/* One page of a PDF, as it is in the file, with what is found wrong on it. */
import { html } from "../../../vendor/preact.js";
import { t } from "../../words.js";

const A4 = { width: 210, height: 297, faces: [] };

/** The picture of a page; `over` are SVG elements in mm above it. */
export function PageFace({ studio: { store }, src, page = A4, width, isSmall = false, children }) {
  const pixels = Math.ceil((width * (window.devicePixelRatio || 1)) / 16) * 16;
  const pins = pinsOf(store, page);
  return html`<span class="page-face" style=${{
    width: `${width}px`,
    height: `${(width * page.height) / page.width}px`,
  }}>
    <img src=${`${src}?w=${pixels}`} alt="" loading=${isSmall ? "lazy" : "eager"} decoding="async"/>
    <svg viewBox=${`0 0 ${page.width} ${page.height}`} aria-hidden=${isSmall ? "true" : undefined}>
      ${pins.flatMap(({ face, findings }) =>
        findings.map(
          ({ finding, rects }, at) => html`<g key=${`${face.x} ${face.y} ${at}`}
          class="pin ${finding.severity}" transform=${placing(face)}>
          ${rects.map(([x, y, w, h]) => html`<rect x=${x} y=${y} width=${w} height=${h}/>`)}
          ${rects.length === 0 && html`<rect width=${face.width} height=${face.height}/>`}
        </g>`,
        ),
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

/** Return which findings of the pack are on a page: [{face, findings: [{finding, rects}]}]. */
export function pinsOf(store, page) {
  const found = [];
  for (const face of page?.faces ?? []) {
    const id = face.id.split("~")[0];
    const key = `${face.kind}/${face.id}/${face.side}`;
    const findings = store.findings.value
      .filter((one) =>
        one.faces?.length ? one.faces.includes(key) : one.kind === face.kind && one.id === id,
      )
      .map((finding) => ({
        finding,
        rects: (finding.rects ?? []).filter(([of]) => of === key).map(([, rect]) => rect),
      }));
    if (findings.length) found.push({ face, findings });
  }
  return found;
}

/** Return the transformation from the trim of a face to the page, mm. */
export function placing({ x, y, width, height, rotation }) {
  const isAcross = rotation % 180 !== 0;
  const [w, h] = isAcross ? [height, width] : [width, height];
  const middle = `translate(${x + width / 2} ${y + height / 2})`;
  return `${middle} rotate(${rotation}) translate(${-w / 2} ${-h / 2})`;
}
