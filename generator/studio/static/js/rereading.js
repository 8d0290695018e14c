/* When rows are read again: at once after a change from elsewhere or one that moves rows, and a
 * moment after the last key for what is typed here, which the rows show already. */

const QUIET = 400; // ms
const WITHOUT_ROWS = new Set(["face", "template", "styles", "picture", "icon", "font", "text"]);

/** Return how to ask for the rows that a file holds; without a file, for all that are known. Those
 * that were asked for and have not come may be of an older text. */
export function createRereading(store, read, isAsked) {
  const due = new Set();
  let timer = 0;
  const run = () => {
    clearTimeout(timer);
    const kinds = [...due];
    due.clear();
    for (const kind of kinds) read(kind).catch(() => {});
  };
  const note = (path) => {
    const known = [...store.rowsByKind].filter(([, rows]) => rows.value);
    const its = known.filter(([, rows]) => rows.value.some((row) => row.file === path));
    for (const [kind] of its.length ? its : known) due.add(kind);
    for (const [kind, rows] of store.rowsByKind) if (!rows.value && isAsked(kind)) due.add(kind);
  };
  return {
    now: (path) => {
      if (WITHOUT_ROWS.has(store.files.value.get(path)?.sort)) return;
      note(path);
      run();
    },
    soon: (path) => {
      if (WITHOUT_ROWS.has(store.files.value.get(path)?.sort)) return;
      note(path);
      clearTimeout(timer);
      timer = setTimeout(run, QUIET);
    },
  };
}
