/* What looks different than on the last print. */

/**
 * Return the components of all prints with a face whose digest is another than it was, or is new:
 * [{kind, id, name}]. Faces that are not drawn yet count as they were.
 */
export function changedSince(store, digests) {
  const { prints, components } = store.model.value;
  const isOther = (key) => {
    const sha = store.face(key).value?.sha;
    return sha && digests[key] !== sha;
  };
  return [...new Set(prints.flatMap((print) => print.kinds))].flatMap((kind) =>
    (components[kind] ?? [])
      .filter(({ id, quantity }) => quantity && store.sides(kind, id).some(isOther))
      .map(({ id, name }) => ({ kind, id, name })),
  );
}
