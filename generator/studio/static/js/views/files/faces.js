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
  const { kinds, components } = store.model.value;
  if (file.sort === "components" || file.sort === "table") {
    const [kind, one] = componentAt(components, file, line);
    return one ? store.sides(kind, one.id) : [];
  }
  const uses = (kind) => Object.values(kind.faces).some((face) => face.file === file.path);
  const isDrawn = ["face", "template"].includes(file.sort);
  const isOf = (key) => {
    const [kindName, , side] = key.split("/");
    const kind = store.kinds.value.get(kindName);
    if (isDrawn) return kind?.faces[side]?.file === file.path;
    return file.sort !== "kind" || kind?.file === file.path;
  };
  const last = changed.filter(isOf);
  if (last.length || (!isDrawn && file.sort !== "kind")) return last;
  const kind = kinds.find((one) => (isDrawn ? uses(one) : one.file === file.path));
  const { kind: chosenKind, id } = store.chosen.value;
  const first = kind?.name === chosenKind ? id : components[kind?.name]?.[0]?.id;
  return first ? store.sides(kind.name, first).filter((key) => isOf(key)) : [];
}

/** Return the component of a file whose text the line is in. */
function componentAt(components, file, line) {
  let found = ["", null];
  for (const [kind, list] of Object.entries(components)) {
    for (const one of list) {
      if (one.file !== file.path || one.line > line) continue;
      if (!found[1] || one.line > found[1].line) found = [kind, one];
    }
  }
  return found;
}
