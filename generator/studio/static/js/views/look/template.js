/* A face that is drawn by a template: its texts and pictures lead to their lines. */
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { Face } from "../../parts/face.js";
import { go, toFile } from "../../route.js";
import { t } from "../../words.js";
import { useScale } from "./stage.js";

/** The card, with what its template places on it. */
export function TemplateStage({ studio, stock, face, source, label }) {
  const { wire } = studio;
  const [ref, scale] = useScale(stock);
  const [places, setPlaces] = useState([]);
  const key = face?.key ?? "";
  useEffect(() => {
    if (!key) return undefined;
    let isWanted = true;
    wire.get("/api/face", { key }).then(
      ({ texts, pictures }) => isWanted && setPlaces([...pictures, ...texts]),
      () => isWanted && setPlaces([]),
    );
    return () => {
      isWanted = false;
    };
  }, [key, face?.sha]);
  const known = places.filter(({ file, line }) => file && line);
  const word = t("look.template", { file: source.file.split("/").at(-1) });
  const size = { width: `${stock.width * scale}px`, height: `${stock.height * scale}px` };
  return html`<p class="variant-bar soft">${word}
      ${" "}${known.length > 0 && t("look.clickPlace")}
      ${" "}<a href=${toFile(source.file)}>${t("look.toFile")}</a></p>
    <div class="stage template" ref=${ref} role="group" aria-label=${word}>
    <div class="stage-card" style=${size}>
      <${Face} studio=${studio} face=${face} blank=${stock} width=${stock.width * scale}
        label=${label}/>
      <svg class="stage-over" viewBox=${`0 0 ${stock.width} ${stock.height}`}>
        ${known.map(({ rect: [x, y, w, h], file, line, column }, at) => {
          const address = toFile(file, line, column);
          const open = (event) => {
            if (event.type === "click" || event.key === "Enter") go(address);
          };
          return html`<rect key=${at} class="template-place" x=${x} y=${y} width=${w} height=${h}
            tabindex="0" role="link" aria-label=${t("look.toLine", { file, line })}
            onClick=${open} onKeyDown=${open}>
            <title>${file.split("/").at(-1)}:${line}</title></rect>`;
        })}
      </svg>
    </div>
  </div>`;
}
