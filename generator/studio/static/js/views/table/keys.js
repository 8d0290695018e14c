/* The keys of a grid, as spreadsheets have them. */
import { cellAddress } from "./address.js";
import { moveTo, rangeOf } from "./sheet.js";
import { isGroup } from "./values.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const CHOSEN = new Set(["choice", "bool", "ref", "icon", "image"]);

/**
 * Begin to edit the cell with the cursor: "type" puts what is typed in its place. The field takes
 * the focus at once: the key goes on to it, and a tablet shows its keys.
 */
function beginEdit(sheet, row, column, how, editor, text = "") {
  if (!row || row.readonly || column.isFixed || isGroup(row, column)) return;
  const { type } = column.field;
  const isChosen = CHOSEN.has(type) || (type === "colour" && how === "edit");
  sheet.anchor.value = null;
  sheet.editing.value = { how: isChosen ? "choose" : how, text };
  if (isChosen) return;
  if (how === "type") editor.current.value = "";
  editor.current.style.visibility = "visible";
  editor.current.focus();
}

/** Edit a cell, a list or map in the form of its component. */
export function openCell({ studio, sheet, editor }, row, column) {
  if (row && isGroup(row, column)) cellAddress(studio, row, column);
  else beginEdit(sheet, row, column, "edit", editor);
}

/** Return the handler of keys. */
export function gridKeys(grid) {
  const { sheet, actions, size, editor, page, rows, columns } = grid;
  return (event) => {
    if (sheet.editing.value || event.isComposing || event.target !== event.currentTarget) return;
    const isLeaving = sheet.isLeaving;
    if (event.key !== "Shift") sheet.isLeaving = event.key === "Escape";
    const { row, col } = sheet.cursor.value;
    const isChord = event.ctrlKey || event.metaKey;
    const done = (what) => {
      event.preventDefault();
      what?.();
    };
    const go = (to, extends_ = event.shiftKey) => done(() => moveTo(sheet, to, size, extends_));
    const [rowNow, columnNow] = [rows[row], columns[col]];
    if (event.key in STEPS) {
      const [down, right] = STEPS[event.key];
      if (event.altKey) return down ? done(() => actions.moveRows(down)) : undefined;
      if (!isChord) return go({ row: row + down, col: col + right });
      return go({ row: edge(row, down, size.rows), col: edge(col, right, size.cols) });
    }
    if (isChord) return chord(event, done);
    switch (event.key) {
      case "Home":
        return go({ row, col: 0 });
      case "End":
        return go({ row, col: size.cols - 1 });
      case "PageDown":
        return go({ row: row + page, col });
      case "PageUp":
        return go({ row: row - page, col });
      case "Tab": {
        if (isLeaving) return;
        const next = event.shiftKey ? before({ row, col }, size) : after({ row, col }, size);
        return next ? go(next, false) : undefined;
      }
      case "F2":
      case "Enter":
        return done(() => openCell(grid, rowNow, columnNow));
      case "Delete":
      case "Backspace":
        return done(actions.clear);
      case "Escape":
        return done(() => (sheet.anchor.value = null));
      case " ":
        if (columnNow?.field.type === "bool") return done(() => openCell(grid, rowNow, columnNow));
    }
    if ([...event.key].length !== 1 && event.key !== "Process" && event.key !== "Dead") return;
    if (event.altKey && !event.getModifierState("AltGraph")) return;
    beginEdit(sheet, rowNow, columnNow, "type", editor, event.key);
    if (sheet.editing.value?.how === "choose") event.preventDefault();
  };

  function chord(event, done) {
    const { row, col } = sheet.cursor.value;
    switch (event.key) {
      case "Home":
        return done(() => moveTo(sheet, { row: 0, col: 0 }, size, event.shiftKey));
      case "End":
        return done(() => moveTo(sheet, { row: size.rows, col: size.cols }, size, event.shiftKey));
      case "a":
        return done(() => {
          sheet.anchor.value = { row: size.rows - 1, col: size.cols - 1 };
          sheet.cursor.value = { row: 0, col: 0 };
        });
      case "d":
        return done(() => fillDown(sheet, actions));
      case "Enter":
        return done(actions.add);
      case "Delete":
      case "Backspace":
        return done(actions.remove);
      case " ":
        return done(() => {
          sheet.anchor.value = { row: size.rows - 1, col };
          sheet.cursor.value = { row: 0, col };
        });
    }
    return row;
  }
}

/** Fill the range from its first row; a single row takes the cells above it. */
function fillDown(sheet, actions) {
  const { top, bottom, left, right } = rangeOf(sheet);
  if (bottom > top) return actions.fill(1);
  if (top === 0) return undefined;
  sheet.anchor.value = { row: top - 1, col: left };
  sheet.cursor.value = { row: top, col: right };
  const filled = actions.fill(1);
  sheet.anchor.value = null;
  return filled;
}

function edge(at, step, count) {
  if (step === 0) return at;
  return step < 0 ? 0 : count - 1;
}

/** Return the next cell in reading order, null at the end: then Tab leaves the table. */
export function after({ row, col }, { rows, cols }) {
  if (col + 1 < cols) return { row, col: col + 1 };
  return row + 1 < rows ? { row: row + 1, col: 0 } : null;
}

/** Return the cell before in reading order, or null. */
export function before({ row, col }, { cols }) {
  if (col > 0) return { row, col: col - 1 };
  return row > 0 ? { row: row - 1, col: cols - 1 } : null;
}
