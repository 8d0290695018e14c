/* Tables as text on the clipboard, as Excel, LibreOffice and Google Sheets write and read them:
 * cells divided by tabs, in quotes where they hold tabs, quotes or line ends. */

const NEEDS_QUOTES = /[\t\n\r"]/;

/** Return rows of texts as one text. */
export function toText(rows) {
  const cell = (text) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map(cell).join("\t")).join("\n");
}

/** Return the rows of a text. */
export function fromText(text) {
  const rows = [[]];
  let at = 0;
  const all = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  while (at <= all.length) {
    const [cell, next] = all[at] === '"' ? quoted(all, at) : plain(all, at);
    rows.at(-1).push(cell);
    if (next >= all.length) return rows;
    if (all[next] === "\n") rows.push([]);
    at = next + 1;
  }
  return rows;
}

function plain(text, from) {
  const found = text.slice(from).search(/[\t\n]/);
  const end = found < 0 ? text.length : from + found;
  return [text.slice(from, end), end];
}

/** Return a quoted cell; what only begins with a quote is plain. */
function quoted(text, from) {
  let cell = "";
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] !== '"') cell += text[at];
    else if (text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else {
      const isEnd = at + 1 === text.length || text[at + 1] === "\t" || text[at + 1] === "\n";
      return isEnd ? [cell, at + 1] : plain(text, from);
    }
  }
  return plain(text, from);
}
