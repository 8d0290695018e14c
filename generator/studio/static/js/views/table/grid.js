/* The grid: a head and a first column that stay, and only the rows in view in the page. Its focus
 * is one place; the cell with the cursor is named to screen readers. */
import { Component, html, useLayoutEffect, useRef, useState } from "../../../vendor/preact.js";
import { Button, Icon } from "../../parts/buttons.js";
import { t } from "../../words.js";
import { Cell } from "./cells.js";
import { CellEditor } from "./cell_editor.js";
import { toHtml, toText } from "./clipboard.js";
import { gridKeys } from "./keys.js";
import { usePointer } from "./pointer.js";
import { rangeOf } from "./sheet.js";

export const HEIGHT = 30; // px
const HEAD = 32;
const NUMBERS = 46;
const SPARE = 6; // rows drawn above and below the view

/** A table with a cursor. */
export function Grid({ studio, sheet, columns, rows, faults, actions, label }) {
  const box = useRef(null);
  const editor = useRef(null);
  const [view, setView] = useState({ top: 0, left: 0, width: 0, height: 0 });
  useLayoutEffect(() => watched(box.current, setView), []);
  const lefts = leftsOf(columns);
  const cursor = sheet.cursor.value;
  const hasRows = rows.length > 0;
  useLayoutEffect(() => {
    if (hasRows && view.height) shown(box.current, cursor, columns, lefts);
  }, [cursor, view.height, columns, hasRows]);

  const size = { rows: rows.length, cols: columns.length };
  const page = Math.max(1, Math.floor((view.height - HEAD) / HEIGHT) - 1);
  const grid = { studio, sheet, actions, size, box, editor, page, rows, columns };
  const pointer = usePointer(grid);
  const range = rangeOf(sheet);
  const filled = sheet.filling.value ?? range.bottom;
  const first = Math.max(0, Math.floor(view.top / HEIGHT) - SPARE);
  const last = Math.min(rows.length - 1, Math.ceil((view.top + view.height) / HEIGHT) + SPARE);
  const height = HEAD + rows.length * HEIGHT;
  const width = lefts.at(-1);
  const body = [];
  const places = Math.ceil(view.height / HEIGHT) + 2 * SPARE + 2; // elements that rows take in turn
  for (let at = first; at <= last; at += 1) {
    const row = rows[at];
    const isIn = at >= range.top && at <= Math.max(range.bottom, filled);
    body.push(html`<${Row} key=${at % places} studio=${studio}
      at=${at} row=${row} columns=${columns} faults=${faults.get(row.id)}
      from=${isIn ? range.left : -1} to=${isIn ? range.right : -1}
      isEnd=${isIn && at === range.bottom}
      cursor=${at === cursor.row ? cursor.col : -1} model=${studio.store.model.value}/>`);
  }
  return html`<div class="sheet">
    <p id="grid-keys" class="unseen">${t("table.keys")}</p>
    <div class="sheet-grid" ref=${box} role="grid" tabindex="0" aria-label=${label}
      aria-describedby="grid-keys"
      aria-rowcount=${rows.length + 1} aria-colcount=${columns.length} aria-multiselectable="true"
      aria-activedescendant=${hasRows ? `cell-${cursor.row}-${cursor.col}` : undefined}
      onKeyDown=${gridKeys(grid)} ...${pointer}
      onCopy=${(event) => clip(event, sheet, actions.copy)}
      onCut=${(event) => clip(event, sheet, () => cut(actions))}
      onPaste=${(event) => pasted(event, sheet, actions)}>
      <div class="grid-inside" role="rowgroup"
        style=${{ height: `${height}px`, width: `${width}px` }}>
        <${Head} sheet=${sheet} columns=${columns} width=${width} col=${cursor.col}/>
        ${body}
      </div>
      ${
        actions.canAdd &&
        html`<div class="grid-more" aria-hidden="true" style=${{ top: `${height}px` }}>
          <${Button} small icon="plus" label=${t("table.add")} tabindex="-1"
            onClick=${actions.add}/>
          <span class="faint">${t("table.more")}</span></div>`
      }
    </div>
    <${CellEditor} studio=${studio} sheet=${sheet} actions=${actions} size=${size} area=${editor}
      grid=${box} row=${rows[cursor.row]} column=${columns[cursor.col]}
      place=${placeOf(cursor, columns, lefts, view)} room=${view}/>
  </div>`;
}

function leftsOf(columns) {
  const lefts = [NUMBERS];
  for (const { width } of columns) lefts.push(lefts.at(-1) + width);
  return lefts;
}

/** Follow how far a box is scrolled, and its size. */
function watched(box, tell) {
  let asked = 0;
  const look = () => {
    asked = 0;
    const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = box;
    tell({ top, left, width, height });
  };
  const ask = () => {
    asked ||= requestAnimationFrame(look);
  };
  box.addEventListener("scroll", ask, { passive: true });
  const watch = new ResizeObserver(ask);
  watch.observe(box);
  return () => {
    box.removeEventListener("scroll", ask);
    watch.disconnect();
    cancelAnimationFrame(asked);
  };
}

/** Scroll so that a cell is in sight, clear of what stays. */
function shown(box, { row, col }, columns, lefts) {
  const top = row * HEIGHT;
  const room = box.clientHeight - HEAD;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + HEIGHT > box.scrollTop + room) box.scrollTop = top + HEIGHT - room;
  if (col === 0) return;
  const fixed = lefts[1];
  if (lefts[col] - fixed < box.scrollLeft) box.scrollLeft = lefts[col] - fixed;
  else if (lefts[col + 1] > box.scrollLeft + box.clientWidth) {
    box.scrollLeft = Math.min(lefts[col] - fixed, lefts[col + 1] - box.clientWidth);
  }
}

/** Return where the cell with the cursor is, in the box around the grid. */
function placeOf({ row, col }, columns, lefts, view) {
  const left = col === 0 ? lefts[0] : lefts[col] - view.left;
  return {
    left,
    top: HEAD + row * HEIGHT - view.top,
    width: columns[col]?.width ?? 0,
    height: HEIGHT,
  };
}

function clip(event, sheet, rows) {
  if (sheet.editing.value) return;
  event.preventDefault();
  const texts = rows();
  event.clipboardData.setData("text/plain", toText(texts));
  event.clipboardData.setData("text/html", toHtml(texts));
}

function cut(actions) {
  const texts = actions.copy();
  actions.clear();
  return texts;
}

function pasted(event, sheet, actions) {
  const isTable = ["text/plain", "text/html"].some((type) => event.clipboardData.getData(type));
  if (sheet.editing.value || !isTable) return;
  event.preventDefault();
  actions.paste(event.clipboardData);
}

/** The names of the columns; a press sorts by one. */
function Head({ sheet, columns, width, col }) {
  const sort = sheet.sort.value;
  const turn = (name) => {
    if (sort?.name !== name) sheet.sort.value = { name, isDown: false };
    else sheet.sort.value = sort.isDown ? null : { name, isDown: true };
  };
  return html`<div class="grid-row grid-head" role="row" aria-rowindex="1"
    style=${{ width: `${width}px` }}>
    <span class="grid-number" role="presentation"></span>
    ${columns.map(({ name, title, field, width: wide, isRight }, at) => {
      const on = sort?.name === name;
      const order = on ? (sort.isDown ? "descending" : "ascending") : "none";
      return html`<div key=${name} role="columnheader" aria-colindex=${at + 1} aria-sort=${order}
        class="grid-cell ${at === 0 ? "first" : ""} ${isRight ? "right" : ""} ${on ? "on" : ""}"
        style=${{ width: `${wide}px` }} title=${field.description || title}>
        <button type="button" tabindex=${at === col ? 0 : -1} data-sort=${name}
          onClick=${() => turn(name)}>
          <span>${title}</span>${on && html`<${Icon} name=${sort.isDown ? "down" : "up"} small/>`}
        </button>
      </div>`;
    })}
  </div>`;
}

const SEEN = ["row", "columns", "faults", "from", "to", "isEnd", "cursor", "model", "at"];

/** One row; drawn again only when something of it changes. */
class Row extends Component {
  shouldComponentUpdate(next) {
    return SEEN.some((name) => next[name] !== this.props[name]);
  }

  render({ studio, at, row, columns, faults, from, to, isEnd, cursor }) {
    const general = faults?.get("");
    const why = row.readonly || general?.map((one) => one.message).join("\n");
    return html`<div class="grid-row ${row.readonly ? "locked" : ""}" role="row"
      aria-rowindex=${at + 2} style=${{ top: `${HEAD + at * HEIGHT}px` }}>
      <span class="grid-number number ${general?.[0].severity ?? ""}" role="presentation"
        title=${why || undefined} data-row=${at}>
        ${
          row.readonly
            ? html`<${Icon} name="lock" small/>`
            : general
              ? html`<${Icon} name=${general[0].severity} small/>`
              : at + 1
        }
      </span>
      ${columns.map((column, col) => {
        const own = faults?.get(column.name);
        const classes = [
          "grid-cell",
          col === 0 ? "first" : "",
          column.isRight ? "right" : "",
          col >= from && col <= to ? "chosen" : "",
          col === cursor ? "cursor" : "",
          own?.[0].severity ?? "",
        ];
        return html`<div key=${column.name} id="cell-${at}-${col}" role="gridcell"
          class=${classes.filter(Boolean).join(" ")} style=${{ width: `${column.width}px` }}
          aria-colindex=${col + 1} aria-selected=${col >= from && col <= to}
          aria-invalid=${own?.[0].severity === "error" ? "true" : undefined}
          aria-readonly=${row.readonly || column.isFixed ? "true" : undefined}
          title=${own?.map((one) => one.message).join("\n")} data-row=${at} data-col=${col}>
          <${Cell} studio=${studio} row=${row} column=${column}/>
          ${
            isEnd &&
            col === to &&
            !row.readonly &&
            html`<span class="fill-handle" aria-hidden="true" title=${t("table.handle")}
              data-fill></span>`
          }
        </div>`;
      })}
    </div>`;
  }
}
