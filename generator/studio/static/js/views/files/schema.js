/* What may stand at a place of a YAML file: from Gridpress' schemas, and from the pack's kinds. */
import { aboutField } from "./sources.js";
import { yamlPlace } from "./yaml_place.js";

const NAMED = { kind: "kind", face: "face", pack: "pack", styles: "styles" };

/** Return the place of an offset in a YAML document, and the schemas of what may stand there. */
export function yamlAt(studio, file, help, doc, pos) {
  const { number, from } = doc.lineAt(pos);
  const place = yamlPlace((at) => doc.line(at + 1).text, number - 1, pos - from);
  if (!place) return null;
  const root = schemaOf(studio, help.schemas, file, doc.sliceString(0, 2000));
  const at = (path) => (root ? schemasAt(root, path) : []);
  const around = at(place.path);
  const inside = place.key === "[]" ? around : at([...place.path, place.key]);
  return { ...place, from: from + place.from, around, own: place.key ? inside : [] };
}

/** Return the schema of a file, or null. */
function schemaOf({ store }, schemas, file, text) {
  if (file.sort in NAMED) return schemas[NAMED[file.sort]] ?? null;
  if (/(^|\/)locales\//.test(file.path)) return schemas.locale ?? null;
  if (file.sort !== "components") return schemas[/([^/]*)\.ya?ml$/.exec(file.path)[1]] ?? null;
  const kind = /^kind:\s*["']?([\w-]+)/m.exec(text)?.[1];
  return ofComponents(store, kind);
}

function ofComponents(store, kind) {
  const about = store.kinds.value.get(kind);
  const fields = Object.fromEntries((about?.fields ?? []).map((one) => [one.name, ofField(one)]));
  const row = { properties: { id: { description: "" }, ...fields } };
  return {
    properties: {
      kind: { description: about?.description ?? "", from: { type: "kind" } },
      rows: { from: { type: "tables" } },
      components: { items: row, additionalProperties: row },
    },
  };
}

/** Return what a field of a kind takes. */
function ofField(field) {
  const parts = field.fields.map((one) => [one.name, ofField(one)]);
  const inside = parts.length ? { properties: Object.fromEntries(parts) } : {};
  const each = field.of ? ofField(field.of) : inside;
  const isMap = field.type === "map";
  return {
    ...(isMap ? inside : { items: each }),
    ...(isMap && field.of && { additionalProperties: each }),
    description: aboutField(field),
    from: { type: field.type, kind: field.kind, choices: field.choices },
  };
}

/** Return the schemas of the place that keys lead to; several where one of many may stand. */
export function schemasAt(root, path) {
  return path.reduce(
    (nodes, key) => nodes.flatMap((node) => stepped(root, node, key)),
    opened(root, root),
  );
}

function stepped(root, node, key) {
  const next = key === "[]" ? node.items : (node.properties?.[key] ?? node.additionalProperties);
  return next && typeof next === "object" ? opened(root, next) : [];
}

/** Return a schema without references and choices. */
function opened(root, node) {
  if (node.$ref) {
    const target = node.$ref
      .replace(/^#\//, "")
      .split("/")
      .reduce((at, key) => at?.[key], root);
    return target ? opened(root, target).map((one) => described(one, node)) : [];
  }
  const many = node.anyOf ?? node.oneOf;
  const found = (many ?? []).flatMap((one) => opened(root, one));
  const choices = found.map((one) => described(one, node));
  return node.properties || !many ? [node, ...choices] : choices;
}

function described(node, around) {
  return around.description ? { ...node, description: around.description } : node;
}
