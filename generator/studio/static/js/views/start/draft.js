/* A draft: its first cards, what became of the columns, its look, and where to keep it. */
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { Button, Segments } from "../../parts/buttons.js";
import { Face } from "../../parts/face.js";
import { LookPictures, SIZES, Tones } from "../../parts/looks.js";
import { go, to } from "../../route.js";
import { t } from "../../words.js";
import { Columns } from "./columns.js";
import { Keep } from "./keep.js";
import { takeAgain, taken } from "./taken.js";

const [FIRST, MORE] = [12, 36]; // cards
const [HEIGHT, TALL, FEW] = [240, 330, 4]; // px, px for a few cards

/** Show a draft. */
export function Draft({ studio, dropping, onOther }) {
  const { store } = studio;
  const model = store.model.value;
  const kind = model?.kinds.find((one) => one.own && one.stock && model.components[one.name]);
  const entries = kind ? store.entries(kind.name) : [];
  const table = taken.value?.folder === store.project.value.folder ? taken.value : null;
  return html`<div class="draft" ...${dropping}>
    <section class="draft-cards" aria-label=${t("start.first")}>
      <header class="draft-head">
        <h2>${model?.title ?? ""}</h2>
        <span class="soft">${kind ? t("start.made", { count: entries.length }) : ""}</span>
        <span class="top-space"></span>
        <${Button} label=${t("start.other")} onClick=${onOther}/>
        <${Button} icon="cards" label=${t("start.cards")} onClick=${() => go(to("cards"))}/>
      </header>
      ${
        kind
          ? html`<${Cards} studio=${studio} kind=${kind} entries=${entries}/>`
          : html`<p class="empty" role="status">${t("view.opening")}</p>`
      }
      ${kind && html`<${Dress} studio=${studio} kind=${kind} table=${table}/>`}
    </section>
    <aside class="draft-side" aria-label=${t("start.about")}>
      ${model && html`<${Keep} studio=${studio}/>`}
      ${table && html`<${Columns} studio=${studio} table=${table}/>`}
    </aside>
  </div>`;
}

/** The first cards, as they are drawn. */
function Cards({ studio, kind, entries }) {
  const { store, wire } = studio;
  const [most, setMost] = useState(FIRST);
  const shown = entries.slice(0, most);
  const rest = entries.length - shown.length;
  const side = Object.keys(kind.faces)[0];
  const keys = shown.map((entry) => `${kind.name}/${entry.id}/${side}`);
  useEffect(() => wire.show(keys), [keys.join()]);
  const { width, height } = kind.stock;
  const tall = entries.length <= FEW ? TALL : HEIGHT;
  const wide = Math.min(tall, (tall * width) / height);
  return html`<ul class="draft-faces">
    ${shown.map(
      (entry, at) => html`<li key=${entry.id}>
      <a href=${to("cards", kind.name, entry.id)} aria-label=${entry.name}>
        <${Face} studio=${studio} face=${store.face(keys[at]).value} blank=${kind.stock}
          width=${wide}/></a></li>`,
    )}
    ${
      rest > 0 &&
      html`<li class="draft-more"><${Button} onClick=${() => setMost(most + MORE)}
        label=${t("start.more", { count: Math.min(rest, MORE) })}/></li>`
    }
  </ul>`;
}

/** The look, palette and size of a draft. */
function Dress({ studio, kind, table }) {
  const { store, wire } = studio;
  const [looks, setLooks] = useState([]);
  const [busy, setBusy] = useState("");
  useEffect(() => {
    wire.get("/api/looks").then(setLooks, () => {});
  }, []);
  if (!kind.look) return null;
  const { name: look, palette } = kind.look;
  const size = SIZES.find((one) => kind.stock.name.startsWith(one)) ?? "poker";
  const wear = async (name, tone) => {
    setBusy(name);
    try {
      const label = t("start.step.look", { name });
      if (table) taken.value = { ...table, worn: label };
      await wire.post("/api/look", { kind: kind.name, look: name, palette: tone || null, label });
    } catch (error) {
      wire.toast(error.message);
    }
    setBusy("");
  };
  const resize = async (value) => {
    setBusy(look);
    const wanted = { look, size: value, palette: palette ?? "" };
    await takeAgain(studio, table, wanted);
    setBusy("");
  };
  const last = store.undo.value.undo; // what was edited would be lost
  const canResize = table && (!last || last === table.worn);
  return html`<section class="draft-dress" aria-label=${t("start.look.change")}>
    <div class="looks-head">
      <${Tones} palettes=${looks[0]?.palettes ?? []} value=${palette ?? ""}
        disabled=${Boolean(busy)} onPick=${(tone) => wear(look, tone)}/>
      <span class="top-space"></span>
      ${
        canResize &&
        html`<${Segments} label=${t("start.size")} value=${size} onPick=${resize}
        options=${SIZES.map((value) => ({ value, label: t(`start.size.${value}`) }))}/>`
      }
    </div>
    <${LookPictures} looks=${looks} size="poker" tone="" value=${look} busy=${busy} small
      onPick=${(name) => wear(name, palette)}/>
  </section>`;
}
