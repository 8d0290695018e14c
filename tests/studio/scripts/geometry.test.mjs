import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aligned,
  around,
  distributed,
  freePlace,
  holds,
  linesOf,
  moved,
  overlap,
  resized,
  rounded,
  snapping,
  under,
} from "../../../generator/studio/static/js/parts/geometry.js";

const near = (one, other) =>
  one.forEach((value, at) =>
    assert.ok(Math.abs(value - other[at]) < 1e-9, `${one} is not ${other}`),
  );

test("numbers are rounded as files have them", () => {
  assert.equal(rounded(5.44), 5.4);
  assert.equal(rounded(43.949, true), 43.95);
  assert.ok(Object.is(rounded(-0.01), 0));
});

test("each handle moves its own edges", () => {
  const box = [10, 20, 30, 40];
  near(resized(box, "e", 5, 9), [10, 20, 35, 40]);
  near(resized(box, "nw", 2, 3), [12, 23, 28, 37]);
  near(resized(box, "s", 5, -10), [10, 20, 30, 30]);
});

test("a box does not turn inside out", () => {
  const [x, , width] = resized([10, 20, 30, 40], "w", 99, 0);
  near([width, x], [0.5, 39.5]);
});

test("proportions are kept from a corner", () => {
  near(resized([0, 0, 10, 20], "se", 10, 0, { keep: true }), [0, 0, 20, 40]);
});

test("the far edge of a turned box stays where it is", () => {
  // Turned by 90 degrees, the right edge points down.
  const box = resized([0, 0, 20, 10], "e", 0, 6, { turn: 90 });
  near(box, [-3, 3, 26, 10]);
});

test("a point is found in a turned box", () => {
  assert.ok(holds([0, 0, 20, 2], 10, 9, 90));
  assert.ok(!holds([0, 0, 20, 2], 1, 1, 90));
});

test("the foremost box under a point comes first, and a thin line can be hit", () => {
  const boxes = [
    { name: "ground", at: [0, 0, 50, 50] },
    { name: "name", at: [5, 5, 20, 8] },
    { name: "line", at: [5, 20, 30, 0] },
  ];
  assert.deepEqual(
    under(boxes, 6, 6).map((box) => box.name),
    ["name", "ground"],
  );
  assert.deepEqual(
    under(boxes, 6, 20.5).map((box) => box.name),
    ["line", "ground"],
  );
  const frame = { name: "frame", at: [4, 4, 30, 30], hollow: true };
  const names = (x, y) => under([...boxes, frame], x, y).map((box) => box.name);
  assert.deepEqual([names(20, 30), names(20, 33.5)], [["ground"], ["frame", "ground"]]);
});

test("a box snaps the shortest way, and says to which lines", () => {
  const lines = linesOf([[0, 0, 63.5, 88.9]]);
  const snap = snapping([20.4, 10, 22, 5], lines, 0.8);
  near([snap.dx], [0.35]);
  assert.deepEqual(snap.guides, [{ axis: "x", at: 31.75 }]);
  assert.deepEqual(snapping([20, 10, 20, 5], lines, 0.5).guides, []);
});

test("with a handle only the edges that move snap", () => {
  const lines = { x: [10, 40], y: [] };
  assert.equal(snapping([10.2, 0, 29.9, 5], lines, 1, "w").dx.toFixed(1), "-0.2");
  assert.equal(snapping([10.2, 0, 29.9, 5], lines, 1, "e").dx.toFixed(1), "-0.1");
});

test("boxes are aligned within a frame", () => {
  const boxes = [
    [0, 0, 10, 5],
    [5, 20, 20, 5],
  ];
  assert.deepEqual(aligned(boxes, "right", around(boxes)), [
    [15, 0, 10, 5],
    [5, 20, 20, 5],
  ]);
  assert.deepEqual(aligned(boxes, "center", around(boxes)), [
    [7.5, 0, 10, 5],
    [2.5, 20, 20, 5],
  ]);
});

test("gaps are equal, the outermost boxes stay, in whatever order they are named", () => {
  const boxes = [
    [0, 50, 5, 10],
    [0, 0, 5, 10],
    [0, 12, 5, 10],
  ];
  assert.deepEqual(distributed(boxes, "y"), [
    [0, 50, 5, 10],
    [0, 0, 5, 10],
    [0, 25, 5, 10],
  ]);
});

test("a new box stands where it covers nothing, if there is room", () => {
  const others = [
    [0, 0, 60, 30],
    [0, 50, 60, 40],
  ];
  const place = freePlace(others, [20, 10], [3, 3, 57, 82]);
  assert.ok(others.every((other) => !overlap(place, other)));
  assert.deepEqual(moved(place, 1, 1).slice(2), [20, 10]);
  assert.deepEqual(freePlace([[0, 0, 60, 90]], [20, 10], [3, 3, 54, 84]), [20, 40, 20, 10]);
  assert.deepEqual(
    freePlace(
      [
        [0, 0, 60, 90],
        [20, 40, 9, 9],
      ],
      [20, 10],
      [3, 3, 54, 84],
    ),
    [22, 42, 20, 10],
  );
});
