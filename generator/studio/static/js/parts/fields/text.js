/* Editors of texts: one line, several lines, and rich text with its buttons. */
import { html, useRef } from "../../../vendor/preact.js";
import { idFrom } from "../../ids.js";
import { textOf } from "../../nodes.js";
import { t } from "../../words.js";
import { Button, IconButton } from "../buttons.js";
import { Chooser } from "../chooser.js";
import { addIcon, iconItems } from "../items.js";
import { useOpening } from "../popover.js";
import { useDraft, useTyped } from "./draft.js";
import { Preview } from "./preview.js";

const ONE_LINE = 40; // letters
const TELL_FROM = 0.9; // of the longest text allowed

/** Return the value to write for a text: an optional one that is empty goes. */
function asText(field, text) {
  return text === "" && (field.optional || field.default !== null) ? undefined : text;
}

function placeholderOf(field) {
  return field.default === null || field.default === undefined ? "" : String(field.default);
}

/** A text; a short one has a single line. */
export function TextEditor({ field, place, attributes }) {
  const [draft, change] = useDraft(textOf(place.node), (text) => place.set(asText(field, text)));
  const isShort = (field.max_length ?? 200) <= ONE_LINE && !draft.includes("\n");
  const given = { ...attributes, value: draft, placeholder: placeholderOf(field) };
  const onInput = (event) => change(event.target.value);
  return html`<div class="text-field">
    ${
      isShort || field.type !== "text"
        ? html`<input type="text" class="text-input" ...${given} onInput=${onInput}/>`
        : html`<${Growing} ...${given} onInput=${onInput}/>`
    }
    <${Left} field=${field} text=${draft}/>
  </div>`;
}

/** An id: it counts when one leaves it, and is made to fit, as one made from a name is. */
export function IdEditor({ place, attributes }) {
  const id = textOf(place.node);
  const [draft, change] = useTyped(id);
  const commit = ({ target }) => {
    const wanted = idFrom(target.value);
    change(wanted || id);
    if (wanted && wanted !== id) place.set(wanted);
  };
  return html`<input type="text" class="text-input" ...${attributes} value=${draft}
    autocomplete="off" spellcheck=${false} onChange=${commit}
    onInput=${({ target }) => change(target.value)}/>`;
}

/** How many letters of those that are allowed are used, once it matters. */
function Left({ field, text }) {
  const most = field.max_length;
  const length = [...text].length;
  if (!most || length < most * TELL_FROM) return null;
  return html`<span class="letters number ${length > most ? "over" : ""}">${length}/${most}</span>`;
}

/** A text area as high as its text; where a browser cannot do that, about as high. */
function Growing({ area, ...rest }) {
  const lines = rest.value.split("\n").map((line) => Math.ceil((line.length + 1) / 50));
  const rows = lines.reduce((sum, count) => sum + count, 0);
  return html`<textarea ref=${area} rows=${rows} class="text-input growing" ...${rest}></textarea>`;
}

/** Text with **bold**, *italic* and {icons}. Enter begins a paragraph, Shift+Enter a line. */
export function RichEditor({ studio, field, place, attributes }) {
  const [draft, change] = useDraft(textOf(place.node), (text) => place.set(asText(field, text)));
  const { isOpen, button, box } = useOpening();
  const area = useRef(null);

  const insert = (before, after = "") => {
    const { selectionStart: from, selectionEnd: to, value } = area.current;
    const inside = value.slice(from, to);
    area.current.focus();
    area.current.setRangeText(`${before}${inside}${after}`, from, to, "end");
    const caret = from + before.length;
    if (after) area.current.setSelectionRange(caret, caret + inside.length);
    change(area.current.value);
  };
  const around = (mark) => {
    const { selectionStart: from, selectionEnd: to, value } = area.current;
    const size = mark.length;
    const isMarked = value.slice(from - size, from) === mark && value.slice(to, to + size) === mark;
    if (!isMarked) return insert(mark, mark);
    const inside = value.slice(from, to);
    area.current.setRangeText(inside, from - size, to + size, "select");
    return change(area.current.value);
  };
  const key = (event) => {
    const isChord = event.ctrlKey || event.metaKey;
    const act = (what) => {
      event.preventDefault();
      what();
    };
    if (isChord && event.key === "b") act(() => around("**"));
    else if (isChord && event.key === "i") act(() => around("*"));
    else if (event.key === "Enter" && !isChord && !event.isComposing) {
      act(() => insert(event.shiftKey ? "\\\n" : "\n\n"));
    }
  };
  const isOff = attributes.disabled;
  return html`<div class="rich">
    <${Growing} area=${area} ...${attributes} value=${draft} onKeyDown=${key}
      placeholder=${placeholderOf(field)} onInput=${(event) => change(event.target.value)}/>
    <div class="rich-bar" role="toolbar" aria-label=${t("rich.bar")}>
      <${IconButton} icon="bold" label=${t("rich.bold")} disabled=${isOff}
        onClick=${() => around("**")}/>
      <${IconButton} icon="italic" label=${t("rich.italic")} disabled=${isOff}
        onClick=${() => around("*")}/>
      <${Button} icon="star" label=${t("rich.icon")} disabled=${isOff} ...${button}/>
      <${Left} field=${field} text=${draft}/>
    </div>
    <${Preview} studio=${studio} text=${draft}/>
    ${
      isOpen &&
      html`<${Chooser} ...${box} label=${t("rich.icon")} items=${iconItems(studio)}
      add=${addIcon(studio)} onPick=${(name) => insert(`{${name}}`)}/>`
    }
  </div>`;
}
