/* Values that can be named at a place: of the pack, its kinds, components, styles and pictures. */
import { rangeOf } from "../../parts/fields/range.js";

/* What the values of keys are, where a schema says only that they are text. */
const BY_KEY = {
  face: {
    face: "stocks",
    style: "styles",
    colour: "names",
    ground: "names",
    fill: "names",
    frame: "names",
    line: "names",
    icon: "iconsAndFields",
    text: "fields",
    picture: "fields",
    badge: "fields",
    times: "fields",
    by: "fields",
    like: "faces",
  },
  kind: { stock: "stocks", kind: "kind", made_from: "kind", front: "faces", back: "faces" },
  pack: { kinds: "kind", papers: "papers" },
  styles: { colour: "names" },
};

/** Return where the values at a place come from: {type, kind, choices}. */
export function sourceOf(sort, { key, path, own }) {
  const name = key === "[]" ? path.at(-2) : key;
  return own.find((node) => node.from)?.from ?? { type: BY_KEY[sort]?.[name] };
}

/** Return the values of a source: [{label, detail, info, apply, colour, icon}]. */
export function valuesOf({ store, wire }, { type, kind, choices }) {
  const model = store.model.value;
  const of = SOURCES[type];
  return model && of ? of({ model, store, wire, kind, choices }) : [];
}

const named = (list) => list.map(({ name, title }) => ({ label: name, detail: title ?? "" }));
const colours = ({ model }) =>
  model.palette.map(({ name, colour }) => ({ label: name, detail: colour, colour }));
const icons = ({ model, wire }) =>
  model.icons.map((name) => ({ label: name, icon: wire.icon(name) }));
const fields = ({ model }) => fieldsOf(model.kinds.filter((kind) => kind.own));

const SOURCES = {
  choice: ({ choices }) => choices.map((label) => ({ label })),
  bool: () => [{ label: "yes" }, { label: "no" }],
  ref: ({ model, kind }) => componentsOf(model, kind),
  kind: ({ model }) => named(model.kinds),
  stocks: ({ model }) => named(model.stocks),
  papers: ({ model }) => named(model.papers),
  styles: ({ model }) =>
    model.styles.map(({ name, size }) => ({ label: name, detail: `${size} pt` })),
  colour: (of) => colours(of).map((one) => ({ ...one, apply: `"${one.colour}"` })),
  names: colours,
  icon: icons,
  iconsAndFields: (of) => [...fields(of), ...icons(of)],
  fields,
  faces: ({ store }) => filesOf(store, ["face", "template"], "templates"),
  image: ({ store }) => filesOf(store, ["picture"], "cards"),
  tables: ({ store }) => filesOf(store, ["table"], "cards"),
};

function componentsOf(model, kind) {
  return (model.components[kind] ?? []).map(({ id, name }) => ({
    label: id,
    detail: name === id ? "" : name,
  }));
}

/** Return the fields of kinds, each once. */
export function fieldsOf(kinds) {
  const named = new Map();
  for (const field of kinds.flatMap((kind) => kind.fields)) {
    if (!named.has(field.name)) named.set(field.name, aboutField(field));
  }
  return [...named].map(([label, info]) => ({ label, info }));
}

/** Say what a field is: its description, else its type and limits. */
export function aboutField({ description, type, min, max, kind, choices }) {
  const limits = [type, rangeOf({ min, max }), kind, choices.join(", ")];
  return description || limits.filter(Boolean).join(" ");
}

function filesOf(store, sorts, top) {
  const folder = `${top}/${store.pack.value}/`;
  return [...store.files.value.values()]
    .filter((file) => sorts.includes(file.sort) && file.path.startsWith(folder))
    .map((file) => ({ label: file.path.slice(folder.length) }));
}
