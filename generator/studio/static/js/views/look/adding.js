/* Boxes to add: the fields that no box shows yet, and each sort of box. */
import { textOf } from "../../nodes.js";
import { freePlace } from "../../parts/geometry.js";

const WORDS = ["text", "words", "picture", "icon", "badge", "table"];
const COUNTS = new Set(["copies", "quantity", "qty", "count"]);
const EXPRESSION = /[a-z_]\w*/gi;

/** Return all texts in a node. */
function textsIn(node) {
  if (node?.items) return node.items.flatMap(textsIn);
  if (node?.entries) return node.entries.flatMap(([, one]) => textsIn(one));
  return node ? [textOf(node)] : [];
}

function wordsIn(text) {
  return text.match(EXPRESSION) ?? [];
}

/** Return the names of fields that boxes of a layout show. */
export function shownFields(layout) {
  const texts = layout.boxes
    .filter((box) => !box.dropped)
    .flatMap((box) =>
      [...WORDS, "row", "column", "times", "part"].flatMap((key) => textsIn(box.values[key]?.node)),
    );
  const found = new Set(texts.flatMap(wordsIn));
  for (const name of found) {
    for (const word of wordsIn(layout.names[name] ?? "")) found.add(word);
  }
  return found;
}

/** Return the fields of a kind that no box shows yet. */
export function missingFields(layout, kind) {
  const shown = shownFields(layout);
  const found = kind.fields.filter((field) => SORT_OF[field.type] && !shown.has(field.name));
  const isCount = ({ name }) => COUNTS.has(name); // seldom meant for the card
  return [...found.filter((one) => !isCount(one)), ...found.filter(isCount)];
}

const SORT_OF = {
  text: "text",
  rich: "text",
  choice: "text",
  int: "badge",
  number: "badge",
  image: "picture",
  icon: "icon",
  ref: "text",
};

/** Return the name that boxes use for a field: the layout may have given its name away. */
function nameIn(layout, field) {
  if (!(field in layout.names) || layout.names[field] === field) return field;
  const found = Object.entries(layout.names).find(([, text]) => text === field);
  return found?.[0] ?? field;
}

/** Return the name and the values of a new box that shows a field. */
export function boxOfField(layout, field, stock, palette) {
  const sort = SORT_OF[field.type];
  const value = nameIn(layout, field.name) + (field.type === "ref" ? ".name" : "");
  const shown = field.type === "ref" ? `{{ ${value} }}` : value;
  return { name: field.name, values: valuesOf(layout, sort, shown, stock, palette, field) };
}

const FIRST = { picture: ["image"], badge: ["int", "number"] };

/** Return the field that a new picture or badge shows. */
function firstField(layout, kind, sort) {
  const fields = kind.fields.filter((one) => FIRST[sort]?.includes(one.type));
  const missing = missingFields(layout, kind);
  return fields.find((one) => missing.includes(one)) ?? fields[0];
}

/** Tell whether there is anything that a new box of a sort could show. */
export function canShow(layout, kind, sort) {
  return sort !== "picture" || Boolean(firstField(layout, kind, sort));
}

/** Return the values of a new box of a sort. */
export function boxOfSort(layout, kind, sort, words, stock, { palette, icons }) {
  const field = firstField(layout, kind, sort);
  const icon = icons.includes("star") ? "star" : (icons[0] ?? "star");
  const value = field ? nameIn(layout, field.name) : { words, icon, badge: "{{ 1 }}" }[sort];
  return valuesOf(layout, sort, value, stock, palette);
}

function valuesOf(layout, sort, value, stock, palette, field) {
  const wide = stock.width - 2 * stock.safe;
  const isLong = field?.type === "rich";
  const [size, more] = {
    text: [[Math.min(wide, isLong ? 44 : 30), isLong ? 14 : 6], {}],
    words: [[Math.min(wide, 24), 5], {}],
    picture: [[Math.min(wide, 26), 20], {}],
    icon: [[8, 8], { colour: colourOf(palette, ["mark", "ink"]) }],
    badge: [[10, 10], {}],
    fill: [[Math.min(wide, 30), 10], {}],
    frame: [[Math.min(wide, 30), 10], { width: 0.5 }],
    line: [[Math.min(wide, 30), 1], { width: 0.4 }],
  }[sort];
  const painted = ["fill", "frame", "line"].includes(sort);
  const what = painted ? colourOf(palette, ["band", "mark", "ink"]) : value;
  const inset = 2 * stock.safe; // looks have ornaments along the edge
  const area = [inset, inset, stock.width - 2 * inset, stock.height - 2 * inset];
  const whole = stock.width * stock.height;
  const others = layout.boxes
    .filter((box) => box.at && box.drawn && !box.dropped && box.at[2] * box.at[3] < 0.6 * whole)
    .map((box) => box.at);
  return { [sort]: what, at: freePlace(others, size, area), ...more };
}

function colourOf(palette, wanted) {
  const names = palette.map((one) => one.name);
  return wanted.find((name) => names.includes(name)) ?? names[0] ?? "#000000";
}
