/* Texts that change in two places: the smallest change between two, and one put into the other. */

/** Return a text as an editor holds it: lines end with \n, no mark at the beginning. */
export function plain(text) {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}

/** Return the change that makes one text the other: {from, to, insert}, or null. */
export function changeBetween(before, after) {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < most - from && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}

/**
 * Return the change that brings what is new in `theirs` into `mine`, both made from `base`. Returns
 * null if nothing is new, and undefined if both changed the same place.
 */
export function mergedChange(base, mine, theirs) {
  const [own, other] = [changeBetween(base, mine), changeBetween(base, theirs)];
  if (!other || mine === theirs) return null;
  if (!own) return other;
  if (other.to < own.from) return other;
  if (other.from <= own.to) return undefined;
  const shift = own.insert.length - (own.to - own.from);
  return { ...other, from: other.from + shift, to: other.to + shift };
}

const MOST = 4_000_000; // pairs of lines that are compared

/**
 * Return the lines of two texts side by side: [{sort: "same" | "other", left, right}], with null
 * where one of them has no line.
 */
export function sideBySide(left, right) {
  const [a, b] = [left.split("\n"), right.split("\n")];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const same = (lines) => lines.map((line) => ({ sort: "same", left: line, right: line }));
  const middle = compared(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))];
}

function compared(a, b) {
  if (a.length * b.length > MOST) return paired(a, b);
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        a[i] === b[j]
          ? longest[(i + 1) * width + j + 1] + 1
          : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const lines = [];
  let [i, j, from, to] = [0, 0, 0, 0];
  const flush = () => {
    lines.push(...paired(a.slice(from, i), b.slice(to, j)));
  };
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      flush();
      lines.push({ sort: "same", left: a[i], right: b[j] });
      [i, j] = [i + 1, j + 1];
      [from, to] = [i, j];
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i += 1;
    else j += 1;
  }
  [i, j] = [a.length, b.length];
  flush();
  return lines;
}

function paired(a, b) {
  const count = Math.max(a.length, b.length);
  return Array.from({ length: count }, (_, at) => ({
    sort: "other",
    left: a[at] ?? null,
    right: b[at] ?? null,
  }));
}
