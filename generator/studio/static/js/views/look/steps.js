/* What toolbar, keys and list do with chosen boxes. Each is one step of undo. */
import { aligned, around, distributed, rounded } from "../../parts/geometry.js";
import { t } from "../../words.js";
import * as typed from "./typed.js";

const OFFSET = 3; // mm between a box and its copy

function shownNames(names) {
  return names.length === 1 ? names[0] : t("look.count", { count: names.length });
}

function placed(board) {
  return board.chosenBoxes().filter((box) => box.at);
}

function placesOf(boxes, rects) {
  const tidy = (rect) => rect.map((value) => rounded(value, true));
  return Object.fromEntries(boxes.map((box, at) => [box.name, tidy(rects[at])]));
}

/** Align the chosen boxes with each other; a single one with the card. */
export function align(board, how, stock) {
  const boxes = placed(board);
  const rects = boxes.map((box) => box.at);
  const frame = boxes.length > 1 ? around(rects) : [0, 0, stock.width, stock.height];
  const label = t("look.step.align", { name: shownNames(board.chosen.value) });
  board.place(placesOf(boxes, aligned(rects, how, frame)), label);
}

/** Share out the gaps between the chosen boxes. */
export function distribute(board, axis) {
  const boxes = placed(board);
  const rects = distributed(
    boxes.map((box) => box.at),
    axis,
  );
  const label = t("look.step.distribute", { name: shownNames(board.chosen.value) });
  board.place(placesOf(boxes, rects), label);
}

/** Move the chosen boxes by some mm. */
export function nudge(board, dx, dy) {
  const boxes = placed(board);
  const rects = boxes.map(({ at: [x, y, w, h] }) => [x + dx, y + dy, w, h]);
  board.place(placesOf(boxes, rects), undefined, `nudge ${board.chosen.value.join()}`);
}

/** Make the chosen boxes larger or smaller by some mm. */
export function grow(board, dw, dh) {
  const least = (size, by) => (size + by < 0.1 ? size : size + by);
  const boxes = placed(board);
  const rects = boxes.map(({ at: [x, y, w, h] }) => [x, y, least(w, dw), least(h, dh)]);
  const label = t("look.step.resize", { name: shownNames(board.chosen.value) });
  board.place(placesOf(boxes, rects), label, `grow ${board.chosen.value.join()}`);
}

/** Move the chosen boxes before or behind others: front, back, forward or backward. */
export function restack(board, how) {
  const layout = board.layout.value;
  const names = typed.sortable(layout);
  const order = typed.restacked(names, board.chosen.value, how);
  if (order.join("/") === names.join("/")) return;
  const label = t("look.step.order", { name: shownNames(board.chosen.value) });
  board.step(label, (draft, now) => typed.reorder(draft, now, order));
}

/** Put a box at another place in the order, counted from the back. */
export function reorderTo(board, name, before) {
  const names = typed.sortable(board.layout.value);
  const rest = names.filter((one) => one !== name);
  const at = before === null ? rest.length : rest.indexOf(before);
  if (at < 0) return;
  const order = [...rest.slice(0, at), name, ...rest.slice(at)];
  if (order.join("/") === names.join("/")) return;
  board.step(t("look.step.order", { name }), (draft, now) => typed.reorder(draft, now, order));
}

/** Delete the chosen boxes. */
export function remove(board) {
  const boxes = board.chosenBoxes();
  if (boxes.length === 0) return;
  const label = t("look.step.delete", { name: shownNames(board.chosen.value) });
  board.step(label, (draft, now) => {
    for (const box of boxes) if (!box.dropped) typed.drop(draft, now, box);
  });
  board.choose([]);
  board.say(label);
}

/** Make a box of another file as it is there. */
export function restore(board, box) {
  const label = t("look.step.restore", { name: box.name });
  board.step(label, (draft, now) => typed.restore(draft, now, box));
}

/** Copy the chosen boxes, and choose the copies. */
export function duplicate(board) {
  const boxes = placed(board);
  if (boxes.length === 0) return;
  const names = [];
  const label = t("look.step.duplicate", { name: shownNames(board.chosen.value) });
  const done = board.step(label, (draft, now) => {
    const known = { ...now, boxes: [...now.boxes] };
    for (const box of boxes) {
      const name = typed.freeName(known, box.name.replace(/-\d+$/, ""));
      known.boxes.push({ ...box, name });
      names.push(name);
      const at = [rounded(box.at[0] + OFFSET), rounded(box.at[1] + OFFSET), box.at[2], box.at[3]];
      typed.duplicate(draft, { ...now, node: draft.node }, box, name, at);
    }
  });
  chooseWhenThere(board, names, done);
}

/** Give a box of the own file another name. */
export function rename(board, box, name) {
  if (!name || name === box.name || board.box(name)) return;
  const label = t("look.step.rename", { name: box.name });
  const done = board.step(label, (draft, now) => typed.rename(draft, now, box, name));
  chooseWhenThere(board, [name], done);
}

/** Add a box, and choose it. */
export function addBox(board, name, values) {
  const free = typed.freeName(board.layout.value, name);
  const label = t("look.step.add", { name: free });
  const done = board.step(label, (draft) => typed.addBox(draft, free, values));
  chooseWhenThere(board, [free], done);
}

function chooseWhenThere(board, names, done) {
  done.then(() => {
    const stop = board.layout.subscribe((layout) => {
      if (!names.every((name) => layout?.boxes.some((box) => box.name === name))) return;
      queueMicrotask(() => {
        stop();
        board.choose(names);
      });
    });
    setTimeout(() => stop(), 5000);
  });
}

/** Note another order of the entries of a row or column. */
export function orderItems(draft, layout, box, from, to, scope) {
  const list = typed.written(box.values[box.what].node);
  list.splice(to, 0, ...list.splice(from, 1));
  typed.setKey(draft, layout, box, box.what, list, scope);
}
