/* What a simple expression of a face file asks for: {op, name, value}, or {all: […]} and
 * {any: […]} of these; null for an expression that is not simple. */
import { idFrom } from "../../ids.js";

const TOKEN = /\s*(\(|\)|'[^']*'|"[^"]*"|[<>=!]=?|[\w.]+)/y;
const WORDS = new Set(["and", "or", "not", "is", "none", "if", "else", "in", "c"]);
const OPPOSITE = {
  ...{ with: "without", without: "with", "==": "!=", "!=": "==" },
  ...{ "<": ">=", ">=": "<", ">": "<=", "<=": ">" },
};
const TURNED = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };
const DEEPEST = 4;

/** Return what an expression asks for; `names` are those that the file gives to expressions. */
export function conditionOf(text, names = {}, depth = 0) {
  const tokens = tokensOf(text);
  if (!tokens || depth > DEEPEST) return null;
  const found = either(tokens, names, depth);
  return tokens.length === 0 ? found : null;
}

/** Return the opposite of a condition. */
export function negated(condition) {
  if (!condition) return null;
  if (condition.all) return { any: condition.all.map(negated) };
  if (condition.any) return { all: condition.any.map(negated) };
  return { ...condition, op: OPPOSITE[condition.op] };
}

function tokensOf(text) {
  const found = [];
  let at = 0;
  while (at < text.trimEnd().length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) return null;
    found.push(match[1]);
    at = TOKEN.lastIndex;
  }
  return found;
}

function either(tokens, ...rest) {
  return joined(
    "any",
    "or",
    () => joined("all", "and", () => one(tokens, ...rest), tokens),
    tokens,
  );
}

function joined(key, word, read, tokens) {
  const parts = [read()];
  while (tokens[0] === word) {
    tokens.shift();
    parts.push(read());
  }
  if (parts.some((part) => !part)) return null;
  return parts.length === 1 ? parts[0] : { [key]: parts.flatMap((part) => part[key] ?? [part]) };
}

function one(tokens, names, depth) {
  const first = tokens.shift();
  if (first === "not") return negated(one(tokens, names, depth));
  if (first === "(") {
    const inside = either(tokens, names, depth);
    return tokens.shift() === ")" ? inside : null;
  }
  if (tokens[0] === "is") return existing(first, tokens);
  if (tokens[0] in OPPOSITE) return compared(first, tokens);
  if (!isName(first)) return null;
  const said = names[first];
  if (said && said !== first) return conditionOf(said, names, depth + 1);
  return { op: "with", name: first };
}

function existing(name, tokens) {
  const isNot = tokens[1] === "not";
  const [, ...words] = tokens.splice(0, isNot ? 3 : 2);
  return isName(name) && words.at(-1) === "none" ? { op: isNot ? "with" : "without", name } : null;
}

/** Return a comparison, perhaps a chain of them: 0 < letters <= 60. */
function compared(first, tokens) {
  const parts = [];
  let left = first;
  while (tokens[0] in OPPOSITE) {
    const [op, right = ""] = tokens.splice(0, 2);
    const isTurned = isName(right);
    const [name, value] = isTurned ? [right, left] : [left, right];
    if (!isName(name) || isName(value)) return null;
    parts.push({ op: isTurned ? (TURNED[op] ?? op) : op, name, value: value.replace(/['"]/g, "") });
    left = right;
  }
  return parts.length === 1 ? parts[0] : { all: parts };
}

function isName(token = "") {
  return /^[a-z_][\w.]*$/i.test(token) && !WORDS.has(token);
}

/** Return the field that an expression shows, or its words in quotes; "" if it has neither. */
export function fieldIn(text, names = {}) {
  const bare = text.replace(/'[^']*'|"[^"]*"/g, "");
  const found = (bare.match(/[a-z_]\w*/gi) ?? []).find((word) => !WORDS.has(word)) ?? "";
  const said = names[found];
  if (said && said !== found) return fieldIn(said, { ...names, [found]: "" }) || found;
  return found || (/['"]([^'"]+)['"]/.exec(text)?.[1] ?? "");
}

/** Return the name that a file has for a box: "Big title" is big-title. */
export function boxNameFrom(title) {
  return idFrom(title)
    .replace(/^[^a-z]+/, "")
    .slice(0, 40)
    .replace(/-$/, "");
}
