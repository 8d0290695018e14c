/* The look of a kind, and all looks as pictures to choose another. */
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { Button } from "../../parts/buttons.js";
import { sizeOf } from "../../parts/face.js";
import { LookPictures, Tones, inWords, sizeOfStock } from "../../parts/looks.js";
import { Popover, useOpening } from "../../parts/popover.js";
import { t } from "../../words.js";

/** The look, and a button to change it; where no look fits the cards, why. */
export function LookChoice({ studio, kind }) {
  const { isOpen, button, box } = useOpening();
  const size = sizeOfStock(kind.stock);
  if (!kind.own) return null;
  return html`<section class="look-choice">
    <h3>${t("look.look")}</h3>
    <p class="soft">${
      size
        ? kind.look
          ? inWords(kind.look).title
          : t("look.own")
        : t("look.noSize", { size: sizeOf(kind.stock) })
    }</p>
    ${size && html`<${Button} small label=${t("look.change")} ...${button}/>`}
    ${
      isOpen &&
      html`<${Popover} ...${box} align="end">
        <${Looks} studio=${studio} kind=${kind} size=${size} onClose=${box.onClose}/><//>`
    }
  </section>`;
}

/** All looks in the size of the kind; a press gives the kind another one. */
function Looks({ studio: { wire }, kind, size, onClose }) {
  const [looks, setLooks] = useState([]);
  const [worn, setWorn] = useState({ look: kind.look?.name, palette: kind.look?.palette });
  const [busy, setBusy] = useState("");
  useEffect(() => {
    wire.get("/api/looks").then(setLooks, (error) => {
      wire.toast(error.message);
      onClose();
    });
  }, []);
  const wear = async (look, palette) => {
    setWorn({ look, palette });
    setBusy(look);
    try {
      const label = t("look.step.look", {
        name: inWords(looks.find((one) => one.name === look)).title,
      });
      const body = { kind: kind.name, look, palette: palette || null, label };
      for (const note of (await wire.post("/api/look", body)).notes ?? []) wire.toast(note, "note");
    } catch (error) {
      wire.toast(error.message);
    }
    setBusy("");
  };
  return html`<section class="looks" role="dialog" aria-label=${t("look.change")}
    aria-busy=${busy !== ""} tabindex="-1" data-first>
    <div class="looks-head">
      <h3>${t("look.change")}</h3>
      <span class="top-space"></span>
      <${Tones} palettes=${looks[0]?.palettes ?? []} value=${worn.palette ?? ""}
        disabled=${!worn.look || busy !== ""} onPick=${(tone) => wear(worn.look, tone)}/>
    </div>
    <${LookPictures} looks=${looks} size=${size} tone=${worn.palette ?? ""} value=${worn.look}
      busy=${busy} small onPick=${(look) => wear(look, worn.palette)}/>
    <p class="faint">${t("look.changeNote")}</p>
  </section>`;
}
