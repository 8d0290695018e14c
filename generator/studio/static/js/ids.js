/* Ids and names of fields, made from what a person types. */

const LONGEST = 80;
const LETTERS = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };
const RESERVED = new Set([
  ...["id", "and", "or", "not", "in", "is", "if", "else", "true", "false", "none", "index"],
  ...["players", "only", "pack", "components", "tile", "layout"],
]);

/** Return the id for a name, as Gridpress makes one for a row without. */
export function idFrom(name) {
  const spelled = name.toLowerCase().replace(/[äöüß]/g, (letter) => LETTERS[letter]);
  const plain = spelled.normalize("NFKD").replace(/[\u0300-\u036f'’]/g, "");
  const words = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return words.slice(0, LONGEST).replace(/-$/, "");
}

/** Return the name that a file has for a field with this title: "Flavour text" is flavour_text. */
export function fieldNameFrom(title) {
  const name = idFrom(title).replaceAll("-", "_");
  const isFit = /^[a-z]/.test(name) && !RESERVED.has(name);
  return isFit || name === "" ? name : `field_${name}`;
}
