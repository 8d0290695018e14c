/* The state of the studio, as signals. Views read it; only wire.js (and the chosen component,
 * the query and the guides, which are the person's own) write it.
 *
 *   online            true while the server's events arrive
 *   project packs pack worker save undo number        as in the event `hello`
 *   saving            `save`, or "saving" from a key press on until the server has said so: it has
 *                     told of number `savedAt`, knows of `sent`, and `unsent` is still here
 *   files             Map path → File
 *   model             Model of the pack, or null before the first
 *   kinds             Map name → Kind            (computed)
 *   entries(kind)     the components of a kind as they are typed where its rows are known, so that
 *                     one with errors stays, else those of the model: {id, name, quantity, …}
 *   component(k, id)  the entry of model.components, or undefined
 *   findings          [Finding], errors first
 *   checked           the newest number whose findings are known, -1 before the first
 *   checking          true while the findings of a newer number are on their way   (computed)
 *   faults            Map "kind/id" → {errors, warnings}    (computed)
 *   counts            {errors, warnings}                    (computed)
 *   face(key)         signal of the FaceView, or null until it is drawn; one signal a face, so
 *                     that only the pictures that change are drawn again
 *   sides(k, id)      keys of the faces of a component, in the order of the kind
 *   looking           true while faces are being drawn
 *   rows(kind)        signal of the rows as they are typed ({id, file, path, readonly, nodes}), or
 *                     null until they are read; wire.rows(kind) asks for them
 *   jobs              Map id → Job
 *   chosen            {kind, id}: the component in hand, shared by Cards, Look and Table
 *   query             the words in the search field
 *   toasts            [{id, text, sort: "error" | "note"}]
 */
import { computed, signal } from "../vendor/preact.js";
import { stored } from "./stored.js";

/** Return what is known of saving. */
function saving() {
  const [save, savedAt, sent, unsent] = [signal("saved"), signal(0), signal(0), signal(false)];
  const isAhead = computed(() => unsent.value || sent.value > savedAt.value);
  const saving = computed(() => (save.value === "saved" && isAhead.value ? "saving" : save.value));
  return { save, savedAt, sent, unsent, saving };
}

/** Return an empty state. */
export function createStore() {
  const faces = new Map();
  const rows = new Map();
  const made = (map, key) => {
    if (!map.has(key)) map.set(key, signal(null));
    return map.get(key);
  };
  const model = signal(null);
  const findings = signal([]);
  const [number, checked, known] = [signal(0), signal(-1), saving()];
  const checking = computed(() => checked.value < Math.max(number.value, known.sent.value));
  const kinds = computed(
    () => new Map((model.value?.kinds ?? []).map((kind) => [kind.name, kind])),
  );
  const components = computed(() => indexed(model.value?.components ?? {}));
  const faults = computed(() => counted(findings.value));
  const counts = computed(() => {
    const errors = findings.value.filter((finding) => finding.severity === "error").length;
    return { errors, warnings: findings.value.length - errors };
  });
  return {
    online: signal(false),
    project: signal(null),
    packs: signal([]),
    pack: signal(null),
    number,
    files: signal(new Map()),
    undo: signal({ undo: null, redo: null }),
    ...known,
    worker: signal({ state: "opening", why: "" }),
    model,
    kinds,
    entries: (kind) => entriesOf(model.value?.components[kind] ?? [], made(rows, kind).value),
    component: (kind, id) => components.value.get(`${kind}/${id}`),
    findings,
    checked,
    checking,
    faults,
    counts,
    faces,
    face: (key) => made(faces, key),
    sides: (kind, id) => {
      const names = Object.keys(kinds.value.get(kind)?.faces ?? {});
      return names.map((name) => `${kind}/${id}/${name}`);
    },
    looking: signal(false),
    rowsByKind: rows,
    rows: (kind) => made(rows, kind),
    jobs: signal(new Map()),
    chosen: signal({ kind: "", id: "" }),
    query: signal(""),
    guides: stored("guides", { trim: false, safe: false, flaws: true }),
    lens: stored("lens", "none"),
    toasts: signal([]),
  };
}

/** Return the entries of a kind in the order of its rows, with their names as they are typed. */
function entriesOf(entries, rows) {
  if (!rows) return entries;
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const named = rows.filter((row) => row.id);
  const typed = named.map((row) => {
    const entry = known.get(row.id) ?? { quantity: 1, line: 0, ...row };
    known.delete(row.id);
    const name = row.nodes.name?.text ?? entry.name ?? row.id;
    return name === entry.name ? entry : { ...entry, name };
  });
  return [...typed, ...known.values()];
}

/** Return all components by "kind/id". */
function indexed(components) {
  const found = new Map();
  for (const [kind, entries] of Object.entries(components)) {
    for (const entry of entries) found.set(`${kind}/${entry.id}`, entry);
  }
  return found;
}

/** Return how many faults each component has. */
function counted(findings) {
  const found = new Map();
  for (const { kind, id, severity } of findings) {
    if (!kind || !id) continue;
    const key = `${kind}/${id}`;
    const count = found.get(key) ?? { errors: 0, warnings: 0 };
    count[severity === "error" ? "errors" : "warnings"] += 1;
    found.set(key, count);
  }
  return found;
}

/** Return the findings about one component. */
export function findingsOf(store, kind, id) {
  return store.findings.value.filter((finding) => finding.kind === kind && finding.id === id);
}
