/* A place inside a row: what is typed there, and how to change it. Editors of fields get one.
 *
 *   place.node                 what is typed, or undefined
 *   place.key                  a name for ids and keys, "art.face"
 *   place.at(key)              the place of a value inside
 *   place.set(value)           sets it; undefined removes it
 *   place.insert(at, value)    adds an entry to the list or map here
 *   place.remove()             removes the whole value
 *   place.move(at)             moves this entry of a list to another index
 */
import { headOf, nodeAt, rowNode } from "../../nodes.js";

/** Return the place at a path inside a row; `label` names the edit for undo. */
export function placeIn(studio, row, path, label) {
  const send = (change) =>
    studio.wire.edit({ label, edits: [{ file: row.file, changes: [change] }] });
  const full = [...row.path, ...headOf(row, path)];
  const node = nodeAt(rowNode(row), path);
  const set = (value) => studio.wire.set(row, path, value, label);
  return {
    row,
    path,
    node,
    key: path.join("."),
    isTable: typeof row.path[0] === "number",
    at: (key) => placeIn(studio, row, [...path, key], label),
    set: (value) => (value === undefined && !node ? undefined : set(value)),
    insert: (at, value) => {
      if (!node?.items && !node?.entries) {
        return set(typeof at === "number" ? [value] : { [at]: value });
      }
      return send({ do: "insert", path: full, at, value });
    },
    remove: () => send({ do: "remove", path: full }),
    move: (at) => send({ do: "move", path: full, at }),
  };
}
