/* The look of a kind, and all looks as pictures to choose another. */
import { html, useEffect, useRef, useState } from "../../../vendor/preact.js";
import { Button } from "../../parts/buttons.js";
import { titled } from "../../parts/fields/titled.js";
import { Popover } from "../../parts/popover.js";
import { usePictureInTurn } from "../../parts/turns.js";
import { t } from "../../words.js";

const SIZES = { poker: "poker", tarot: "tarot", mini: "mini", "square-card-63": "square" };

/** Tell whether there are looks in the size of a kind. */
export function hasLooks(kind) {
  return kind.own && !kind.readonly && kind.stock.name in SIZES;
}

/** The look, and a button to change it. */
export function LookChoice({ studio, kind }) {
  const [open, setOpen] = useState(false);
  const anchor = useRef(null);
  return html`<section class="look-choice">
    <h3>${t("look.look")}</h3>
    <p class="soft">${kind.look ? titled(kind.look.name) : t("look.own")}</p>
    <span ref=${anchor}><${Button} small label=${t("look.change")} aria-haspopup="dialog"
      aria-expanded=${open} onClick=${() => setOpen(!open)}/></span>
    ${
      open &&
      html`<${Popover} anchor=${anchor} align="end" onClose=${() => setOpen(false)}>
      <${Looks} studio=${studio} kind=${kind} onClose=${() => setOpen(false)}/><//>`
    }
  </section>`;
}

/** All looks in the size of the kind; a press gives the kind another one. */
function Looks({ studio: { wire }, kind, onClose }) {
  const [looks, setLooks] = useState(null);
  const [look, setLook] = useState(kind.look?.name ?? "");
  const [palette, setPalette] = useState(kind.look?.palette ?? "");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    wire.get("/api/looks").then(setLooks, (error) => {
      wire.toast(error.message);
      onClose();
    });
  }, []);
  const wear = async (name, colours) => {
    setLook(name);
    setPalette(colours);
    setBusy(true);
    try {
      const label = t("look.step.look", { name: looks.find((one) => one.name === name).title });
      const body = { kind: kind.name, look: name, palette: colours || null, label };
      for (const note of (await wire.post("/api/look", body)).notes ?? []) wire.toast(note, "note");
    } catch (error) {
      wire.toast(error.message);
    }
    setBusy(false);
  };
  const size = SIZES[kind.stock.name];
  return html`<section class="looks" role="dialog" aria-label=${t("look.change")} aria-busy=${busy}
    tabindex="-1" data-first>
    <h3>${t("look.change")}</h3>
    ${
      looks === null
        ? html`<p class="soft" role="status">${t("view.opening")}</p>`
        : html`<ul class="looks-all">${looks.map(
            (one) => html`<li key=${one.name}>
          <button type="button" aria-pressed=${one.name === look} title=${one.description}
            disabled=${busy} onClick=${() => wear(one.name, palette)}>
            <${Picture} src=${pictureOf(one.name, size, palette)}/>
            <span>${one.title}</span>
          </button></li>`,
          )}</ul>
        <h3>${t("look.palette")}</h3>
        <div class="looks-tones">
          <button type="button" aria-pressed=${palette === ""} disabled=${busy || !look}
            onClick=${() => wear(look, "")}>${t("look.ownPalette")}</button>
          ${(looks[0]?.palettes ?? []).map(
            (tone) => html`<button type="button" key=${tone.name}
            aria-pressed=${palette === tone.name} title=${tone.description}
            disabled=${busy || !look} onClick=${() => wear(look, tone.name)}>
            <span class="looks-tone" aria-hidden="true">${Object.values(tone.colours).map(
              (colour) => html`<i style=${{ background: colour }}></i>`,
            )}</span>${titled(tone.name)}</button>`,
          )}
        </div>
        <p class="faint">${t("look.changeNote")}</p>`
    }
  </section>`;
}

function Picture({ src }) {
  const shown = usePictureInTurn(src);
  return html`<span class="looks-picture">${shown && html`<img src=${shown} alt=""/>`}</span>`;
}

function pictureOf(name, size, palette) {
  const query = new URLSearchParams({ size, ...(palette ? { palette } : {}) });
  return `/api/looks/${name}.png?${query}`;
}
