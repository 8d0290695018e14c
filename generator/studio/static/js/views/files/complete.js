/* Completion: keys and values of YAML files, and what templates can name. */
import {
  autocompletion,
  jinjaCompletionSource,
  startCompletion,
} from "../../../vendor/codemirror.js";
import { html } from "../../../vendor/preact.js";
import { Sample } from "../../parts/chooser.js";
import { drawn } from "./drawn.js";
import { yamlAt } from "./schema.js";
import { sourceOf, valuesOf } from "./sources.js";
import { helpersIn, membersOf, quotedIn, tagBefore } from "./template.js";

/** Return the completion of a file. `about()` tells {file, help}. */
export function completionOf(studio, about) {
  const source = (context) => {
    const { file, help } = about();
    if (!help) return null;
    if (/\.ya?ml$/.test(file.path)) return inYaml(studio, file, help, context);
    return file.sort === "template" ? inTemplate(studio, file, help, context) : null;
  };
  const sample = (option) => drawn(html`<${Sample} item=${option}/>`);
  return autocompletion({
    override: [source],
    icons: false,
    addToOptions: [{ render: sample, position: 20 }],
  });
}

function inYaml(studio, file, help, context) {
  const { state, pos, explicit } = context;
  const place = yamlAt(studio, file, help, state.doc, pos);
  if (!place || (!explicit && place.value === "" && !place.key)) return null;
  const isKey = !place.key || (place.key === "[]" && place.around.some((node) => node.properties));
  const options = isKey ? keys(place, state.sliceDoc(pos, pos + 80)) : values(studio, file, place);
  return options.length ? { from: place.from, options, validFor: /^["']?[\w./-]*$/ } : null;
}

function keys({ around }, after) {
  const known = Object.assign({}, ...around.map((node) => node.properties).reverse());
  const hasColon = /^\w*\s*:/.test(after);
  return Object.entries(known).map(([label, { description }]) => ({
    label,
    info: description || undefined,
    apply: hasColon ? label : withColon(label),
  }));
}

/** Write a key with its colon, and offer what can follow. */
function withColon(label) {
  return (view, _, from, to) => {
    const insert = `${label}: `;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: "input.complete",
    });
    startCompletion(view);
  };
}

function values(studio, file, place) {
  const known = valuesOf(studio, sourceOf(file.sort, place));
  const labels = new Set(known.map((one) => one.label));
  const fixed = place.own.flatMap((node) => node.enum ?? []).map(String);
  return [...known, ...fixed.filter((label) => !labels.has(label)).map((label) => ({ label }))];
}

function inTemplate(studio, file, help, context) {
  const tag = tagBefore(context.state.doc, context.pos);
  const options = tag && quotedIn(studio, tag);
  if (options) {
    const { from } = context.matchBefore(/[^"]*/);
    return { from, options, validFor: /^[\w./-]*$/ };
  }
  const properties = ([name, ...rest]) => (rest.length ? [] : membersOf(studio, file, help, name));
  return tag && jinjaCompletionSource({ variables: helpersIn(help), properties })(context);
}
