import assert from "node:assert/strict";
import { test } from "node:test";

const from = "../../../generator/studio/static/js/views/files";
const { changesBetween, mergedChanges, sideBySide } = await import(`${from}/merge.js`);
const { createCopy } = await import(`${from}/copy.js`);
const { schemasAt } = await import(`${from}/schema.js`);
const { membersOf, quotedIn, tagBefore } = await import(`${from}/template.js`);
const { yamlPlace } = await import(`${from}/yaml_place.js`);
const { Text } = await import("../../../generator/studio/static/vendor/codemirror.js");

const applied = (text, changes) => changes.apply(Text.of(text.split("\n"))).toString();

test("the change between two texts is no larger than it must be", () => {
  assert.deepEqual(changesBetween("cost: 4\n", "cost: 47\n").toJSON(), [7, [0, "7"], 1]);
  assert.ok(changesBetween("a", "a").empty);
});

test("changes of several places come together", () => {
  const base = "one\ntwo\nthree\nfour\n";
  const mine = "one\ntwo!\nthree\nfour\n";
  const changes = mergedChanges(base, mine, "1\ntwo\nthree\n4\n");
  assert.equal(applied(mine, changes), "1\ntwo!\nthree\n4\n");
});

test("changes of the same place are a quarrel", () => {
  assert.equal(mergedChanges("name: Bank", "name: Mill", "name: Tower"), null);
});

test("lines that are the same stand beside each other, and most of them are only counted", () => {
  assert.deepEqual(sideBySide("a\nb\nc\nd", "a\nx\ny\nc\nd"), [
    ["a", "a"],
    ["b", "x"],
    [null, "y"],
    ["c", "c"],
    ["d", "d"],
  ]);
  const many = "\n".repeat(20);
  const counted = sideBySide(`a${many}b${many}c`, `x${many}b${many}y`).filter(Number.isInteger);
  assert.deepEqual(counted, [33]);
});

/** A copy with an editor of its own and a server that answers when it is told to. */
function copied(text) {
  const state = { text, sent: [], held: new Set(), quarrel: null };
  const wire = {
    edit: (step) => new Promise((resolve, reject) => state.sent.push({ step, resolve, reject })),
    toast: () => {},
    hold: (send) => state.held.add(send),
    release: (send) => state.held.delete(send),
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

test("a page that is closed sends the newest text, also behind one on its way", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { state, copy } = copied("a\n");
  state.text = "ab\n";
  copy.typed(false);
  for (const send of [...state.held]) send(true);
  state.text = "abc\n";
  copy.typed(false);
  for (const send of [...state.held]) send(true);
  const sent = state.sent.map(({ step }) => step.edits[0]);
  assert.deepEqual(sent, [
    { file: "f", rev: 1, text: "ab\n" },
    { file: "f", text: "abc\n" },
  ]);
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

test("a template knows what it can name behind a dot and between quotes", () => {
  const kind = {
    own: true,
    faces: { front: { file: "a.svg.j2" } },
    fields: [{ name: "cost", type: "int", description: "", min: 1, max: 9, choices: [] }],
  };
  const model = { icons: ["star"], styles: [{ name: "title", size: 14 }], palette: [] };
  const store = { kinds: { value: new Map([["card", kind]]) }, model: { value: model } };
  const studio = { store, wire: { icon: (name) => name } };
  const file = { path: "a.svg.j2" };
  const help = { template: [{ name: "stock.w", about: "its width" }] };
  const about = { label: "cost", info: "int 1–9" };
  assert.deepEqual(membersOf(studio, file, help, "c"), [about]);
  assert.deepEqual(membersOf(studio, file, help, "stock"), [{ label: "w", info: "its width" }]);
  const quoted = (text) => {
    const tag = tagBefore(Text.of([text]), text.length);
    return quotedIn(studio, tag)?.map((one) => one.label);
  };
  assert.deepEqual(quoted('<g>{{ icon("s'), ["star"]);
  assert.deepEqual(quoted('<g>{{ text_line(c.name, 5, 5, "'), ["title"]);
  assert.equal(quoted('{{ icon("star", 5'), undefined);
  assert.equal(quoted('{{ c.cost }} <rect fill="'), undefined);
});
