/* What is said of a word that the pointer rests on. */
import { hoverTooltip } from "../../../vendor/codemirror.js";
import { yamlAt } from "./complete.js";
import { sourceOf, valuesOf } from "./sources.js";

/** Return the hover help of a file. `about()` tells {file, help}. */
export function hoverOf(studio, about) {
  return hoverTooltip((view, pos) => {
    const { file, help } = about();
    const word = wordAt(view.state.doc, pos);
    if (!help || !word) return null;
    const said = /\.ya?ml$/.test(file.path)
      ? inYaml(studio, file, help, view.state.doc, word)
      : file.sort === "template"
        ? inTemplate(help, word)
        : null;
    if (!said) return null;
    return { pos: word.from, end: word.to, above: true, create: () => ({ dom: box(said) }) };
  });
}

/** Return the word at an offset: {from, to, text}. */
export function wordAt(doc, pos) {
  const line = doc.lineAt(pos);
  const at = pos - line.from;
  for (const found of line.text.matchAll(/[\w#][\w./-]*/g)) {
    const [from, to] = [found.index, found.index + found[0].length];
    if (at < from || at > to) continue;
    return { from: line.from + from, to: line.from + to, text: found[0] };
  }
  return null;
}

function inYaml(studio, file, help, doc, word) {
  const line = doc.lineAt(word.to);
  const isKey = /^["']?\s*:(\s|$)/.test(line.text.slice(word.to - line.from));
  const place = yamlAt(studio, file, help, doc, isKey ? word.to : word.to);
  if (!place) return null;
  if (isKey) {
    const about = place.around.map((node) => node.properties?.[word.text]).find(Boolean);
    return about?.description ? { title: word.text, text: about.description } : null;
  }
  const from = sourceOf(file.sort, place, place.own);
  const value = from && valuesOf(studio, from).find((one) => one.label === word.text);
  if (value?.detail || value?.icon) {
    return { title: value.detail || word.text, text: value.info ?? "", ...value };
  }
  if (/^#[0-9a-f]{3,8}$/i.test(word.text)) return { title: word.text, text: "", swatch: word.text };
  return null;
}

function inTemplate(help, word) {
  const names = [word.text, word.text.split(".").slice(0, 2).join("."), word.text.split(".")[0]];
  const found = names.map((name) => help.template.find((one) => one.name === name)).find(Boolean);
  return found ? { title: found.call, text: found.about } : null;
}

function box({ title, text, swatch, icon }) {
  const outer = document.createElement("div");
  outer.className = "hover-help";
  const add = (tag, content, name) => {
    const made = document.createElement(tag);
    made.className = name;
    made.textContent = content;
    outer.append(made);
    return made;
  };
  if (swatch) add("span", "", "option-swatch").style.background = swatch;
  if (icon) Object.assign(add("img", "", "option-icon"), { src: icon, alt: "" });
  add("strong", title, "");
  if (text) add("p", text, "");
  return outer;
}
