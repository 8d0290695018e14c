/* The gallery: all components by kind, as pictures or as words where they have no face. */
import { html, useEffect, useMemo, useRef, useState } from "../../../vendor/preact.js";
import { Icon, IconButton } from "../../parts/buttons.js";
import { Face, useSize } from "../../parts/face.js";
import { LongList } from "../../parts/list.js";
import { go, to } from "../../route.js";
import { stored } from "../../stored.js";
import { t } from "../../words.js";
import { addComponent } from "./changes.js";
import { facesOf, isPictured, listedKinds } from "./faces_of.js";
import { useSearch } from "./search.js";

const PAD = 14;
const GAP = 12;
const CAPTION = 20;
const LINE = 14;
const LETTER = 6.2; // px, about
const WORDS = 28;
const HEADING = 34;
const WIDE = 1.35; // width by height, from which one stands in a row
const TALLEST = 190;
const folded = stored("folded", {});

/** The list of all components. */
export function Gallery({ studio, kind, id }) {
  const { store, wire } = studio;
  const [box, { width }] = useSize();
  const search = useSearch(studio);
  const inside = Math.max(120, (width || 250) - 2 * PAD);
  const rows = useMemo(
    () => rowsOf(store, search, inside, folded.value),
    [store.model.value, store.rows(kind).value, search, inside, folded.value],
  );
  const reach = rows.findIndex((row) => row.kind === kind && row.entries?.some((e) => e.id === id));
  const follows = useRef(false);
  useEffect(() => {
    if (!follows.current) return;
    follows.current = false;
    box.current.querySelector("[aria-current=true]")?.focus();
  });
  const key = (event) => {
    if (event.key === "Enter" && event.target.closest("[aria-current=true]")) {
      event.preventDefault();
      document.querySelector(".form [data-field]")?.focus();
    }
    const next = neighbour(rows, kind, id, event.key);
    if (!next) return;
    event.preventDefault();
    follows.current = true;
    go(to("cards", next.kind, next.id), true);
  };
  const view = useRef([]); // the rows in view
  const show = () => {
    const fronts = view.current.flatMap((row) =>
      (row.entries ?? []).map((entry) => store.sides(row.kind, entry.id)[0]),
    );
    wire.show([...new Set([...facesOf(store, kind, id), ...fronts])].filter(Boolean));
  };
  const onView = (first, last) => {
    view.current = rows.slice(first, last + 1);
    show();
  };
  useEffect(show, [kind, id]);
  const lead = rows[reach - 1]?.heading ? HEADING : 0;
  const isFirst = reach < 0 ? rows.findIndex((row) => row.entries) : -1;
  const render = (row, index) =>
    row.entries
      ? html`<${Entries} studio=${studio} row=${row} kind=${kind} id=${id}
          start=${index === isFirst}/>`
      : html`<${Heading} studio=${studio} row=${row}/>`;
  return html`<nav class="gallery" aria-label=${t("gallery")} ref=${box} onKeyDown=${key}>
    ${
      rows.length === 0 &&
      html`<p class="empty">${t(store.query.value ? "gallery.nothing" : "gallery.empty")}</p>`
    }
    ${
      search &&
      rows.length > 0 &&
      reach < 0 &&
      html`<p class="gallery-note soft" role="status">${t("gallery.unlisted")}</p>`
    }
    <${LongList} rows=${rows} reach=${reach} lead=${lead} render=${render} onView=${onView}
      pad=${6} key=${`${store.pack.value}`} tabindex="-1"/>
  </nav>`;
}

/** Return headings and rows of entries with their heights. */
function rowsOf(store, search, inside, isFolded) {
  const rows = [];
  for (const kind of listedKinds(store)) {
    const all = store.entries(kind.name);
    const entries = search ? all.filter((entry) => search(kind, entry)) : all;
    const hasFaces = isPictured(kind);
    if (entries.length === 0 && (!kind.own || kind.made_from || search)) continue;
    const shut = isFolded[kind.name] && !search;
    rows.push({ key: kind.name, heading: kind, count: entries.length, height: HEADING, shut });
    if (shut) continue;
    const aspect = hasFaces ? kind.stock.width / kind.stock.height : 1;
    const columns = hasFaces && aspect < WIDE ? 2 : 1;
    const column = (inside - GAP * (columns - 1)) / columns;
    const face = hasFaces ? Math.min(column, TALLEST * aspect) : 0;
    const isLong = ({ name, quantity }) => (name.length + (quantity > 1 ? 3 : 0)) * LETTER > column;
    for (let at = 0; at < entries.length; at += columns) {
      const part = entries.slice(at, at + columns);
      const caption = CAPTION + (part.some(isLong) ? LINE : 0);
      const height = hasFaces ? face / aspect + caption + GAP : WORDS;
      rows.push({
        key: `${kind.name}/${at}`,
        kind: kind.name,
        stock: kind.stock,
        entries: part,
        height,
        caption,
        face,
        columns,
      });
    }
  }
  return rows;
}

/** Return the entry that an arrow key leads to, or undefined. */
function neighbour(rows, kind, id, key) {
  const lines = rows.filter((row) => row.entries);
  const all = lines.flatMap((row, line) =>
    row.entries.map((entry, column) => ({ kind: row.kind, id: entry.id, line, column })),
  );
  const at = all.findIndex((one) => one.kind === kind && one.id === id);
  const { line, column } = all[at] ?? { line: -1, column: 0 };
  const inLine = (wanted) => all.findLast((one) => one.line === wanted && one.column <= column);
  const found = {
    Home: () => all[0],
    End: () => all.at(-1),
    ArrowLeft: () => all[at - 1],
    ArrowRight: () => all[at + 1],
    ArrowUp: () => inLine(line - 1),
    ArrowDown: () => inLine(line + 1),
  };
  return found[key]?.();
}

/** The heading of a kind: folds it, and adds to it. */
function Heading({ studio, row }) {
  const { heading: kind, count, shut } = row;
  const fold = () => (folded.value = { ...folded.value, [kind.name]: !shut });
  return html`<div class="gallery-head">
    <h2><button type="button" aria-expanded=${!shut} onClick=${fold}
      title=${kind.description || kind.title}>
      <${Icon} name=${shut ? "right" : "down"} small/>
      <span class="gallery-title">${kind.title}</span>
      <span class="faint number">${count}</span>
    </button></h2>
    ${
      kind.own &&
      !kind.made_from &&
      html`<${IconButton} small icon="plus"
      label=${t("gallery.add", { kind: kind.title })}
      onClick=${() => addComponent(studio, kind)}/>`
    }
  </div>`;
}

/** Entries beside each other. */
function Entries({ studio, row, kind, id, start }) {
  return html`<div class="gallery-row" role="list"
    style=${{ gridTemplateColumns: `repeat(${row.columns}, minmax(0, 1fr))` }}>
    ${row.entries.map((entry, at) => {
      const on = row.kind === kind && entry.id === id;
      return html`<div role="listitem" key=${at}><${Entry} studio=${studio} row=${row}
        entry=${entry} on=${on} reached=${on || (start && at === 0)}/></div>`;
    })}
  </div>`;
}

function Entry({ studio, row, entry, on, reached }) {
  const { store } = studio;
  const [side] = store.sides(row.kind, entry.id);
  const face = side ? store.face(side).value : null;
  const tall = row.height - row.caption - GAP;
  const shape = face ?? row.stock;
  // A component may have a stock of its own, of another shape than its kind's.
  const wide = row.face && Math.min(row.face, (tall * shape.width) / shape.height);
  const faults = store.faults.value.get(`${row.kind}/${entry.id}`);
  const severity = faults ? (faults.errors ? "error" : "warning") : "";
  const isUnprinted = entry.quantity === 0 && row.face > 0;
  const notes = [severity && t(`gallery.${severity}`), isUnprinted && t("form.unprinted")];
  const unseen = notes.filter(Boolean).map((note) => `, ${note}`);
  const classes = ["entry", !row.face && "words", isUnprinted && "unprinted"];
  return html`<a class=${classes.filter(Boolean).join(" ")} href=${to("cards", row.kind, entry.id)}
    aria-current=${on ? "true" : undefined} tabindex=${reached ? 0 : -1}
    title=${isUnprinted ? `${entry.name}${unseen.join("")}` : entry.name}>
    ${
      row.face > 0 &&
      html`<span class="entry-face" style=${{ height: `${tall}px` }}>
        <${Face} studio=${studio} face=${face} blank=${row.stock} width=${wide}
          waiting=${entry.name} patient/>
      </span>`
    }
    <span class="entry-name">
      ${severity && html`<span class="mark ${severity}" aria-hidden="true"></span>`}
      <span class="entry-words">${entry.name}${
        entry.quantity > 1 &&
        row.face > 0 &&
        html` <span class="faint number">×${entry.quantity}</span>`
      }</span>
      ${unseen.length > 0 && html`<span class="unseen">${unseen.join("")}</span>`}
    </span>
  </a>`;
}
