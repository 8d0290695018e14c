/* Nodes: what is typed in a file, as the server tells it. A node is {text, plain}, {items} or
 * {entries: [[key, node]]}. Paths are lists of keys and indices. */

/** Return the node at a path inside a node, or undefined. */
export function nodeAt(node, path) {
  return path.reduce((at, key) => childOf(at, key), node);
}

function childOf(node, key) {
  if (node?.items) return node.items[key];
  return node?.entries?.find(([name]) => name === key)?.[1];
}

/** Return the text of a scalar, "" if there is none. */
export function textOf(node) {
  return node?.text ?? "";
}

/** Return a node as a plain value of texts, lists and objects. */
export function valueOf(node) {
  if (!node) return undefined;
  if (node.items) return node.items.map(valueOf);
  if (!node.entries) return node.text;
  return Object.fromEntries(node.entries.map(([key, one]) => [key, valueOf(one)]));
}

/** Return the node that a value is typed as. */
export function nodeOf(value) {
  if (Array.isArray(value)) return { items: value.map(nodeOf) };
  if (value !== null && typeof value === "object") {
    return { entries: Object.entries(value).map(([key, one]) => [key, nodeOf(one)]) };
  }
  if (typeof value === "boolean") return { text: value ? "yes" : "no", plain: true };
  return { text: value === null ? "" : String(value), plain: typeof value !== "string" };
}

/** Return the name of a row's component as it is typed, else its id. */
export function nameOf(row) {
  return textOf(row.nodes.name) || row.id;
}

/** Return a row's values as one mapping node. */
export function rowNode(row) {
  return { entries: Object.entries(row.nodes) };
}

/**
 * Return a path inside a row as its file has it: the fields of a table have the heads of its
 * columns, `row.heads`.
 */
export function headOf(row, [field, ...rest]) {
  return field === undefined ? [] : [row.heads?.[field] ?? field, ...rest];
}

/** Return the field that a head of a row's table stands for. */
export function fieldOf(row, head) {
  const found = Object.entries(row.heads ?? {}).find(([, name]) => name === head);
  return found?.[0] ?? head;
}

/**
 * Return the change that sets a value inside a row; undefined removes it. Where a map on the way is
 * missing, the change sets that map.
 */
export function settingIn(row, path, value) {
  const root = rowNode(row);
  let depth = 0;
  while (depth < path.length - 1 && isOpen(nodeAt(root, path.slice(0, depth + 1)))) depth += 1;
  const missing = path.slice(depth + 1);
  const full = [...row.path, ...headOf(row, path)];
  if (value === undefined) return { do: "remove", path: full };
  const nested = missing.reduceRight((one, key) => ({ [key]: one }), value);
  return { do: "set", path: full.slice(0, full.length - missing.length), value: nested };
}

function isOpen(node) {
  return Boolean(node?.items || node?.entries);
}

/** Return a node after a change whose path begins at this node. */
export function changed(node, change) {
  if (change.do === "insert") return within(node, change.path, (at) => inserted(at, change));
  const last = change.path.at(-1);
  return within(node, change.path.slice(0, -1), (at) => {
    if (change.do === "set") return withChild(at, last, nodeOf(change.value));
    if (change.do === "remove") return withoutChild(at, last);
    if (!at.items) return at;
    const items = [...at.items];
    if (change.do === "move") items.splice(change.at, 0, ...items.splice(last, 1));
    if (change.do === "copy") items.splice(change.at, 0, items[last]);
    return { items };
  });
}

function within(node, path, change) {
  if (path.length === 0) return change(node);
  const child = childOf(node, path[0]);
  return child ? withChild(node, path[0], within(child, path.slice(1), change)) : node;
}

function withChild(node, key, child) {
  if (node.items) return { items: node.items.map((one, at) => (at === key ? child : one)) };
  const entries = node.entries ?? [];
  const known = entries.some(([name]) => name === key);
  if (!known) return { entries: [...entries, [key, child]] };
  return { entries: entries.map((entry) => (entry[0] === key ? [key, child] : entry)) };
}

function withoutChild(node, key) {
  if (node.items) return { items: node.items.filter((_, at) => at !== key) };
  return { entries: (node.entries ?? []).filter(([name]) => name !== key) };
}

function inserted(node, { at, value }) {
  if (!node.items) return withChild(node, at, nodeOf(value));
  return { items: [...node.items.slice(0, at), nodeOf(value), ...node.items.slice(at)] };
}
