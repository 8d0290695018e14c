/* The stage: the card as large as it fits, with the boxes on it. */
import { html, useEffect, useRef } from "../../../vendor/preact.js";
import { Face, useSize } from "../../parts/face.js";
import { titled } from "../../parts/fields/titled.js";
import { around, under } from "../../parts/geometry.js";
import { t } from "../../words.js";
import { placeText } from "./board.js";
import { press, targets, turnOf } from "./drag.js";
import { offCard } from "./off_card.js";
import { editWords } from "./properties.js";

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
export function Stage({ studio, board, stock, face, label }) {
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
  const twice = (event) => {
    const [top] = under(targets(board), ...point(event), 2 / scale);
    if (!top) return;
    board.choose([top.name]); // what is seen, not the box below as with a later click
    editWords();
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
  return html`<div class="stage ${drag ? "dragging" : ""}" ref=${ref} tabindex="0" role="group"
    aria-label=${t("look.stage")} onPointerDown=${down} onPointerMove=${move} onPointerUp=${up}
    onPointerCancel=${up} onDblClick=${twice}
    onPointerLeave=${() => (board.hover.value = "")}>
    <div class="stage-card" ref=${card}
      style=${{ width: `${stock.width * scale}px`, height: `${stock.height * scale}px` }}>
      <div class="stage-face" style=${bleed ? shifted(stock.bleed * scale) : {}}>
        <${Face} studio=${studio} face=${face} blank=${stock} width=${stock.width * scale}
          bleed=${bleed} guides=${studio.store.guides.value} label=${label}/>
      </div>
      <svg class="stage-over" viewBox=${`0 0 ${stock.width} ${stock.height}`}>
        <${Guides} stock=${stock} guides=${drag?.guides ?? []}/>
        <${Boxes} board=${board} scale=${scale} stock=${stock}/>
      </svg>
      ${
        drag?.note &&
        html`<span class="stage-note number" style=${beside(card.current, cursor.current)}>
        ${drag.note}</span>`
      }
    </div>
  </div>`;
}

function shifted(by) {
  return { position: "absolute", left: `${-by}px`, top: `${-by}px` };
}

/** Return where the sizes stand while one drags: beside the cursor. */
function beside(card, [x, y]) {
  const { left, top } = card.getBoundingClientRect();
  return { left: `${x - left + 14}px`, top: `${y - top + 16}px` };
}

/** A rectangle of a place, mm. */
function Rect({ at: [x, y, width, height], ...rest }) {
  return html`<rect x=${x} y=${y} width=${width} height=${height} aria-hidden="true" ...${rest}/>`;
}

/** The safe zone, and the lines on which a dragged box has snapped. */
function Guides({ stock, guides }) {
  const { width, height, safe, bleed } = stock;
  if (guides.length === 0) return null;
  const far = Math.max(bleed, 3);
  const lines = guides.map(({ axis, at }) =>
    axis === "x" ? [at, at, -far, height + far] : [-far, width + far, at, at],
  );
  return html`<g aria-hidden="true">
    <${Rect} class="stage-safe" at=${[safe, safe, width - 2 * safe, height - 2 * safe]}/>
    ${lines.map(
      ([x1, x2, y1, y2]) => html`<line class="stage-guide" x1=${x1} x2=${x2} y1=${y1} y2=${y2}/>`,
    )}
  </g>`;
}

/** The outlines of boxes: each can be reached with Tab. */
function Boxes({ board, scale, stock }) {
  const chosen = board.chosen.value;
  const drag = board.drag.value;
  const shown = board.boxes().filter((box) => box.at && !box.dropped);
  const picked = shown.filter((box) => chosen.includes(box.name));
  const one = picked.length === 1 ? picked[0] : null;
  return html`
    ${shown.map(
      (box) => html`<${Outline} key=${box.name} board=${board} box=${box} scale=${scale}
      off=${offCard(box, stock)} isChosen=${chosen.includes(box.name)}/>`,
    )}
    ${picked.length > 1 && html`<${Rect} class="box-frame" at=${around(picked.map(board.atOf))}/>`}
    ${
      one &&
      !board.isReadonly() &&
      html`<${Handles} at=${board.atOf(one)} turn=${turnOf(one)}
      scale=${scale}/>`
    }
    ${drag?.marquee && html`<${Rect} class="marquee" at=${drag.marquee}/>`}`;
}

function Outline({ board, box, off, isChosen, scale }) {
  const at = board.atOf(box);
  const isHover = board.hover.value === box.name && !board.drag.value;
  const classes = ["box", isChosen && "chosen", isHover && "hover", !box.drawn && "absent"];
  if (off) classes.push("off");
  const words = [titled(box.name), off && t(`look.off.${off}`)].filter(Boolean).join(": ");
  const label = t("look.box", { name: words, place: placeText(at) });
  const focus = () => {
    if (!board.chosen.value.includes(box.name)) board.choose([box.name]);
  };
  const isNamed = (isHover || isChosen) && !board.drag.value && board.chosen.value.length < 6;
  return html`<g transform=${turning(at, turnOf(box))}>
    <${Rect} class=${classes.filter(Boolean).join(" ")} aria-hidden=${undefined}
      at=${at.map((value, index) => (index < 2 ? value : Math.max(value, 0.1)))}
      tabindex=${box.drawn ? 0 : -1} role="button" aria-pressed=${isChosen} aria-label=${label}
      onFocus=${(event) => event.currentTarget.matches(":focus-visible") && focus()}/>
    ${isNamed && html`<${Tag} words=${words} at=${at} scale=${scale} isChosen=${isChosen}/>`}
  </g>`;
}

/** The name of a box, above it. */
function Tag({ words, at: [x, y], scale, isChosen }) {
  const unit = 1 / scale;
  const width = (words.length * 6.6 + 12) * unit;
  const height = NAMED * unit;
  return html`<g class="box-tag ${isChosen ? "chosen" : ""}" aria-hidden="true">
    <rect x=${x} y=${y - height - 3 * unit} width=${width} height=${height} rx=${3 * unit}/>
    <text x=${x + 5 * unit} y=${y - 7 * unit} font-size=${10.5 * unit}>${words}</text>
  </g>`;
}

function turning([x, y, w, h], turn) {
  return turn ? `rotate(${turn} ${x + w / 2} ${y + h / 2})` : undefined;
}

function square(x, y, size) {
  return [x - size / 2, y - size / 2, size, size];
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
        <${Rect} class="handle" at=${square(cx, cy, size)}/>
        <${Rect} class="grip ${name}" data-handle=${name} at=${square(cx, cy, grip)}/>
      </g>`;
    })}
  </g>`;
}
