/* The marks of rich text: **bold**, *italic*, {icons}, and `\*` for the letter itself. */

const MARKS = new RegExp(
  String.raw`\\(?<plain>[*{}\\])|\{(?<icon>[\w-]+)\}|` +
    String.raw`(?<stars>\*{1,3})(?=[^\s*])(?<inside>.*?[^\s*])\k<stars>(?!\*)`,
  "gs",
);
const LINE_END = /(\\| {2,})?\n(\s*\n)?/g;

/** Return rich text as pieces: texts, {icon}, or {bold, italic, inside: pieces}. */
export function piecesOf(text) {
  const lines = text.replace(LINE_END, (_, forced, blank) =>
    blank ? "\n\n" : forced ? "\n" : " ",
  );
  return marked(lines);
}

/** Return rich text without its marks; an icon is its name. */
export function unmarked(text) {
  return wordsOf(piecesOf(text));
}

function wordsOf(pieces) {
  const words = (piece) => piece.icon ?? wordsOf(piece.inside);
  return pieces.map((piece) => (typeof piece === "string" ? piece : words(piece))).join("");
}

function marked(text) {
  const pieces = [];
  let done = 0;
  for (const { 0: all, index, groups } of text.matchAll(MARKS)) {
    if (index > done) pieces.push(text.slice(done, index));
    pieces.push(pieceOf(groups));
    done = index + all.length;
  }
  if (done < text.length) pieces.push(text.slice(done));
  return pieces;
}

function pieceOf({ plain, icon, stars, inside }) {
  if (plain) return plain;
  if (icon) return { icon };
  return { bold: stars.length > 1, italic: stars.length !== 2, inside: marked(inside) };
}
