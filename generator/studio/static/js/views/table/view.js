/* Table: the components of a kind as rows, with the faces of one beside them. */
import { html, useEffect, useMemo, useRef } from "../../../vendor/preact.js";
import { go, route, to } from "../../route.js";
import { t } from "../../words.js";
import { CellLine, TableBar } from "./bars.js";
import { Beside } from "./beside.js";
import { createActions } from "./changes.js";
import { columnsOf } from "./columns.js";
import { Grid } from "./grid.js";
import { shownRows } from "./order.js";
import { createSheet } from "./sheet.js";

const ADDRESSED = 250; // ms after the last move

/** The view Table. */
export function View({ studio }) {
  const { store, wire } = studio;
  const about = kindOf(store, route.value.parts[0]);
  const rows = about ? store.rows(about.name).value : [];
  useEffect(() => {
    if (rows === null) wire.rows(about.name).catch(() => {});
  }, [about?.name, rows === null, store.model.value, store.worker.value.state]);
  if (!about) return html`<p class="empty">${t("table.none")}</p>`;
  if (rows === null) return html`<p class="empty" role="status">${t("view.opening")}</p>`;
  return html`<${Table} key=${`${store.pack.value}/${about.name}`} studio=${studio} about=${about}
    rows=${rows}/>`;
}

function kindOf(store, wanted) {
  const { kinds = [], components = {} } = store.model.value ?? {}; // null: another pack is coming
  const named = (name) => kinds.find((kind) => kind.name === name);
  const isFilled = (kind) => kind.own && !kind.made_from && components[kind.name]?.length;
  const filled = kinds.filter(isFilled);
  const first = filled.find((kind) => kind.stock && Object.keys(kind.faces).length) ?? filled[0];
  return named(wanted) ?? named(store.chosen.peek().kind) ?? first ?? kinds[0];
}

function Table({ studio, about, rows }) {
  const { store } = studio;
  const sheet = useMemo(createSheet, []);
  const copied = useRef(null);
  const count = (id) => store.component(about.name, id)?.quantity;
  const model = store.model.value;
  const columns = useSame(
    useMemo(() => columnsOf(about, rows, count), [about, rows, model, t("table.printed")]),
    rows.length,
  );
  const query = store.query.value;
  const sort = sheet.sort.value;
  // An edit leaves each row where it is; only sorting, searching and other rows change the order.
  const order = useMemo(
    () => shownRows(rows, columns, query, sort),
    [sort, query, rows.length, columns],
  );
  const shown = useMemo(() => order.map((at) => rows[at]), [order, rows]);
  const faults = useMemo(
    () => faultsOf(store.findings.value, about.name, columns),
    [store.findings.value, columns],
  );
  const actions = createActions({ studio, about, sheet, columns, rows: shown, copied });
  actions.canMove = !sort && !query;
  actions.canAdd = about.own && !about.made_from && !query;
  if (!actions.canMove) actions.moveRows = () => {};
  useFollowing(store, about, sheet, shown, columns);
  useHeld(sheet, shown, query);
  const { row: at, col } = sheet.cursor.value;
  const choose = (name) => {
    const found = columns.findIndex((column) => column.name === name);
    if (found < 0) return;
    sheet.cursor.value = { row: at, col: found };
    sheet.anchor.value = null;
  };
  const hasFaces = about.stock && Object.keys(about.faces).length > 0;
  return html`<div class="table ${hasFaces ? "" : "alone"}">
    <section class="table-main" aria-label=${about.title}>
      <${TableBar} studio=${studio} about=${about} sheet=${sheet} actions=${actions} rows=${shown}
        total=${rows.length}/>
      <${CellLine} studio=${studio} row=${shown[at]} column=${columns[col]} faults=${faults}/>
      ${
        rows.length === 0 && !actions.canAdd
          ? html`<${Empty} store=${store} about=${about}/>`
          : html`<${Grid} studio=${studio} sheet=${sheet} columns=${columns} rows=${shown}
            faults=${faults} actions=${actions} label=${about.title}/>`
      }
    </section>
    ${
      hasFaces &&
      html`<${Beside} studio=${studio} about=${about} row=${shown[at]}
      onField=${choose}/>`
    }
  </div>`;
}

/** Return the columns as they were while only their widths are different, for as many rows. */
function useSame(columns, count) {
  const kept = useRef({ columns, count });
  const nameOf = (one) => JSON.stringify(one.map((column) => ({ ...column, width: 0 })));
  const isSame = nameOf(columns) === nameOf(kept.current.columns);
  if (!isSame || count !== kept.current.count) kept.current = { columns, count };
  return kept.current.columns;
}

/** Begin at the row of the address or in hand, keep the cursor inside the table, and tell the
 * address and the other views of it. */
function useFollowing(store, about, sheet, shown, columns) {
  const here = route.value;
  const [, asked, field] = here.parts;
  const { row, col } = sheet.cursor.value;
  const id = shown[row]?.id ?? "";
  const lead = (wanted) => {
    const found = shown.findIndex((one) => one.id === wanted);
    const at = columns.findIndex((one) => one.name === field);
    if (found < 0) return;
    sheet.cursor.value = { row: found, col: at < 0 ? col : at };
    sheet.anchor.value = null;
  };
  useMemo(() => {
    const { kind, id: chosen } = store.chosen.peek();
    lead(asked ?? (kind === about.name ? chosen : ""));
  }, []);
  const told = useRef(""); // the address that came from the cursor, which leads nowhere
  useEffect(() => {
    const isTold = to("table", about.name, asked ?? "", field ?? "") === told.current;
    if (asked && !isTold) lead(asked);
  }, [asked, field]);
  useEffect(() => {
    if (row >= shown.length && row > 0) {
      sheet.cursor.value = { row: Math.max(0, shown.length - 1), col };
      sheet.anchor.value = null;
    }
  }, [row, shown.length]);
  const address = to("table", about.name, id, columns[col]?.name ?? "");
  useEffect(() => {
    if (!id) return undefined;
    store.chosen.value = { kind: about.name, id };
    // Some browsers refuse an address that changes with each key.
    const tell = () => {
      if (route.peek() !== here) return;
      told.current = address;
      go(address, true);
    };
    const timer = setTimeout(tell, ADDRESSED);
    return () => clearTimeout(timer);
  }, [address]);
}

/** Keep the cursor on its row while a search hides others, or shows them again. */
function useHeld({ cursor }, shown, query) {
  const { row, col } = cursor.value;
  const held = useRef("");
  useEffect(() => {
    const at = shown.findIndex(({ id }) => id === held.current);
    if (at >= 0) cursor.value = { row: at, col };
  }, [query]);
  useEffect(() => {
    held.current = shown[row]?.id ?? "";
  });
}

/** Return the findings of each component by column; "" has those of no column. */
function faultsOf(findings, kind, columns) {
  const names = new Set(columns.map((column) => column.name));
  const found = new Map();
  for (const finding of findings) {
    if (finding.kind !== kind || !finding.id) continue;
    const ofRow = found.get(finding.id) ?? new Map();
    const [field] = finding.path ?? [];
    const name = names.has(field) ? field : "";
    ofRow.set(name, [...(ofRow.get(name) ?? []), finding]);
    found.set(finding.id, ofRow);
  }
  return found;
}

/** Say why there are no rows. */
function Empty({ store, about }) {
  const { title: kind } = about;
  if (!about.made_from) return html`<p class="empty">${t("table.empty", { kind })}</p>`;
  const title = store.kinds.value.get(about.made_from)?.title ?? about.made_from;
  return html`<p class="empty"><span>${t("table.made")} <a href=${to("table", about.made_from)}>
    ${title}</a></span></p>`;
}
