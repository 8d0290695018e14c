/* What can be chosen for a cell. */
import { t } from "../../words.js";

/** Return the items of a chooser, and its shape. */
export function itemsOf({ store, wire }, row, { field }) {
  const model = store.model.value;
  const none = field.optional ? [{ value: "", label: "–", note: t("choice.none") }] : [];
  const named = (names) => names.map((name) => ({ value: name, label: name }));
  switch (field.type) {
    case "bool":
      return { shape: "list", items: [...none, ...named(["yes", "no"])] };
    case "choice":
      return { shape: "list", items: [...none, ...named(field.choices)] };
    case "icon": {
      const icons = (model?.icons ?? []).map((name) => ({
        value: name,
        label: name,
        icon: wire.icon(name),
      }));
      return { shape: "grid", items: [...none, ...icons] };
    }
    case "colour": {
      const colours = (model?.palette ?? []).map(({ name, colour }) => ({
        value: colour,
        label: name,
        note: colour,
        colour,
      }));
      return { shape: "grid", items: [...none, ...colours] };
    }
    case "image":
      return { shape: "grid", items: [...none, ...pictures(store, wire)] };
    default:
      return { shape: "list", items: [...none, ...references(store, wire, field)] };
  }
}

function pictures(store, wire) {
  const folder = `cards/${store.pack.value}/`;
  return [...store.files.value.values()]
    .filter((file) => file.sort === "picture" && file.path.startsWith(folder))
    .map(({ path }) => {
      const name = path.slice(folder.length);
      const label = name.split("/").at(-1);
      return { value: name, label, note: name, picture: wire.asset(path, 80) };
    });
}

function references(store, wire, field) {
  return (store.model.value?.components[field.kind] ?? []).map(({ id, name }) => {
    const key = store.sides(field.kind, id)[0];
    const sha = key ? store.face(key).peek()?.sha : "";
    const picture = sha ? wire.picture(sha, 40) : undefined;
    return { value: id, label: name, note: name === id ? "" : id, picture };
  });
}
