/* Tables on the clipboard, as Excel, LibreOffice and Google Sheets write and read them: as text,
 * with cells divided by tabs, in quotes where they hold tabs, quotes or line ends; and as HTML,
 * which alone tells a quoted cell from quotes that belong to it. */

const NEEDS_QUOTES = /[\t\n\r"]/;
const LINE_END = "\uE000"; // stands for a <br> while white space is joined
const BREAK = '<br style="mso-data-placement:same-cell">';
const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": BREAK };
const LIKE_A_DATE = /^[-+=\d]/; // spreadsheets take 1-2 for a day, and =x for a formula

/** Return rows of texts as one text. */
export function toText(rows) {
  const cell = (text) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map(cell).join("\t")).join("\n");
}

/** Return rows of texts as HTML. */
export function toHtml(rows) {
  const cell = (text) => {
    const isText = LIKE_A_DATE.test(text) && Number.isNaN(Number(text));
    const style = isText ? " style=\"mso-number-format:'\\@'\"" : "";
    return `<td${style}>${text.replace(/[&<>\n]/g, (sign) => SIGNS[sign])}</td>`;
  };
  const lines = rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`);
  return `<table>${lines.join("")}</table>`;
}

/** Return the rows on a clipboard. Where text and HTML say the same, the text has the blanks. */
export function fromClipboard(data) {
  const given = fromText(data.getData("text/plain"));
  const shown = fromHtml(data.getData("text/html"));
  if (!shown) return given;
  const bare = (text) => text?.replace(/\s+/g, " ").trim();
  const better = (cell, text) => (bare(text) === bare(cell) ? text : cell);
  return shown.map((row, down) => row.map((cell, at) => better(cell, given[down]?.[at])));
}

/** Return the rows of a text. */
export function fromText(text) {
  const all = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  const rows = [[]];
  // A quoted cell ends where its row or the next cell does; any other quote is a sign.
  const cells = /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/y;
  for (;;) {
    const [, quoted, plain, end] = cells.exec(all);
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
    if (!end) return rows;
    if (end === "\n") rows.push([]);
  }
}

/** Return the rows of a table in HTML, or the only cell that Google Sheets copied; else null. */
function fromHtml(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const table = page.querySelector("table");
  const cell = page.querySelector("[data-sheets-root]");
  if (!table) return cell && [[textIn(cell)]];
  const rows = [];
  const isHidden = (row) => /display:\s*none/.test(row.getAttribute("style"));
  const seen = [...table.rows].filter((row) => !isHidden(row));
  for (const [down, row] of seen.entries()) {
    const own = (rows[down] ??= []);
    let at = 0;
    for (const one of row.cells) {
      while (own[at] !== undefined) at += 1;
      for (let below = 0; below < one.rowSpan; below += 1) {
        const line = (rows[down + below] ??= []);
        for (let right = 0; right < one.colSpan; right += 1) line[at + right] = "";
      }
      own[at] = textIn(one);
    }
  }
  return rows;
}

/** Return the text of an element as one sees it. */
function textIn(element) {
  for (const end of element.querySelectorAll("br")) end.replaceWith(LINE_END);
  const lines = element.textContent.replace(/\s+/g, " ").split(LINE_END);
  return lines
    .map((line) => line.trim())
    .join("\n")
    .trimEnd();
}
