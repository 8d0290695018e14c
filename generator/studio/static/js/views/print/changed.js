/* What looks different than when it was printed. */

/**
 * Return the components with a face whose digest is another than it was, or is new, in the prints
 * of which something was printed: [{kind, id, name}]. Faces that are not drawn yet count as they
 * were.
 */
export function changedSince(store, digests) {
  const { prints, components } = store.model.value;
  const known = new Set(Object.keys(digests).map((key) => key.split("/")[0]));
  const kinds = prints.map((print) => print.kinds).filter((one) => one.some((k) => known.has(k)));
  const isOther = (key) => {
    const sha = store.face(key).value?.sha;
    return sha && digests[key] !== sha;
  };
  return [...new Set(kinds.flat())].flatMap((kind) =>
    (components[kind] ?? [])
      .filter(({ id, quantity }) => quantity && store.sides(kind, id).some(isOther))
      .map(({ id, name }) => ({ kind, id, name })),
  );
}
