/* Edits on their way: sent one after another, those that wait joined, shown in the rows at once. */
import { changed, fieldOf, rowNode } from "./nodes.js";

const AGAIN_AFTER = 1000; // ms

/** Return the outbox of a tab. */
export function createOutbox(store, tab, post, toast, rereading) {
  const waiting = [];
  const held = new Set();
  let onTheirWay = 0;
  let count = 0;
  let settled = Promise.resolve();

  const tell = () => (store.unsent.value = onTheirWay + waiting.length + held.size > 0);
  /** Send a step; return false if it is refused. */
  const deliver = async ({ promises, quiet, ...step }) => {
    onTheirWay += 1;
    try {
      const answer = await persistent(() => post("/api/edit", { tab, ...step }));
      store.number.value = Math.max(store.number.value, answer.number);
      store.sent.value = Math.max(store.sent.value, answer.number);
      for (const promise of promises) promise.resolve(answer);
      return true;
    } catch (error) {
      if (!quiet) toast(error.message);
      for (const promise of promises) promise.reject(error);
      return false;
    } finally {
      onTheirWay -= 1;
      tell();
    }
  };
  const drain = async () => {
    const files = new Map(); // whether rows moved in them
    while (waiting.length) {
      const step = waiting.shift();
      const isTaken = await deliver(step);
      for (const edit of step.edits) {
        files.set(edit.file, files.get(edit.file) || !isTaken || moves(edit));
      }
    }
    for (const [file, isUrgent] of files) rereading[isUrgent ? "now" : "soon"](file);
  };
  const send = (step) => {
    count += 1;
    showAtOnce(store, step);
    const promise = Promise.withResolvers ? Promise.withResolvers() : withResolvers();
    promise.promise.catch(() => {}); // the toast has said it
    const last = waiting.at(-1);
    if (last && step.join && last.join === step.join && joined(last, step)) {
      last.promises.push(promise);
    } else {
      waiting.push({ ...step, promises: [promise] });
    }
    if (!onTheirWay && waiting.length === 1) settled = drain();
    tell();
    return promise.promise;
  };
  return {
    send,
    /** Note that something is typed which `send(true)` sends at once; it does so in a moment. */
    hold: (send) => tell(held.add(send)),
    /** It is sent, or taken back. */
    release: (send) => tell(held.delete(send)),
    /** Send all that is typed now: the page may be closed. */
    leave: () => {
      for (const send of [...held]) send(true);
      for (const step of waiting.splice(0)) deliver(step);
    },
    count: () => count,
    isEmpty: () => !onTheirWay && waiting.length === 0,
    settled: () => settled,
  };
}

/** Ask again while the server does not answer, so that nothing typed is lost. */
async function persistent(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error.status !== 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER));
    }
  }
}

function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

/** Put a newer edit of the same place into one that waits; return false if it is of another. */
function joined(last, step) {
  const [before, after] = [last.edits, step.edits];
  if (before.length !== 1 || after.length !== 1 || before[0].file !== after[0].file) return false;
  if ("text" in after[0] && "text" in before[0]) {
    last.edits = [{ ...after[0], rev: before[0].rev }];
    return true;
  }
  const [old, now] = [before[0].changes, after[0].changes];
  if (old?.length !== 1 || now?.length !== 1) return false;
  if (old[0].do !== "set" || now[0].do !== "set") return false;
  if (JSON.stringify(old[0].path) !== JSON.stringify(now[0].path)) return false;
  last.edits = after;
  return true;
}

/** Return true for an edit after which rows or entries are elsewhere. */
function moves({ changes }) {
  return !changes || changes.some((change) => change.do !== "set");
}

/** Show changes inside rows before the server has answered. */
function showAtOnce(store, step) {
  const changes = new Map();
  for (const { file, changes: list } of step.edits) {
    for (const change of list ?? []) {
      for (let length = 1; length < change.path.length; length += 1) {
        const key = keyOf(file, change.path.slice(0, length));
        changes.set(key, [...(changes.get(key) ?? []), change]);
      }
    }
  }
  if (changes.size === 0) return;
  for (const rows of store.rowsByKind.values()) {
    if (!rows.value) continue;
    rows.value = rows.value.map((row) => {
      const inside = changes.get(keyOf(row.file, row.path)) ?? [];
      return inside.reduce(inRow, row);
    });
  }
}

function keyOf(file, path) {
  return JSON.stringify([file, ...path]);
}

function inRow(row, change) {
  const [head, ...rest] = change.path.slice(row.path.length);
  const { entries } = changed(rowNode(row), { ...change, path: [fieldOf(row, head), ...rest] });
  return { ...row, nodes: Object.fromEntries(entries) };
}
