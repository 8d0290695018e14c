/* The faces that a file makes, beside its text. */
import { html, signal, useEffect, useMemo } from "../../../vendor/preact.js";
import { Face, useSize } from "../../parts/face.js";
import { to } from "../../route.js";
import { t } from "../../words.js";

const AIR = 20;
const MOST = 4; // px a mm
const FEW = 3;

/** Show the faces of the component at a line, or of those that a face file draws. */
export function FileFaces({ studio, file, line }) {
  const { store, wire } = studio;
  const changed = useMemo(() => signal([]), []);
  useEffect(
    () =>
      wire.on("faces", ({ faces }) => {
        const keys = faces.map((face) => face.key).filter((key) => store.face(key).peek());
        if (keys.length) changed.value = [...new Set([...keys, ...changed.value])].slice(0, 60);
      }),
    [],
  );
  const keys = keysOf(store, file, line, changed.value).slice(0, FEW);
  useEffect(() => {
    if (keys.length) wire.show(keys);
  }, [keys.join("\n")]);
  return keys.length > 0 && html`<${Strip} studio=${studio} keys=${keys}/>`;
}

function Strip({ studio, keys }) {
  const { store } = studio;
  const [box, size] = useSize();
  const shown = keys
    .map((key) => {
      const [kind, id] = key.split("/");
      const about = store.kinds.value.get(kind);
      return { key, kind, id, face: store.face(key).value, stock: about?.stock };
    })
    .filter((one) => one.face || one.stock);
  return html`<aside class="beside file-faces desk" aria-label=${t("files.made")} ref=${box}>
    ${
      size.width > 0 &&
      shown.map(({ key, kind, id, face, stock }) => {
        const name = store.component(kind, id)?.name ?? id;
        const { width, height } = face ?? stock;
        const scale = Math.min(MOST, (size.width - 2 * AIR) / width, (size.height * 0.55) / height);
        return html`<figure class="side" key=${key}>
        <${Face} studio=${studio} face=${face} blank=${stock} width=${Math.max(40, width * scale)}
          guides=${store.guides.value} label=${name}/>
        <figcaption><a href=${to("cards", kind, id)}>${name}</a></figcaption>
      </figure>`;
      })
    }
  </aside>`;
}

function keysOf(store, file, line, changed) {
  const kinds = [...store.kinds.value.values()];
  if (file.sort === "components" || file.sort === "table") {
    const [kind, one] = componentAt(store, file, line);
    return one ? store.sides(kind, one.id) : [];
  }
  const isDrawn = ["face", "template"].includes(file.sort);
  if (!isDrawn && file.sort !== "kind") return changed;
  const makes = (kind, side) =>
    isDrawn ? kind?.faces[side]?.file === file.path : kind?.file === file.path;
  const isOf = (key) => {
    const [kind, , side] = key.split("/");
    return makes(store.kinds.value.get(kind), side);
  };
  const last = changed.filter(isOf);
  if (last.length) return last;
  const first = kinds.find((kind) => Object.keys(kind.faces).some((side) => makes(kind, side)));
  if (!first) return [];
  const { kind, id } = store.chosen.value;
  const shown = first.name === kind ? id : store.entries(first.name)[0]?.id;
  return shown ? store.sides(first.name, shown).filter(isOf) : [];
}

/** Return the kind and the component of a file whose text a line is in. */
function componentAt(store, file, line) {
  let found = ["", null];
  for (const [kind, list] of Object.entries(store.model.value?.components ?? {})) {
    for (const one of list) {
      const isAbove = one.file === file.path && one.line <= line;
      if (isAbove && !(found[1]?.line >= one.line)) found = [kind, one];
    }
  }
  return found;
}
