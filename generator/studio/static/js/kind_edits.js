/* Edits of a kind: a new field, how many of each are printed, the choices of a field. */
import { fieldNameFrom } from "./ids.js";
import { settingIn, textOf } from "./nodes.js";

const FORMS = {
  number: { type: "number" },
  list: { type: "list", of: { type: "text" } },
  bool: { type: "bool", default: false },
};

/** The number of copies, for a kind whose file has no field for it. */
const COPIES = {
  name: "copies",
  type: "int",
  description: "",
  optional: false,
  default: 1,
  min: 0,
  max: 9999,
  choices: [],
  fields: [],
};

/** Return the name for a new field with a title, with a number if it is taken. */
export function freshFieldName(about, title) {
  const wanted = fieldNameFrom(title);
  const taken = new Set(about.fields.map((one) => one.name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}_${number}`;
    if (!taken.has(name)) return name;
  }
}

/** Return why a kind cannot get another field: the words of its file or table, or "". */
export function whyFixed(about, rows) {
  const locked = rows.length > 0 && rows.every((row) => row.readonly);
  return about.readonly || (locked ? rows[0].readonly : "");
}

/** Return the edits that give a kind another field, also as a column of its tables. */
export function fieldEdits(about, rows, { name, type, choices = [] }) {
  const form = FORMS[type] ?? { type, ...(choices.length ? { choices } : {}) };
  const value = "default" in form ? form : { ...form, optional: true };
  const change = { do: "set", path: ["fields", name], value };
  const tables = rows.filter((row) => typeof row.path[0] === "number" && !row.readonly);
  const column = { do: "insert", path: [], at: 0, value: name };
  return [
    { file: about.file, changes: [change] },
    ...[...new Set(tables.map((row) => row.file))].map((file) => ({ file, changes: [column] })),
  ];
}

/**
 * Return how the copies of a kind are given: {field} that exists or, if it is `fresh`, comes with
 * the first number; `unsaid` if the kind does not count by it yet; {rule} in the words of the file;
 * null for what is not printed by itself.
 */
export function copiesOf(about) {
  const { quantity, fields } = about;
  if (!Object.keys(about.faces).length) return null;
  const field = fields.find((one) => one.name === quantity);
  if (field) return { field };
  if (!/^\d*$/.test(quantity) || about.readonly || about.made_from) return { rule: quantity };
  const taken = fields.find((one) => one.name === COPIES.name);
  if (!taken) return { field: { ...COPIES, default: Number(quantity || 1) }, fresh: true };
  const isCount = taken.type === "int" && Number(quantity || 1) === 1;
  return isCount ? { field: taken, unsaid: true } : { rule: quantity };
}

/** Return edits of rows with what the kind needs for the copies in them. */
export function withCopies(about, edits) {
  const { field, fresh, unsaid } = copiesOf(about) ?? {};
  const isSet = edits.some(({ changes = [] }) => changes.some(setsCopies));
  if (!isSet || !(fresh || unsaid)) return edits;
  const path = ["fields", COPIES.name];
  const changes = [{ do: "set", path: ["quantity"], value: COPIES.name }];
  if (fresh) {
    const { type, min, max, default: count } = field;
    changes.unshift({ do: "set", path, value: { type, min, max, default: count } });
  } else if (field.default === null) {
    // Rows without a number are one card, as before.
    changes.unshift({ do: "set", path: [...path, "default"], value: 1 });
  }
  return [{ file: about.file, changes }, ...edits];
}

function setsCopies({ path, value }) {
  const name = fieldNameFrom(String(path.at(-1) ?? ""));
  return name === COPIES.name || value?.[COPIES.name] !== undefined;
}

/** Return the edits that give a row a number of copies. */
export function copiesEdits(about, row, value) {
  return withCopies(about, [{ file: row.file, changes: [settingIn(row, [COPIES.name], value)] }]);
}

/** Return the choices of a field that no row has. */
export function unusedChoices(field, rows) {
  const used = new Set([String(field.default ?? "")]);
  for (const row of rows) used.add(textOf(row.nodes[field.name]));
  return field.choices.filter((name) => !used.has(name));
}

/** Return the edit that takes a choice from a field. */
export function choiceEdit(about, field, choice) {
  const path = ["fields", field.name, "choices", field.choices.indexOf(choice)];
  return { file: about.file, changes: [{ do: "remove", path }] };
}

/** Return the edit that accepts a finding: a waiver in the file of the pack. */
export function waiverEdit(pack, { code, waived_as: component }, reason) {
  const LAST = 9999;
  const value = { code, component, reason };
  const change = { do: "insert", path: ["waivers"], at: LAST, value };
  return { file: `cards/${pack}/pack.yaml`, changes: [change] };
}
