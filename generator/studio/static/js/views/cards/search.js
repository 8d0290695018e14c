/* Search by kind, name, id or the value of any field. */
import { useEffect, useMemo } from "../../../vendor/preact.js";

/** Return a function that keeps those entries of a kind that the search asks for. */
export function useFound({ store, wire }) {
  const words = store.query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const kinds = store.model.value?.kinds.filter((kind) => kind.own) ?? [];
  const isSearch = words.length > 0;
  useEffect(() => {
    if (!isSearch) return;
    for (const { name } of kinds) {
      if (store.rows(name).value === null) wire.rows(name).catch(() => {});
    }
  }, [isSearch, store.model.value]);
  const titles = new Map(store.model.value?.kinds.map((kind) => [kind.name, kind.title]));
  const typed = isSearch ? kinds.map((kind) => store.rows(kind.name).value) : [];
  return useMemo(() => {
    const found = (kind, entries) => {
      if (!isSearch) return entries;
      const texts = textsOf(store.rows(kind).peek());
      return entries.filter((entry) => {
        const own = `${entry.name} ${entry.id} ${texts.get(entry.id) ?? ""}`;
        const text = `${titles.get(kind)} ${own}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
    };
    found.isSearch = isSearch;
    return found;
  }, [words.join(" "), typed.length, ...typed]);
}

function textsOf(rows) {
  const text = (row) => Object.values(row.nodes).map(wordsIn).join(" ");
  return new Map((rows ?? []).map((row) => [row.id, text(row)]));
}

function wordsIn(node) {
  if (node.text !== undefined) return node.text;
  const inside = node.items ?? node.entries.map(([, one]) => one);
  return inside.map(wordsIn).join(" ");
}
