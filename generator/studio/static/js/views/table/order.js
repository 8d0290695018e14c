/* The order in which rows are shown, and how it is written. */
import { cellText } from "./values.js";

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Return the indices of the rows that hold all words, in the order of a column. */
export function shownRows(rows, columns, query, sort) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const indices = rows.map((_, at) => at);
  const found = words.length ? indices.filter((at) => holds(rows[at], columns, words)) : indices;
  const column = sort && columns.find((one) => one.name === sort.name);
  if (!column) return found;
  const texts = new Map(found.map((at) => [at, cellText(rows[at], column)]));
  const sign = sort.isDown ? -1 : 1;
  return found.sort((a, b) => {
    const [one, other] = [texts.get(a), texts.get(b)];
    if (!one || !other) return (one ? 0 : 1) - (other ? 0 : 1) || a - b; // empty cells at the end
    return sign * collator.compare(one, other) || a - b;
  });
}

function holds(row, columns, words) {
  const text = columns
    .map((column) => cellText(row, column))
    .join(" ")
    .toLowerCase();
  const all = `${row.id} ${text}`;
  return words.every((word) => all.includes(word));
}

/** Return the edits that write the rows of each list in this order. */
export function orderEdits(rows) {
  const lists = new Map();
  for (const row of rows.filter((one) => !one.readonly && typeof one.path.at(-1) === "number")) {
    const path = row.path.slice(0, -1);
    const key = `${row.file}\n${path.join("\n")}`;
    const list = lists.get(key) ?? { file: row.file, path, order: [] };
    list.order.push(row.path.at(-1));
    lists.set(key, list);
  }
  return inFiles([...lists.values()].map(({ file, ...list }) => [file, { do: "order", ...list }]));
}

/** Return changes, each with its file, as one edit of each file. */
export function inFiles(changes) {
  const files = new Map();
  for (const [file, change] of changes) {
    if (files.has(file)) files.get(file).push(change);
    else files.set(file, [change]);
  }
  return [...files].map(([file, list]) => ({ file, changes: list }));
}
