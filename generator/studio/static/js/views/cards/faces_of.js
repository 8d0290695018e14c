/* The faces that show a component. */

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
