import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changed,
  nodeOf,
  rowNode,
  settingIn,
  valueOf,
} from "../../../generator/studio/static/js/nodes.js";

const row = {
  file: "cards/duel/cards.yaml",
  path: ["components", 2],
  nodes: { name: nodeOf("Ember"), art: nodeOf({ face: "round" }), costs: nodeOf(["1", "2"]) },
};

test("a node is again the value that it was made from", () => {
  const value = { name: "Ember", costs: ["1", { any: "2" }], none: {} };
  assert.deepEqual(valueOf(nodeOf(value)), value);
});

test("a value is set inside of what is there", () => {
  const change = settingIn(row, ["art", "hat"], "cap");
  assert.deepEqual(change, { do: "set", path: ["components", 2, "art", "hat"], value: "cap" });
});

test("maps that are missing on the way are made", () => {
  const change = settingIn(row, ["story", "front", "text"], "Once");
  const value = { front: { text: "Once" } };
  assert.deepEqual(change, { do: "set", path: ["components", 2, "story"], value });
});

test("fields of a table have the heads of its columns", () => {
  const ofTable = { ...row, path: [4], heads: { name: "Card Name" } };
  assert.deepEqual(settingIn(ofTable, ["name"], "Ash").path, [4, "Card Name"]);
  assert.deepEqual(settingIn(ofTable, ["name"], undefined), {
    do: "remove",
    path: [4, "Card Name"],
  });
});

test("changes show as the server will make them", () => {
  const after = (change) => valueOf(changed(rowNode(row), change));
  assert.equal(after({ do: "set", path: ["name"], value: "Ash" }).name, "Ash");
  assert.deepEqual(after({ do: "insert", path: ["costs"], at: 1, value: 9 }).costs, [
    "1",
    "9",
    "2",
  ]);
  assert.deepEqual(after({ do: "move", path: ["costs", 1], at: 0 }).costs, ["2", "1"]);
  assert.deepEqual(after({ do: "remove", path: ["costs", 0] }).costs, ["2"]);
  assert.deepEqual(after({ do: "remove", path: ["art"] }), { name: "Ember", costs: ["1", "2"] });
});
