/* Boxes, what they show and when, in words for people: no names and expressions of files. */
import { textOf } from "../../nodes.js";
import { titled } from "../../parts/fields/titled.js";
import { language, t } from "../../words.js";
import { conditionOf, fieldIn, negated } from "./conditions.js";

const PAINTED = ["fill", "frame", "line"];
const OPS = {
  ...{ with: "with", without: "without", "==": "is", "!=": "not" },
  ...{ "<": "under", "<=": "most", ">": "over", ">=": "least" },
};

/** Say when an expression holds, or when it does not: "with Art"; "" if it is not simple. */
export function sayCondition(text, names, holds = true) {
  const found = conditionOf(text, names);
  return found ? say(holds ? found : negated(found)) : "";
}

function say(condition) {
  const parts = condition.all ?? condition.any;
  if (!parts) {
    const { op, name, value } = condition;
    return t(`look.if.${OPS[op]}`, { name: label(name), value });
  }
  const type = condition.all ? "conjunction" : "disjunction";
  const list = new Intl.ListFormat(language.value, { type });
  const [{ op }] = parts;
  const isAlike = ["with", "without"].includes(op) && parts.every((part) => part.op === op);
  if (!isAlike) return list.format(parts.map(say));
  return t(`look.if.${op}`, { name: list.format(parts.map((part) => label(part.name))) });
}

function label(name) {
  return titled(name.replace(/^c\./, ""));
}

/** Say which cards a variant is for. */
export function sayVariant({ by }, now, names) {
  if (now !== "true" && now !== "false") return titled(now);
  const condition = sayCondition(by, names, now === "true");
  return condition ? t("look.variant.cards", { condition }) : `${titled(by)}: ${t(`look.${now}`)}`;
}

/** Say on which cards a box is shown; "" if that is all of them. */
export function sayWhen(box, names) {
  const when = textOf(box.values.when?.node);
  if (when === "" || when === "true") return "";
  const condition = sayCondition(when, names);
  return condition ? t("look.variant.cards", { condition }) : t("look.someCards");
}

/** Say what a box shows: its words, or the titles of its fields. */
export function sayContent(box, names) {
  const node = box.what ? box.values[box.what].node : null;
  if (!node) return "";
  if (box.what === "part") return t("look.ornament");
  if (node.items) return node.items.map((one) => sayItem(one, names)).join(" · ");
  if (node.entries) return node.entries.map(([key]) => key).join(", ");
  const said = sayValue(box.what, textOf(node), names);
  return said === titled(box.name) ? "" : said;
}

/** Say what an entry of a row or column shows. */
export function sayItem(node, names) {
  const [key, first] = node.entries?.[0] ?? [];
  if (PAINTED.includes(key)) return t(`look.sort.${key}`);
  return first?.text ? sayValue(key, first.text, names) : "";
}

function sayValue(key, text, names) {
  if (key === "words") return text;
  if (PAINTED.includes(key)) return text.startsWith("#") ? "" : titled(text);
  const said = (one) => titled(fieldIn(one, names));
  if (!text.includes("{{")) return said(text) || text;
  const plain = text
    .replace(/\{\{(.*?)\}\}/gs, (_, inside) => said(inside))
    .replace(/\{\w[^}]*\}/g, "");
  return plain.replace(/\*+/g, "").replace(/\s+/g, " ").trim();
}
