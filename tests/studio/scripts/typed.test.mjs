import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeOf, valueOf } from "../../../generator/studio/static/js/nodes.js";
import * as typed from "../../../generator/studio/static/js/views/look/typed.js";

const OWN = "templates/duel/card.face.yaml";
const LOOK = "templates/duel/look.face.yaml";

/** Return a box whose values are written in a file at a path. */
function box(name, values, file = OWN, path = ["boxes", name]) {
  const entries = Object.entries(values);
  return {
    name,
    at: values.at,
    own: file === OWN,
    dropped: false,
    values: Object.fromEntries(
      entries.map(([key, value]) => [key, { node: nodeOf(value), file, path: [...path, key] }]),
    ),
  };
}

/** Return a layout of these boxes whose own file is `file`. */
function layout(file, boxes, variants = []) {
  return { files: [{ path: OWN }, { path: LOOK }], node: nodeOf(file), boxes, variants };
}

const AT = [5, 5, 50, 8];

test("a value of the own file is set where it stands", () => {
  const name = box("name", { text: "name", at: AT });
  const shown = layout({ boxes: { name: { text: "name", at: AT } } }, [name]);
  const draft = typed.draftOf(shown);
  typed.setKey(draft, name, "at", [6, 5, 50, 8], "all");
  assert.deepEqual(draft.changes, [
    { do: "set", path: ["boxes", "name", "at"], value: [6, 5, 50, 8] },
  ]);
  assert.deepEqual(typed.after(draft).boxes[0].at, [6, 5, 50, 8]);
});

test("boxes of another file get entries of their own, with the changed key alone", () => {
  const [name, foot] = [box("name", { at: AT }, LOOK), box("foot", { at: AT }, LOOK)];
  const shown = layout({ like: "look.face.yaml" }, [name, foot]);
  const draft = typed.draftOf(shown);
  typed.setKey(draft, name, "at", [6, 5, 50, 8], "all");
  typed.setKey(draft, foot, "at", [7, 5, 50, 8], "all");
  assert.deepEqual(draft.changes, [
    { do: "set", path: ["boxes"], value: { name: { at: [6, 5, 50, 8] } } },
    { do: "set", path: ["boxes", "foot"], value: { at: [7, 5, 50, 8] } },
  ]);
});

const HERO = [{ by: "type", values: ["Hero"], now: "Hero" }];

test("a value that a variant has stays there, also when changes are for all cards", () => {
  const band = box("band", { fill: "band", at: AT });
  band.values.fill = {
    node: nodeOf("cool"),
    file: OWN,
    path: ["variants", "Hero", "band", "fill"],
  };
  const file = {
    boxes: { band: { fill: "band", at: AT } },
    variants: { by: "type", Hero: { band: { fill: "cool" } } },
  };
  const shown = layout(file, [band], HERO);
  const draft = typed.draftOf(shown);
  typed.setKey(draft, band, "fill", "warm", "all");
  assert.deepEqual(draft.changes[0].path, ["variants", "Hero", "band", "fill"]);
  assert.equal(typed.variantOf(shown, band.values.fill), "Hero");
});

test("a change for one variant makes that variant where the own file has none", () => {
  const name = box("name", { at: AT }, LOOK);
  const shown = layout({ like: "look.face.yaml" }, [name], HERO);
  const draft = typed.draftOf(shown);
  typed.setKey(draft, name, "at", [6, 5, 50, 8], 0);
  typed.setKey(draft, name, "size", "9pt", 0);
  assert.deepEqual(valueOf(draft.node).variants, {
    by: "type",
    Hero: { name: { at: ["6", "5", "50", "8"], size: "9pt" } },
  });
});

test("variants by another expression become a list", () => {
  const name = box("name", { at: AT });
  const file = {
    boxes: { name: { at: AT } },
    variants: { by: "long", true: { name: { size: 8 } } },
  };
  const shown = layout(file, [name], [{ by: "long", values: ["true"], now: null }, ...HERO]);
  const draft = typed.draftOf(shown);
  typed.setKey(draft, name, "at", [6, 5, 50, 8], 1);
  const [change] = draft.changes;
  assert.deepEqual(change.path, ["variants"]);
  assert.deepEqual(
    change.value.map((one) => one.by),
    ["long", "type"],
  );
  assert.equal(change.value[0].true.name.size, 8);
});

test("a box goes with what variants say of it; one of another file is dropped", () => {
  const [name, foot] = [box("name", { at: AT }), box("foot", { at: AT }, LOOK)];
  const file = {
    boxes: { name: { at: AT } },
    variants: [{ by: "type", Hero: { name: { size: 8 }, foot: { size: 7 } } }],
  };
  const shown = layout(file, [name, foot], HERO);
  const draft = typed.draftOf(shown);
  typed.drop(draft, name);
  typed.drop(draft, foot);
  assert.deepEqual(valueOf(draft.node), {
    boxes: { foot: "" },
    variants: [{ by: "type" }],
  });
});

test("the last key that differs takes its entry with it", () => {
  const name = box("name", { at: AT });
  name.own = false;
  const shown = layout({ like: "x", boxes: { name: { at: AT }, b: { at: AT } } }, [name]);
  const draft = typed.draftOf(shown);
  typed.setKey(draft, name, "at", undefined, "all");
  assert.deepEqual(draft.changes, [{ do: "remove", path: ["boxes", "name"] }]);
});

test("another name is written in the variants too", () => {
  const name = box("name", { at: AT });
  const file = {
    boxes: { a: { at: AT }, name: { at: AT } },
    variants: { by: "type", Hero: { name: { size: 8 } } },
  };
  const shown = layout(file, [name], HERO);
  const draft = typed.draftOf(shown);
  typed.rename(draft, name, "title");
  assert.deepEqual(draft.changes, [
    { do: "copy", path: ["boxes", "name"], at: 2, values: {}, name: "title" },
    { do: "remove", path: ["boxes", "name"] },
    { do: "copy", path: ["variants", "Hero", "name"], at: 1, values: {}, name: "title" },
    { do: "remove", path: ["variants", "Hero", "name"] },
  ]);
});

test("boxes move in the order, and boxes of other files keep their places", () => {
  const order = ["a", "b", "c", "d"];
  assert.deepEqual(typed.restacked(order, ["a", "b"], "forward"), ["c", "a", "b", "d"]);
  assert.deepEqual(typed.restacked(order, ["c", "d"], "forward"), order);
  assert.deepEqual(typed.restacked(order, ["c"], "back"), ["c", "a", "b", "d"]);
  const file = { boxes: { a: { at: AT }, taken: { at: AT }, b: { at: AT } } };
  const shown = layout(file, [box("a", {}), { ...box("taken", {}), own: false }, box("b", {})]);
  assert.deepEqual(typed.sortable(shown), ["a", "b"]);
  const draft = typed.draftOf(shown);
  typed.reorder(draft, ["b", "a"]);
  assert.deepEqual(draft.changes, [{ do: "order", path: ["boxes"], order: [2, 1, 0] }]);
});

test("numbers of a copied box stay numbers", () => {
  assert.deepEqual(
    typed.written({
      entries: [
        ["width", { text: "0.5", plain: true }],
        ["size", { text: "9pt", plain: true }],
        ["words", { text: "12", plain: false }],
      ],
    }),
    { width: 0.5, size: "9pt", words: "12" },
  );
});
