/* Adding, doubling and removing components. */
import { idFrom } from "../../ids.js";
import { headOf, nameOf, textOf } from "../../nodes.js";
import { freshFields } from "../../parts/fields/fresh.js";
import { titled } from "../../parts/fields/titled.js";
import { go, to } from "../../route.js";
import { t } from "../../words.js";

/** Return what undo calls a change of a field. */
export function labelOf(field, row) {
  return t("edit.field", { field: titled(field), name: row.id });
}

/** Return an id that no component of a kind has yet, nor is among those that are taken besides. */
export function freeId(store, kind, wanted, besides = []) {
  const taken = new Set([...besides, ...store.entries(kind).map((entry) => entry.id)]);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(id)) return { id, number };
  }
}

/** Give a component an id made from its name if it still has that of a new or nameless one. */
export async function nameFresh({ store, wire }, kind, row) {
  const isFresh = new RegExp(`^(new-)?${kind.name}(-\\d+)?$`).test(row.id);
  const wanted = idFrom(textOf(row.nodes.name));
  const given = idFrom(t("new.name", { kind: kind.title }));
  const isDone = !wanted || wanted === row.id || wanted.startsWith(given);
  if (!isFresh || !row.nodes.id || isDone) return;
  const { id } = freeId(store, kind.name, wanted);
  await wire.set(row, ["id"], id, labelOf("id", row));
}

/** Add a component at the end of the last file of its kind that can be written, and show it. */
export async function addComponent(studio, kind) {
  const { store, wire } = studio;
  await wire.rows(kind.name);
  const { id, number } = freeId(store, kind.name, `new-${kind.name}`);
  const label = t("edit.add", { kind: kind.title });
  const values = { id, ...freshFields(studio, kind.fields) };
  if (isNamed(kind)) values.name = freshName(kind, number);
  const rows = (store.rows(kind.name).peek() ?? []).filter((row) => !row.readonly);
  await wire.edit({ label, edits: [await additionIn(studio, kind, rows.at(-1), values)] });
  await shown(studio, kind.name, id);
}

/** Return True for a kind whose components have a name. */
export function isNamed({ fields }) {
  return fields.some((field) => field.name === "name" && field.type === "text");
}

/** Return the name of a new component, of as many. */
export function freshName({ title, fields }, number) {
  const name = t("new.name", { kind: title });
  const most = fields.find((field) => field.name === "name").max_length ?? 99;
  return (number > 1 ? `${name} ${number}` : name).slice(-most);
}

/** Return the edit that adds values after a row, or begins a file. */
export function addition(store, kind, last, values) {
  if (!last) {
    const file = `cards/${store.pack.value}/${kind.name}-components.yaml`;
    return { file, text: `kind: ${kind.name}\ncomponents:\n  - ${JSON.stringify(values)}\n` };
  }
  const typed = Object.entries(values).map(([field, value]) => [headOf(last, [field])[0], value]);
  const value = Object.fromEntries(typed);
  const change = { do: "insert", path: last.path.slice(0, -1), at: last.path.at(-1) + 1, value };
  return { file: last.file, changes: [change] };
}

/** Return the edit that adds values after a row, or to a file of the kind that was emptied. */
async function additionIn(studio, kind, last, values) {
  const file = last ? null : await emptyFile(studio, kind);
  if (!file) return addition(studio.store, kind, last, values);
  return { file, changes: [{ do: "insert", path: ["components"], at: 0, value: values }] };
}

/** Return a file of a kind from which all components were removed. */
async function emptyFile({ store, wire }, kind) {
  const isOf = new RegExp(`^kind: *["']?${kind.name}["']? *$`, "m");
  for (const { path, sort, readonly } of store.files.value.values()) {
    if (sort !== "components" || readonly) continue;
    const { text } = await wire.get("/api/file", { path });
    if (isOf.test(text) && /^components: *\[ *\] *$/m.test(text)) return path;
  }
  return null;
}

/** Put a copy of a row behind it, and show it. */
export async function duplicateComponent(studio, kind, row) {
  const { id, step } = duplicating(studio.store, kind, row);
  await studio.wire.edit(step);
  await shown(studio, kind.name, id);
}

/** Return the edit that puts a copy of a row behind it, with an id and names of its own. */
export function duplicating(store, kind, row) {
  const values = {};
  const { id, number } = freeId(store, kind.name, row.id.replace(/-\d+$/, ""));
  if (row.nodes.id || !row.nodes.name) values[headOf(row, ["id"])[0]] = id;
  for (const field of kind.fields) {
    const text = textOf(row.nodes[field.name]);
    if (!field.unique || field.type !== "text" || !text) continue;
    const tail = ` ${number}`;
    const name = text.replace(/ \d+$/, "").slice(0, (field.max_length ?? 999) - tail.length) + tail;
    values[headOf(row, [field.name])[0]] = name;
  }
  const change = { do: "copy", path: row.path, at: row.path.at(-1) + 1, values };
  const label = t("edit.duplicate", { name: nameOf(row) });
  return { id, step: { label, edits: [{ file: row.file, changes: [change] }] } };
}

/** Remove a row, and show its neighbour. */
export async function removeComponent(studio, kind, row) {
  const { store, wire } = studio;
  const name = nameOf(row);
  const entries = store.entries(kind.name);
  const at = entries.findIndex((entry) => entry.id === row.id);
  const next = entries[at + 1] ?? entries[at - 1];
  const change = { do: "remove", path: row.path };
  const label = t("edit.remove", { name });
  await wire.edit({ label, edits: [{ file: row.file, changes: [change] }] });
  wire.toast(t("edit.removed", { name }), "note");
  go(next ? to("cards", kind.name, next.id) : to("cards"), true);
  await nextFrame();
  document.querySelector(".gallery [aria-current=true]")?.focus();
}

/** Resolve once the page shows what has changed. */
function nextFrame() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** Show a component as soon as its row is known. */
async function shown({ wire }, kind, id) {
  await wire.rows(kind);
  go(to("cards", kind, id));
  await nextFrame();
  const first = document.querySelector(".form [data-field]");
  first?.focus();
  first?.select?.();
}
