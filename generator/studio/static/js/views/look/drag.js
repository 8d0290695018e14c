/* Dragging on the board: boxes, handles and marquees, by mouse, pen or finger. */
import {
  around,
  between,
  linesOf,
  moved,
  overlap,
  resized,
  rounded,
  snapping,
  under,
} from "../../parts/geometry.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";

const START = 3; // px before a press becomes a drag
const REACH = 5; // px within which boxes snap
const WHOLE = 0.85; // of the card: a box this large is not dragged unless it is chosen

/** Return what a person can point at: {name, at, turn, hollow} from back to front. */
export function targets(board) {
  return board
    .boxes()
    .filter((box) => box.at && box.drawn && !box.dropped)
    .map((box) => ({
      name: box.name,
      at: board.atOf(box),
      turn: turnOf(box),
      hollow: box.what === "frame",
    }));
}

/** Return the degrees by which a box is turned. */
export function turnOf(box) {
  return Number(box.values.turn?.node.text ?? 0) || 0;
}

/**
 * Begin a press at a point, mm. `scale` is px a mm, `stock` the card, `handle` what was pressed of
 * the chosen box, if anything. Returns {move(event, point), end(event), cancel()}.
 */
export function press(board, event, point, { scale, stock, handle = "" }) {
  const origin = { x: event.clientX, y: event.clientY };
  const found = under(targets(board), ...point, 2 / scale);
  const before = board.chosen.value;
  const isChosen = found.some((one) => before.includes(one.name));
  const top = found[0];
  let dragging = null;

  if (!handle && top && !isChosen && !event.shiftKey && !isWhole(top.at, stock)) {
    board.choose([top.name]);
  }

  const begin = () => {
    if (board.isReadonly()) return null;
    if (handle) return resizing(board, handle, point, stock, scale);
    const canMove = found.some((one) => board.chosen.value.includes(one.name));
    if (canMove && !event.shiftKey) return moving(board, point, stock, scale);
    return marquee(board, point, event.shiftKey ? before : []);
  };
  return {
    move: (next, at) => {
      const far = Math.hypot(next.clientX - origin.x, next.clientY - origin.y) > START;
      if (!dragging && far) dragging = begin();
      dragging?.move(next, at);
    },
    end: () => {
      if (dragging) {
        dragging.end();
        return;
      }
      board.drag.value = null;
      if (!handle) click(board, found, before, event.shiftKey);
    },
    cancel: () => {
      dragging = null;
      board.drag.value = null;
    },
  };
}

/** Choose what was clicked: again, the box below. */
function click(board, found, before, isAdding) {
  if (found.length === 0) {
    if (!isAdding) board.choose([]);
    return;
  }
  const names = found.map((one) => one.name);
  if (isAdding) {
    const [name] = names;
    const others = before.filter((one) => one !== name);
    board.choose(before.includes(name) ? others : [...others, name]);
    return;
  }
  const at = before.length === 1 ? names.indexOf(before[0]) : -1;
  board.choose([names[(at + 1) % names.length]]);
}

function isWhole([, , w, h], { width, height }) {
  return w * h > WHOLE * width * height;
}

/** Return the lines that boxes other than those named snap to. */
function linesAround(board, stock, names) {
  const others = targets(board).filter((one) => !names.includes(one.name) && !one.turn);
  const { width, height, safe, bleed } = stock;
  return linesOf([
    ...others.map((one) => one.at),
    [0, 0, width, height],
    [safe, safe, width - 2 * safe, height - 2 * safe],
    [-bleed, -bleed, width + 2 * bleed, height + 2 * bleed],
  ]);
}

function moving(board, from, stock, scale) {
  const boxes = board.chosenBoxes().filter((box) => box.at && !box.dropped);
  const names = boxes.map((box) => box.name);
  const whole = around(boxes.map((box) => box.at));
  const lines = linesAround(board, stock, names);
  let places = {};
  return {
    move: (event, [px, py]) => {
      let [dx, dy] = [px - from[0], py - from[1]];
      if (event.shiftKey) [dx, dy] = Math.abs(dx) > Math.abs(dy) ? [dx, 0] : [0, dy];
      const snap = snapping(moved(whole, dx, dy), lines, event.altKey ? 0 : REACH / scale);
      const guides = event.altKey ? [] : snap.guides;
      const on = (axis) => guides.some((guide) => guide.axis === axis);
      const [x, y] = [whole[0] + dx + snap.dx, whole[1] + dy + snap.dy];
      const [ax, ay] = [rounded(x, on("x")) - whole[0], rounded(y, on("y")) - whole[1]];
      const at = (box) => moved(box.at, ax, ay).map((value) => rounded(value, true));
      places = Object.fromEntries(boxes.map((box) => [box.name, at(box)]));
      const note = `${rounded(whole[0] + ax, true)}, ${rounded(whole[1] + ay, true)} mm`;
      board.drag.value = { places, guides, note };
    },
    end: () => {
      board.place(places);
      board.drag.value = null;
    },
  };
}

function resizing(board, handle, from, stock, scale) {
  const [box] = board.chosenBoxes();
  const turn = turnOf(box);
  const lines = linesAround(board, stock, [box.name]);
  let places = {};
  return {
    move: (event, [px, py]) => {
      const options = { keep: event.shiftKey, turn };
      let [dx, dy] = [px - from[0], py - from[1]];
      let at = resized(box.at, handle, dx, dy, options);
      let guides = [];
      if (!event.altKey && !turn) {
        const snap = snapping(at, lines, REACH / scale, handle);
        if (!event.shiftKey) {
          [dx, dy] = [dx + snap.dx, dy + snap.dy];
          at = resized(box.at, handle, dx, dy, options);
          guides = snap.guides;
        }
      }
      at = tidy(at, handle, guides, turn);
      places = { [box.name]: at };
      const note = `${rounded(at[2], true)} × ${rounded(at[3], true)} mm`;
      board.drag.value = { places, guides, note };
    },
    end: () => {
      board.place(places, t("look.step.resize", { name: titled(box.name) }));
      board.drag.value = null;
    },
  };
}

/** Round the edges that move; the others stay exactly where they are. */
function tidy([x, y, w, h], handle, guides, turn) {
  if (turn) return [x, y, w, h].map((value) => rounded(value, true));
  const fine = (axis) => guides.some((guide) => guide.axis === axis);
  const edge = (start, size, before, axis) => {
    const end = start + size;
    const [from, to] = handle.includes(before)
      ? [rounded(start, fine(axis)), end]
      : [start, rounded(end, fine(axis))];
    return [rounded(from, true), rounded(to - from, true)];
  };
  const [left, width] = /[we]/.test(handle) ? edge(x, w, "w", "x") : [x, w];
  const [top, height] = /[ns]/.test(handle) ? edge(y, h, "n", "y") : [y, h];
  return [left, top, width, height].map((value) => rounded(value, true));
}

function marquee(board, from, kept) {
  return {
    move: (_, point) => {
      const area = between(from, point);
      board.drag.value = { marquee: area, places: {}, guides: [], note: "" };
      const inside = targets(board).filter(({ at }) => overlap(at, area) && !surrounds(at, area));
      board.chosen.value = [...new Set([...kept, ...inside.map((one) => one.name)])];
      board.item.value = null;
    },
    end: () => {
      board.drag.value = null;
    },
  };
}

function surrounds([x, y, w, h], [ax, ay, aw, ah]) {
  return x <= ax && y <= ay && x + w >= ax + aw && y + h >= ay + ah;
}
