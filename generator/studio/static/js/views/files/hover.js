/* What is said of a word that the pointer rests on. */
import { hoverTooltip } from "../../../vendor/codemirror.js";
import { html } from "../../../vendor/preact.js";
import { Sample } from "../../parts/chooser.js";
import { drawn } from "./drawn.js";
import { yamlAt } from "./schema.js";
import { sourceOf, valuesOf } from "./sources.js";
import { membersOf, quotedIn, tagBefore } from "./template.js";

/** Return the hover help of a file. `about()` tells {file, help}. */
export function hoverOf(studio, about) {
  return hoverTooltip(({ state: { doc } }, pos) => {
    const { file, help } = about();
    const word = wordAt(doc.lineAt(pos), pos);
    if (!help || !word) return null;
    const isYaml = /\.ya?ml$/.test(file.path);
    const read = isYaml ? inYaml : file.sort === "template" ? inTemplate : () => null;
    const said = read(studio, file, help, doc, word);
    if (!said) return null;
    const words = html`<${Sample} item=${said}/><strong>${said.title}</strong>
      ${said.text && html`<p>${said.text}</p>`}`;
    const create = () => ({ dom: drawn(words, "hover-help") });
    return { pos: word.from, end: word.to, above: true, create };
  });
}

function wordAt({ from, text }, pos) {
  for (const { 0: found, index } of text.matchAll(/[\w#][\w./-]*/g)) {
    const word = { from: from + index, to: from + index + found.length, text: found };
    if (word.from <= pos && pos <= word.to) return word;
  }
  return null;
}

function inYaml(studio, file, help, doc, { text, to }) {
  const place = yamlAt(studio, file, help, doc, to);
  if (!place) return null;
  if (/^["']?\s*:(\s|$)/.test(doc.sliceString(to, doc.lineAt(to).to))) {
    const about = place.around.map((node) => node.properties?.[text]).find(Boolean);
    return about?.description ? { title: text, text: about.description } : null;
  }
  if (/^#[0-9a-f]{3,8}$/i.test(text)) return { title: text, colour: text };
  return ofValue(valuesOf(studio, sourceOf(file.sort, place)), text);
}

function inTemplate(studio, file, help, doc, { text, from }) {
  const tag = tagBefore(doc, from);
  const quoted = tag && quotedIn(studio, tag);
  if (quoted) return ofValue(quoted, text);
  const [name, member] = text.split(".");
  const value = member && ofValue(tag ? membersOf(studio, file, help, name) : [], member);
  if (value) return value;
  const known = (one) => help.template.find((word) => word.name === one);
  const found = known(text) ?? known(`${name}.${member}`) ?? known(name);
  return found ? { title: found.call, text: found.about } : null;
}

function ofValue(values, label) {
  const value = values.find((one) => one.label === label);
  if (!value?.detail && !value?.icon && !value?.info) return null;
  return { ...value, title: value.detail || label, text: value.info };
}
