/* Values for what is new, such that a new component can be drawn at once. */
import { titled } from "./titled.js";

/** Return a value that fits a field, for a new entry or component. */
export function freshValue(studio, field) {
  if (field.default !== null && field.default !== undefined) return field.default;
  const make = FRESH[field.type];
  return make ? make(field, studio) : titled(field.name).slice(0, field.max_length ?? 200);
}

const FRESH = {
  int: (field) => field.min ?? Math.min(0, field.max ?? 0),
  number: (field) => field.min ?? Math.min(0, field.max ?? 0),
  bool: () => false,
  choice: (field) => field.choices[0],
  length: (field) => `${field.min ?? 1}mm`,
  colour: (_, { store }) => store.model.value?.palette[0]?.colour ?? "#808080",
  icon: (_, { store }) => store.model.value?.icons[0] ?? "",
  ref: (field, { store }) => store.model.value?.components[field.kind]?.[0]?.id ?? "",
  list: (field, studio) => {
    const count = field.length ?? field.min_length ?? 0;
    return Array.from({ length: count }, () => freshValue(studio, field.of));
  },
  table: () => [],
  map: (field, studio) => freshFields(studio, field.fields ?? []),
};

/** Return values for all fields that must be there. */
export function freshFields(studio, fields) {
  const needed = fields.filter((one) => !one.optional && one.default === null);
  return Object.fromEntries(needed.map((one) => [one.name, freshValue(studio, one)]));
}
