import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldNameFrom } from "../../../generator/studio/static/js/ids.js";
import {
  choiceEdit,
  copiesEdits,
  copiesOf,
  fieldEdits,
  freshFieldName,
  unusedChoices,
  withCopies,
} from "../../../generator/studio/static/js/kind_edits.js";

const KIND = "cards/moor/kinds/card.yaml";
const TABLE = "cards/moor/cards.csv";
const name = { name: "name", type: "text", default: null };
const kind = (quantity, fields = [name], more = {}) => ({
  ...{ file: KIND, own: true, readonly: "", made_from: null, faces: { front: {} } },
  ...{ quantity, fields, ...more },
});
const row = { file: TABLE, path: [0], readonly: "", nodes: {}, heads: { name: "Name" } };

test("the name of a field is made from its title", () => {
  assert.equal(fieldNameFrom("Flavour text"), "flavour_text");
  assert.equal(fieldNameFrom("Größe (cm)"), "groesse_cm");
  assert.equal(fieldNameFrom("2nd"), "field_2nd");
  assert.equal(fieldNameFrom("Or"), "field_or");
  assert.equal(freshFieldName(kind("", [{ name: "picture" }]), "Picture"), "picture_2");
});

test("a new field goes into the kind, and as a column into its table", () => {
  const [ofKind, ofTable] = fieldEdits(kind(""), [row, row], { name: "art", type: "image" });
  const value = { type: "image", optional: true };
  assert.deepEqual(ofKind, {
    file: KIND,
    changes: [{ do: "set", path: ["fields", "art"], value }],
  });
  const column = { do: "insert", path: [], at: 0, value: "art" };
  assert.deepEqual(ofTable, { file: TABLE, changes: [column] });
});

test("copies are the field that the kind names, or one that comes with the first number", () => {
  const copies = { name: "copies", type: "int", default: 1 };
  assert.equal(copiesOf(kind("copies", [copies])).field, copies);
  assert.equal(copiesOf(kind("3")).field.default, 3);
  assert.equal(copiesOf(kind("")).fresh, true);
  assert.deepEqual(copiesOf(kind("copies * 2", [copies])), { rule: "copies * 2" });
  assert.deepEqual(copiesOf(kind("", [copies])), { field: copies, unsaid: true });
  assert.deepEqual(copiesOf(kind("5", [copies])), { rule: "5" });
  assert.equal(copiesOf(kind("", [], { faces: {} })), null);
});

test("the first number of copies brings the field", () => {
  const [ofKind, ofRow] = copiesEdits(kind("2"), row, 4);
  const field = { type: "int", min: 0, max: 9999, default: 2 };
  assert.deepEqual(ofKind.changes, [
    { do: "set", path: ["fields", "copies"], value: field },
    { do: "set", path: ["quantity"], value: "copies" },
  ]);
  assert.deepEqual(ofRow.changes, [{ do: "set", path: [0, "copies"], value: 4 }]);
  const others = [{ file: TABLE, changes: [{ do: "set", path: [0, "Name"], value: "Ash" }] }];
  assert.equal(withCopies(kind("2"), others), others);
});

test("the first number makes the kind count by a field that it has already", () => {
  const quantity = { do: "set", path: ["quantity"], value: "copies" };
  const edits = [{ file: TABLE, changes: [{ do: "set", path: [0, "copies"], value: 4 }] }];
  const of = (field) => withCopies(kind("", [{ name: "copies", type: "int", ...field }]), edits);
  assert.deepEqual(of({ default: 2 }), [{ file: KIND, changes: [quantity] }, ...edits]);
  const usual = { do: "set", path: ["fields", "copies", "default"], value: 1 };
  assert.deepEqual(of({ default: null })[0].changes, [usual, quantity]);
});

test("a choice that no card uses can be removed", () => {
  const field = { name: "type", default: "Beast", choices: ["Beast", "Place", "Plaec"] };
  const rows = [{ nodes: { type: { text: "Place" } } }, { nodes: {} }];
  assert.deepEqual(unusedChoices(field, rows), ["Plaec"]);
  const { changes } = choiceEdit(kind("", [field]), field, "Plaec");
  assert.deepEqual(changes, [{ do: "remove", path: ["fields", "type", "choices", 2] }]);
});
