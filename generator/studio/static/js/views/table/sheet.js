/* The state of a table: cursor, range, sorting, and the cell that is being edited. */
import { signal } from "../../../vendor/preact.js";

/** Return the state of a table that has just been opened. */
export function createSheet() {
  return {
    cursor: signal({ row: 0, col: 0 }),
    anchor: signal(null), // the other corner of a range
    editing: signal(null), // {how: "type" | "edit" | "choose", text}
    sort: signal(null), // {name, isDown}
    isLeaving: false, // after Escape, when Tab leaves the table
    filling: signal(null), // the last row of a range that is being filled by the handle
  };
}

/** Return the range that is chosen: {top, bottom, left, right}. */
export function rangeOf({ cursor, anchor }) {
  const a = cursor.value;
  const b = anchor.value ?? a;
  return {
    top: Math.min(a.row, b.row),
    bottom: Math.max(a.row, b.row),
    left: Math.min(a.col, b.col),
    right: Math.max(a.col, b.col),
  };
}

/** Move the cursor to a cell; `extends_` keeps the other corner of the range. */
export function moveTo(sheet, { row, col }, size, extends_ = false) {
  const within = (value, count) => Math.max(0, Math.min(count - 1, value));
  const before = sheet.cursor.value;
  if (extends_) sheet.anchor.value ??= before;
  else sheet.anchor.value = null;
  sheet.cursor.value = { row: within(row, size.rows), col: within(col, size.cols) };
}
