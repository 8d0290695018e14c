/* Boxes in mm, [x, y, width, height], y downwards: snap, align, resize, find. */

const LEAST = 0.5; // mm; a box cannot be made smaller by dragging
const SAME = 0.005; // mm
const EDGE = 1; // mm within which a frame is hit

/** Return a number rounded to tenths, or to hundredths if `finely`. */
export function rounded(value, finely = false) {
  const by = finely ? 100 : 10;
  return Math.round(value * by) / by + 0; // + 0 turns -0 into 0
}

/** Return a box moved. */
export function moved([x, y, w, h], dx, dy) {
  return [x + dx, y + dy, w, h];
}

/** Return the smallest box around some. */
export function around(rects) {
  const left = Math.min(...rects.map(([x]) => x));
  const top = Math.min(...rects.map(([, y]) => y));
  const right = Math.max(...rects.map(([x, , w]) => x + w));
  const bottom = Math.max(...rects.map(([, y, , h]) => y + h));
  return [left, top, right - left, bottom - top];
}

/** Return a vector turned clockwise by some degrees. */
export function turned([x, y], degrees) {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos - y * sin, x * sin + y * cos];
}

/**
 * Return a box resized by a handle, a word of n, s, e and w. `keep` keeps its proportions, `turn`
 * are the degrees by which it is turned about its middle: the opposite side stays where it is.
 */
export function resized(rect, handle, dx, dy, { keep = false, turn = 0 } = {}) {
  const [x, y, w, h] = rect;
  const [across, down] = turned([dx, dy], -turn);
  const sign = (before, after) => (handle.includes(after) ? 1 : handle.includes(before) ? -1 : 0);
  const [sx, sy] = [sign("w", "e"), sign("n", "s")];
  const least = (size) => Math.min(size, LEAST);
  let width = Math.max(least(w), w + sx * across);
  let height = Math.max(least(h), h + sy * down);
  if (keep && w > 0 && h > 0) {
    const factor = sx && sy ? Math.max(width / w, height / h) : sx ? width / w : height / h;
    [width, height] = [w * factor, h * factor];
  }
  const shift = turned([(sx * (width - w)) / 2, (sy * (height - h)) / 2], turn);
  const middle = [x + w / 2 + shift[0], y + h / 2 + shift[1]];
  return [middle[0] - width / 2, middle[1] - height / 2, width, height];
}

/** Tell whether a point is in a box that is turned about its middle, or `near` it, mm. */
export function holds([x, y, w, h], px, py, turn = 0, near = 0) {
  const [dx, dy] = turned([px - x - w / 2, py - y - h / 2], -turn);
  return Math.abs(dx) <= w / 2 + near && Math.abs(dy) <= h / 2 + near;
}

/** Return the boxes ({at, turn, hollow}, from back to front) under a point, the foremost first. A
 * hollow one is only under points near its edge. */
export function under(boxes, px, py, near = 0) {
  const thin = ({ at }) => (at[2] < 2 || at[3] < 2 ? Math.max(near, 0.6) : 0);
  const isIn = (box, by) => holds(box.at, px, py, box.turn, by);
  const inside = Math.max(near, EDGE);
  return boxes
    .filter((box) => isIn(box, thin(box)) && !(box.hollow && isIn(box, -inside)))
    .reverse();
}

/** Tell whether two boxes overlap. */
export function overlap([ax, ay, aw, ah], [bx, by, bw, bh]) {
  return ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah;
}

/** Return the box between two points. */
export function between([ax, ay], [bx, by]) {
  return [Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx), Math.abs(ay - by)];
}

/** Return the lines to snap to, {x: […], y: […]}: edges and middles of boxes. */
export function linesOf(rects) {
  return {
    x: rects.flatMap(([x, , w]) => [x, x + w / 2, x + w]),
    y: rects.flatMap(([, y, , h]) => [y, y + h / 2, y + h]),
  };
}

/**
 * Return how far a box snaps, {dx, dy, guides: [{axis, at}]}: the shortest way on which one of its
 * edges or its middle comes to stand on a line. `handle` restricts that to the edges that move.
 */
export function snapping([x, y, w, h], lines, reach, handle = "") {
  const wanted = (before, after, edges) => {
    if (!handle) return edges;
    if (handle.includes(before)) return [edges[0]];
    return handle.includes(after) ? [edges[2]] : [];
  };
  const dx = nearest(wanted("w", "e", [x, x + w / 2, x + w]), lines.x, reach);
  const dy = nearest(wanted("n", "s", [y, y + h / 2, y + h]), lines.y, reach);
  const guides = [
    ...dx.on.map((at) => ({ axis: "x", at })),
    ...dy.on.map((at) => ({ axis: "y", at })),
  ];
  return { dx: dx.by, dy: dy.by, guides };
}

function nearest(edges, lines, reach) {
  let by = null;
  for (const edge of edges) {
    for (const line of lines) {
      const way = line - edge;
      if (Math.abs(way) <= reach && (by === null || Math.abs(way) < Math.abs(by) - SAME)) by = way;
    }
  }
  if (by === null) return { by: 0, on: [] };
  const met = lines.filter((line) => edges.some((edge) => Math.abs(edge + by - line) < SAME));
  return { by, on: [...new Set(met)] };
}

/** Return boxes aligned within a frame: left, center, right, top, middle or bottom. */
export function aligned(rects, how, [fx, fy, fw, fh]) {
  const place = {
    left: ([, y]) => [fx, y],
    center: ([, y, w]) => [fx + (fw - w) / 2, y],
    right: ([, y, w]) => [fx + fw - w, y],
    top: ([x]) => [x, fy],
    middle: ([x, , , h]) => [x, fy + (fh - h) / 2],
    bottom: ([x, , , h]) => [x, fy + fh - h],
  }[how];
  return rects.map((rect) => [...place(rect), rect[2], rect[3]]);
}

/** Return boxes with equal gaps between them, along x or y; the outermost stay. */
export function distributed(rects, axis) {
  const [start, size] = axis === "x" ? [0, 2] : [1, 3];
  const order = rects.map((_, at) => at);
  order.sort((a, b) => rects[a][start] + rects[a][size] / 2 - rects[b][start] - rects[b][size] / 2);
  const whole = around(rects);
  const filled = rects.reduce((sum, rect) => sum + rect[size], 0);
  const gap = (whole[size] - filled) / Math.max(1, rects.length - 1);
  const made = [...rects];
  let at = whole[start];
  for (const index of order) {
    const rect = [...rects[index]];
    rect[start] = at;
    made[index] = rect;
    at += rect[size] + gap;
  }
  return made;
}

/**
 * Return a place for a box of a size inside an area where it covers no others, as far up and left
 * as possible; the middle of the area if there is none.
 */
export function freePlace(rects, [width, height], [ax, ay, aw, ah], step = 2) {
  const [w, h] = [Math.min(width, aw), Math.min(height, ah)];
  for (let y = ay; y <= ay + ah - h + SAME; y += step) {
    for (
      let x = ax + (aw - w) / 2 - Math.floor((aw - w) / 2 / step) * step;
      x <= ax + aw - w + SAME;
      x += step
    ) {
      if (!rects.some((rect) => overlap([x, y, w, h], rect))) return [x, y, w, h].map(tenths);
    }
  }
  let [x, y] = [ax + (aw - w) / 2, ay + (ah - h) / 2].map(tenths);
  while (rects.some((rect) => rect[0] === x && rect[1] === y)) [x, y] = [x + step, y + step];
  return [x, y, w, h].map(tenths);
}

function tenths(value) {
  return rounded(value);
}
