/* Completion: keys and values of YAML files, helpers and names of templates. */
import { autocompletion, startCompletion } from "../../../vendor/codemirror.js";
import { schemaOf, schemasAt } from "./schema.js";
import { fieldsOf, sourceOf, valuesOf } from "./sources.js";
import { yamlPlace } from "./yaml_place.js";

/** Return the completion of a file. `about()` tells {file, help}. */
export function completionOf(studio, about) {
  const source = (context) => {
    const { file, help } = about();
    if (!help) return null;
    if (/\.ya?ml$/.test(file.path)) return inYaml(studio, file, help, context);
    return file.sort === "template" ? inTemplate(studio, file, help, context) : null;
  };
  return autocompletion({
    override: [source],
    icons: false,
    activateOnTyping: true,
    addToOptions: [{ render: sample, position: 20 }],
  });
}

function sample({ swatch, icon }) {
  if (!swatch && !icon) return null;
  if (icon) {
    const image = document.createElement("img");
    image.src = icon;
    image.alt = "";
    image.className = "option-icon";
    return image;
  }
  const dot = document.createElement("span");
  dot.className = "option-swatch";
  dot.style.background = swatch;
  return dot;
}

/** Return the place of an offset in a YAML document, and what may stand there. */
export function yamlAt(studio, file, help, doc, pos) {
  const { number, from } = doc.lineAt(pos);
  const place = yamlPlace((at) => doc.line(at + 1).text, number - 1, pos - from);
  if (!place) return null;
  const root = schemaOf(studio, help.schemas, file, doc.sliceString(0, 2000));
  const around = root ? schemasAt(root, place.path) : [];
  const isItem = place.key === "[]";
  const inside = () => (root ? schemasAt(root, [...place.path, place.key]) : []);
  const own = !place.key ? [] : isItem ? around : inside();
  return { ...place, from: from + place.from, around, own };
}

function inYaml(studio, file, help, context) {
  const { state, pos, explicit } = context;
  const place = yamlAt(studio, file, help, state.doc, pos);
  if (!place || (!explicit && place.value === "" && !place.key)) return null;
  const isKey = !place.key || (place.key === "[]" && place.around.some((node) => node.properties));
  const options = isKey ? keys(place, state.sliceDoc(pos, pos + 80)) : values(studio, file, place);
  if (options.length === 0) return null;
  return { from: place.from, options, validFor: /^["']?[\w./-]*$/ };
}

function keys({ around }, after) {
  const found = new Map();
  for (const { properties = {} } of around) {
    for (const [name, schema] of Object.entries(properties)) {
      if (!found.has(name)) found.set(name, schema.description ?? "");
    }
  }
  const hasColon = /^\w*\s*:/.test(after);
  return [...found].map(([label, info]) => ({
    label,
    info: info || undefined,
    apply: hasColon ? label : withColon(label),
  }));
}

/** Write a key with its colon, and offer what can follow. */
function withColon(label) {
  return (view, _, from, to) => {
    const insert = `${label}: `;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: "input.complete",
    });
    startCompletion(view);
  };
}

function values(studio, file, place) {
  const from = sourceOf(file.sort, place, place.own);
  const known = from ? valuesOf(studio, from) : [];
  const fixed = place.own.flatMap((node) => node.enum ?? []).map(String);
  const labels = new Set(known.map((one) => one.label));
  return [...known, ...fixed.filter((label) => !labels.has(label)).map((label) => ({ label }))];
}

function inTemplate(studio, file, help, context) {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 2000), context.pos);
  const open = Math.max(before.lastIndexOf("{{"), before.lastIndexOf("{%"));
  const shut = Math.max(before.lastIndexOf("}}"), before.lastIndexOf("%}"));
  if (open < 0 || shut > open) return null;
  const inside = before.slice(open);
  const text = /"([\w./-]*)$/.exec(inside);
  if (text && inside.match(/"/g).length % 2 === 1) {
    const names = ["styles", "icon", "names"].flatMap((type) => valuesOf(studio, { type }));
    return { from: context.pos - text[1].length, options: names, validFor: /^[\w./-]*$/ };
  }
  const word = /[A-Za-z_][\w.]*$/.exec(inside)?.[0] ?? "";
  if (!word && !context.explicit) return null;
  const options = [...templateNames(studio, file), ...help.template.map(helperOption)];
  return { from: context.pos - word.length, options, validFor: /^[\w.]*$/ };
}

function templateNames({ store }, file) {
  const { kinds, palette } = store.model.value;
  const isUser = (kind) => Object.values(kind.faces).some((one) => one.file === file.path);
  const users = kinds.filter(isUser);
  const fields = fieldsOf(users.length ? users : kinds.filter((kind) => kind.own));
  const colours = palette.map(({ name, colour }) => ({
    label: `colour.${name}`,
    detail: colour,
    swatch: colour,
  }));
  return [...fields.map((field) => ({ ...field, label: `c.${field.label}` })), ...colours];
}

function helperOption({ name, call, about }) {
  const apply = call.includes("(") ? `${name}(` : name;
  return { label: name, detail: call.slice(name.length), info: about, apply };
}
