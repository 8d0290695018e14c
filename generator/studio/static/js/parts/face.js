/* The picture of a face.
 *
 *   <${Face} studio=${studio} face=${FaceView | null} blank=${stock}
 *     width=${CSS pixels of the trim} bleed=${true to show the bleed}
 *     guides=${{trim, safe, flaws}} label="…" pointerOnly patient>
 *     …overlay: SVG elements in mm, origin at the trim's top-left corner…
 *   <//>
 *
 * `pointerOnly` hides an overlay from screen readers that repeats what the page offers elsewhere.
 * `waiting` are words on the blank. `patient` lets larger pictures of the same face come first.
 * A blank of the right shape stands until the first picture comes; while a new one loads, the old
 * one stays. `blank` is the kind's stock ({width, height, bleed, shape}), used without a face.
 */
import { html, useEffect, useId, useRef, useState } from "../../vendor/preact.js";
import { language, t } from "../words.js";
import { Icon } from "./buttons.js";

const SHAPED = new Set(["circle", "hexagon", "path"]);
const TRIES = 5; // the session may be starting again
const PATIENCE = 200; // ms
const AGAIN_AFTER = 400; // ms, doubled each time
const WORDY = 110; // px, from which words fit on a face
const NO_GUIDES = { trim: false, safe: false, flaws: false };

/** Return the address of the last picture of a face that has loaded, "" before the first. */
function usePicture(studio, face, width, patient) {
  const [shown, setShown] = useState({ of: "", src: "" });
  const sha = face?.sha ?? "";
  const of = face ? face.key : "";
  const src = sha ? studio.wire.picture(sha, width) : "";
  useEffect(() => {
    if (!src || (src === shown.src && of === shown.of)) return undefined;
    let [timer, tries] = [0, 0];
    const load = () => {
      const image = new Image();
      image.onload = () => timer !== null && setShown({ of, src });
      image.onerror = () => {
        if (timer === null || tries === TRIES) return;
        timer = setTimeout(load, AGAIN_AFTER * 2 ** tries);
        tries += 1;
      };
      image.src = src;
    };
    if (patient && shown.of === of) timer = setTimeout(load, PATIENCE);
    else load();
    return () => {
      clearTimeout(timer);
      timer = null;
    };
  }, [src, of]);
  return shown.of === of ? shown.src : "";
}

/** Show a face at a width. */
export function Face({
  studio,
  face,
  blank,
  width,
  bleed = false,
  guides = NO_GUIDES,
  label = "",
  pointerOnly = false,
  patient = false,
  waiting = "",
  children,
  ...rest
}) {
  const stock = face ?? blank;
  const isHidden = !children || pointerOnly;
  const scale = stock ? width / stock.width : 1;
  const edge = stock?.bleed ?? 0;
  const src = usePicture(studio, face, (stock.width + 2 * edge) * scale, patient);
  const margin = bleed ? edge : 0;
  const box = [-margin, -margin, stock.width + 2 * margin, stock.height + 2 * margin];
  const size = pixels({ width: box[2] * scale, height: box[3] * scale });
  const state = face?.state ?? "blank";
  const id = `cut${useId()}`;
  const isShaped = !bleed && SHAPED.has(stock.shape);
  const corner = bleed ? 0 : (stock.corner ?? 0);
  const clip = isShaped ? { clipPath: `url("#${id}")` } : pixels({ borderRadius: corner * scale });
  const picture = pixels({
    left: (margin - edge) * scale,
    top: (margin - edge) * scale,
    width: (stock.width + 2 * edge) * scale,
    height: (stock.height + 2 * edge) * scale,
  });
  return html`<div class="face ${state} ${isShaped ? "shaped" : ""}" style=${size} ...${rest}>
    <div class="face-cut" style=${clip}>
      ${
        src
          ? html`<img src=${src} alt=${label} style=${picture} decoding="async"
            draggable=${false}/>`
          : label && html`<span class="unseen" role="img" aria-label=${label}></span>`
      }
      ${
        !src &&
        waiting &&
        html`<span class="face-waiting" aria-hidden="true"><span>${waiting}</span></span>`
      }
    </div>
    ${
      isShaped &&
      html`<svg class="face-clip" aria-hidden="true"><clipPath id=${id}
        transform="scale(${scale})"><${Outline} stock=${stock}/></clipPath></svg>`
    }
    <svg class="face-over" viewBox=${box.join(" ")} aria-hidden=${isHidden ? "true" : undefined}>
      ${guides.trim && bleed && html`<${Outline} stock=${stock} name="guide trim"/>`}
      ${
        guides.safe &&
        face &&
        html`<${Outline} stock=${face} inset=${face.safe} name="guide safe"/>`
      }
      ${
        guides.flaws &&
        (face?.flaws ?? []).map(
          ([x, y, w, h]) => html`<rect class="flaw" x=${x} y=${y} width=${w}
        height=${h}/>`,
        )
      }
      ${children}
    </svg>
    ${
      ["stale", "faulty"].includes(state) &&
      html`<span class="face-state" title=${t(`face.${state}`)}>
        <${Icon} name="error" small/>
        <span class=${width < WORDY ? "unseen" : ""}>${t(`face.${state}`)}</span></span>`
    }
  </div>`;
}

/** Return sizes as a style. */
function pixels(sizes) {
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, `${size}px`]));
}

/** Return how the cut lies on a side: that of a back is seen from behind. */
function turned({ side, width }) {
  return side === "back" ? `translate(${width} 0) scale(-1 1)` : "";
}

const HEXAGON = [
  [0.5, 0],
  [1, 0.25],
  [1, 0.75],
  [0.5, 1],
  [0, 0.75],
  [0, 0.25],
];

function hexagon(x, y, w, h) {
  return HEXAGON.map(([a, b]) => (h > w ? [x + a * w, y + b * h] : [x + b * w, y + a * h]));
}

/** The outline of a stock, some mm inside of its cut. */
function Outline({ stock, inset = 0, name }) {
  const { width, height, shape, path, corner = 0 } = stock;
  if (shape === "path" && path) {
    return inset === 0 && html`<path class=${name} d=${path} transform=${turned(stock)}/>`;
  }
  const [w, h] = [width - 2 * inset, height - 2 * inset];
  if (shape === "circle") {
    return html`<ellipse class=${name} cx=${width / 2} cy=${height / 2} rx=${w / 2} ry=${h / 2}/>`;
  }
  if (shape === "hexagon") {
    return html`<polygon class=${name} points=${hexagon(inset, inset, w, h).join(" ")}/>`;
  }
  return html`<rect class=${name} x=${inset} y=${inset} width=${w} height=${h}
    rx=${Math.max(0, corner - inset)}/>`;
}

/** Say the size of a stock. */
export function sizeOf({ width, height }) {
  const format = new Intl.NumberFormat(language.value, { maximumFractionDigits: 1 });
  return `${format.format(width)} × ${format.format(height)} mm`;
}

/** Return the size of an element's inside, as it changes. */
export function useSize() {
  const ref = useRef(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const watch = new ResizeObserver(([{ contentRect }]) =>
      setSize({ width: contentRect.width, height: contentRect.height }),
    );
    watch.observe(ref.current);
    return () => watch.disconnect();
  }, []);
  return [ref, size];
}
