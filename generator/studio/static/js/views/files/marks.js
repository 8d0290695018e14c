/* Findings as squiggles in a text. */
import { html } from "../../../vendor/preact.js";
import { FaultWords } from "../../parts/fields/field.js";
import { drawn } from "./drawn.js";

/** Return the offset of a line and column of a document; columns count characters. */
export function offsetOf(doc, line, column) {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(Math.max(1, line));
  const before = [...text].slice(0, Math.max(0, column - 1)).join("");
  return from + before.length;
}

/** Return the marks of a file's findings in a document. */
export function marksOf(doc, findings) {
  return findings.map((finding) => {
    const { line, column, end_line: endLine, end_column: endColumn, severity } = finding;
    const from = offsetOf(doc, line, column);
    const end = endLine ? offsetOf(doc, endLine, endColumn) : from;
    const to = Math.max(from, end > from ? end : wordEnd(doc, from));
    const words = html`<${FaultWords} fault=${finding}/>
      <small class="faint">${finding.code}</small>`;
    const renderMessage = () => drawn(words, "mark-words");
    return { from, to, severity, message: finding.message, renderMessage };
  });
}

function wordEnd(doc, from) {
  const { to, from: start, text } = doc.lineAt(from);
  const rest = /^[\w.-]+|^\S/.exec(text.slice(from - start));
  return rest ? from + rest[0].length : to;
}
