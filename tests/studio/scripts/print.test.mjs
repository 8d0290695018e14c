import assert from "node:assert/strict";
import { test } from "node:test";
import { changedSince } from "../../../generator/studio/static/js/views/print/changed.js";
import {
  backsOf,
  backsOfPack,
  fitting,
  likelyPapers,
} from "../../../generator/studio/static/js/views/print/unchosen.js";
import { pinsOf } from "../../../generator/studio/static/js/views/print/pins.js";

const face = { kind: "card", id: "a~2", side: "front", x: 10, y: 20, width: 63, height: 88 };
const page = { faces: [{ ...face, rotation: 0 }] };
const places = (finding, on = page) =>
  pinsOf([finding], "cards-a4.pdf", 2, on).map(({ rects }) => rects);

test("a finding is pinned to its places on a face", () => {
  const found = { faces: ["card/a~2/front"], rects: [["card/a~2/front", [1, 2, 3, 4]]] };
  assert.deepEqual(places(found), [[[1, 2, 3, 4]]]);
  assert.deepEqual(places({ ...found, faces: ["card/b/front"] }), []);
});

test("a finding without a place is pinned to the whole card, turned as it lies", () => {
  const found = { kind: "card", id: "a", faces: [], rects: [] };
  assert.deepEqual(places(found), [[[0, 0, 63, 88]]]);
  const turned = { faces: [{ ...face, rotation: 90 }] };
  assert.deepEqual(places(found, turned), [[[0, 0, 88, 63]]]);
});

test("a finding of the sheets is pinned to its pages alone", () => {
  const found = { kind: "card", id: "a", faces: [], pages: [["cards-a4.pdf", 2, [5, 5, 63, 88]]] };
  assert.deepEqual(places(found), [[[5, 5, 63, 88]]]);
  assert.deepEqual(pinsOf([found], "cards-letter.pdf", 2, page), []);
});

test("a component has changed when a face of it looks different than it was printed", () => {
  const shas = { "card/a/front": "1", "card/b/front": "2", "card/c/front": "3" };
  Object.assign(shas, { "token/t/front": "4", "map/m/front": "5" });
  const one = (id) => ({ id, name: id, quantity: id !== "c" });
  const components = ["a", "b", "c", "d"].map(one);
  const store = {
    model: {
      value: {
        prints: [{ kinds: ["card"] }, { kinds: ["card", "token"] }, { kinds: ["map"] }],
        components: { card: components, token: [one("t")], map: [one("m")] },
      },
    },
    sides: (kind, id) => [`${kind}/${id}/front`],
    face: (key) => ({ value: shas[key] ? { sha: shas[key] } : null }),
  };
  const found = changedSince(store, { "card/a/front": "1", "card/b/front": "0" });
  const names = found.map(({ kind, id }) => `${kind}/${id}`);
  assert.deepEqual(names, ["card/b", "token/t"]); // of a map nothing was ever printed
});

test("of A4 and Letter the paper of the place comes first, unless a print would be missing", () => {
  const both = [{ papers: ["a4", "letter"] }, { papers: ["letter", "a4", "a3"] }];
  assert.deepEqual(likelyPapers(both, "en-GB"), ["a4", "a3"]);
  assert.deepEqual(likelyPapers(both, "en"), ["a4", "a3"]);
  assert.deepEqual(likelyPapers(both, "es-MX"), ["letter", "a3"]);
  assert.deepEqual(likelyPapers([...both, { papers: ["letter"] }], "de"), []);
  assert.deepEqual(likelyPapers([{ papers: ["a4"] }], "de"), []);
});

test("the backs are those of the pack until others are chosen, except in booklets", () => {
  const kinds = new Map([
    ["card", { faces: { front: {}, back: {} } }],
    ["map", { faces: { front: {} } }],
  ]);
  const cards = { kinds: ["card"], backs: "gutterfold" };
  const maps = { kinds: ["map"], backs: "duplex-long" };
  const booklet = { kinds: ["map"], backs: "none", is_booklet: true };
  const backs = [cards, maps, booklet].map((print) => backsOf(print, null, kinds));
  assert.deepEqual(backs, ["gutterfold", "none", "duplex-short"]);
  assert.equal(backsOf(cards, "none", kinds), "none");
  assert.equal(backsOf(booklet, "duplex-long", kinds), "duplex-long");
  assert.equal(backsOfPack([cards, maps, booklet], kinds), "gutterfold");
  assert.equal(backsOfPack([cards, { ...cards, backs: "none" }], kinds), null);
});

test("of an order that is kept, only what the pack has still counts", () => {
  const pack = {
    prints: [{ papers: ["a4"] }],
    players: { min: 2, max: 4 },
    languages: ["en", "de"],
  };
  const order = { papers: ["a4"], ink: "low", players: 3, locale: "de" };
  assert.deepEqual(fitting(order, pack), order);
  const other = { papers: ["a4", "letter"], ink: "low", players: 5, locale: "fr" };
  assert.deepEqual(fitting(other, pack), { papers: null, ink: "low", players: null, locale: null });
  assert.deepEqual(fitting({ papers: [], players: null }, pack).papers, []);
});
