/* Look: the boxes of a face on a real card, at the right their list and their properties. */
import { html, useEffect, useMemo, useRef } from "../../../vendor/preact.js";
import { go, route, to } from "../../route.js";
import { toFile } from "../../route.js";
import { t } from "../../words.js";
import { Actions } from "./actions.js";
import { LookBar, VariantBar, sideName } from "./bar.js";
import { createBoard } from "./board.js";
import { CardPanel } from "./card_panel.js";
import { onKey } from "./keys.js";
import { BoxList } from "./list.js";
import { Properties } from "./properties.js";
import { Stage } from "./stage.js";
import { Strip, neighbours } from "./strip.js";
import { TemplateStage } from "./template.js";

const IN_VIEW = 14;

/** The view Look. */
export function View({ studio }) {
  const { store } = studio;
  if (!store.model.value) return null; // another pack is being opened
  const kinds = store.model.value.kinds.filter(
    (one) => one.stock && Object.keys(one.faces).length > 0 && store.entries(one.name).length > 0,
  );
  const [named, asked] = route.value.parts;
  const kind =
    kinds.find((one) => one.name === named) ??
    kinds.find((one) => one.name === store.chosen.value.kind) ??
    kinds.find((one) => one.own) ??
    kinds[0];
  if (!kind)
    return html`<p class="empty">${t("look.nothing")}
    <a href=${to("cards")}>${t("look.addCards")}</a></p>`;
  const side = kind.faces[asked] ? asked : Object.keys(kind.faces)[0];
  return html`<${KindLook} studio=${studio} kinds=${kinds} kind=${kind} side=${side}/>`;
}

function KindLook({ studio, kinds, kind, side }) {
  const { store, wire } = studio;
  const entries = store.entries(kind.name);
  const chosen = store.chosen.value;
  const isHere = (id) => entries.some((entry) => entry.id === id);
  const isKnown = chosen.kind === kind.name && isHere(chosen.id);
  const here = route.value;
  const [, , asked] = here.parts; // as it was before the page was loaded again
  const id = isKnown ? chosen.id : isHere(asked) ? asked : entries[0].id;
  const key = `${kind.name}/${id}/${side}`;
  const pick = (next) => (store.chosen.value = { kind: kind.name, id: next });
  useEffect(() => {
    if (!isKnown) pick(id);
    if (here.view === "look" && route.peek() === here) go(to("look", kind.name, side, id), true);
  }, [kind.name, side, id]);
  useEffect(() => {
    const others = neighbours(entries, id, IN_VIEW).map((one) => `${kind.name}/${one.id}/${side}`);
    wire.show([key, ...others.filter((one) => one !== key)]);
  }, [key, entries.length, store.number.value]);

  const source = kind.faces[side];
  const board = useBoard(studio, source, key);
  const face = store.face(key).value;
  const stock = face ?? { ...kind.stock, corner: 0 };
  const label = `${entries.find((one) => one.id === id)?.name ?? id}, ${sideName(side)}`;
  const step = (by) => {
    const next = entries[entries.findIndex((entry) => entry.id === id) + by];
    if (next) pick(next.id);
  };
  const pressed = (event) => {
    if (board?.layout.value && onKey(board, event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const props = { studio, board, kind, side, entries, id, stock };
  return html`<div class="look" onKeyDown=${pressed}>
    <section class="look-desk" aria-label=${t("look.desk")}>
      <${LookBar} ...${props} kinds=${kinds} onStep=${step}/>
      ${board?.layout.value && html`<${VariantBar} board=${board}/>`}
      <${Middle} ...${props} source=${source} face=${face} label=${label}/>
      ${entries.length > 1 && html`<${Strip} ...${props} onPick=${pick}/>`}
    </section>
    <${Panel} ...${props} source=${source}/>
    <p class="unseen" role="status" aria-live="polite">${board?.said.value}</p>
  </div>`;
}

/** Return the board of a face file, null for a template. It lasts while one goes from card to
 * card. */
function useBoard(studio, source, key) {
  const shown = useRef({ value: key });
  shown.current.value = key;
  const isFace = source.sort === "face";
  const board = useMemo(
    () => (isFace ? createBoard(studio, source.file, shown.current) : null),
    [source.file, isFace],
  );
  useEffect(() => (board ? studio.wire.on("faces", board.heard) : undefined), [board]);
  useEffect(() => {
    board?.load();
  }, [board, key]);
  return board;
}

function Middle({ studio, board, source, stock, face, label }) {
  if (!board) {
    return html`<${TemplateStage} studio=${studio} stock=${stock} face=${face} source=${source}
      label=${label}/>`;
  }
  if (board.missing.value) {
    return html`<p class="empty">${t("look.unreadable")}
      <a href=${toFile(source.file)}>${t("look.toFile")}</a></p>`;
  }
  return html`<${Stage} studio=${studio} board=${board} stock=${stock} face=${face}
    label=${label}/>`;
}

/** The boxes, and what can be set. */
function Panel({ studio, board, kind, stock, source }) {
  const layout = board?.layout.value;
  if (!layout) {
    return html`<aside class="look-panel" aria-label=${t("look.panel")}>
      <h2 class="unseen">${t("look.panel")}</h2>
      <${CardPanel} studio=${studio} board=${null} kind=${kind}/></aside>`;
  }
  const boxes = board.chosenBoxes();
  const isSame = (one) => Object.values(one.faces).some((face) => face.file === source.file);
  const others = [
    ...studio.store.model.value.kinds
      .filter((one) => one.name !== kind.name && isSame(one))
      .map((one) => one.title),
    ...layout.heirs.map((file) => file.split("/").at(-1)),
  ];
  const also = others.length > 0 && t("look.alsoFor", { names: others.join(", ") });
  return html`<aside class="look-panel" aria-label=${t("look.panel")}>
    <header class="panel-head">
      <h2>${t("look.boxes")}</h2>
      <a class="faint quiet cut" href=${toFile(source.file)} title=${source.file}>
        ${source.file.split("/").at(-1)}</a>
    </header>
    <div class="panel-notes">
      ${board.isReadonly() && html`<p class="look-note">${layout.files[0].readonly}</p>`}
      ${also && html`<p class="look-note">${also}</p>`}
    </div>
    <${BoxList} board=${board} stock=${stock}/>
    <div class="panel-bottom">
      ${
        boxes.length === 0
          ? html`<${CardPanel} studio=${studio} board=${board} kind=${kind}/>`
          : html`<${Actions} board=${board} stock=${stock}/>
            <${Properties} studio=${studio} board=${board} boxes=${boxes} kind=${kind}
              stock=${stock}/>`
      }
    </div>
  </aside>`;
}
