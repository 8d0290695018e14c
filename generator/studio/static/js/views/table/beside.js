/* The faces of the row with the cursor, beside the table. */
import { html, useEffect } from "../../../vendor/preact.js";
import { useAnswer } from "../../answer.js";
import { Face, useSize } from "../../parts/face.js";
import { titled } from "../../parts/fields/titled.js";
import { to } from "../../route.js";
import { t } from "../../words.js";

const AIR = 20;
const CAPTION = 44;
const MOST = 5; // px a mm
const NOWHERE = { texts: [], pictures: [] };

/** Show all sides of a component; what is on them leads to its column. */
export function Beside({ studio, about, row, onField }) {
  const { store, wire } = studio;
  const [box, size] = useSize();
  const keys = row?.id ? store.sides(about.name, row.id) : [];
  useEffect(() => {
    if (keys.length) wire.show(keys);
  }, [keys.join("\n")]);
  const faces = keys.map((key) => store.face(key).value ?? about.stock);
  const tallest = Math.max(60, size.height / Math.max(1, keys.length) - CAPTION - AIR);
  const scaleOf = (face) =>
    Math.min(MOST, (size.width - 2 * AIR) / face.width, tallest / face.height);
  const name = store.component(about.name, row?.id)?.name ?? row?.id ?? "";
  return html`<aside class="beside desk lens-${store.lens.value}" aria-label=${t("table.beside")}
    ref=${box}>
    ${
      size.width > 0 &&
      keys.map(
        (key, at) => html`<${Side} key=${key.split("/").at(-1)} studio=${studio} name=${key}
        about=${about} row=${row} called=${name} isFirst=${at === 0} onField=${onField}
        width=${Math.max(40, faces[at].width * scaleOf(faces[at]))}/>`,
      )
    }
  </aside>`;
}

function Side({ studio, name, about, row, called, isFirst, onField, width }) {
  const { store, wire } = studio;
  const face = store.face(name).value;
  const asked = async () => (face?.sha ? wire.places(name, face.sha) : NOWHERE);
  const { found: places = NOWHERE } = useAnswer(asked, [face?.sha]);
  const isOwn = ({ field }) => field?.[0] === about.name && field[1] === row.id;
  const side = name.split("/").at(-1);
  const title = ["front", "back"].includes(side) ? t(`side.${side}`) : titled(side);
  return html`<figure class="side">
    <${Face} studio=${studio} face=${face} blank=${about.stock} width=${width}
      guides=${store.guides.value} label="${called}, ${title}" pointerOnly>
      ${[...places.texts, ...places.pictures].filter(isOwn).map(
        ({ rect: [x, y, w, h], field }, at) => html`<rect key=${at} class="spot elsewhere" x=${x}
        y=${y} width=${w} height=${h} rx="0.6" onClick=${() => onField(field[2][0])}/>`,
      )}
    <//>
    <figcaption>${
      isFirst && called ? html`<a href=${to("cards", about.name, row.id)}>${called}</a>` : ""
    }
      <span class="faint">${title}</span></figcaption>
  </figure>`;
}
