/* The table that the open draft was made of: what became of its columns, and how to take it
 * again. */
import { signal } from "../../../vendor/preact.js";
import { go, to } from "../../route.js";
import { t } from "../../words.js";

/**
 * {folder, name, content, wanted, columns, sheets, notes, is_unsure, worn} of the last table; null
 * before the first. `worn` is the label of the step that last changed its look.
 */
export const taken = signal(null);

/** Return what was dropped or pasted: a file, or cells, of which Excel adds a picture. */
export function tableIn(data) {
  const file = [...(data?.files ?? [])].find((one) => !one.type.startsWith("image/"));
  const text = data?.getData("text/plain") ?? "";
  if (file) return [file.name, file];
  return text.trim() ? [t("start.table.name"), text] : null;
}

/** Make a draft of a table, and open it. */
export async function takeTable({ store, wire }, name, content, wanted = {}) {
  const hello = new Promise((resolve) => {
    const stop = wire.on("hello", (event) => {
      stop();
      resolve(event);
    });
  });
  const query = { name: name.includes(".") ? name : `${name}.csv`, ...wanted };
  const told = await wire.send("/api/start/import", query, content);
  const { project } = await hello;
  taken.value = { ...told, folder: project.folder, name, content, wanted };
  store.chosen.value = { kind: "", id: "" };
  go(to("start"));
}

/** Take the table of the open draft again, otherwise; the new draft takes its place. */
export function takeAgain(studio, { name, content, wanted }, more) {
  const otherwise = { ...wanted, ...more, instead: "" };
  return takeTable(studio, name, content, otherwise).catch((error) =>
    studio.wire.toast(error.message),
  );
}
