/* The gallery of looks, on the size and in the palette that one chooses. A press makes a pack. */
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { Segments } from "../../parts/buttons.js";
import { LookPictures, SIZES, Tones } from "../../parts/looks.js";
import { go, to } from "../../route.js";
import { t } from "../../words.js";

/** Start from a look. */
export function Looks({ studio: { wire } }) {
  const [looks, setLooks] = useState([]);
  const [size, setSize] = useState("poker");
  const [tone, setTone] = useState("");
  const [busy, setBusy] = useState("");
  useEffect(() => {
    wire.get("/api/looks").then(setLooks, (error) => wire.toast(error.message));
  }, []);
  const start = async (look) => {
    if (busy) return;
    setBusy(look);
    try {
      const name = t("start.look.name");
      const body = { name, look, size, palette: tone || null };
      await wire.post("/api/start/new", body);
      go(to("cards"));
    } catch (error) {
      wire.toast(error.message);
    }
    setBusy("");
  };
  return html`<section class="start-looks" aria-labelledby="start-looks">
    <div class="looks-head">
      <h3 id="start-looks">${t("start.look")}</h3>
      <p class="soft">${t("start.look.note")}</p>
      <span class="top-space"></span>
      <${Segments} label=${t("start.size")} value=${size} onPick=${setSize}
        options=${SIZES.map((value) => ({ value, label: t(`start.size.${value}`) }))}/>
      <${Tones} palettes=${looks[0]?.palettes ?? []} value=${tone} onPick=${setTone}/>
    </div>
    <${LookPictures} looks=${looks} size=${size} tone=${tone} busy=${busy} onPick=${start}/>
  </section>`;
}
