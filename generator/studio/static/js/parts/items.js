/* What a chooser offers of a pack: its colours, icons, pictures and components. */
import { t } from "../words.js";

/** Return the colours of the pack's palette, by their codes. */
export function colourItems({ store }) {
  return (store.model.value?.palette ?? []).map(({ name, colour }) => {
    return { value: colour, label: name, note: colour, colour };
  });
}

/** Return the icons that the pack can use, its own first. */
export function iconItems({ store, wire }) {
  const names = store.model.value?.icons ?? [];
  const isOwn = (name) => store.files.value.has(`templates/${store.pack.value}/icons/${name}.svg`);
  return names.map((name) => {
    const group = t(isOwn(name) ? "icon.own" : "icon.shared");
    return { value: name, label: name, icon: wire.icon(name), group };
  });
}

/** Return what a chooser needs to take an icon from a file. */
export function addIcon({ wire }) {
  const take = async (file) => (await wire.upload(file, "icon")).name;
  return { label: t("icon.add"), accept: "image/svg+xml", take };
}

/** Return the pictures in the folder of the pack. */
export function pictureItems({ store, wire }) {
  const folder = `cards/${store.pack.value}/`;
  return [...store.files.value.values()]
    .filter((file) => file.sort === "picture" && file.path.startsWith(folder))
    .map(({ path }) => {
      const name = path.slice(folder.length);
      const picture = wire.asset(path, 80);
      return { value: name, label: name.split("/").at(-1), note: name, picture };
    });
}

/** Return the components of a kind. */
export function componentItems({ store, wire }, kind) {
  return (store.model.value?.components[kind] ?? []).map(({ id, name }) => {
    const key = store.sides(kind, id)[0];
    const sha = key ? store.face(key).peek()?.sha : "";
    const picture = sha ? wire.picture(sha, 40) : undefined;
    return { value: id, label: name, note: name === id ? "" : id, picture };
  });
}
