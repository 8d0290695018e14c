/* The text of a file in an editor, kept the same as the server's. The server's undo is the only
 * one: the editor has no history of its own; each line, jump or pause begins another step. */
import { changesBetween, mergedChanges, plain } from "./merge.js";

const SENDS_AFTER = 150; // ms after the last key
const STEP_ENDS = 1000; // ms without a key

/**
 * Return what keeps an editor and a file the same. `editor` has text() and change(changes, isOwn);
 * `quarrel(theirs)` is called when both changed the same place.
 */
export function createCopy({ wire, file, label, rev, text, editor, quarrel }) {
  let base = plain(text);
  let isSending = false;
  let heard = null; // what came while a text was on its way
  let timer = 0;
  let step = 1;
  let lastKey = 0;
  let inQuarrel = false;
  let known = rev;

  const send = async (isLeaving = false) => {
    clearTimeout(timer);
    const mine = editor.text();
    if (isSending && isLeaving) {
      wire.edit({ label, join: `${file}:${step}`, edits: [{ file, text: mine }], quiet: true });
      return;
    }
    if (isSending) return;
    wire.release(send);
    if (inQuarrel || mine === base) return;
    isSending = true;
    let stale = null;
    try {
      const edits = [{ file, rev: known, text: mine }];
      const answer = await wire.edit({ label, join: `${file}:${step}`, edits, quiet: true });
      known = answer.revs[file];
      base = plain(answer.texts?.[file] ?? mine);
    } catch (error) {
      if (error.status !== 409) wire.toast(error.message);
      else stale = { text: error.answer.text ?? "", rev: error.answer.rev, isOwn: false };
      if (!stale) return;
    } finally {
      isSending = false;
    }
    const next = heard && (!stale || heard.rev > stale.rev) ? heard : stale;
    heard = null;
    if (next) take(next.text, next.rev, next.isOwn);
    if (editor.text() !== base) later();
  };
  const later = () => {
    wire.hold(send);
    clearTimeout(timer);
    timer = setTimeout(() => send(), SENDS_AFTER);
  };

  /** Take a text that another tab, a form, undo or another program made. */
  const take = (text, rev, isOwn) => {
    if (rev <= known || inQuarrel) return;
    if (isSending) {
      heard = { text, rev, isOwn };
      return;
    }
    const theirs = plain(text);
    known = rev;
    const changes = mergedChanges(base, editor.text(), theirs);
    base = theirs;
    if (changes) editor.change(changes, isOwn);
    else {
      inQuarrel = true;
      quarrel(theirs);
    }
    if (editor.text() !== base) later();
  };

  return {
    take,
    isSending: () => isSending,
    flush: send,
    /** Note a key that was typed; `isBreak` begins another step of undo. */
    typed: (isBreak) => {
      const now = performance.now();
      if (isBreak || now - lastKey > STEP_ENDS) step += 1;
      lastKey = now;
      later();
    },
    /** End a quarrel: what is in the editor stays, or theirs comes in its place. */
    settle: (keepsMine) => {
      inQuarrel = false;
      if (!keepsMine) editor.change(changesBetween(editor.text(), base), false);
      return send();
    },
  };
}
