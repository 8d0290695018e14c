import assert from "node:assert/strict";
import { test } from "node:test";

const from = "../../../generator/studio/static/js";
const { fromText, toText } = await import(`${from}/views/table/clipboard.js`);
const { orderEdits, shownRows } = await import(`${from}/views/table/order.js`);
const { asTyped, asValue, cellText } = await import(`${from}/views/table/values.js`);

const text = { field: { type: "text", optional: false, default: null } };
const int = { field: { type: "int", optional: true, default: null } };
const name = { name: "name", ...text };

const row = (at, typed, file = "cards/duel/cards.csv") => ({
  id: typed.toLowerCase(),
  file,
  path: [at],
  readonly: "",
  nodes: { name: { text: typed } },
  heads: {},
});

test("cells with tabs, quotes and line ends come back from a spreadsheet", () => {
  const cells = [
    ["a", 'say "hi"', "two\nlines"],
    ["", "tab\there", '"quoted"'],
  ];
  assert.deepEqual(fromText(toText(cells)), cells);
});

test("what Excel writes ends with a line end that is no row", () => {
  assert.deepEqual(fromText('a\tb\r\n"c\nd"\t2\r\n'), [
    ["a", "b"],
    ["c\nd", "2"],
  ]);
});

test("a quote inside of a text is a sign like any other", () => {
  assert.deepEqual(fromText('5" nails\t"x" y'), [['5" nails', '"x" y']]);
});

test("a text is written as its column wants it", () => {
  assert.equal(asValue(int, "12"), 12);
  assert.equal(asValue(int, "1,5"), 1.5);
  assert.equal(asValue(int, "many"), "many");
  assert.equal(asValue(int, "007"), "007");
  assert.equal(asValue(int, " "), undefined);
  assert.equal(asValue(text, ""), "");
  assert.equal(asValue(text, "12"), "12");
  assert.equal(asValue({ field: { type: "bool", optional: true, default: null } }, "ja"), true);
});

test("yes and no are the same words however the file has them", () => {
  const said = (word) => ({ nodes: { on: { text: word } } });
  const column = { name: "on", field: { type: "bool" } };
  assert.deepEqual(
    ["true", "no", "False", "perhaps"].map((word) => cellText(said(word), column)),
    ["yes", "no", "no", "perhaps"],
  );
});

test("a copied list keeps its numbers and its words", () => {
  const node = {
    items: [
      { text: "2", plain: true },
      { text: "2", plain: false },
    ],
  };
  assert.deepEqual(asTyped(node), [2, "2"]);
});

test("numbers inside of names sort as numbers, and empty cells come last", () => {
  const rows = ["Card 10", "", "card 9", "Card 1"].map((typed, at) => row(at, typed));
  assert.deepEqual(shownRows(rows, [name], "", { name: "name", isDown: false }), [3, 2, 0, 1]);
  assert.deepEqual(shownRows(rows, [name], "", { name: "name", isDown: true }), [0, 2, 3, 1]);
});

test("a search keeps rows with all of its words", () => {
  const rows = ["Old Bank", "Bank", "Old Mill"].map((typed, at) => row(at, typed));
  assert.deepEqual(shownRows(rows, [name], "bank old", null), [0]);
});

test("an order is written for each file, without rows that cannot be changed", () => {
  const rows = [row(2, "A"), row(0, "B"), row(5, "C", "cards/duel/more.csv"), row(1, "D")];
  rows[3].readonly = "a workbook";
  assert.deepEqual(orderEdits(rows), [
    { file: "cards/duel/cards.csv", changes: [{ do: "order", path: [], order: [2, 0] }] },
    { file: "cards/duel/more.csv", changes: [{ do: "order", path: [], order: [5] }] },
  ]);
});
