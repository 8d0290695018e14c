/* The panel when no box is chosen: the ground, the colours of the pack, and the look. */
import { html } from "../../../vendor/preact.js";
import { textOf } from "../../nodes.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";
import { ColourInput } from "./inputs.js";
import { LookChoice } from "./looks.js";
import { put } from "./typed.js";

/** What belongs to the whole card. */
export function CardPanel({ studio, board, kind }) {
  const { store } = studio;
  const model = store.model.value;
  const layout = board?.layout.value;
  const setGround = (value) =>
    board.step(t("look.step.ground"), (draft) => put(draft, ["ground"], value), "ground");
  return html`<div class="card-panel">
    ${
      layout &&
      html`<div class="prop">
      <label for="look-ground">${t("look.ground")}</label>
      <${ColourInput} text=${textOf(layout.ground?.node)} palette=${model.palette} canClear
        empty=${t("look.paper")} onSet=${setGround} attributes=${{
          id: "look-ground",
          "aria-label": t("look.ground"),
          disabled: board.isReadonly(),
        }}/>
    </div>`
    }
    <${Palette} studio=${studio}/>
    <${LookChoice} studio=${studio} kind=${kind}/>
    ${layout && html`<p class="look-note">${t("look.hint")}</p>`}
  </div>`;
}

/** The colours of the pack. A change shows on all cards. */
export function Palette({ studio: { store, wire } }) {
  const model = store.model.value;
  const file = [...store.files.value.values()].find(
    (one) => one.sort === "styles" && one.path.includes(`/${model.name}/`),
  );
  const set = (name, colour) =>
    wire.edit({
      label: t("look.step.colour", { name: titled(name) }),
      join: `colour ${name}`,
      edits: [
        { file: file.path, changes: [{ do: "set", path: ["colours", name], value: colour }] },
      ],
    });
  if (model.palette.length === 0) return null;
  return html`<section class="palette">
    <h3>${t("look.palette")}</h3>
    <ul>${model.palette.map(
      ({ name, colour }) => html`<li key=${name}>
      <label title="${titled(name)} ${colour}">
        <input type="color" value=${colour} disabled=${!file || Boolean(file.readonly)}
          aria-label=${t("look.paletteColour", { name: titled(name), colour })}
          onInput=${(event) => set(name, event.target.value)}/>
        <span class="cut" aria-hidden="true">${titled(name)}</span>
      </label></li>`,
    )}</ul>
  </section>`;
}
