/* What looks different than on the last print. */

/**
 * Return the components of all prints with a face whose digest is another than it was, or is new:
 * [{kind, id, name}]. Faces that are not drawn yet count as they were.
 */
export function changedSince(store, digests) {
  const kinds = new Set(store.model.value.prints.flatMap((print) => print.kinds));
  const found = new Map();
  for (const face of store.faces.values()) {
    const { kind, id, key, sha } = face.value ?? {};
    if (!kinds.has(kind) || !sha || digests[key] === sha) continue;
    const own = id.split("~")[0];
    const component = store.component(kind, own);
    if (component?.quantity) found.set(`${kind}/${own}`, { kind, id: own, name: component.name });
  }
  return [...found.values()];
}
