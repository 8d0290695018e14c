/* What toolbar, keys and list do with chosen boxes. Each is one step of undo. */
import { aligned, around, distributed, rounded } from "../../parts/geometry.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";
import { shownNames } from "./board.js";
import * as typed from "./typed.js";

const OFFSET = 3; // mm between a box and its copy

function labelOf(board, step) {
  return t(`look.step.${step}`, { name: shownNames(board.chosen.value) });
}

/** Give the chosen boxes the places that `make` returns for those they have. */
function placeAll(board, make, label, join) {
  const boxes = board.chosenBoxes().filter((box) => box.at);
  const rects = make(boxes.map((box) => box.at));
  const tidy = (rect) => rect.map((value) => rounded(value, true));
  const places = boxes.map((box, at) => [box.name, tidy(rects[at])]);
  board.place(Object.fromEntries(places), label, join);
}

/** Align the chosen boxes with each other; a single one with the card. */
export function align(board, how, { width, height }) {
  const frame = (rects) => (rects.length > 1 ? around(rects) : [0, 0, width, height]);
  placeAll(board, (rects) => aligned(rects, how, frame(rects)), labelOf(board, "align"));
}

/** Share out the gaps between the chosen boxes. */
export function distribute(board, axis) {
  placeAll(board, (rects) => distributed(rects, axis), labelOf(board, "distribute"));
}

/** Move the chosen boxes by some mm. */
export function nudge(board, dx, dy) {
  const make = (rects) => rects.map(([x, y, w, h]) => [x + dx, y + dy, w, h]);
  placeAll(board, make, undefined, `nudge ${board.chosen.value.join()}`);
}

/** Make the chosen boxes larger or smaller by some mm. */
export function grow(board, dw, dh) {
  const least = (size, by) => (size + by < 0.1 ? size : size + by);
  const make = (rects) => rects.map(([x, y, w, h]) => [x, y, least(w, dw), least(h, dh)]);
  placeAll(board, make, labelOf(board, "resize"), `grow ${board.chosen.value.join()}`);
}

function reorder(board, order, label) {
  if (order.join("/") === typed.sortable(board.layout.value).join("/")) return;
  board.step(label, (draft) => typed.reorder(draft, order));
}

/** Move the chosen boxes before or behind others: front, back, forward or backward. */
export function restack(board, how) {
  const names = typed.sortable(board.layout.value);
  reorder(board, typed.restacked(names, board.chosen.value, how), labelOf(board, "order"));
}

/** Put a box at another place in the order, counted from the back. */
export function moveTo(board, name, at) {
  const order = typed.sortable(board.layout.value).filter((one) => one !== name);
  order.splice(at, 0, name);
  reorder(board, order, t("look.step.order", { name: titled(name) }));
}

/** Put an entry of a row or column at another place in it. */
export function moveItem(board, box, from, to) {
  const list = typed.written(box.values[box.what].node);
  list.splice(to, 0, ...list.splice(from, 1));
  const label = t("look.step.order", { name: titled(box.name) });
  board.set({ [box.name]: { [box.what]: list } }, label);
  board.choose([box.name], { name: box.name, at: to });
}

/** Delete the chosen boxes. */
export function remove(board) {
  const boxes = board.chosenBoxes().filter((box) => !box.dropped);
  if (boxes.length === 0) return;
  const label = labelOf(board, "delete");
  board.step(label, (draft) => boxes.forEach((box) => typed.drop(draft, box)));
  board.choose([]);
  board.say(label);
}

/** Make a box of another file as it is there. */
export function restore(board, box) {
  const label = t("look.step.restore", { name: titled(box.name) });
  board.step(label, (draft) => typed.restore(draft, box));
}

/** Copy the chosen boxes, and choose the copies. */
export function duplicate(board) {
  const taken = board.boxes().map((box) => box.name);
  const names = [];
  const copy = (draft, box) => {
    const name = typed.freeName([...taken, ...names], box.name.replace(/-\d+$/, ""));
    names.push(name);
    const [x, y, w, h] = box.at;
    typed.duplicate(draft, box, name, [rounded(x + OFFSET), rounded(y + OFFSET), w, h]);
  };
  const boxes = board.chosenBoxes().filter((box) => box.at);
  const make = (draft) => boxes.forEach((box) => copy(draft, box));
  chooseWhenThere(board, names, board.step(labelOf(board, "duplicate"), make));
}

/** Give a box of the own file another name. */
export function rename(board, box, name) {
  if (!name || name === box.name || board.box(name)) return;
  const label = t("look.step.rename", { name: titled(box.name) });
  const done = board.step(label, (draft) => typed.rename(draft, box, name));
  chooseWhenThere(board, [name], done);
}

/** Add a box on top of all others, and choose it. */
export function addBox(board, wanted, values) {
  const name = typed.freeName(
    board.boxes().map((box) => box.name),
    wanted,
  );
  const label = t("look.step.add", { name: titled(name) });
  const done = board.step(label, (draft) => typed.put(draft, ["boxes", name], values));
  return chooseWhenThere(board, [name], done);
}

/** Choose boxes as soon as the layout has them. */
async function chooseWhenThere(board, names, done) {
  await done;
  await new Promise((resolve) => {
    const stop = board.layout.subscribe(() => {
      if (!names.every(board.box)) return;
      queueMicrotask(() => {
        stop();
        board.choose(names);
        resolve();
      });
    });
    setTimeout(stop, 5000);
  });
}
