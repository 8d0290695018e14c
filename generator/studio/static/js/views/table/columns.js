/* The columns of a table: one for each field of a kind, and for what else is typed in its rows. */
import { copiesOf } from "../../kind_edits.js";
import { textOf } from "../../nodes.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";
import { cellText } from "./values.js";

const LETTER = 6.9; // px
const BOLD = 8.3; // px of a letter in the first column
const LEAST = { colour: 110, icon: 110, image: 130, ref: 110, bool: 72, list: 130, map: 150 };
const WIDEST = 300;
const LOOKED_AT = 300; // rows
const USUAL = 0.95; // of the texts fit into their column
const RIGHT = new Set(["int", "number", "length"]);
const OTHER = {
  name: "",
  type: "other",
  description: "",
  optional: true,
  default: null,
  choices: [],
};

/**
 * Return the columns of a kind: {name, title, field, width, isRight, isFixed}. `count` returns how
 * many copies of a component are printed.
 */
export function columnsOf(about, rows, count) {
  const known = new Set(["id", ...about.fields.map((field) => field.name)]);
  const others = new Set(rows.flatMap((row) => Object.keys(row.nodes)));
  const isNamed = about.fields.some((one) => one.name === "name");
  const hasIds = !isNamed || rows.some((row) => row.nodes.id);
  const copies = copiesOf(about);
  const own = copies?.fresh ? [copies.field] : [];
  for (const { name } of own) known.add(name);
  const id = { ...OTHER, name: "id", type: "id", optional: false, description: t("id.note") };
  const fields = [
    ...[...about.fields].sort((a, b) => (b.name === "name") - (a.name === "name")),
    ...own,
    ...[...others].filter((name) => !known.has(name)).map((name) => ({ ...OTHER, name })),
    ...(hasIds ? [id] : []),
  ];
  const columns = fields.map((field, at) => columnOf(field, rows, at ? LETTER : BOLD));
  const isWorkedOut = own.length === 0 && isCountShown(about, rows, count, copies);
  return isWorkedOut ? [...columns, countColumn(count)] : columns;
}

function columnOf(field, rows, letter) {
  const title = titled(field.name);
  const texts = rows.slice(0, LOOKED_AT).map((row) => cellText(row, { name: field.name }).length);
  const usual = texts.sort((a, b) => a - b)[Math.floor(texts.length * USUAL)] ?? 12;
  const wanted = Math.max(usual * letter + 24, LEAST[field.type] ?? 0);
  const width = Math.round(Math.max(title.length * LETTER + 44, Math.min(wanted, WIDEST)));
  return { name: field.name, title, field, width, isRight: RIGHT.has(field.type), isFixed: false };
}

/** The column of the copies that are printed, worked out by Gridpress. */
function countColumn(count) {
  const title = t("table.printed");
  const field = { ...OTHER, name: "=", type: "int", description: t("table.count.note") };
  return { name: "=", title, field, width: 84, isRight: true, isFixed: true, count };
}

/** Return False where a number of the rows says the same, or there is one of each. */
function isCountShown(about, rows, count, copies) {
  const counts = rows.map((row) => count(row.id));
  const isOneEach = counts.every((number) => number === undefined || number === 1);
  if (isOneEach && !copies?.unsaid) return false;
  const isSame = (field) =>
    rows.every((row, at) => Number(textOf(row.nodes[field.name]) || field.default) === counts[at]);
  return !about.fields.some((field) => field.type === "int" && isSame(field));
}
