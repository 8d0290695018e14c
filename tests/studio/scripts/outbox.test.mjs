import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeOf, valueOf } from "../../../generator/studio/static/js/nodes.js";
import { createOutbox } from "../../../generator/studio/static/js/outbox.js";
import { createRereading } from "../../../generator/studio/static/js/rereading.js";

const FILE = "cards/duel/cards.yaml";

/** Return an outbox whose server answers when `answer` is called. */
function desk() {
  const asked = [];
  const reread = [];
  const told = [];
  const rows = {
    value: [{ file: FILE, path: ["components", 0], nodes: { name: nodeOf("Ember") } }],
  };
  const store = {
    number: { value: 1 },
    sent: { value: 0 },
    unsent: { value: false },
    rowsByKind: new Map([["card", rows]]),
  };
  const post = (path, body) =>
    new Promise((resolve, reject) => asked.push({ body, resolve, reject }));
  const rereading = {
    now: (file) => reread.push(["now", file]),
    soon: (file) => reread.push(["soon", file]),
  };
  const outbox = createOutbox(store, "tab", post, (text) => told.push(text), rereading);
  const type = (value, join = "name") =>
    outbox.send({
      label: "Name",
      join,
      edits: [{ file: FILE, changes: [{ do: "set", path: ["components", 0, "name"], value }] }],
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const typed = () => valueOf(rows.value[0].nodes.name);
  return { asked, outbox, reread, settle, store, told, type, typed };
}

test("what is typed shows at once, and is sent one edit after another", async () => {
  const { asked, settle, store, type, typed } = desk();
  type("A");
  type("B", "other");
  assert.equal(typed(), "B");
  assert.equal(asked.length, 1);
  asked[0].resolve({ number: 2 });
  await settle();
  assert.equal(asked.length, 2);
  assert.equal(store.number.value, 2);
});

test("keys that wait are sent as one edit", async () => {
  const { asked, outbox, reread, settle, type } = desk();
  const answers = ["A", "AB", "ABC"].map((text) => type(text));
  asked[0].resolve({ number: 2 });
  await settle();
  assert.equal(asked.length, 2);
  assert.equal(asked[1].body.edits[0].changes[0].value, "ABC");
  asked[1].resolve({ number: 3 });
  assert.deepEqual(await Promise.all(answers), [{ number: 2 }, { number: 3 }, { number: 3 }]);
  await outbox.settled();
  assert.deepEqual(reread, [["soon", FILE]]);
});

test("a refused edit is told, and the rows are read again", async () => {
  const { asked, outbox, reread, told, type } = desk();
  const answer = type("A");
  asked[0].reject(Object.assign(new Error("too old"), { status: 409 }));
  await assert.rejects(answer, /too old/);
  await outbox.settled();
  assert.deepEqual(told, ["too old"]);
  assert.deepEqual(reread, [["now", FILE]]);
});

test("an edit is sent again until the server answers", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, outbox, settle, told, type } = desk();
  const answer = type("A");
  asked[0].reject(Object.assign(new Error("away"), { status: 0 }));
  await settle();
  assert.ok(!outbox.isEmpty());
  context.mock.timers.tick(1000);
  await settle();
  asked[1].resolve({ number: 2 });
  assert.deepEqual(await answer, { number: 2 });
  assert.deepEqual(told, []);
});

test("what is typed is unsent until the server has it", async () => {
  const { asked, outbox, settle, store, type } = desk();
  const send = () => {
    outbox.release(send);
    type("A");
  };
  outbox.hold(send);
  assert.ok(store.unsent.value);
  send();
  assert.ok(store.unsent.value);
  asked[0].resolve({ number: 2 });
  await settle();
  assert.deepEqual([store.unsent.value, store.sent.value], [false, 2]);
});

test("when the page may be closed all is sent at once", async () => {
  const { asked, outbox, settle, store, type } = desk();
  const send = () => {
    outbox.release(send);
    type("C", "third");
  };
  type("A");
  type("B", "other");
  outbox.hold(send);
  outbox.leave();
  const values = asked.map(({ body }) => body.edits[0].changes[0].value);
  assert.deepEqual(values, ["A", "B", "C"]);
  for (const one of asked) one.resolve({ number: 4 });
  await settle();
  assert.ok(!store.unsent.value);
});

test("rows that have not come are asked for again when their file changes", () => {
  const [asked, known] = [[], { value: [{ file: "cards/duel/decks.yaml" }] }];
  const rowsByKind = new Map(["card", "hero", "deck"].map((kind) => [kind, { value: null }]));
  const store = { files: { value: new Map() }, rowsByKind: rowsByKind.set("deck", known) };
  const read = async (kind) => asked.push(kind);
  createRereading(store, read, (kind) => kind === "card").now(FILE);
  assert.deepEqual(asked, ["deck", "card"]);
});
