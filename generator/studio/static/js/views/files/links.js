/* From a name in a text to what it names: Ctrl+click or F12. */
import { to, toFile } from "../../route.js";
import { yamlAt } from "./complete.js";
import { wordAt } from "./hover.js";
import { sourceOf } from "./sources.js";

/** Return the address of what the word at an offset names, or null. */
export function addressAt(studio, { file, help }, doc, pos) {
  const word = wordAt(doc, pos);
  if (!word) return null;
  const { store } = studio;
  if (/\.ya?ml$/.test(file.path) && help) {
    const place = yamlAt(studio, file, help, doc, word.to);
    const from = place && sourceOf(file.sort, place, place.own);
    if (from?.type === "ref") return ofComponent(store, from.kind, word.text);
    if (from?.type === "kind") return ofKind(store, word.text);
  }
  return (
    ofFile(store, word.text) ??
    ofField(store, file, word.text) ??
    ofKind(store, word.text) ??
    ofAny(store, word.text)
  );
}

function ofComponent(store, kind, id) {
  const found = store.component(kind, id);
  return found ? toFile(found.file, found.line) : null;
}

function ofKind(store, name) {
  const found = store.kinds.value.get(name);
  return found ? toFile(found.file, found.line) : null;
}

function ofFile(store, name) {
  if (!/[./]/.test(name)) return null;
  const pack = store.pack.value;
  const folders = [`templates/${pack}/`, `cards/${pack}/`, "templates/", "cards/", ""];
  const found = folders.find((folder) => store.files.value.has(folder + name));
  return found === undefined ? null : toFile(found + name);
}

/** `c.name` of a template leads to the kind that has the field. */
function ofField(store, file, word) {
  if (!word.startsWith("c.")) return null;
  const users = store.model.value.kinds.filter((kind) =>
    Object.values(kind.faces).some((face) => face.file === file.path),
  );
  const name = word.split(".")[1];
  const found = users.find((kind) => kind.fields.some((field) => field.name === name));
  return found ? toFile(found.file, found.line) : null;
}

/** An id that only one component has leads to it. */
function ofAny(store, id) {
  const found = Object.entries(store.model.value.components).filter(([, list]) =>
    list.some((one) => one.id === id),
  );
  if (found.length !== 1) return null;
  return ofComponent(store, found[0][0], id) ?? to("cards", found[0][0], id);
}
