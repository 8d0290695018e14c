/* The faces that a file makes, beside its text, as they are after each key. */
import { html, useEffect, useMemo, useRef, useState } from "../../../vendor/preact.js";
import { useAnswer } from "../../answer.js";
import { IconButton } from "../../parts/buttons.js";
import { Face, useSize } from "../../parts/face.js";
import { titled } from "../../parts/fields/titled.js";
import { go, to, toFile } from "../../route.js";
import { t } from "../../words.js";
import { facesOf } from "../cards/faces_of.js";
import { componentAt, madeBy } from "./made.js";

const AIR = 20;
const BAR = 56;
const CAPTION = 44;
const MOST = 6; // px a mm
const FEW = 3;
const NOWHERE = { texts: [], pictures: [] };

/**
 * Show the faces of the component at a line, or of one that the file draws: the one that an edit
 * changed, else the one in hand, else the first. `takers` are the files that take it over.
 */
export function FileFaces({ studio, file, line, takers }) {
  const { store, wire } = studio;
  const [changed, setChanged] = useState("");
  const own = componentAt(store, file, line);
  const ofLine = own ? facesOf(store, own.kind, own.id) : [];
  const kinds = store.kinds.value;
  const model = store.model.value;
  const made = useMemo(() => madeBy(store, file, takers), [kinds, model, file, takers]);
  const at = placeIn(made, changed, store.chosen.value);
  const one = made[at];
  const ofFile = changed && !keysOf(one).includes(changed) ? [changed] : keysOf(one);
  const keys = (ofLine.length ? ofLine : ofFile).slice(0, FEW);

  const shown = useRef({});
  shown.current.keys = keys;
  useEffect(
    () =>
      wire.on("faces", ({ faces, number }) => {
        // Faces in view are drawn first: they did not change if the first news are of others.
        if (!faces.length || number === shown.current.number || !hasTyped(store, file)) return;
        shown.current.number = number;
        const isSeen = faces.some(({ key }) => shown.current.keys.includes(key));
        if (!isSeen) setChanged(faces[0].key);
      }),
    [],
  );
  useEffect(() => {
    if (keys.length) wire.show(keys);
  }, [keys.join("\n")]);
  const step = (by) => {
    const { kind, id } = made[(at + by + made.length) % made.length];
    setChanged("");
    store.chosen.value = { kind, id };
  };
  const isStepped = !ofLine.length && made.length > 1;
  return (
    keys.length > 0 &&
    html`<${Strip} studio=${studio} file=${file} line=${line} keys=${keys}
      steps=${isStepped ? { step, at, count: made.length } : null}/>`
  );
}

/** Return True if the text of a file is newer than when the page saw it first. */
function hasTyped(store, file) {
  return (store.files.value.get(file.path)?.rev ?? 0) > file.rev;
}

function keysOf(one) {
  return one ? one.sides.map((side) => `${one.kind}/${one.id}/${side}`) : [];
}

function placeIn(made, changed, chosen) {
  const [kind, id] = changed.split("/");
  const find = (of) => made.findIndex((one) => one.kind === of.kind && one.id === of.id);
  return Math.max(0, find({ kind, id }) < 0 ? find(chosen) : find({ kind, id }));
}

function Strip({ studio, file, line, keys, steps }) {
  const { store } = studio;
  const [box, size] = useSize();
  const stockOf = (key) => store.face(key).value ?? store.kinds.value.get(key.split("/")[0])?.stock;
  const shown = keys.map((key) => ({ key, stock: stockOf(key) })).filter(({ stock }) => stock);
  const room = size.height - (steps ? BAR : 0);
  const tallest = Math.max(60, room / Math.max(1, shown.length) - CAPTION - AIR);
  const widthOf = ({ width, height }) =>
    width * Math.min(MOST, (size.width - 2 * AIR) / width, tallest / height);
  return html`<aside class="beside file-faces desk" aria-label=${t("files.made")} ref=${box}>
    ${steps && html`<${Steps} ...${steps}/>`}
    ${
      size.width > 0 &&
      shown.map(
        ({ key, stock }) => html`<${Side} key=${key} studio=${studio} name=${key} stock=${stock}
        width=${Math.max(40, widthOf(stock))} file=${file} line=${line}/>`,
      )
    }
  </aside>`;
}

/** Lead to the other cards that the file draws. */
function Steps({ step, at, count }) {
  return html`<div class="file-steps" role="toolbar" aria-label=${t("files.made")}>
    <${IconButton} icon="left" label=${t("files.before")} onClick=${() => step(-1)}/>
    <span class="faint number">${at + 1} / ${count}</span>
    <${IconButton} icon="right" label=${t("files.after")} onClick=${() => step(1)}/>
  </div>`;
}

/** A face; what is on it leads to its line. */
function Side({ studio, name, stock, width, file, line }) {
  const { store, wire } = studio;
  const face = store.face(name).value;
  const asked = async () => (face?.sha ? wire.places(name, face.sha) : NOWHERE);
  const { found: places = NOWHERE } = useAnswer(asked, [face?.sha]);
  const [kind, id, side] = name.split("/");
  const called = store.component(kind, id)?.name ?? id;
  const title = ["front", "back"].includes(side) ? t(`side.${side}`) : titled(side);
  const spots = [...places.pictures, ...places.texts]
    .map((part) => ({ rect: part.rect, at: lineOf(part, file.path) }))
    .filter(({ at }) => at[0] && at[1]);
  const flaws = store.findings.value.flatMap(({ rects, severity, message }) =>
    rects.filter(([key]) => key === name).map(([, rect]) => ({ rect, severity, message })),
  );
  return html`<figure class="side">
    <${Face} studio=${studio} face=${face} blank=${stock} width=${width}
      guides=${store.guides.value} label="${called}, ${title}" pointerOnly>
      ${spots.map(({ rect: [x, y, w, h], at }, number) => {
        const on = at[0] === file.path && at[1] === line ? "on" : "";
        return html`<rect key=${number} class="spot elsewhere ${on}" x=${x} y=${y} width=${w}
          height=${h} rx="0.6" onClick=${() => go(toFile(...at))}>
          <title>${at[0].split("/").at(-1)}:${at[1]}</title></rect>`;
      })}
      ${flaws.map(
        ({ rect: [x, y, w, h], severity, message }, number) => html`<rect key=${`f${number}`}
        class="flaw ${severity}" x=${x} y=${y} width=${w} height=${h}>
        <title>${message}</title></rect>`,
      )}
    <//>
    <figcaption><a href=${to("cards", kind, id)}>${called}</a>
      <span class="faint">${title}</span></figcaption>
  </figure>`;
}

/** Return the line of a part of a face: of its value if the file at `path` has it. */
function lineOf({ value, file, line, column }, path) {
  return value?.[0] === path ? value : [file, line, column];
}
