/* What a cell shows. */
import { html } from "../../../vendor/preact.js";
import { Icon } from "../../parts/buttons.js";
import { t } from "../../words.js";
import { cellText, inOneLine, isGroup } from "./values.js";

/** The inside of a cell: words, a number, a colour, a picture, or a list in short. */
export function Cell({ studio, row, column }) {
  const node = row.nodes[column.name];
  const text = cellText(row, column);
  const { field } = column;
  if (isGroup(row, column)) return html`<${Group} node=${node} text=${text}/>`;
  if (!text) {
    const otherwise = field.default;
    const isPlain = otherwise !== null && typeof otherwise !== "object";
    const shown = typeof otherwise === "boolean" ? (otherwise ? "yes" : "no") : otherwise;
    return isPlain ? html`<span class="cell-default">${shown}</span>` : null;
  }
  const show = SHOWN[field.type];
  return show ? show(studio, field, text) : line(text);
}

const SHOWN = {
  colour: ({ store }, _, text) => {
    const named = store.model.value?.palette.find((one) => one.name === text)?.colour;
    return html`<span class="cell-swatch" style=${{ background: named ?? text }}></span>
      <span class="cell-text">${text}</span>`;
  },
  icon: ({ store, wire }, _, text) => {
    const isKnown = store.model.value?.icons.includes(text);
    return html`${isKnown && html`<img class="cell-icon" src=${wire.icon(text)} alt=""/>`}
      <span class="cell-text">${text}</span>`;
  },
  image: ({ store, wire }, _, text) => {
    const file = `cards/${store.pack.value}/${text}`;
    const isKnown = store.files.value.has(file);
    return html`${
      isKnown &&
      html`<img class="cell-picture" src=${wire.asset(file, 40)} alt=""
      loading="lazy"/>`
    }<span class="cell-text">${text.split("/").at(-1)}</span>`;
  },
  ref: ({ store }, field, text) => {
    const known = store.component(field.kind, text);
    return html`<span class="cell-text">${known?.name ?? text}</span>`;
  },
  bool: (_, field, text) => {
    const isOn = text === "yes";
    return html`<span class="cell-bool ${isOn ? "on" : ""}">${
      isOn && html`<${Icon} name="check" small/>`
    }<span class="cell-text">${text}</span></span>`;
  },
};

function line(text) {
  return html`<span class="cell-text">${inOneLine(text).slice(0, 200)}</span>`;
}

/** A list or map in short; it is edited in the form. */
function Group({ node, text }) {
  const count = node?.items?.length ?? node?.entries?.length ?? 0;
  return html`<span class="cell-text cell-group">${text}</span>
    ${
      count > 0 &&
      html`<span class="cell-count number" data-open
      title=${t("table.open")}>${count}</span>`
    }`;
}
