/* The desk: the faces of the chosen component as large as they fit, with guides and lenses. */
import { html, useState } from "../../../vendor/preact.js";
import { useAnswer } from "../../answer.js";
import { findingsOf } from "../../store.js";
import { Icon, IconButton, Menu } from "../../parts/buttons.js";
import { Face, sizeOf, useSize } from "../../parts/face.js";
import { titled } from "../../parts/fields/titled.js";
import { go, to, toFile } from "../../route.js";
import { t } from "../../words.js";
import { ActualSize, actualScale, isActual } from "./actual.js";
import { dropping } from "./drop.js";
import { facesOf } from "./faces_of.js";

const AIR = 36;
const CAPTION = 46; // px of two lines
const BAR = 56;
const LEAST = 150; // px for a caption
const MOST = 9; // px a mm
const NOWHERE = { texts: [], pictures: [] };
const LENSES = ["none", "grey", "protan", "deutan", "tritan"];

/** All sides of a component. */
export function Desk({ studio, kind, id, source, hand }) {
  const { store } = studio;
  const [box, size] = useSize();
  const about = store.kinds.value.get(kind);
  const sides = facesOf(store, kind, id);
  const [alone, setAlone] = useState(""); // a side of a kind
  const isAlone = sides.some((key) => sideOf(key) === alone);
  const keys = isAlone ? sides.filter((key) => sideOf(key) === alone) : sides;
  const kindOf = (key) => store.kinds.value.get(key.split("/")[0]);
  const faces = keys.map((key) => store.face(key).value ?? kindOf(key).stock);
  const guides = store.guides.value;
  const bleed = guides.trim;
  const scale = isActual.value ? actualScale() : fitting(faces, size, bleed);
  return html`<section class="desk lens-${store.lens.value}" aria-label=${t("desk")} ref=${box}>
    ${
      keys.length === 0
        ? html`<p class="empty">${t("desk.data", { kind: about?.title ?? kind })}</p>`
        : html`<div class="desk-faces" tabindex="0" role="group" aria-label=${t("desk.faces")}>
          ${keys.map(
            (key, at) => html`<${Side} key=${key} studio=${studio} name=${key}
            stock=${faces[at]} about=${kindOf(key)} scale=${scale} bleed=${bleed} hand=${hand}
            kind=${kind} id=${id} source=${source} isAlone=${sides.length > 1 ? isAlone : null}
            onAlone=${() => setAlone(isAlone ? "" : sideOf(key))}/>`,
          )}
        </div>
        <${Bar} store=${store}/>`
    }
  </section>`;
}

/** Return the kind and the side of a face. */
function sideOf(key) {
  const parts = key.split("/");
  return `${parts[0]}/${parts.at(-1)}`;
}

/** Return the largest scale at which all faces are in sight, beside or above each other. */
function fitting(faces, { width, height }, bleed) {
  if (!width || faces.length === 0) return 4;
  const extra = (face) => (bleed ? 2 * face.bleed : 0);
  const widths = faces.map((face) => face.width + extra(face));
  const heights = faces.map((face) => face.height + extra(face));
  const sum = (sizes) => sizes.reduce((a, b) => a + b, 0);
  const room = height - BAR - AIR;
  const count = faces.length;
  const across = (width - AIR * (count + 1)) / sum(widths);
  const down = (room - (CAPTION + AIR / 2) * count) / sum(heights);
  const beside = Math.min(across, (room - CAPTION) / Math.max(...heights));
  const above = Math.min(down, (width - 2 * AIR) / Math.max(...widths));
  return Math.max(0.2, Math.min(MOST, Math.max(beside, above)));
}

/** One side with what can be clicked on it. */
function Side({ studio, name, stock, about, scale, bleed, hand, ...rest }) {
  const { kind, id, source, isAlone, onAlone } = rest;
  const { store, wire } = studio;
  const face = store.face(name).value;
  const asked = async () => (face?.sha ? wire.places(name, face.sha) : NOWHERE);
  const { found: places = NOWHERE } = useAnswer(asked, [face?.sha]);
  const side = name.split("/").at(-1);
  const component = store.component(kind, id)?.name ?? id;
  const sideName = ["front", "back"].includes(side) ? t(`side.${side}`) : titled(side);
  const known = about.name === kind ? sideName : `${about.title}, ${sideName}`;
  const findings = store.guides.value.flaws ? findingsOf(store, kind, id) : [];
  const outline = findings.flatMap((finding) =>
    finding.rects.filter(([key]) => key === name).map(([, rect]) => ({ finding, rect })),
  );
  const template = about.faces[side];
  const fields = [...places.texts, ...places.pictures].filter(({ field }) => field);
  const isOwn = ([ofKind, ofId]) => ofKind === source.kind && ofId === source.id;
  const drops = dropping(studio, store.kinds.value.get(source.kind), source.row);
  const wide = Math.max(LEAST, (stock.width + (bleed ? 2 * stock.bleed : 0)) * scale);
  return html`<figure class="side" style=${{ width: `${wide}px` }} ...${drops}>
    <${Face} studio=${studio} face=${face} blank=${stock} width=${stock.width * scale}
      bleed=${bleed} guides=${store.guides.value} label="${component}, ${known}"
      waiting=${component} pointerOnly>
      ${fields.map(
        ({ rect, field }, at) => html`<${Spot} key=${at} rect=${rect} field=${field}
        isOwn=${isOwn(field)} hand=${hand}/>`,
      )}
      ${outline.map(
        ({ finding, rect: [x, y, width, height] }, at) => html`<rect key=${`f${at}`}
        class="flaw ${finding.severity}" x=${x} y=${y} width=${width} height=${height}>
        <title>${finding.message}</title></rect>`,
      )}
    <//>
    <figcaption>
      ${
        isAlone === null
          ? html`<span>${known}</span>`
          : html`<button type="button" aria-pressed=${isAlone} onClick=${onAlone}
            title=${t(isAlone ? "desk.all" : "desk.alone")}>${known}
            <${Icon} name=${isAlone ? "close" : "search"} small/></button>`
      }
      <span class="faint number">${sizeOf(stock)}</span>
      ${
        template &&
        html`<a class="faint" href=${toFile(template.file)}
        title=${template.file}>${template.file.split("/").at(-1)}</a>`
      }
    </figcaption>
  </figure>`;
}

/** A place on a face that leads to the field that it shows, perhaps of another component. */
function Spot({ rect: [x, y, width, height], field: [kind, id, keys], isOwn, hand }) {
  const path = keys.join(".");
  const on = isOwn && (hand.field.value === path || hand.field.value.startsWith(`${path}.`));
  const press = (event) => {
    event.preventDefault();
    if (isOwn) focusField(path);
    else go(to("cards", kind, id));
  };
  const classes = `spot ${on ? "on" : ""} ${isOwn ? "" : "elsewhere"}`;
  return html`<rect class=${classes} data-path=${isOwn ? path : undefined} onPointerDown=${press}
    x=${x} y=${y} width=${width} height=${height} rx="0.6"/>`;
}

/** Put the cursor into the field of a path, or into the nearest group around it. */
export function focusField(path) {
  for (let name = path; name; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
    const found = document.getElementById(`field-${name}`);
    if (!found) continue;
    const isGroup = found.matches("[role=radiogroup]");
    const inside = isGroup ? found.querySelector("[tabindex='0']") : found;
    inside.scrollIntoView({ block: "nearest" });
    inside.focus();
    // Others that can have the focus, such as switches, have no cursor.
    if (inside.matches("textarea, [type=text]")) inside.setSelectionRange(-1, -1);
    return;
  }
}

/** Switches of guides, lens and size. */
function Bar({ store }) {
  const { guides, lens } = store;
  const guide = (name, icon) => {
    const toggle = () => (guides.value = { ...guides.value, [name]: !guides.value[name] });
    return html`<${IconButton} icon=${icon} label=${t(`guides.${name}`)}
      pressed=${guides.value[name]} onClick=${toggle}/>`;
  };
  const lenses = LENSES.map((name) => ({
    label: t(`lens.${name}`),
    checked: lens.value === name,
    onPick: () => (lens.value = name),
  }));
  const lensName = lens.value === "none" ? "" : t(`lens.${lens.value}`);
  return html`<div class="desk-bar" role="toolbar" aria-label=${t("desk.bar")}>
    ${guide("trim", "guides")} ${guide("safe", "safe")} ${guide("flaws", "warning")}
    <span class="bar-line"></span>
    <${ActualSize}/>
    <${Menu} label=${t("lens")} icon="eye" text=${lensName} items=${lenses}/>
  </div>`;
}
