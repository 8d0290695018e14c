import assert from "node:assert/strict";
import { test } from "node:test";

const from = "../../../generator/studio/static/js/views/files";
const { changeBetween, mergedChange, sideBySide } = await import(`${from}/merge.js`);
const { createCopy } = await import(`${from}/copy.js`);
const { schemasAt } = await import(`${from}/schema.js`);
const { yamlPlace } = await import(`${from}/yaml_place.js`);

const applied = (text, { from: at, to, insert }) => text.slice(0, at) + insert + text.slice(to);

test("the change between two texts is no larger than it must be", () => {
  assert.deepEqual(changeBetween("cost: 4\n", "cost: 47\n"), { from: 7, to: 7, insert: "7" });
  assert.equal(changeBetween("a", "a"), null);
});

test("changes of two places come together", () => {
  const base = "one\ntwo\nthree\n";
  const mine = "one!\ntwo\nthree\n";
  const change = mergedChange(base, mine, "one\ntwo\n3\n");
  assert.equal(applied(mine, change), "one!\ntwo\n3\n");
});

test("changes of the same place are a quarrel", () => {
  assert.equal(mergedChange("name: Bank", "name: Mill", "name: Tower"), undefined);
});

test("lines that are the same stand beside each other", () => {
  const lines = sideBySide("a\nb\nc\nd", "a\nx\ny\nc\nd");
  assert.deepEqual(
    lines.map(({ left, right }) => [left, right]),
    [
      ["a", "a"],
      ["b", "x"],
      [null, "y"],
      ["c", "c"],
      ["d", "d"],
    ],
  );
});

/** A copy with an editor of its own and a server that answers when it is told to. */
function copied(text) {
  const state = { text, sent: [], quarrel: null };
  const wire = {
    edit: (step) => new Promise((resolve, reject) => state.sent.push({ step, resolve, reject })),
    toast: () => {},
  };
  const editor = {
    text: () => state.text,
    change: (change) => (state.text = applied(state.text, change)),
  };
  const quarrel = (theirs) => (state.quarrel = theirs);
  const copy = createCopy({ wire, file: "f", label: "", rev: 1, text, editor, quarrel });
  const answer = async (made) => {
    state.sent.shift().resolve(made);
    await new Promise(setImmediate);
  };
  const refuse = async (error) => {
    state.sent.shift().reject(error);
    await new Promise(setImmediate);
  };
  return { state, copy, answer, refuse };
}

test("an editor sends its text with the revision that it is of", async () => {
  const { state, copy, answer } = copied("a\n");
  state.text = "ab\n";
  copy.flush();
  assert.deepEqual(state.sent[0].step.edits, [{ file: "f", rev: 1, text: "ab\n" }]);
  await answer({ revs: { f: 2 } });
  state.text = "abc\n";
  copy.flush();
  assert.equal(state.sent[0].step.edits[0].rev, 2);
});

test("an echo of the own text changes nothing that was typed since", async () => {
  const { state, copy, answer } = copied("a\n");
  state.text = "ab\n";
  copy.flush();
  state.text = "abc\n";
  copy.take("ab\n", 2, true);
  await answer({ revs: { f: 2 } });
  assert.equal(state.text, "abc\n");
});

test("a text from elsewhere comes in beside what is being typed", async () => {
  const { state, copy, refuse } = copied("one\ntwo\n");
  state.text = "one!\ntwo\n";
  copy.flush();
  await refuse({ status: 409, answer: { rev: 2, text: "one\ntwo\nthree\n" } });
  assert.equal(state.text, "one!\ntwo\nthree\n");
  copy.flush();
  assert.deepEqual(state.sent[0].step.edits[0], { file: "f", rev: 2, text: state.text });
});

test("a quarrel waits for an answer, and what is kept is sent with the newest revision", async () => {
  const { state, copy, refuse } = copied("name: Bank\n");
  state.text = "name: Mill\n";
  copy.flush();
  await refuse({ status: 409, answer: { rev: 5, text: "name: Tower\n" } });
  assert.equal(state.quarrel, "name: Tower\n");
  assert.equal(state.sent.length, 0);
  copy.settle(true);
  assert.deepEqual(state.sent[0].step.edits[0], { file: "f", rev: 5, text: "name: Mill\n" });
});

const TEXT = `kind: card
components:
  - id: a
    art:
      face: x
      of
  - {id: b, type: He
fields:
  cost:
    choices: [a, b
list:
- id: x
  o`.split("\n");
const placed = (line) => {
  const { path, key, value } = yamlPlace((at) => TEXT[at], line, TEXT[line].length);
  return [path.join("."), key, value];
};

test("a place in YAML knows the keys around it while one types", () => {
  assert.deepEqual(placed(0), ["", "kind", "card"]);
  assert.deepEqual(placed(2), ["components.[]", "id", "a"]);
  assert.deepEqual(placed(4), ["components.[].art", "face", "x"]);
  assert.deepEqual(placed(5), ["components.[].art", "", "of"]);
  assert.deepEqual(placed(6), ["components.[]", "type", "He"]);
  assert.deepEqual(placed(9), ["fields.cost.choices.[]", "[]", "b"]);
  assert.deepEqual(placed(12), ["list.[]", "", "o"]);
});

test("a schema is followed through lists, references and choices", () => {
  const field = { type: "object", properties: { min: { description: "least" } } };
  const schema = {
    properties: {
      fields: { anyOf: [{ type: "null" }, { additionalProperties: { $ref: "#/$defs/field" } }] },
      list: { items: { enum: ["a", "b"] } },
    },
    $defs: { field },
  };
  const [found] = schemasAt(schema, ["fields", "cost", "min"]);
  assert.equal(found.description, "least");
  assert.deepEqual(schemasAt(schema, ["list", "[]"])[0].enum, ["a", "b"]);
});
