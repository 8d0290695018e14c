/* Cards: the gallery at the left, the faces of the chosen component on the desk, its form at the
 * right. */
import { html, signal, useEffect, useMemo, useRef } from "../../../vendor/preact.js";
import { Button } from "../../parts/buttons.js";
import { go, route, to } from "../../route.js";
import { t } from "../../words.js";
import { addComponent } from "./changes.js";
import { Desk, focusField } from "./desk.js";
import { listedKinds } from "./faces_of.js";
import { Form } from "./form.js";
import { Gallery } from "./gallery.js";

/** The view Cards. */
export function View({ studio }) {
  const { store, wire } = studio;
  const { kind, id, row, lost } = useChosen(store);
  const source = sourceOf(store, kind, id, row);
  const here = route.value;
  const field = here.parts.slice(2).join(".");
  const hand = useMemo(() => ({ field: signal("") }), []); // the field that has the cursor
  // An effect may come late, when the address names another component already.
  const lead = (one) => route.peek() === here && go(to("cards", kind, one), true);
  useEffect(() => {
    store.chosen.value = { kind, id };
    if (here.view === "cards" && id && here.parts[1] !== id) lead(id);
    for (const needed of new Set([kind, source.kind])) {
      if (needed && store.rows(needed).value === null) wire.rows(needed).catch(() => {});
    }
  }, [kind, id, source.kind, store.pack.value]);

  useEffect(() => {
    if (!source.row || !field) return;
    focusField(field);
    lead(id); // a click on the same link leads there again
  }, [source.row, field]);
  const isKnown = Boolean(row || store.component(kind, id));
  useEffect(() => {
    const rest = store.entries(kind); // undo took the card away that it had added
    const next = rest[Math.min(lost?.at ?? 0, rest.length - 1)];
    if (lost && !isKnown && next) lead(next.id);
  }, [lost, isKnown]);
  return html`<div class="cards">
    <${Gallery} studio=${studio} kind=${kind} id=${id}/>
    ${
      isKnown
        ? html`<${Desk} studio=${studio} kind=${kind} id=${id} source=${source} hand=${hand}/>
          <${Form} studio=${studio} kind=${kind} id=${id} source=${source} hand=${hand}
            key=${`${kind}/${row ? placeOf(row) : id}`}/>`
        : html`<${Nothing} studio=${studio}/>`
    }
  </div>`;
}

/** What stands beside the gallery while no component is chosen; a pack without any can get one. */
function Nothing({ studio }) {
  const kinds = listedKinds(studio.store);
  const isEmpty = kinds.every((kind) => studio.store.entries(kind.name).length === 0);
  const first = kinds.find((kind) => kind.own && !kind.made_from);
  const add = () => addComponent(studio, first).catch(() => {});
  return html`<div class="empty desk">
    <p>${t(isEmpty ? "cards.none" : "cards.gone")}</p>
    ${
      isEmpty &&
      first &&
      html`<${Button} sort="main" icon="plus" label=${t("gallery.add", { kind: first.title })}
        onClick=${add}/>`
    }
  </div>`;
}

/** Return the component of the route; one whose id changes stays: its row is where it was. */
function useChosen(store) {
  const [kind, asked] = chosenIn(store, route.value.parts);
  const rows = store.rows(kind).value;
  const last = useRef({});
  const isLast = last.current.kind === kind && last.current.asked === asked;
  const row =
    rows?.find((one) => one.id === asked) ??
    (isLast ? rows?.find((one) => placeOf(one) === last.current.place) : undefined);
  if (row) last.current = { kind, asked, place: placeOf(row), at: rows.indexOf(row) };
  else if (!isLast) {
    const at = store.entries(kind).findIndex((entry) => entry.id === asked); // its row is to come
    if (at >= 0) last.current = { kind, asked, at };
  }
  return { kind, id: row?.id ?? asked, row, lost: isLast && rows && !row ? last.current : null };
}

/** Return what is edited of a component: itself, or what it is made from; its kind, id and row. */
function sourceOf(store, kind, id, row) {
  const [ofKind, ofId] = (!row && store.component(kind, id)?.made_from) || [kind, id];
  const typed = row ?? store.rows(ofKind).value?.find((one) => one.id === ofId);
  return { kind: ofKind, id: ofId, row: typed };
}

/** Return where a row is among all files. */
function placeOf(row) {
  return `${row.file}/${row.path.join("/")}`;
}

/** Return the kind and id of the route, or those of the first component in the gallery. */
function chosenIn(store, [kind, id]) {
  if (kind && id) return [kind, id];
  const first = (one) => store.entries(one.name)[0]?.id;
  const found = listedKinds(store).find((one) => (!kind || one.name === kind) && first(one));
  return found ? [found.name, first(found)] : ["", ""];
}
