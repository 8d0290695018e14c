/* How finely a picture is printed where the chosen component shows it. */
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { t } from "../../words.js";

const MM_PER_INCH = 25.4;
const COARSE = 200; // dpi; below it a picture looks soft in print

/** Show the dpi of a picture file at the place of a field. */
export function Dpi({ studio, file, path }) {
  const { store, wire } = studio;
  const [dpi, setDpi] = useState(null);
  const { kind, id } = store.chosen.value;
  const faces = store
    .sides(kind, id)
    .map((key) => store.face(key).value)
    .filter(Boolean);
  const shas = faces.map((face) => face.sha).join();
  useEffect(() => {
    let isWanted = true;
    setDpi(null);
    measured(wire, faces, file, path)
      .then((found) => isWanted && setDpi(found))
      .catch(() => {});
    return () => {
      isWanted = false;
    };
  }, [file, path, shas]);
  if (dpi === null) return null;
  const severity = dpi < COARSE ? "warning" : "faint";
  return html`<span class="dpi number ${severity}" title=${t("picture.dpi")}>${dpi} dpi</span>`;
}

/** Return the dpi at the largest place of a field, or null if no face shows it. */
async function measured(wire, faces, file, path) {
  if (file.endsWith(".svg")) return null;
  const all = await Promise.all(faces.map((face) => wire.places(face.key, face.sha)));
  const rects = all
    .flatMap(({ pictures }) => pictures)
    .filter(({ field, icon }) => !icon && field?.[2].join(".") === path)
    .map(({ rect }) => rect);
  if (rects.length === 0) return null;
  const image = new Image();
  image.src = wire.asset(file);
  await image.decode();
  const dpis = rects.map(([, , width, height]) =>
    Math.min(image.naturalWidth / width, image.naturalHeight / height),
  );
  return Math.floor(Math.min(...dpis) * MM_PER_INCH);
}
