/* A popover to choose from: a search field over a grid of pictures, icons or colours, or a list.
 *
 *   <${Chooser} anchor=${ref} label="…" items=${[{value, label, note, picture, icon, colour}]}
 *     value=${…} shape="grid" | "list" none="words where there are no items"
 *     add=${{label, accept, take: async (file) => value}} onPick=${(value) => …} onClose=${…}>
 *     …below the grid…
 *   <//>
 *
 * Items of one `group` stand together, under its name if there are others. Arrow keys move, Enter
 * picks, typing searches; `typed` is what was typed to open it. `onLeave` is told of the Enter or
 * Tab that picked. Where nothing in a short list is found, all of it stays.
 */
import { html, useId, useMemo, useRef, useState } from "../../vendor/preact.js";
import { t } from "../words.js";
import { Button, Icon } from "./buttons.js";
import { LongList } from "./list.js";
import { Popover, useOpening } from "./popover.js";

const SEARCH_FROM = 9;
const COLUMNS = { grid: 5, list: 1 };
const HEIGHTS = { grid: 66, list: 36 };
const HEADING = 26;
const TALLEST = 300;

/** Let a person choose one of many. */
export function Chooser({ label, items, value, shape = "grid", typed = "", none = "", ...rest }) {
  const { anchor, add, onPick, onClose, onLeave, children } = rest;
  const [query, setQuery] = useState(typed);
  const columns = COLUMNS[shape];
  const isShort = items.length < SEARCH_FROM;
  const matches = useMemo(() => matching(items, query), [items, query]);
  const isNone = matches.length === 0;
  const found = isNone && isShort ? items : matches;
  const [at, setAt] = useState(() =>
    typed ? nearest(matches, typed) : items.findIndex((item) => item.value === value),
  );
  const id = useId();
  const rows = useMemo(() => inRows(found, columns, HEIGHTS[shape]), [found, columns, shape]);
  const pick = (item) => {
    if (!item) return;
    onPick(item.value);
    onClose();
  };
  const steps = { ArrowDown: columns, ArrowUp: -columns, ArrowRight: 1, ArrowLeft: -1 };
  const key = (event) => {
    const isLeft = event.key === "Tab" && onLeave && !children;
    if (event.key === "Enter" || isLeft) {
      event.preventDefault();
      const item = found[at] ?? matches[0];
      pick(item);
      if (item) onLeave?.(event);
    }
    const isAcross = columns === 1 && /Left|Right/.test(event.key);
    if (!(event.key in steps) || isAcross) return;
    event.preventDefault();
    setAt(at < 0 ? 0 : Math.max(0, Math.min(found.length - 1, at + steps[event.key])));
  };
  const option = (item, index) => html`<div role="option" key=${item.value} id="${id}-${index}"
    class="option ${index === at ? "at" : ""}" aria-selected=${item.value === value}
    title=${item.note ?? item.label} onClick=${() => pick(item)}>
    <${Sample} item=${item}/><span class="option-label cut">${item.label}</span>
    ${shape === "list" && item.note && html`<small class="faint">${item.note}</small>`}
  </div>`;
  return html`<${Popover} anchor=${anchor} onClose=${onClose}>
    <div class="chooser ${shape}" role="dialog" aria-label=${label} onKeyDown=${key}>
      <input type="search" class="text-input ${isShort && !query ? "unseen" : ""}"
        data-first value=${query} placeholder=${t("choose.search")} aria-label=${label}
        role="combobox" aria-expanded="true" aria-controls=${id} aria-autocomplete="list"
        aria-activedescendant=${found[at] ? `${id}-${at}` : undefined}
        onInput=${(event) => {
          const text = event.target.value;
          setQuery(text);
          setAt(nearest(matching(items, text), text));
        }}/>
      ${
        isNone && html`<p class="chooser-none soft" role="status">${noneOf(items, query, none)}</p>`
      }
      <${LongList} id=${id} role="listbox" aria-label=${label} class="chooser-rows" pad=${4}
        rows=${rows} reach=${rows.findIndex((row) => row.items?.includes(found[at]))}
        style=${{ height: `${Math.min(heightOf(rows) + 8, TALLEST)}px` }}
        render=${(row) =>
          row.items
            ? html`<div class="options" role="presentation">
              ${row.items.map((item, index) => option(item, row.from + index))}
            </div>`
            : html`<div class="options-head soft" role="presentation">${row.heading}</div>`}/>
      ${children}
      ${add && html`<${Adding} ...${add} onAdded=${(one) => pick({ value: one })}/>`}
    </div>
  <//>`;
}

/** A button that shows what is chosen, `text` and perhaps an `item`, and opens a chooser. */
export function Picker({ label, text, item, empty = "–", attributes, children, ...chooser }) {
  const { isOpen, button, box } = useOpening();
  const words = item?.label ?? text;
  return html`<button type="button" class="picker-button" ...${attributes} ...${button}
      aria-label="${label}: ${words || empty}">
      ${item && html`<${Sample} item=${item}/>`}
      <span class="picker-value cut ${words ? "" : "faint"}">${words || empty}</span>
      <${Icon} name="down" small/>
    </button>
    ${
      isOpen &&
      html`<${Chooser} ...${box} label=${label} value=${text} ...${chooser}>${children}<//>`
    }`;
}

/** Below the colours of a chooser: any other. */
export function AnyColour({ colour, onPick }) {
  return html`<label class="any-colour">
    <input type="color" value=${/^#[0-9a-f]{6}$/i.test(colour) ? colour : "#808080"}
      onInput=${(event) => onPick(event.target.value)}/>
    <span>${t("colour.any")}</span>
  </label>`;
}

/** The picture, icon or colour of an item. */
export function Sample({ item }) {
  if (item.colour) return html`<span class="swatch" style=${{ background: item.colour }}></span>`;
  const source = item.picture ?? item.icon;
  if (!source) return null;
  return html`<span class="sample ${item.icon ? "of-icon" : ""}">
    <img src=${source} alt="" loading="lazy" decoding="async"/>
  </span>`;
}

function matching(items, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((item) => {
    const text = `${item.label} ${item.note ?? ""} ${item.value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Return the place of the item that a person who types this means most likely; -1 for none. */
function nearest(found, text) {
  const wanted = text.trim().toLowerCase();
  const labels = found.map((item) => item.label.toLowerCase());
  const begun = labels.findIndex((label) => label.startsWith(wanted));
  return [labels.indexOf(wanted), begun, Math.min(0, found.length - 1)].find((at) => at >= 0) ?? -1;
}

function noneOf(items, query, none) {
  if (items.length === 0) return none || t("choose.none");
  return t("choose.other", { typed: query.trim() });
}

/** A button that takes a file, and picks what comes of it. */
function Adding({ label, accept, take, onAdded }) {
  const input = useRef(null);
  const change = ({ target }) => target.files[0] && take(target.files[0]).then(onAdded, () => {});
  return html`<${Button} icon="upload" label=${label} onClick=${() => input.current.click()}/>
    <input ref=${input} type="file" accept=${accept} hidden onChange=${change}/>`;
}

/** Return rows of items of one group each, below headings if there are several groups. */
function inRows(items, columns, height) {
  const rows = [];
  const isGrouped = new Set(items.map((item) => item.group)).size > 1;
  for (let from = 0; from < items.length;) {
    const { group } = items[from];
    if (isGrouped && group && group !== items[from - 1]?.group) {
      rows.push({ key: group, heading: group, height: HEADING });
    }
    const some = items.slice(from, from + columns);
    const end = some.findIndex((item) => item.group !== group);
    const row = end < 0 ? some : some.slice(0, end);
    rows.push({ key: from, from, height, items: row });
    from += row.length;
  }
  return rows;
}

function heightOf(rows) {
  return rows.reduce((sum, row) => sum + row.height, 0);
}
