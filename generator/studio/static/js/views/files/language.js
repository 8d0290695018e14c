/* How the text of a file is read: its language and its colours. */
import {
  Decoration,
  EditorView,
  HighlightStyle,
  csv,
  indentUnit,
  jinja,
  syntaxHighlighting,
  tags,
  yaml,
} from "../../../vendor/codemirror.js";

const style = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.tagName, tags.attributeName], color: "var(--code-key)" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--code-word)" },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--code-note)" },
  { tag: [tags.meta, tags.punctuation, tags.separator, tags.brace], color: "var(--code-sign)" },
  { tag: [tags.function(tags.variableName), tags.variableName], color: "var(--code-name)" },
  { tag: tags.heading, color: "var(--code-key)", fontWeight: "600" },
]);

/** Show a dot of each colour that is in view, before its digits. */
const swatches = EditorView.decorations.of((view) => {
  const found = view.visibleRanges.flatMap(({ from, to }) =>
    [...view.state.sliceDoc(from, to).matchAll(/#[0-9a-f]{6}\b/gi)].map(({ 0: colour, index }) => {
      const attributes = { style: `--swatch: ${colour}` };
      const mark = Decoration.mark({ class: "text-swatch", attributes });
      return mark.range(from + index, from + index + colour.length);
    }),
  );
  return Decoration.set(found);
});

/** Return what makes an editor read a file's language. */
export function languageOf(path) {
  const common = [syntaxHighlighting(style), indentUnit.of("  "), swatches];
  if (/\.ya?ml$/i.test(path)) return [yaml(), ...common];
  if (/\.(csv|tsv)$/i.test(path)) return [csv, ...common];
  if (/\.(j2|svg|html)$/i.test(path)) return [jinja(), ...common];
  return common;
}
