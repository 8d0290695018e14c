/* The pointer in a grid: choose cells and ranges, edit by a double press, fill by the handle. */
import { useRef } from "../../../vendor/preact.js";
import { cellAddress } from "./address.js";
import { beginEdit } from "./keys.js";
import { moveTo, rangeOf } from "./sheet.js";
import { isGroup } from "./values.js";

const ROLLS = 24; // px from the edge where dragging scrolls

/** Return the handlers of a grid. */
export function usePointer({ studio, sheet, actions, size, box, rows, columns }) {
  const drag = useRef(null);
  const cellAt = (event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-row]");
    if (!found || !box.current.contains(found)) return null;
    return { row: Number(found.dataset.row), col: Number(found.dataset.col ?? -1) };
  };
  const down = (event) => {
    if (event.button !== 0 || event.target.closest("[data-sort]")) return;
    const at = cellAt(event);
    if (!at) return;
    if (event.target.closest("[data-open]")) {
      event.preventDefault();
      cellAddress(studio, rows[at.row], columns[at.col]);
      return;
    }
    if (event.target.closest("[data-fill]")) drag.current = { sort: "fill" };
    else if (at.col < 0) {
      moveTo(sheet, { row: at.row, col: size.cols - 1 }, size, event.shiftKey);
      const from = event.shiftKey ? sheet.anchor.value.row : at.row;
      sheet.anchor.value = { row: from, col: 0 };
      drag.current = { sort: "rows" };
    } else {
      moveTo(sheet, at, size, event.shiftKey);
      drag.current = { sort: "cells", from: at };
    }
    box.current.focus({ preventScroll: true });
    if (event.pointerType === "touch") drag.current = null;
    else {
      event.preventDefault();
      box.current.setPointerCapture(event.pointerId);
    }
  };
  const move = (event) => {
    if (!drag.current) return;
    rolled(box.current, event);
    const at = cellAt(event);
    if (!at) return;
    if (drag.current.sort === "fill") {
      sheet.filling.value = Math.max(rangeOf(sheet).bottom, at.row);
      return;
    }
    const isRows = drag.current.sort === "rows";
    const to = isRows ? { row: at.row, col: size.cols - 1 } : { ...at, col: Math.max(0, at.col) };
    const now = sheet.cursor.value;
    if (to.row !== now.row || to.col !== now.col) moveTo(sheet, to, size, true);
  };
  const up = () => {
    if (drag.current?.sort === "fill" && sheet.filling.value !== null) {
      const { top, bottom, left, right } = rangeOf(sheet);
      const end = sheet.filling.value;
      sheet.filling.value = null;
      if (end > bottom) {
        actions.fill(bottom - top + 1, end);
        sheet.anchor.value = { row: top, col: left };
        sheet.cursor.value = { row: end, col: right };
      }
    }
    drag.current = null;
  };
  const twice = (event) => {
    const at = cellAt(event);
    if (!at || at.col < 0) return;
    const [row, column] = [rows[at.row], columns[at.col]];
    if (row && isGroup(row, column)) cellAddress(studio, row, column);
    else beginEdit(sheet, row, column, "edit");
  };
  return {
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: up,
    onDblClick: twice,
  };
}

function rolled(box, { clientX, clientY }) {
  const { left, right, top, bottom } = box.getBoundingClientRect();
  if (clientY > bottom - ROLLS) box.scrollTop += ROLLS;
  else if (clientY < top + 2 * ROLLS) box.scrollTop -= ROLLS;
  if (clientX > right - ROLLS) box.scrollLeft += ROLLS;
  else if (clientX < left + ROLLS) box.scrollLeft -= ROLLS;
}
