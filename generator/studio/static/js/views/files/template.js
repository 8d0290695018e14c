/* What a template can name: helpers, the values of a component, colours, styles and icons. */
import { fieldsOf, valuesOf } from "./sources.js";

const REACH = 2000; // letters before the cursor that are read

/** Return the tag that an offset is inside of, up to there, or "". */
export function tagBefore(doc, pos) {
  const before = doc.sliceString(Math.max(0, pos - REACH), pos);
  const open = Math.max(before.lastIndexOf("{{"), before.lastIndexOf("{%"));
  const inside = open < 0 ? "" : before.slice(open);
  return /[%}]\}/.test(inside) ? "" : inside;
}

/** Return what may stand in the quotes that a tag has opened, or null outside of quotes. */
export function quotedIn(studio, tag) {
  if (tag.split('"').length % 2 === 1) return null;
  const types = /\bicon\("[^"]*$/.test(tag) ? ["icon"] : ["styles", "names"];
  return types.flatMap((type) => valuesOf(studio, { type }));
}

/** Return the helpers and values that a tag can begin with. */
export function helpersIn(help) {
  return help.template
    .filter(({ name }) => !name.includes("."))
    .map(({ name, call, about }) => ({
      label: name,
      detail: call.slice(name.length),
      info: about,
      apply: call.includes("(") ? `${name}(` : name,
      boost: 50, // above Jinja's own words
    }));
}

/** Return what stands behind the dot of a name, such as the fields of `c`. */
export function membersOf(studio, file, help, name) {
  if (name === "colour") return valuesOf(studio, { type: "names" });
  if (name !== "c") {
    return help.template
      .filter((word) => word.name.startsWith(`${name}.`))
      .map((word) => ({ label: word.name.slice(name.length + 1), info: word.about }));
  }
  const kinds = [...studio.store.kinds.value.values()];
  const users = kinds.filter((kind) =>
    Object.values(kind.faces).some((face) => face.file === file.path),
  );
  return fieldsOf(users.length ? users : kinds.filter((kind) => kind.own));
}
