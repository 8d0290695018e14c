/* The editor of the cell with the cursor: a text field over the cell, or a chooser beside it. The
 * text field is always there, so that the first key typed can go into it. */
import { html, useLayoutEffect, useRef } from "../../../vendor/preact.js";
import { Button } from "../../parts/buttons.js";
import { Chooser } from "../../parts/chooser.js";
import { rangeOf } from "../../parts/fields/range.js";
import { t } from "../../words.js";
import { itemsOf } from "./choices.js";
import { after, before } from "./keys.js";
import { moveTo } from "./sheet.js";
import { cellText } from "./values.js";

const LARGE = 360; // px that a text takes at least
const LONG = new Set(["rich", "text", "other"]);

/** Edit a cell. */
export function CellEditor({ studio, sheet, actions, size, area, grid, row, column, place, room }) {
  const anchor = useRef(null);
  const editing = sheet.editing.value;
  const isText = Boolean(editing && editing.how !== "choose");
  useLayoutEffect(() => {
    if (!isText) return;
    const field = area.current;
    if (editing.how === "edit") {
      field.value = cellText(row, column);
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
    }
    grown(field, place, room, column);
  }, [isText]);

  const leave = (to) => {
    sheet.editing.value = null;
    grid.current.focus({ preventScroll: true });
    if (to) moveTo(sheet, to, size);
  };
  const commit = (to) => {
    const text = area.current.value;
    const at = sheet.cursor.value;
    leave(to);
    actions.set(at, text);
  };
  const key = (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    const at = sheet.cursor.value;
    const isChord = event.ctrlKey || event.metaKey;
    const done = (what) => {
      event.preventDefault();
      what();
    };
    if (event.key === "Escape") done(() => leave());
    else if (event.key === "Enter" && (event.altKey || event.shiftKey) && isLong(column)) {
      done(() => typed(area.current, breakOf(column, event.altKey), place, room, column));
    } else if (event.key === "Enter") done(() => commit({ ...at, row: at.row + 1 }));
    else if (event.key === "Tab") {
      done(() => commit((event.shiftKey ? before(at, size) : after(at, size)) ?? at));
    } else if (editing?.how === "type" && event.key.startsWith("Arrow") && !isChord) {
      const [down, right] = {
        ArrowUp: [-1, 0],
        ArrowDown: [1, 0],
        ArrowLeft: [0, -1],
        ArrowRight: [0, 1],
      }[event.key];
      done(() => commit({ row: at.row + down, col: at.col + right }));
    }
  };
  const left = () => {
    if (sheet.editing.value && sheet.editing.value.how !== "choose") {
      sheet.editing.value = null;
      actions.set(sheet.cursor.value, area.current.value);
    }
  };
  const style = Object.fromEntries(
    Object.entries({ left: place.left, top: place.top, minWidth: place.width }).map(
      ([name, value]) => [name, `${value}px`],
    ),
  );
  const limits = isText && column ? hintOf(column.field) : "";
  return html`<textarea ref=${area} class="cell-editor ${column?.isRight ? "right" : ""}" rows="1"
      tabindex="-1" spellcheck=${isLong(column)} aria-label=${column?.title ?? ""}
      style=${{ ...style, visibility: isText ? "visible" : "hidden" }} onKeyDown=${key}
      onInput=${(event) => grown(event.target, place, room, column)} onBlur=${left}></textarea>
    ${
      limits &&
      html`<span class="cell-limits number" style=${{
        left: style.left,
        top: `${place.top - 25}px`,
      }}>${limits}</span>`
    }
    <span ref=${anchor} class="cell-anchor" style=${{ ...style, width: `${place.width}px` }}></span>
    ${
      editing?.how === "choose" &&
      row &&
      html`<${Choice} studio=${studio} sheet=${sheet} size=${size} row=${row}
      column=${column} anchor=${anchor} actions=${actions} leave=${leave}/>`
    }`;
}

/** Choose the value of a cell. */
function Choice({ studio, sheet, size, row, column, anchor, actions, leave }) {
  const { items, shape } = itemsOf(studio, row, column);
  const at = sheet.cursor.value;
  const input = useRef(null);
  const next = (event) => {
    if (event.key === "Enter") leave({ ...at, row: at.row + 1 });
    else leave((event.shiftKey ? before(at, size) : after(at, size)) ?? at);
  };
  const take = async (file) => {
    if (!file) return;
    const { name } = await studio.wire.upload(file, "picture");
    leave();
    actions.set(at, name);
  };
  return html`<${Chooser} anchor=${anchor} label=${column.title} items=${items} shape=${shape}
    value=${cellText(row, column)} typed=${sheet.editing.value.text.trim()}
    onPick=${(value) => actions.set(at, value)} onClose=${() => leave()} onLeave=${next}>
    ${
      column.field.type === "image" &&
      html`<${Button} small icon="upload"
      label=${t("picture.add")} onClick=${() => input.current.click()}/>
      <input ref=${input} type="file" accept="image/*" hidden
        onChange=${(event) => take(event.target.files[0]).catch(() => {})}/>`
    }<//>`;
}

function isLong(column) {
  return LONG.has(column?.field.type);
}

/** Return what ends a line, in rich text also a paragraph. */
function breakOf({ field }, isParagraph) {
  if (field.type !== "rich") return "\n";
  return isParagraph ? "\n\n" : "\\\n";
}

function hintOf(field) {
  if (field.type === "int" || field.type === "number") return rangeOf(field);
  return field.type === "rich" ? t("table.rich") : "";
}

function typed(field, text, place, room, column) {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  grown(field, place, room, column);
}

/** Make the field as large as its text, inside the room that there is. */
function grown(field, place, room, column) {
  const least =
    isLong(column) && (field.value.length > 30 || column.field.type === "rich")
      ? Math.max(place.width, LARGE)
      : place.width;
  const width = Math.min(least, Math.max(place.width, room.width - place.left - 8));
  field.style.width = `${width}px`;
  field.style.height = "auto";
  const below = Math.max(90, room.height - place.top - 8);
  field.style.height = `${Math.min(Math.max(place.height + 1, field.scrollHeight + 2), below)}px`;
}
