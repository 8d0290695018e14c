/* Changes of a face file, worked out from its layout: which value is written where. Nothing here
 * sends anything. A draft gathers the changes of one step, each on what those before it leave. */
import { changed, nodeAt, nodeOf, settingIn, textOf } from "../../nodes.js";

/** Return an empty draft of changes to the own file of a layout. */
export function draftOf(layout) {
  return { layout, node: layout.node ?? { entries: [] }, changes: [], values: [] };
}

/** Return a node as a value to write: plain numbers as numbers. */
export function written(node) {
  if (node.items) return node.items.map(written);
  if (node.entries)
    return Object.fromEntries(node.entries.map(([key, one]) => [key, written(one)]));
  if (!node.plain) return node.text;
  if (["", "~", "null"].includes(node.text)) return null;
  return /^-?\d+(\.\d+)?$/.test(node.text) ? Number(node.text) : node.text;
}

function add(draft, change) {
  draft.changes.push(change);
  draft.node = changed(draft.node, change);
}

/**
 * Note a value at a path of the file; maps on the way are made. undefined removes it, and the maps
 * around it that are empty then.
 */
export function put(draft, path, value) {
  if (value === undefined) {
    if (nodeAt(draft.node, path) === undefined) return;
    let whole = path;
    while (whole.length > 2 && nodeAt(draft.node, whole.slice(0, -1)).entries?.length === 1) {
      whole = whole.slice(0, -1);
    }
    add(draft, { do: "remove", path: whole });
    return;
  }
  const row = { path: [], nodes: Object.fromEntries(draft.node.entries ?? []) };
  add(draft, settingIn(row, path, value));
}

/** Yield the groups of variants in a file, and their paths: one map, or a list of them. */
function* groupsIn(node) {
  const own = nodeAt(node, ["variants"]);
  if (own?.entries) yield [["variants"], own];
  for (const [at, group] of (own?.items ?? []).entries()) yield [["variants", at], group];
}

/** Return the path of the variants by an expression, undefined if a file has none. */
function groupPath(node, by) {
  const isBy = (group) => textOf(nodeAt(group, ["by"])) === by || !nodeAt(group, ["by"]);
  return [...groupsIn(node)].find(([, group]) => group.entries && isBy(group))?.[0];
}

/** Return the path of a box among the own values of a layout that is in no list of boxes but
 * in a variant alone, else null. */
function onlyInVariant(layout, box) {
  if (!box.own || nodeAt(layout.node, ["boxes", box.name])) return null;
  const own = layout.files[0].path;
  const value = Object.values(box.values).find((one) => one.file === own);
  return value ? value.path.slice(0, -1) : null;
}

/** Tell which variant of the own file a value is written in: its name, "" for none. */
export function variantOf(layout, value) {
  if (value?.file !== layout.files[0].path || value.path[0] !== "variants") return "";
  return String(typeof value.path[1] === "number" ? value.path[2] : value.path[1]);
}

/**
 * Note a key of a box; undefined removes it. The scope is "all", or the index of the variants for
 * whose shown value alone it is meant. A value that a variant of the file already has stays there.
 */
export function setKey(draft, box, key, value, scope) {
  const { layout } = draft;
  const known = box.values[key];
  let path = ["boxes", box.name, key];
  if (scope === "all") {
    const alone = onlyInVariant(layout, box);
    if (variantOf(layout, known)) path = known.path;
    else if (alone) path = [...alone, key];
    put(draft, path, value);
  } else {
    path = inVariant(draft, layout.variants[scope], [box.name, key], value);
  }
  draft.values.push({ name: box.name, key, value, path });
}

/** Note a value in the variant that is shown. */
function inVariant(draft, { by, now }, rest, value) {
  const base = groupPath(draft.node, by);
  if (base) {
    put(draft, [...base, now, ...rest], value);
    return [...base, now, ...rest];
  }
  if (value === undefined) return rest;
  const whole = { by, [now]: { [rest[0]]: { [rest[1]]: value } } };
  const own = nodeAt(draft.node, ["variants"]);
  if (own?.items) {
    add(draft, { do: "insert", path: ["variants"], at: own.items.length, value: whole });
  } else put(draft, ["variants"], own?.entries ? [written(own), whole] : whole);
  return [...groupPath(draft.node, by), now, ...rest];
}

/** Yield the path of a box in each variant of the own file that says something of it. */
function* inOwnVariants(node, name) {
  for (const [path, group] of groupsIn(node)) {
    for (const [value, boxes] of group.entries ?? []) {
      if (value !== "by" && nodeAt(boxes, [name])) yield [...path, value, name];
    }
  }
}

/** Note that a box goes. One that another file has is dropped with null. */
export function drop(draft, box) {
  replace(draft, box, box.own ? undefined : null);
}

/** Note that a box of another file is as it is there. */
export function restore(draft, box) {
  replace(draft, box, undefined);
}

function replace(draft, { name }, value) {
  for (const path of [...inOwnVariants(draft.node, name)]) put(draft, path, undefined);
  put(draft, ["boxes", name], value);
}

/** Note another name for a box of the own file. */
export function rename(draft, box, name) {
  const paths = [["boxes", box.name], ...inOwnVariants(draft.node, box.name)];
  for (const path of paths.filter((one) => nodeAt(draft.node, one))) {
    const parent = path.slice(0, -1);
    const at = nodeAt(draft.node, parent).entries.findIndex(([key]) => key === box.name);
    const entry = nodeAt(draft.node, path);
    draft.changes.push({ do: "copy", path, at: at + 1, values: {}, name });
    draft.changes.push({ do: "remove", path });
    draft.node = replacedEntry(draft.node, parent, at, [name, entry]);
  }
}

function replacedEntry(node, [key, ...rest], at, entry) {
  if (key === undefined) return { entries: node.entries.with(at, entry) };
  const inside = (one) => replacedEntry(one, rest, at, entry);
  if (node.items) return { items: node.items.with(key, inside(node.items[key])) };
  return { entries: node.entries.map(([name, one]) => [name, name === key ? inside(one) : one]) };
}

/** Note a copy of a box with another name and place. */
export function duplicate(draft, box, name, at) {
  const own = nodeAt(draft.node, ["boxes"])?.entries ?? [];
  const index = own.findIndex(([key]) => key === box.name);
  if (box.own && index >= 0) {
    const path = ["boxes", box.name];
    draft.changes.push({ do: "copy", path, at: index + 1, values: { at }, name });
    return; // the layout shows it when the server has told it
  }
  const values = Object.entries(box.values).map(([key, { node }]) => [key, written(node)]);
  put(draft, ["boxes", name], { ...Object.fromEntries(values), at });
}

/** Return the names of boxes whose order is that of the own file, from back to front. */
export function sortable(layout) {
  const entries = nodeAt(layout.node, ["boxes"])?.entries ?? [];
  const own = new Set(layout.boxes.filter((box) => box.own && !box.dropped).map((box) => box.name));
  return entries.map(([name]) => name).filter((name) => own.has(name));
}

/** Note another order of the sortable boxes, from back to front. */
export function reorder(draft, names) {
  const entries = nodeAt(draft.node, ["boxes"])?.entries ?? [];
  const free = new Set(names);
  const queue = [...names];
  const order = entries.map(([name]) => (free.has(name) ? queue.shift() : name));
  const index = new Map(entries.map(([name], at) => [name, at]));
  draft.changes.push({ do: "order", path: ["boxes"], order: order.map((name) => index.get(name)) });
  draft.order = order;
}

/** Return the order after moving some names: front, back, forward or backward. */
export function restacked(names, chosen, how) {
  const picked = names.filter((name) => chosen.includes(name));
  const others = names.filter((name) => !chosen.includes(name));
  if (how === "front") return [...others, ...picked];
  if (how === "back") return [...picked, ...others];
  const made = [...names];
  const walk = how === "forward" ? [...picked].reverse() : picked;
  const step = how === "forward" ? 1 : -1;
  for (const name of walk) {
    const at = made.indexOf(name);
    const next = at + step;
    if (next < 0 || next >= made.length || chosen.includes(made[next])) continue;
    [made[at], made[next]] = [made[next], made[at]];
  }
  return made;
}

/** Return a name for a box that none of those taken is. */
export function freeName(taken, wanted) {
  let [name, count] = [wanted, 1];
  while (taken.includes(name)) name = `${wanted}-${++count}`;
  return name;
}

/** Return the layout as it is after a draft, until the server tells the new one. */
export function after(draft) {
  const { layout } = draft;
  const own = layout.files[0].path;
  let boxes = layout.boxes.map((box) => {
    const changes = draft.values.filter((one) => one.name === box.name);
    if (changes.length === 0) return box;
    const values = { ...box.values };
    let at = box.at;
    for (const { key, value, path } of changes) {
      if (value === undefined) delete values[key];
      else values[key] = { node: nodeOf(value), file: own, path };
      if (key === "at" && value) at = value;
    }
    return { ...box, values, at };
  });
  if (draft.order) {
    const place = new Map(draft.order.map((name, at) => [name, at]));
    const free = new Set(sortable(layout));
    const queue = boxes.filter((box) => free.has(box.name));
    queue.sort((a, b) => place.get(a.name) - place.get(b.name));
    boxes = boxes.map((box) => (free.has(box.name) ? queue.shift() : box));
  }
  return { ...layout, node: draft.node, boxes };
}
