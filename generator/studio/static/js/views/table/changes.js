/* What is done with cells and rows, each as one step of undo. */
import { idFrom } from "../../ids.js";
import { withCopies } from "../../kind_edits.js";
import { settingIn, textOf } from "../../nodes.js";
import { freshFields } from "../../parts/fields/fresh.js";
import { t } from "../../words.js";
import { addition, duplicating, freeId, freshName, isNamed } from "../cards/changes.js";
import { fromClipboard, toText } from "./clipboard.js";
import { inFiles, orderEdits } from "./order.js";
import { moveTo, rangeOf } from "./sheet.js";
import { asTyped, asValue, cellText, isGroup } from "./values.js";

/** Let the next key go to the table, which may be new. */
function focusGrid() {
  requestAnimationFrame(() => document.querySelector(".sheet-grid")?.focus());
}

/** Return what can be done with a table. `rows` are those in view, in their order there. */
export function createActions({ studio, about, sheet, columns, rows, copied }) {
  const { store, wire } = studio;
  const size = { rows: rows.length, cols: columns.length };
  const send = async (label, edits) => {
    if (!edits.length) return false;
    const isRefused = () => false; // the toast has said it
    return wire.edit({ label, edits: withCopies(about, edits) }).then(() => true, isRefused);
  };
  /** Read the rows again, and wait until they are there. */
  const reread = () =>
    new Promise((resolve) => {
      const known = store.rows(about.name);
      const before = known.peek();
      const stop = known.subscribe((now) => {
        if (now === before) return;
        resolve();
        queueMicrotask(() => stop());
      });
      wire.rows(about.name).catch(resolve);
    });
  const chosenRows = () => rows.slice(rangeOf(sheet).top, rangeOf(sheet).bottom + 1);
  const nameOf = (row) => textOf(row.nodes.name) || row.id;

  /** Write cells: [{row, column, value}]; undefined clears. Says what cannot be written. */
  const put = (cells, label, added = []) => {
    const refused = cells.find(({ row, column }) => row.readonly || column.isFixed);
    if (refused) wire.toast(refused.row.readonly || t("table.fixed"), "note");
    const changes = cells
      .filter(({ row, column }) => !row.readonly && !column.isFixed)
      .filter(({ row, column, value }) => value !== undefined || row.nodes[column.name])
      .map(({ row, column, value }) => [row.file, settingIn(row, [column.name], value)]);
    for (const { file, changes: more } of added) {
      changes.push(...(more ?? []).map((change) => [file, change]));
    }
    return send(label, [...inFiles(changes), ...added.filter((one) => one.text)]);
  };

  const labelOf = (cells) =>
    cells.length === 1
      ? t("edit.field", { field: cells[0].column.title, name: nameOf(cells[0].row) })
      : t("table.cells", { count: cells.length });

  const set = (at, text) => {
    const [row, column] = [rows[at.row], columns[at.col]];
    if (!row || text === cellText(row, column)) return Promise.resolve(false);
    const cells = [{ row, column, value: asValue(column, text) }];
    return put(cells, labelOf(cells));
  };

  const inRange = ({ top, bottom, left, right }) =>
    rows
      .slice(top, bottom + 1)
      .flatMap((row) => columns.slice(left, right + 1).map((column) => ({ row, column })));

  const clear = () => {
    const cells = inRange(rangeOf(sheet))
      .filter(({ row, column }) => row.nodes[column.name] && !column.isFixed)
      .map((cell) => ({ ...cell, value: asValue(cell.column, "") }));
    return cells.length ? put(cells, t("table.clear", { count: cells.length })) : undefined;
  };

  const copy = () => {
    const { left, right } = rangeOf(sheet);
    const chosen = chosenRows();
    const across = columns.slice(left, right + 1);
    // A text of several lines ends with one, which a spreadsheet would show.
    const texts = chosen.map((row) => across.map((column) => cellText(row, column).trimEnd()));
    const nodes = chosen.map((row) => across.map((column) => row.nodes[column.name]));
    copied.current = { text: toText(texts), nodes };
    return texts;
  };

  /** Return the value of a pasted cell: what was copied here keeps its lists and maps. */
  const pasted = (row, column, text, node) => {
    if (node && (node.items || node.entries)) return { value: asTyped(node) };
    if (row && isGroup(row, column) && text !== "") return null;
    return { value: asValue(column, text) };
  };

  const paste = async (data) => {
    const given = fromClipboard(data);
    const isOwn = copied.current?.text === toText(given);
    const range = rangeOf(sheet);
    const wide = Math.max(...given.map((line) => line.length));
    const repeats = (all, part) => (all > part && all % part === 0 ? all : part);
    const height = repeats(range.bottom - range.top + 1, given.length);
    const width = repeats(range.right - range.left + 1, wide);
    const [cells, fresh] = [[], []];
    let skipped = false;
    for (let down = 0; down < height; down += 1) {
      const row = rows[range.top + down];
      const line = given[down % given.length];
      const values = new Map();
      for (let across = 0; across < width; across += 1) {
        const column = columns[range.left + across];
        const word = line[across % wide];
        if (!column || word === undefined) continue;
        const node = isOwn ? copied.current.nodes[down % given.length]?.[across % wide] : null;
        const found = column.isFixed ? null : pasted(row, column, word, node);
        skipped ||= !found && !column.isFixed;
        if (!found) continue;
        if (row) cells.push({ row, column, value: found.value });
        else values.set(column.name, found.value);
      }
      if (!row && values.size) fresh.push(Object.fromEntries(values));
    }
    if (skipped) wire.toast(t("table.groups"), "note");
    const choose = () => {
      const end = { row: range.top + height - 1, col: range.left + width - 1 };
      moveTo(sheet, end, { ...size, rows: rows.length + fresh.length });
      sheet.anchor.value = sheet.cursor.value;
      sheet.cursor.value = { row: range.top, col: range.left };
    };
    const label = t("table.paste", { count: cells.length + fresh.length });
    const done = put(cells, label, additions(fresh));
    if (fresh.length && (await done)) await reread();
    choose();
  };

  /** Return the edits that add rows with values, each after the last row that can be written. */
  const additions = (fresh) => {
    const all = (store.rows(about.name).peek() ?? []).filter((row) => !row.readonly);
    const taken = new Set();
    const full = fresh.map((values) => withId(values, all.at(-1), taken));
    if (!all.length && full.length) {
      const begun = addition(store, about, undefined, full[0]);
      const rest = full.slice(1).map((values) => `  - ${JSON.stringify(values)}\n`);
      return [{ ...begun, text: begun.text + rest.join("") }];
    }
    return full.map((values, number) => {
      const {
        file,
        changes: [change],
      } = addition(store, about, all.at(-1), values);
      return { file, changes: [{ ...change, at: change.at + number }] };
    });
  };

  const withId = (values, last, taken) => {
    const full = { ...freshFields(studio, about.fields), ...values };
    const wanted = idFrom(String(values.name ?? "")) || `new-${about.name}`;
    const { id: free, number } = freeId(store, about.name, wanted, taken);
    if (isNamed(about) && values.name === undefined) full.name = freshName(about, number);
    if (values.id === undefined && (!last || last.nodes.id || !full.name)) full.id = free;
    taken.add(full.id ?? free);
    const { id, ...rest } = full;
    const entries = Object.entries({ id, ...rest });
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  };

  const add = async () => {
    const isDone = await send(t("edit.add", { kind: about.title }), additions([{}]));
    if (!isDone) return;
    await reread();
    const known = store.rows(about.name).peek() ?? [];
    moveTo(sheet, { row: known.length - 1, col: 0 }, { ...size, rows: known.length });
    focusGrid();
  };

  const duplicate = async () => {
    const row = rows[sheet.cursor.value.row];
    if (!row || row.readonly) return;
    const { step } = duplicating(store, about, row);
    if (!(await send(step.label, step.edits))) return;
    await reread();
    moveTo(
      sheet,
      { ...sheet.cursor.value, row: sheet.cursor.value.row + 1 },
      { ...size, rows: size.rows + 1 },
    );
    focusGrid();
  };

  const remove = async () => {
    const chosen = chosenRows().filter((row) => !row.readonly);
    const label =
      chosen.length === 1
        ? t("edit.remove", { name: nameOf(chosen[0]) })
        : t("table.remove", { count: chosen.length });
    // The last rows go first, so that the others stay where they are.
    const last = [...chosen].sort((a, b) => b.path.at(-1) - a.path.at(-1));
    const edits = inFiles(last.map(({ file, path }) => [file, { do: "remove", path }]));
    if (!(await send(label, edits))) return;
    await reread();
    const count = rows.length - chosen.length;
    moveTo(sheet, { ...sheet.cursor.value, row: rangeOf(sheet).top }, { ...size, rows: count });
  };

  /** Move the chosen rows past the row before or after them in their list. */
  const moveRows = async (by) => {
    const { top, bottom } = rangeOf(sheet);
    const other = rows[by < 0 ? top - 1 : bottom + 1];
    const chosen = chosenRows();
    const isOneList = (row) =>
      row.file === chosen[0].file && typeof row.path.at(-1) === "number" && !row.readonly;
    if (!other || ![...chosen, other].every(isOneList)) return;
    const order = by < 0 ? [...chosen, other] : [other, ...chosen];
    const label = t("table.move", { name: nameOf(chosen[0]) });
    if (!(await send(label, orderEdits(order)))) return;
    const moved = (at) => at && { ...at, row: at.row + by };
    sheet.cursor.value = moved(sheet.cursor.value);
    sheet.anchor.value = moved(sheet.anchor.value);
    await reread();
  };

  const keepOrder = async () => {
    if (await send(t("table.keep"), orderEdits(rows))) {
      sheet.sort.value = null;
      await reread();
    }
  };

  /** Fill rows from those above: the first `from` rows of the range again and again. */
  const fill = (from, end = rangeOf(sheet).bottom) => {
    const { top, left, right } = rangeOf(sheet);
    const source = rows.slice(top, top + from);
    const cells = [];
    for (let at = top + from; at <= end; at += 1) {
      for (const column of columns.slice(left, right + 1)) {
        const node = source[(at - top) % from].nodes[column.name];
        const row = rows[at];
        if (column.isFixed || (isGroup(row, column) && !node)) continue;
        const isText = node && !node.items && !node.entries;
        const value = isText ? asValue(column, textOf(node)) : asTyped(node);
        cells.push({ row, column, value });
      }
    }
    return cells.length ? put(cells, t("table.fill", { count: cells.length })) : undefined;
  };

  return { add, clear, copy, duplicate, fill, keepOrder, moveRows, paste, put, remove, set };
}
