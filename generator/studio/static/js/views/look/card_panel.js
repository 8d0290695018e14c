/* The panel when no box is chosen: the ground, the colours of the pack, and the look. */
import { html, useEffect, useRef, useState } from "../../../vendor/preact.js";
import { textOf } from "../../nodes.js";
import { Button } from "../../parts/buttons.js";
import { Popover } from "../../parts/popover.js";
import { t } from "../../words.js";
import { ColourInput } from "./inputs.js";
import { put } from "./typed.js";

/** What belongs to the whole card. */
export function CardPanel({ studio, board, kind }) {
  const { store } = studio;
  const model = store.model.value;
  const layout = board?.layout.value;
  const ground = layout?.ground;
  return html`<div class="card-panel">
    ${layout && html`<div class="prop">
      <label for="look-ground">${t("look.ground")}</label>
      <${ColourInput} id="look-ground" label=${t("look.ground")} text=${textOf(ground?.node)}
        palette=${model.palette} disabled=${board.isReadonly()}
        onSet=${(value) => board.step(t("look.step.ground"), (draft) => put(draft, ["ground"], value), "ground")}/>
    </div>`}
    <${Palette} studio=${studio}/>
    ${kind.look && html`<${LookChoice} studio=${studio} kind=${kind}/>`}
    ${layout && html`<p class="look-note">${t("look.hint")}</p>`}
  </div>`;
}

/** The colours of the pack. A change shows on all cards. */
export function Palette({ studio: { store, wire } }) {
  const model = store.model.value;
  const file = [...store.files.value.values()].find(
    (one) => one.sort === "styles" && one.path.includes(`/${model.name}/`),
  );
  const set = (name, colour) => wire.edit({
    label: t("look.step.colour", { name }),
    join: `colour ${name}`,
    edits: [{ file: file.path, changes: [{ do: "set", path: ["colours", name], value: colour }] }],
  });
  if (model.palette.length === 0) return null;
  return html`<section class="palette">
    <h3>${t("look.palette")}</h3>
    <ul>${model.palette.map(({ name, colour }) => html`<li key=${name}>
      <label title="${name} ${colour}">
        <input type="color" value=${colour} disabled=${!file || Boolean(file.readonly)}
          aria-label=${t("look.paletteColour", { name, colour })}
          onInput=${(event) => set(name, event.target.value)}/>
        <span aria-hidden="true">${name}</span>
      </label></li>`)}</ul>
  </section>`;
}

/** The look of the kind, and all others as pictures. */
function LookChoice({ studio, kind }) {
  const [open, setOpen] = useState(false);
  const anchor = useRef(null);
  return html`<section class="look-choice">
    <h3>${t("look.look")}</h3>
    <p class="soft">${kind.look.title ?? kind.look.name}</p>
    <span ref=${anchor}><${Button} small label=${t("look.change")} aria-haspopup="dialog"
      aria-expanded=${open} onClick=${() => setOpen(!open)}/></span>
    ${open && html`<${Popover} anchor=${anchor} align="end" onClose=${() => setOpen(false)}>
      <${Looks} studio=${studio} kind=${kind} onClose=${() => setOpen(false)}/><//>`}
  </section>`;
}

function Looks({ studio: { wire }, kind, onClose }) {
  const [looks, setLooks] = useState(null);
  const [look, setLook] = useState(kind.look.name);
  const [palette, setPalette] = useState(kind.look.palette ?? "");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    wire.get("/api/looks").then(setLooks, (error) => {
      wire.toast(error.message);
      onClose();
    });
  }, []);
  const wear = async (name, colours) => {
    setBusy(true);
    try {
      await wire.post("/api/look", { kind: kind.name, look: name, palette: colours || null });
    } catch (error) {
      wire.toast(error.message);
    }
    setBusy(false);
  };
  const pick = (name) => {
    setLook(name);
    wear(name, palette);
  };
  const palettes = looks?.find((one) => one.name === look)?.palettes ?? [];
  return html`<section class="looks" role="dialog" aria-label=${t("look.change")} aria-busy=${busy}>
    <h3>${t("look.change")}</h3>
    ${looks === null
      ? html`<p class="soft" role="status">${t("view.opening")}</p>`
      : html`<ul>${looks.map((one) => html`<li key=${one.name}>
          <button type="button" aria-pressed=${one.name === look} title=${one.description}
            disabled=${busy} onClick=${() => pick(one.name)}>
            <img src=${`/api/looks/${one.name}.png`} alt="" loading="lazy"/>
            <span>${one.title}</span>
          </button></li>`)}</ul>
        ${palettes.length > 0 && html`<label class="looks-palette"><span>${t("look.palette")}</span>
          <select class="select" disabled=${busy} value=${palette} onChange=${(event) => {
            setPalette(event.target.value);
            wear(look, event.target.value);
          }}>
            <option value="">${t("look.ownPalette")}</option>
            ${palettes.map((one) => nameOf(one)).map((name) => html`<option key=${name} value=${name}
              selected=${name === palette}>${name}</option>`)}
          </select></label>`}
        <p class="faint">${t("look.changeNote")}</p>`}
  </section>`;
}

function nameOf(palette) {
  return typeof palette === "string" ? palette : palette.name;
}
