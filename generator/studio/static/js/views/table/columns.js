/* The columns of a table: one for each field of a kind, and for what else is typed in its rows. */
import { textOf } from "../../nodes.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";

const LETTER = 7; // px
const WIDTHS = {
  id: 132, int: 76, number: 76, bool: 72, length: 84, colour: 116, icon: 124, image: 152, ref: 150,
  rich: 300, list: 180, table: 180, map: 200,
};
const RIGHT = new Set(["int", "number", "length"]);
const ID = { name: "id", type: "id", description: "", optional: false, default: null, choices: [] };
const OTHER = { ...ID, type: "other", optional: true };

/**
 * Return the columns of a kind: {name, title, field, width, isRight, isFixed}. `count` returns how
 * many copies of a component are printed.
 */
export function columnsOf(about, rows, count) {
  const known = new Set(["id", ...about.fields.map((field) => field.name)]);
  const others = new Set(rows.flatMap((row) => Object.keys(row.nodes)));
  const hasIds = rows.some((row) => row.nodes.id) || !about.fields.some((one) => one.name === "name");
  const fields = [
    ...(hasIds ? [ID] : []),
    ...about.fields,
    ...[...others].filter((name) => !known.has(name)).map((name) => ({ ...OTHER, name })),
  ];
  const columns = fields.map(columnOf);
  return isCountShown(about, rows, count) ? [...columns, countColumn(count)] : columns;
}

function columnOf(field) {
  const title = titled(field.name);
  const most = Math.min(field.max_length ?? 40, 40);
  const choices = Math.max(0, ...(field.choices ?? []).map((name) => name.length + 3));
  const wanted = WIDTHS[field.type] ?? (field.type === "choice" ? choices : most) * LETTER;
  const width = Math.max(title.length * LETTER + 34, Math.min(wanted, 300));
  return { name: field.name, title, field, width, isRight: RIGHT.has(field.type), isFixed: false };
}

/** The column of the copies that are printed, worked out by Gridpress. */
function countColumn(count) {
  const title = t("table.count");
  const field = { ...OTHER, name: "=", type: "int", description: t("table.count.note") };
  return { name: "=", title, field, width: 84, isRight: true, isFixed: true, count };
}

/** Return False where a number of the rows says the same, or there is one of each. */
function isCountShown(about, rows, count) {
  const counts = rows.map((row) => count(row.id));
  if (counts.every((number) => number === undefined || number === 1)) return false;
  const isSame = (field) =>
    rows.every((row, at) => Number(textOf(row.nodes[field.name]) || field.default) === counts[at]);
  return !about.fields.some((field) => field.type === "int" && isSame(field));
}
