/* Texts of boxes as people write them: a field by its title, and [Cost] within a sentence. */
import { titled } from "../../parts/fields/titled.js";

const HOLE = /\{\{\s*(?:c\.)?(\w+)\s*\}\}/g;
const CODE = /\{\{|\||~|^['"]|\bif\b.*\belse\b/;

/** Return what a person reads for a text; `names` are the fields that it may show. */
export function shownText(text, names) {
  if (names.includes(text)) return titled(text);
  const quoted = /^'([^'\\]*)'$/.exec(text);
  if (quoted) return quoted[1];
  return text.replace(HOLE, (hole, name) => (names.includes(name) ? `[${titled(name)}]` : hole));
}

/** Return the text for what a person wrote: a field, an expression, or plain words in quotes. */
export function writtenText(shown, names) {
  const nameOf = (title) => names.find((name) => [name, titled(name)].includes(title));
  const whole = nameOf(shown);
  if (whole) return whole;
  const text = shown.replace(/\[([^\][]+)\]/g, (all, title) => {
    const name = nameOf(title);
    return name ? `{{ ${name} }}` : all;
  });
  return CODE.test(text) ? text : `'${text.replaceAll("'", "’")}'`;
}
