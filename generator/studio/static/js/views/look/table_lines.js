/* The lines of a table box: words, each with a field or a sentence. */
import { html } from "../../../vendor/preact.js";
import { textOf } from "../../nodes.js";
import { Button, IconButton } from "../../parts/buttons.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";
import { TextInput } from "./inputs.js";

/** Change the lines of a table. */
export function TableLines({ board, box, node }) {
  const lines = (node?.entries ?? []).map(([words, value]) => [words, textOf(value)]);
  const set = (next) => {
    const label = t("look.step.set", { name: titled(box.name), key: t("look.key.table") });
    board.set({ [box.name]: { table: Object.fromEntries(next) } }, label);
  };
  const change = (at, line) => set(lines.map((one, index) => (index === at ? line : one)));
  const disabled = board.isReadonly();
  return html`<div class="look-lines">
    ${lines.map(
      ([words, value], at) => html`<div class="look-line" key=${at}>
      <${TextInput} text=${words} attributes=${{ disabled }}
        onSet=${(text) => text && change(at, [text, value])}/>
      <${TextInput} text=${value} attributes=${{ disabled }} mono
        onSet=${(text) => text && change(at, [words, text])}/>
      <${IconButton} small icon="close" label=${t("look.line.remove", { words })}
        disabled=${disabled || lines.length < 2}
        onClick=${() => set(lines.filter((_, index) => index !== at))}/>
    </div>`,
    )}
    <${Button} small icon="plus" label=${t("look.line.add")} disabled=${disabled}
      onClick=${() => set([...lines, [t("look.line.new"), "name"]])}/>
  </div>`;
}
