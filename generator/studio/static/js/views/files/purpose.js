/* In plain words what a file is for, and where its things are easier to change. */
import { html } from "../../../vendor/preact.js";
import { Icon } from "../../parts/buttons.js";
import { to } from "../../route.js";
import { t } from "../../words.js";
import { componentsIn, drawnBy, hasText } from "./made.js";

const MOST = 3; // kinds that are named

/** One line about a file: why it cannot be changed, or what it is for. */
export function Purpose({ studio: { store }, file, takers }) {
  const isPicture = file.sort === "picture" || file.sort === "icon";
  if (!store.files.value.has(file.path)) return null; // of another pack
  if (!hasText(file) && !isPicture) return null; // the view says it
  if (file.readonly) {
    return html`<p class="soft file-about"><${Icon} name="lock" small/>
      <span>${file.readonly}</span></p>`;
  }
  const { words, links = [] } = aboutOf(store, file, takers);
  return html`<p class="soft file-about"><span>${words}</span>
    ${links.map(([tab, href]) => html`<a key=${tab} href=${href}>${t(`tab.${tab}`)}</a>`)}</p>`;
}

function aboutOf(store, file, takers) {
  const about = ABOUT[file.sort] ?? ABOUT.other;
  return about(store, file, takers);
}

const titleOf = (store, name) => store.kinds.value.get(name)?.title ?? name;
const inKind = (store, kind, words) => ({
  words: t(words, { kind: titleOf(store, kind) }),
  links: [
    ["cards", to("cards", kind)],
    ["table", to("table", kind)],
  ],
});

function ofComponents(store, file) {
  const [first] = componentsIn(store, file);
  return first ? inKind(store, first.kind, "files.is.cards") : { words: t("files.is.data") };
}

function ofKind(store, file) {
  const kind = [...store.kinds.value.values()].find((one) => one.file === file.path);
  return { words: t("files.is.kind", { kind: kind?.title ?? file.path.split("/").at(-1) }) };
}

function ofDrawing(store, file, takers) {
  const kinds = drawnBy(store, file, takers);
  if (!kinds.length) return { words: t("files.is.unused") };
  const titles = kinds.map(({ kind }) => kind.title);
  const names = [...titles.slice(0, MOST), ...(titles[MOST] ? ["…"] : [])].join(", ");
  const { kind, sides } = kinds[0];
  const isPart = !Object.values(kind.faces).some((face) => face.file === file.path);
  const words = t(isPart ? "files.is.part" : "files.is.face", { kinds: names });
  return file.sort === "face"
    ? { words, links: [["look", to("look", kind.name, sides[0])]] }
    : { words };
}

const saying = (key) => (_store, file) => ({
  words: t(key, {
    name: file.path
      .split("/")
      .at(-1)
      .replace(/\.\w+$/, ""),
  }),
});
const ABOUT = {
  components: ofComponents,
  table: ofComponents,
  kind: ofKind,
  face: ofDrawing,
  template: ofDrawing,
  styles: () => ({ words: t("files.is.styles"), links: [["look", to("look")]] }),
  pack: saying("files.is.pack"),
  picture: saying("files.is.picture"),
  icon: saying("files.is.icon"),
  text: saying("files.is.text"),
  other: saying("files.is.other"),
};
