/* The stage: the card as large as it fits, with the boxes on it. */
import { html, useEffect, useRef } from "../../../vendor/preact.js";
import { Face, useSize } from "../../parts/face.js";
import { around, under } from "../../parts/geometry.js";
import { t } from "../../words.js";
import { placeText } from "./board.js";
import { press, targets, turnOf } from "./drag.js";

const AIR = 28;
const MOST = 11; // px a mm
const HANDLES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
const HANDLE = 7; // px
const GRIP = { mouse: 14, touch: 28 }; // px around a handle that take hold of it
const NAMED = 15; // px: a lower box has its name above it

/** Return the largest scale, px a mm, at which a card is in sight, perhaps with its bleed. */
export function useScale(stock, hasBleed = false) {
  const [ref, size] = useSize();
  const bleed = hasBleed ? stock.bleed : 0;
  const across = (size.width - 2 * AIR) / (stock.width + 2 * bleed);
  const down = (size.height - 2 * AIR) / (stock.height + 2 * bleed);
  const scale = size.width ? Math.max(0.5, Math.min(MOST, across, down)) : 6;
  return [ref, scale];
}

/** The card and its boxes. */
export function Stage({ studio, board, stock, face, label, children }) {
  const bleed = studio.store.guides.value.trim;
  const [ref, scale] = useScale(stock, bleed);
  const card = useRef(null);
  const hand = useRef(null);
  const point = (event) => {
    const { left, top } = card.current.getBoundingClientRect();
    return [(event.clientX - left) / scale, (event.clientY - top) / scale];
  };
  const down = (event) => {
    if (event.button !== 0 || event.target.closest("button, a, input, select")) return;
    const handle = event.target.dataset?.handle ?? "";
    hand.current = press(board, event, point(event), { scale, stock, handle });
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus({ preventScroll: true });
    board.hover.value = "";
  };
  const move = (event) => {
    if (hand.current) {
      hand.current.move(event, point(event));
      cursor.current = [event.clientX, event.clientY];
      return;
    }
    if (event.pointerType === "mouse") {
      board.hover.value = under(targets(board), ...point(event), 2 / scale)[0]?.name ?? "";
    }
  };
  const up = () => {
    hand.current?.end();
    hand.current = null;
  };
  const cursor = useRef([0, 0]);
  useEffect(() => {
    const key = (event) => {
      if (event.key !== "Escape" || !hand.current) return;
      event.preventDefault();
      event.stopPropagation();
      hand.current.cancel();
      hand.current = null;
    };
    window.addEventListener("keydown", key, true);
    return () => window.removeEventListener("keydown", key, true);
  }, [board]);

  const drag = board.drag.value;
  return html`<div class=${[
    "stage",
    drag && "dragging",
    board.chosen.value.length > 0 && "has-chosen",
  ]
    .filter(Boolean)
    .join(" ")} ref=${ref} tabindex="0" role="group"
    aria-label=${t("look.stage")} onPointerDown=${down} onPointerMove=${move} onPointerUp=${up}
    onPointerCancel=${up} onPointerLeave=${() => (board.hover.value = "")}>
    <div class="stage-card" ref=${card}
      style=${{ width: `${stock.width * scale}px`, height: `${stock.height * scale}px` }}>
      <div class="stage-face" style=${bleed ? shifted(stock.bleed * scale) : {}}>
        <${Face} studio=${studio} face=${face} blank=${stock} width=${stock.width * scale}
          bleed=${bleed} guides=${studio.store.guides.value} label=${label}/>
      </div>
      <svg class="stage-over" viewBox=${`0 0 ${stock.width} ${stock.height}`}>
        <${Guides} stock=${stock} drag=${drag}/>
        <${Boxes} board=${board} scale=${scale}/>
      </svg>
      ${drag?.note && html`<${Note} drag=${drag} cursor=${cursor.current} card=${card}/>`}
      ${children}
    </div>
  </div>`;
}

function shifted(by) {
  return { position: "absolute", left: `${-by}px`, top: `${-by}px` };
}

/** The sizes beside the cursor while one drags. */
function Note({ drag, cursor: [x, y], card }) {
  const { left, top } = card.current.getBoundingClientRect();
  const style = { left: `${x - left + 14}px`, top: `${y - top + 16}px` };
  return html`<span class="stage-note number" style=${style}>${drag.note}</span>`;
}

/** The safe zone, and the lines on which a dragged box has snapped. */
function Guides({ stock, drag }) {
  const { width, height, safe, bleed } = stock;
  const far = Math.max(bleed, 3);
  return html`<g aria-hidden="true">
    ${
      drag?.guides.length > 0 &&
      html`<rect class="stage-safe" x=${safe} y=${safe} width=${width - 2 * safe}
      height=${height - 2 * safe}/>`
    }
    ${(drag?.guides ?? []).map(({ axis, at }) =>
      axis === "x"
        ? html`<line key=${`x${at}`} class="stage-guide" x1=${at} x2=${at} y1=${-far}
          y2=${height + far}/>`
        : html`<line key=${`y${at}`} class="stage-guide" y1=${at} y2=${at} x1=${-far}
          x2=${width + far}/>`,
    )}
  </g>`;
}

/** The outlines of boxes: each can be reached with Tab. */
function Boxes({ board, scale }) {
  const chosen = board.chosen.value;
  const drag = board.drag.value;
  const shown = board.boxes().filter((box) => box.at && !box.dropped);
  const picked = shown.filter((box) => chosen.includes(box.name));
  const one = picked.length === 1 ? picked[0] : null;
  return html`
    ${shown.map(
      (box) => html`<${Outline} key=${box.name} board=${board} box=${box} scale=${scale}
      isChosen=${chosen.includes(box.name)}/>`,
    )}
    ${picked.length > 1 && html`<${Frame} at=${around(picked.map((box) => board.atOf(box)))}/>`}
    ${
      one &&
      !board.isReadonly() &&
      html`<${Handles} at=${board.atOf(one)} turn=${turnOf(one)}
      scale=${scale}/>`
    }
    ${drag?.marquee && html`<${Marquee} at=${drag.marquee}/>`}`;
}

function Outline({ board, box, isChosen, scale }) {
  const at = board.atOf(box);
  const [x, y, w, h] = at;
  const isHover = board.hover.value === box.name && !board.drag.value;
  const classes = [
    "box",
    isChosen && "chosen",
    isHover && "hover",
    !box.drawn && "absent",
    !box.own && "taken",
  ]
    .filter(Boolean)
    .join(" ");
  const label = t("look.box", { name: box.name, place: placeText(at) });
  const focus = () => {
    if (!board.chosen.value.includes(box.name)) board.choose([box.name]);
  };
  const isNamed = (isHover || isChosen) && !board.drag.value && board.chosen.value.length < 6;
  return html`<g transform=${turning(at, turnOf(box))}>
    <rect class=${classes} x=${x} y=${y} width=${Math.max(w, 0.1)} height=${Math.max(h, 0.1)}
      tabindex=${box.drawn ? 0 : -1} role="button" aria-pressed=${isChosen} aria-label=${label}
      onFocus=${(event) => event.currentTarget.matches(":focus-visible") && focus()}/>
    ${isNamed && html`<${Tag} box=${box} at=${at} scale=${scale} isChosen=${isChosen}/>`}
  </g>`;
}

/** The name of a box, above it. */
function Tag({ box, at: [x, y], scale, isChosen }) {
  const unit = 1 / scale;
  const width = (box.name.length * 6.3 + 10) * unit;
  const height = NAMED * unit;
  return html`<g class="box-tag ${isChosen ? "chosen" : ""}" aria-hidden="true">
    <rect x=${x} y=${y - height - 3 * unit} width=${width} height=${height} rx=${3 * unit}/>
    <text x=${x + 5 * unit} y=${y - 7 * unit} font-size=${10.5 * unit}>${box.name}</text>
  </g>`;
}

function Frame({ at: [x, y, w, h] }) {
  return html`<rect class="box-frame" x=${x} y=${y} width=${w} height=${h} aria-hidden="true"/>`;
}

function Marquee({ at: [x, y, w, h] }) {
  return html`<rect class="marquee" x=${x} y=${y} width=${w} height=${h} aria-hidden="true"/>`;
}

function turning([x, y, w, h], turn) {
  return turn ? `rotate(${turn} ${x + w / 2} ${y + h / 2})` : undefined;
}

/** Return the handles that have room on a box of a size in px. */
function handlesFor(width, height) {
  const least = 4 * HANDLE;
  if (width >= least && height >= least) return HANDLES;
  return width >= least || height >= least ? ["n", "e", "s", "w"] : ["nw", "se"];
}

/** The handles of a chosen box. */
function Handles({ at, turn, scale }) {
  const [x, y, w, h] = at;
  const unit = 1 / scale;
  const isCoarse = window.matchMedia("(pointer: coarse)").matches;
  const grip = (isCoarse ? GRIP.touch : GRIP.mouse) * unit;
  const shown = handlesFor(w * scale, h * scale);
  return html`<g transform=${turning(at, turn)} aria-hidden="true">
    ${shown.map((name) => {
      const cx = x + (name.includes("w") ? 0 : name.includes("e") ? w : w / 2);
      const cy = y + (name.includes("n") ? 0 : name.includes("s") ? h : h / 2);
      const size = HANDLE * unit;
      return html`<g key=${name}>
        <rect class="handle" x=${cx - size / 2} y=${cy - size / 2} width=${size} height=${size}/>
        <rect class="grip ${name}" data-handle=${name} x=${cx - grip / 2} y=${cy - grip / 2}
          width=${grip} height=${grip}/>
      </g>`;
    })}
  </g>`;
}
