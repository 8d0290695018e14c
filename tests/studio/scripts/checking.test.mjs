import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.localStorage = { getItem: () => null, setItem: () => {} };
globalThis.location = { hash: "" };
globalThis.history = { replaceState: () => {} };
globalThis.window = { addEventListener: () => {} };
globalThis.EventSource = class {
  constructor() {
    globalThis.source = this;
  }
};
const { createEvents } = await import("../../../generator/studio/static/js/events.js");
const { createStore } = await import("../../../generator/studio/static/js/store.js");

const HELLO = { type: "hello", project: { folder: "a" }, pack: "duel", number: 1, files: [] };

/** Return a store, and what takes an event of the server. */
function opened() {
  const store = createStore();
  const rereading = { now: () => {}, soon: () => {} };
  createEvents(store, "tab", { heard: () => {}, rereading, refresh: () => {} });
  const tell = (event) => globalThis.source.onmessage({ data: JSON.stringify(event) });
  tell(HELLO);
  return { store, tell };
}

test("nothing is known of a pack until its first check", () => {
  const { store, tell } = opened();
  tell({ type: "found", number: 0, findings: [] }); // what a new tab is told
  tell({ type: "faces", number: 0, faces: [], gone: [], done: false });
  assert.equal(store.checking.value, true);
  tell({ type: "found", number: 1, findings: [] });
  assert.equal(store.checking.value, false);
});

test("an edit is checked when its faces are drawn, also without another finding", () => {
  const { store, tell } = opened();
  tell({ type: "found", number: 1, findings: [] });
  store.sent.value = 2;
  assert.equal(store.checking.value, true);
  tell({ type: "faces", number: 2, faces: [], gone: [], done: true });
  assert.equal(store.checking.value, false);
  tell({ ...HELLO, pack: "quest" });
  assert.equal(store.checking.value, true);
});
