import assert from "node:assert/strict";
import { test } from "node:test";
import { piecesOf, unmarked } from "../../../generator/studio/static/js/parts/marks.js";

test("marks become pieces", () => {
  assert.deepEqual(piecesOf("Deal **1 *or* 2** to {flame}."), [
    "Deal ",
    {
      bold: true,
      italic: false,
      inside: ["1 ", { bold: false, italic: true, inside: ["or"] }, " 2"],
    },
    " to ",
    { icon: "flame" },
    ".",
  ]);
});

test("what marks nothing stays", () => {
  for (const text of ["3 * 4 ** 2", "a {not an icon}", "2 *"]) {
    assert.deepEqual(piecesOf(text), [text]);
  }
  assert.equal(unmarked(String.raw`\*as it is\* \{x\}`), "*as it is* {x}");
});

test("a text without its marks has its words and lines", () => {
  assert.equal(unmarked("Take ***2***{coin}\nor\\\nturn.\n\n*End*"), "Take 2coin or\nturn.\n\nEnd");
});
