/* What a file of the pack is for: the components and faces that come from it. */

const DRAWING = new Set(["face", "template"]);
const OF_ALL = new Set(["styles", "pack", "text", "components", "table", "kind"]);

/** Return True for a file that draws faces. */
export function draws(file) {
  return DRAWING.has(file.sort);
}

/** Return False for a file that the studio shows no text of: a picture, a font, a workbook. */
export function hasText({ sort, readonly, path }) {
  const isWorkbook = sort === "table" && readonly && !/\.[ct]sv$/i.test(path);
  return !["picture", "icon", "font"].includes(sort) && !isWorkbook;
}

/** Return the kinds that a file draws, with the sides: [{kind, sides}]. */
export function drawnBy(store, file, takers) {
  const files = new Set([file.path, ...takers]);
  return withSides(store, (kind, side) => files.has(kind.faces[side].file));
}

/** Return the components whose faces a file makes: [{kind, id, sides}]. */
export function madeBy(store, file, takers) {
  if (draws(file)) return componentsOf(store, drawnBy(store, file, takers));
  const ofKind = withSides(store, (kind) => file.sort === "kind" && kind.file === file.path);
  if (ofKind.length) return componentsOf(store, ofKind);
  const isOwn = file.path.split("/")[1] === store.pack.value;
  const isOfAll = isOwn && (OF_ALL.has(file.sort) || file.path.includes("/locales/"));
  return isOfAll
    ? componentsOf(
        store,
        withSides(store, (kind) => kind.own),
      )
    : [];
}

function withSides(store, isMade) {
  return [...store.kinds.value.values()]
    .filter((kind) => kind.stock)
    .map((kind) => ({
      kind,
      sides: Object.keys(kind.faces).filter((side) => isMade(kind, side)),
    }))
    .filter(({ sides }) => sides.length);
}

function componentsOf(store, kinds) {
  return kinds.flatMap(({ kind, sides }) =>
    store.entries(kind.name).map(({ id }) => ({ kind: kind.name, id, sides })),
  );
}

/** Return {kind, id} of the component of a file that a line is in; before any line is chosen, the
 * one in hand or the first. */
export function componentAt(store, file, line) {
  const found = componentsIn(store, file);
  const { kind, id } = store.chosen.peek();
  const inHand = found.find((one) => one.kind === kind && one.id === id);
  if (!line && inHand) return inHand;
  return found.findLast((one) => one.line <= line) ?? found[0] ?? null;
}

/** Return the components of a file in the order of their lines: [{kind, id, line}]. */
export function componentsIn(store, file) {
  return Object.entries(store.model.value?.components ?? {})
    .flatMap(([kind, list]) =>
      list
        .filter((one) => one.file === file.path && !one.made_from)
        .map(({ id, line }) => ({ kind, id, line })),
    )
    .sort((a, b) => a.line - b.line);
}
