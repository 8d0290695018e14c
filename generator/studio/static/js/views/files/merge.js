/* Texts that change in two places: what differs, and one change put into the other. */
import { ChangeSet, Chunk, Text, presentableDiff } from "../../../vendor/codemirror.js";

const AROUND = 3; // lines that are the same, above and below each change
const QUICK = { scanLimit: 500 }; // letters; texts that differ more are compared less finely

/** Return a text as an editor holds it: lines end with \n, no mark at the beginning. */
export function plain(text) {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}

/** Return the changes that make one text the other. */
export function changesBetween(before, after) {
  const changes = presentableDiff(before, after, QUICK).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: after.slice(fromB, toB),
  }));
  return ChangeSet.of(changes, before.length);
}

/**
 * Return the changes that bring what is new in `theirs` into `mine`, both made from `base`, or null
 * if both changed the same place.
 */
export function mergedChanges(base, mine, theirs) {
  if (mine === theirs) return ChangeSet.empty(mine.length);
  const [own, other] = [changesBetween(base, mine), changesBetween(base, theirs)];
  let isClash = false;
  other.iterChangedRanges((from, to) => {
    isClash ||= Boolean(own.touchesRange(from, to));
  });
  return isClash ? null : other.map(own);
}

/**
 * Return the lines of two texts side by side: pairs, with null where one of them has no line, and a
 * number for that many lines which are the same.
 */
export function sideBySide(left, right) {
  const lines = left.split("\n");
  const rows = [];
  let done = 0;
  const same = (end) => {
    const above = done === 0 ? 0 : AROUND;
    const below = end === lines.length ? 0 : AROUND;
    const pairs = lines.slice(done, end).map((line) => [line, line]);
    const skipped = pairs.length - above - below;
    if (skipped > 0) pairs.splice(above, skipped, skipped);
    rows.push(...pairs);
  };
  for (const chunk of Chunk.build(Text.of(lines), Text.of(right.split("\n")))) {
    const mine = linesOf(left, chunk.fromA, chunk.toA);
    const theirs = linesOf(right, chunk.fromB, chunk.toB);
    const first = left.slice(0, chunk.fromA).split("\n").length - 1;
    same(first);
    for (let at = 0; at < Math.max(mine.length, theirs.length); at += 1) {
      rows.push([mine[at] ?? null, theirs[at] ?? null]);
    }
    done = first + mine.length;
  }
  same(lines.length);
  return rows;
}

/** Return the lines between the beginnings of two lines. */
function linesOf(text, from, to) {
  return from === to ? [] : text.slice(from, to - 1).split("\n");
}
