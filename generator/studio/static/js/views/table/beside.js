/* The faces of the row with the cursor, beside the table. */
import { html, useEffect } from "../../../vendor/preact.js";
import { Face, useSize } from "../../parts/face.js";
import { titled } from "../../parts/fields/titled.js";
import { to } from "../../route.js";
import { t } from "../../words.js";

const AIR = 20;
const CAPTION = 44;
const MOST = 5; // px a mm

/** Show all sides of a component. */
export function Beside({ studio, about, row }) {
  const { store, wire } = studio;
  const [box, size] = useSize();
  const keys = row?.id ? store.sides(about.name, row.id) : [];
  useEffect(() => {
    if (keys.length) wire.show(keys);
  }, [keys.join("\n")]);
  const faces = keys.map((key) => store.face(key).value ?? about.stock);
  const count = Math.max(1, keys.length);
  const tallest = Math.max(60, size.height / count - CAPTION - AIR);
  const scaleOf = (face) =>
    Math.min(MOST, (size.width - 2 * AIR) / face.width, tallest / face.height);
  const name = store.component(about.name, row?.id)?.name ?? row?.id ?? "";
  return html`<aside class="beside desk lens-${store.lens.value}" aria-label=${t("table.beside")}
    ref=${box}>
    ${
      size.width > 0 &&
      keys.map((key, at) => {
        const side = key.split("/").at(-1);
        const title = ["front", "back"].includes(side) ? t(`side.${side}`) : titled(side);
        return html`<figure class="side" key=${side}>
        <${Face} studio=${studio} face=${store.face(key).value} blank=${about.stock}
          width=${Math.max(40, faces[at].width * scaleOf(faces[at]))} guides=${store.guides.value}
          label="${name}, ${title}"/>
        <figcaption>${
          at === 0 && name ? html`<a href=${to("cards", about.name, row.id)}>${name}</a>` : ""
        }
          <span class="faint">${title}</span></figcaption>
      </figure>`;
      })
    }
  </aside>`;
}
