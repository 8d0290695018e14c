/* Cards: the gallery at the left, the faces of the chosen component on the desk, its form at the
 * right. */
import { html, signal, useEffect, useMemo, useRef } from "../../../vendor/preact.js";
import { go, route, to } from "../../route.js";
import { t } from "../../words.js";
import { Desk, focusField } from "./desk.js";
import { Form } from "./form.js";
import { Gallery } from "./gallery.js";

/** The view Cards. */
export function View({ studio }) {
  const { store, wire } = studio;
  const [kind, id] = chosenIn(store, route.value.parts);
  const hand = useMemo(() => ({ field: signal("") }), []); // the field that has the cursor
  useEffect(() => {
    store.chosen.value = { kind, id };
    if (id && !route.value.parts[1]) go(to("cards", kind, id), true);
    if (kind && store.rows(kind).value === null) wire.rows(kind).catch(() => {});
  }, [kind, id, store.pack.value]);

  const row = store.rows(kind).value?.find((one) => one.id === id);
  useRenaming(store, kind, id, row);
  const field = route.value.parts.slice(2).join(".");
  useEffect(() => {
    if (!row || !field) return;
    focusField(field);
    go(to("cards", kind, id), true); // a click on the same link leads there again
  }, [row, field]);
  const isKnown = Boolean(row || store.component(kind, id));
  return html`<div class="cards">
    <${Gallery} studio=${studio} kind=${kind} id=${id}/>
    ${
      isKnown
        ? html`<${Desk} studio=${studio} kind=${kind} id=${id} hand=${hand}/>
          <${Form} studio=${studio} kind=${kind} id=${id} row=${row} hand=${hand}
            key=${`${kind}/${row ? `${row.file}/${row.path.join("/")}` : id}`}/>`
        : html`<p class="empty desk">${t(id ? "cards.gone" : "cards.none")}</p>`
    }
  </div>`;
}

/** Return the kind and id of the route, or those of the first component that has a face. */
function chosenIn(store, [kind, id]) {
  if (kind && id) return [kind, id];
  const { kinds, components } = store.model.value;
  const candidates = kind ? kinds.filter((one) => one.name === kind) : kinds;
  const filled = candidates.filter((one) => (kind || one.own) && components[one.name]?.length);
  const isShown = (one) => one.stock && Object.keys(one.faces).length > 0;
  const first =
    filled.find((one) => isShown(one) && !one.made_from) ?? filled.find(isShown) ?? filled[0];
  return first ? [first.name, components[first.name][0].id] : ["", ""];
}

/** Follow a component whose id is changed: the row stays where it is in its file. */
function useRenaming(store, kind, id, row) {
  const before = useRef(null);
  useEffect(() => {
    if (row) {
      before.current = { kind, id, file: row.file, path: row.path.join("/") };
      return;
    }
    const last = before.current;
    const rows = store.rows(kind).value;
    if (!last || !rows || last.kind !== kind || last.id !== id) return;
    const found = rows.find((one) => one.file === last.file && one.path.join("/") === last.path);
    if (found && !store.component(kind, id)?.readonly) go(to("cards", kind, found.id), true);
  }, [row, kind, id, store.rows(kind).value]);
}
