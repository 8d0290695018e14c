/* The pointer in a grid: choose cells and ranges, edit by a double press, fill by the handle. A
 * finger scrolls; a tap chooses a cell, and one more edits it; dragged from there it takes more. */
import { useRef } from "../../../vendor/preact.js";
import { openCell } from "./keys.js";
import { moveTo, rangeOf } from "./sheet.js";

const ROLLS = 24; // px from the edge where dragging scrolls

/** Return the handlers of a grid. */
export function usePointer(grid) {
  const { sheet, actions, size, box, rows, columns } = grid;
  const drag = useRef(null); // {sort: "fill" | "rows" | "cells" | "tap", at, isEdit}
  const cellAt = (event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-row]");
    if (!found || !box.current.contains(found)) return null;
    return { row: Number(found.dataset.row), col: Number(found.dataset.col ?? -1) };
  };
  const choose = ({ row, col }, extends_) => {
    moveTo(sheet, { row, col }, size, extends_); // a row from its first cell, which is in sight
    if (col < 0) {
      sheet.anchor.value = { row: extends_ ? sheet.anchor.value.row : row, col: size.cols - 1 };
    }
    box.current.focus({ preventScroll: true });
  };
  const open = (at) => openCell(grid, rows[at.row], columns[at.col]);
  const down = (event) => {
    const at = cellAt(event);
    if (event.button !== 0 || !at || event.target.closest("[data-sort]")) return;
    const isTouch = event.pointerType === "touch";
    const { row, col } = sheet.cursor.value;
    const isChosen = document.activeElement === box.current && at.row === row && at.col === col;
    if (event.target.closest("[data-open]")) open(at);
    else if (event.target.closest("[data-fill]")) drag.current = { sort: "fill" };
    else if (isTouch && !isChosen) drag.current = { sort: "tap", at };
    else {
      if (!isTouch) choose(at, event.shiftKey);
      drag.current = { sort: at.col < 0 ? "rows" : "cells", at, isEdit: isTouch };
    }
    if (drag.current?.sort === "tap") return; // or it scrolls
    event.preventDefault();
    box.current.setPointerCapture(event.pointerId);
  };
  const move = (event) => {
    const { sort } = drag.current ?? { sort: "tap" };
    if (sort === "tap") return;
    rolled(box.current, event);
    const at = cellAt(event);
    if (!at) return;
    if (sort === "fill") {
      sheet.filling.value = Math.max(rangeOf(sheet).bottom, at.row);
      return;
    }
    const col = sort === "rows" ? 0 : Math.max(0, at.col);
    const now = sheet.cursor.value;
    if (at.row === now.row && col === now.col) return;
    drag.current.isEdit = false;
    moveTo(sheet, { row: at.row, col }, size, true);
  };
  const up = () => {
    const { sort, at, isEdit } = drag.current ?? {};
    drag.current = null;
    if (sort === "tap") choose(at);
    else if (isEdit) open(at);
    else if (sort === "fill" && sheet.filling.value !== null) {
      const { top, bottom, left, right } = rangeOf(sheet);
      const end = sheet.filling.value;
      if (end > bottom) {
        actions.fill(bottom - top + 1, end);
        sheet.anchor.value = { row: top, col: left };
        sheet.cursor.value = { row: end, col: right };
      }
    }
    sheet.filling.value = null;
  };
  const gone = () => {
    drag.current = sheet.filling.value = null;
  };
  const twice = (event) => {
    const at = cellAt(event);
    if (at && at.col >= 0) open(at);
  };
  return {
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: gone,
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
