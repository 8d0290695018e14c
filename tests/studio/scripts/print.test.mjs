import assert from "node:assert/strict";
import { test } from "node:test";
import { pinsOf } from "../../../generator/studio/static/js/views/print/pins.js";

const face = { kind: "card", id: "a~2", side: "front", x: 10, y: 20, width: 63, height: 88 };
const page = { faces: [{ ...face, rotation: 0 }] };
const places = (finding, on = page) =>
  pinsOf([finding], "cards-a4.pdf", 2, on).map(({ rects }) => rects);

test("a finding is pinned to its places on a face", () => {
  const found = { faces: ["card/a~2/front"], rects: [["card/a~2/front", [1, 2, 3, 4]]] };
  assert.deepEqual(places(found), [[[1, 2, 3, 4]]]);
  assert.deepEqual(places({ ...found, faces: ["card/b/front"] }), []);
});

test("a finding without a place is pinned to the whole card, turned as it lies", () => {
  const found = { kind: "card", id: "a", faces: [], rects: [] };
  assert.deepEqual(places(found), [[[0, 0, 63, 88]]]);
  const turned = { faces: [{ ...face, rotation: 90 }] };
  assert.deepEqual(places(found, turned), [[[0, 0, 88, 63]]]);
});

test("a finding of the sheets is pinned to its pages alone", () => {
  const found = { kind: "card", id: "a", faces: [], pages: [["cards-a4.pdf", 2, [5, 5, 63, 88]]] };
  assert.deepEqual(places(found), [[[5, 5, 63, 88]]]);
  assert.deepEqual(pinsOf([found], "cards-letter.pdf", 2, page), []);
});
