/* Boxes that lie off the card, in part or whole, and the way back. */
import { around, moved, overlap, rounded, turned } from "../../parts/geometry.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";
import { turnOf } from "./drag.js";

const SAME = 0.05; // mm
const GROUND = ["fill", "frame", "line", "part"]; // may lie over the edge

/** Tell how a box lies off the card: "part", "whole", or "" for one that lies on it. */
export function offCard(box, { width, height, bleed = 0 }) {
  if (!box.at || box.dropped || !box.drawn) return "";
  const bounds = boundsOf(box);
  if (!overlap(bounds, [0, 0, width, height])) return "whole";
  if (GROUND.includes(box.what)) return "";
  const over = (box.what === "picture" ? bleed : 0) + SAME;
  const [x, y, w, h] = bounds;
  return x < -over || y < -over || x + w > width + over || y + h > height + over ? "part" : "";
}

/** Return the place on the card that is nearest to a box: inside the safe zone, if it fits. */
export function broughtBack(box, { width, height, safe = 0 }) {
  const [x, y, w, h] = boundsOf(box);
  const nearest = (start, size, whole) => {
    const edge = size <= whole - 2 * safe ? safe : 0;
    return Math.max(edge, Math.min(start, whole - edge - size));
  };
  const [dx, dy] = [nearest(x, w, width) - x, nearest(y, h, height) - y];
  const [left, top, across, down] = moved(box.at, dx, dy).map((value) => rounded(value, true));
  if (turnOf(box)) return [left, top, across, down];
  return [left, top, Math.min(across, width), Math.min(down, height)];
}

/** Say what is wrong with a box that lies off the card, and what a press does. */
export function backLabel(box, off) {
  return t("look.off.back", { name: titled(box.name), where: t(`look.off.${off}`) });
}

/** Move a box that lies off the card back onto it. */
export function bringBack(board, box, stock) {
  board.choose([box.name]);
  board.place({ [box.name]: broughtBack(box, stock) });
}

function boundsOf(box) {
  const [x, y, w, h] = box.at;
  const turn = turnOf(box);
  if (!turn) return box.at;
  const [cx, cy] = [x + w / 2, y + h / 2];
  const half = [w / 2, h / 2];
  const corners = [half, [half[0], -half[1]]].flatMap(([dx, dy]) => [
    turned([dx, dy], turn),
    turned([-dx, -dy], turn),
  ]);
  return around(corners.map(([dx, dy]) => [cx + dx, cy + dy, 0, 0]));
}
