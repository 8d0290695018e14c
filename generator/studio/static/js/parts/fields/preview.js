/* Rich text as it is meant: bold, italic, and pictures of its icons instead of marks. */
import { html } from "../../../vendor/preact.js";
import { t } from "../../words.js";
import { piecesOf } from "../marks.js";

/** Show a text below its marks; nothing for one without marks. */
export function Preview({ studio, text }) {
  const pieces = piecesOf(text);
  if (pieces.every((piece) => typeof piece === "string")) return null;
  return html`<p class="rich-preview" title=${t("rich.preview")}>
    <${Pieces} studio=${studio} pieces=${pieces}/></p>`;
}

function Pieces({ studio, pieces }) {
  const icons = studio.store.model.value?.icons ?? [];
  return pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    if (piece.icon) {
      return icons.includes(piece.icon)
        ? html`<img src=${studio.wire.icon(piece.icon)} alt=${piece.icon}/>`
        : `{${piece.icon}}`;
    }
    const inside = html`<${Pieces} studio=${studio} pieces=${piece.inside}/>`;
    const italic = piece.italic ? html`<em>${inside}</em>` : inside;
    return piece.bold ? html`<strong>${italic}</strong>` : italic;
  });
}
