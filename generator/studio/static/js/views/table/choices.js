/* What can be chosen for a cell. */
import { colourItems, componentItems, iconItems, pictureItems } from "../../parts/items.js";
import { t } from "../../words.js";

/** Return the items of a chooser, and its shape. */
export function itemsOf(studio, row, { field }) {
  const none = field.optional ? [{ value: "", label: "–", note: t("choice.none") }] : [];
  const named = (names) => names.map((name) => ({ value: name, label: name }));
  switch (field.type) {
    case "bool":
      return { shape: "list", items: [...none, ...named(["yes", "no"])] };
    case "choice":
      return { shape: "list", items: [...none, ...named(field.choices)] };
    case "icon":
      return { shape: "grid", items: [...none, ...iconItems(studio)] };
    case "colour":
      return { shape: "grid", items: [...none, ...colourItems(studio)] };
    case "image":
      return { shape: "grid", items: [...none, ...pictureItems(studio)] };
    default:
      return { shape: "list", items: [...none, ...componentItems(studio, field.kind)] };
  }
}
