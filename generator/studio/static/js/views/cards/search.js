/* Search by kind, name, id or the value of any field. */
import { useEffect, useMemo } from "../../../vendor/preact.js";
import { rowNode } from "../../nodes.js";
import { unmarked } from "../../parts/marks.js";

/** Return what tells whether an entry of a kind is searched for, or null without a search. */
export function useSearch({ store, wire }) {
  const words = store.query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const kinds = [...store.kinds.value.values()];
  const own = words.length ? kinds.filter((kind) => kind.own) : [];
  const rows = own.map((kind) => store.rows(kind.name).value);
  useEffect(() => {
    own.filter((_, at) => rows[at] === null).forEach(({ name }) => wire.rows(name).catch(() => {}));
  }, [words.length > 0, store.kinds.value]);
  return useMemo(() => {
    if (words.length === 0) return null;
    const texts = new Map();
    for (const [at, kind] of own.entries()) {
      for (const row of rows[at] ?? []) texts.set(`${kind.name}/${row.id}`, wordsIn(rowNode(row)));
    }
    return (kind, { id, name }) => {
      const all = `${kind.title} ${name} ${id} ${texts.get(`${kind.name}/${id}`) ?? ""}`;
      return words.every((word) => all.toLowerCase().includes(word));
    };
  }, [words.join(" "), ...rows]);
}

function wordsIn(node) {
  if (node.text !== undefined) return unmarked(node.text);
  const inside = node.items ?? node.entries.map(([, one]) => one);
  return inside.map(wordsIn).join(" ");
}
