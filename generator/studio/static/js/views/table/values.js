/* What stands in a cell as text, and what is written for a text. */
import { textOf, valueOf } from "../../nodes.js";

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)$/;
const WORDS = new Map(
  ["yes", "true", "on", "ja", "x", "✓"]
    .map((word) => [word, true])
    .concat(["no", "false", "off", "nein"].map((word) => [word, false])),
);
const GROUPS = new Set(["list", "table", "map"]);

/** Return True for a row of a CSV table: it holds texts alone. */
export function isOfTable(row) {
  return typeof row.path[0] === "number";
}

/** Return True for a cell that is edited in the form of the component. */
export function isGroup(row, column) {
  const node = row.nodes[column.name];
  if (node?.items || node?.entries) return true;
  return GROUPS.has(column.field.type) && !isOfTable(row);
}

/** Return the text of a cell, as it is copied and searched. */
export function cellText(row, column) {
  if (column.isFixed) return String(column.count(row.id) ?? "");
  const text = flat(row.nodes[column.name]);
  const said = column.field?.type === "bool" ? WORDS.get(text.toLowerCase()) : undefined;
  return said === undefined ? text : said ? "yes" : "no";
}

function flat(node) {
  if (!node) return "";
  if (node.items) return node.items.map(flat).join("; ");
  if (node.entries) return node.entries.map(([key, one]) => `${key}: ${flat(one)}`).join(", ");
  return textOf(node);
}

/** Return a text as one line, with a sign where lines end. */
export function inOneLine(text) {
  return text.replace(/\s*\n\s*/g, " ¶ ");
}

/** Return what to write for a text in a column; undefined clears the cell. */
export function asValue({ field }, text) {
  const word = text.trim();
  if (word === "") {
    const mayBeNone = field.optional || field.default !== null || field.type !== "text";
    return mayBeNone ? undefined : "";
  }
  if (field.type === "int" || field.type === "number" || field.type === "other") {
    const plain = word.replace(/^(\d+),(\d+)$/, "$1.$2");
    if (NUMBER.test(plain) && !/^0\d/.test(plain)) return Number(plain);
  }
  if (field.type === "bool" && WORDS.has(word.toLowerCase())) return WORDS.get(word.toLowerCase());
  return field.type === "rich" || field.type === "text" ? text.replace(/\s+$/, "") : word;
}

/** Return the value of a node as it would be written again: numbers as numbers. */
export function asTyped(node) {
  if (!node) return undefined;
  if (node.items) return node.items.map(asTyped);
  const entries = node.entries?.map(([key, one]) => [key, asTyped(one)]);
  if (entries) return Object.fromEntries(entries);
  if (!node.plain) return valueOf(node);
  if (NUMBER.test(node.text) && String(Number(node.text)) === node.text) return Number(node.text);
  if (/^(yes|true|no|false)$/i.test(node.text)) return /^[yt]/i.test(node.text);
  return valueOf(node);
}
