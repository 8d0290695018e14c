/* The faces that show a component, and the kinds that have any. */

/** Return the faces of a component; of one without any, those of what is first made from it. */
export function facesOf(store, kind, id) {
  const own = store.kinds.value.get(kind)?.stock ? store.sides(kind, id) : [];
  if (own.length > 0) return own;
  const isMade = ({ made_from: from }) => from?.[0] === kind && from[1] === id;
  return [...store.kinds.value.values()]
    .filter((one) => one.made_from === kind && one.stock)
    .flatMap(({ name }) => {
      const first = store.entries(name).find(isMade);
      return first ? store.sides(name, first.id) : [];
    });
}

/** Return True for a kind whose components have faces. */
export function isPictured(kind) {
  return Boolean(kind.stock && Object.keys(kind.faces).length);
}

/** Return the kinds in the order of the gallery, those with faces first. */
export function listedKinds(store) {
  const kinds = [...store.kinds.value.values()];
  return kinds
    .filter((kind) => isPictured(kind) || !kind.made_from)
    .sort((a, b) => isPictured(b) - isPictured(a));
}
