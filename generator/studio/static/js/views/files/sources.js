/* Values that can be named at a place: of the pack, its kinds, components, styles and pictures. */

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

/** Return where the values of a key come from: {type, kind, choices}, or null. */
export function sourceOf(sort, place, nodes) {
  const own = nodes.find((node) => node.from)?.from;
  if (own) return own;
  const key = place.key === "[]" ? place.path.at(-2) : place.key;
  const type = BY_KEY[sort]?.[key];
  return type ? { type } : null;
}

/** Return the values of a source: [{label, detail, apply, swatch, icon}]. */
export function valuesOf({ store, wire }, from) {
  const model = store.model.value;
  if (!model) return [];
  const named = (list) => list.map(({ name, title }) => ({ label: name, detail: title ?? "" }));
  const colours = (written) =>
    model.palette.map(({ name, colour }) => ({
      label: name,
      detail: colour,
      swatch: colour,
      apply: written ? `"${colour}"` : undefined,
    }));
  const icons = () => model.icons.map((name) => ({ label: name, icon: wire.icon(name) }));
  const fields = () => fieldsOf(model.kinds.filter((kind) => kind.own));
  switch (from.type) {
    case "choice":
      return from.choices.map((label) => ({ label }));
    case "bool":
      return ["yes", "no"].map((label) => ({ label }));
    case "ref":
      return componentsOf(model, from.kind);
    case "kind":
      return named(model.kinds);
    case "stocks":
      return named(model.stocks);
    case "papers":
      return named(model.papers);
    case "styles":
      return model.styles.map(({ name, size }) => ({ label: name, detail: `${size} pt` }));
    case "colour":
      return colours(true);
    case "names":
      return colours(false);
    case "icon":
      return icons();
    case "iconsAndFields":
      return [...fields(), ...icons()];
    case "fields":
      return fields();
    case "faces":
      return filesOf(store, ["face", "template"], `templates/${store.pack.value}/`);
    case "image":
      return filesOf(store, ["picture"], `cards/${store.pack.value}/`);
    case "tables":
      return filesOf(store, ["table"], `cards/${store.pack.value}/`);
    default:
      return [];
  }
}

function componentsOf(model, kind) {
  return (model.components[kind] ?? []).map(({ id, name }) => ({
    label: id,
    detail: name === id ? "" : name,
  }));
}

/** Return the fields of kinds, each once. */
export function fieldsOf(kinds) {
  const found = new Map();
  for (const { name, description } of kinds.flatMap((kind) => kind.fields)) {
    if (!found.has(name)) found.set(name, { label: name, detail: "", info: description });
  }
  return [...found.values()];
}

function filesOf(store, sorts, folder) {
  return [...store.files.value.values()]
    .filter((file) => sorts.includes(file.sort) && file.path.startsWith(folder))
    .map((file) => ({ label: file.path.slice(folder.length) }));
}
