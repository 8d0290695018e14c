import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.navigator ??= { language: "en" };
const from = "../../../generator/studio/static/js/views/look";
const { boxNameFrom, conditionOf, fieldIn, negated } = await import(`${from}/conditions.js`);
const { shownText, writtenText } = await import(`${from}/mail.js`);
const { broughtBack, offCard } = await import(`${from}/off_card.js`);

const NAMES = {
  bare: "not text and not flavour",
  few: "0 < letters <= 60",
  letters: "(text or '') | length",
  line: "type if type != name",
};

test("a condition is told by its fields, through the names of the file", () => {
  const [text, flavour] = ["text", "flavour"].map((name) => ({ op: "without", name }));
  assert.deepEqual(conditionOf("bare", NAMES), { all: [text, flavour] });
  assert.deepEqual(negated(conditionOf("bare", NAMES)), {
    any: [
      { ...text, op: "with" },
      { ...flavour, op: "with" },
    ],
  });
  assert.deepEqual(conditionOf("cost is not none"), { op: "with", name: "cost" });
  assert.deepEqual(conditionOf("type == 'Hero'"), { op: "==", name: "type", value: "Hero" });
  const least = { op: ">", name: "letters", value: "0" };
  const most = { op: "<=", name: "letters", value: "60" };
  assert.deepEqual(conditionOf("few", NAMES), { all: [least, most] });
});

test("what is not simple is told by no condition", () => {
  for (const text of ["cost | string", "type != name", "a and", "(a", "line", "loop", ""]) {
    assert.equal(conditionOf(text, { ...NAMES, loop: "loop2", loop2: "loop" }), null, text);
  }
});

test("the field of an expression is found behind filters, words and names", () => {
  assert.equal(fieldIn("(type or '') | upper"), "type");
  assert.equal(fieldIn("'hero' if type == 'Hero' else 'kind'"), "type");
  assert.equal(fieldIn("line", NAMES), "type");
  assert.equal(fieldIn("'Question'"), "Question");
});

test("texts of boxes are read and written by titles of fields", () => {
  const names = ["name", "max_speed"];
  const pairs = [
    ["max_speed", "Max speed"],
    ["{star} {{ max_speed }}", "{star} [Max speed]"],
    ["'Once upon a time'", "Once upon a time"],
    ["{{ name | upper }}", "{{ name | upper }}"],
    ["max_speed | string", "max_speed | string"],
  ];
  for (const [text, shown] of pairs) {
    assert.equal(shownText(text, names), shown);
    assert.equal(writtenText(shown, names), text);
  }
  assert.equal(writtenText("It's [unknown]", names), "'It’s [unknown]'");
});

test("a box has a name that its file takes", () => {
  assert.equal(boxNameFrom("Großer Titel!"), "grosser-titel");
  assert.equal(boxNameFrom("2 Stars"), "stars");
});

test("a box off the card is seen and brought back, a ground may lie over the edge", () => {
  const card = { width: 60, height: 90, safe: 3, bleed: 3 };
  const box = (what, at, turn = 0) => {
    return { what, at, drawn: true, values: { turn: { node: { text: String(turn) } } } };
  };
  assert.equal(offCard(box("text", [50, 5, 20, 8]), card), "part");
  assert.equal(offCard(box("fill", [50, 5, 20, 8]), card), "");
  assert.equal(offCard(box("picture", [-3, -3, 66, 96]), card), "");
  assert.equal(offCard(box("fill", [70, 5, 20, 8]), card), "whole");
  assert.equal(offCard(box("text", [-10, 40, 40, 8], 90), card), "");
  assert.deepEqual(broughtBack(box("text", [50, -5, 20, 8]), card), [37, 3, 20, 8]);
  assert.deepEqual(broughtBack(box("text", [50, 5, 80, 8]), card), [0, 5, 60, 8]);
});
