/* The table that the open draft was made of: what became of its columns, and how to take it
 * again. */
import { signal } from "../../../vendor/preact.js";
import { go, to } from "../../route.js";

/** {folder, name, content, columns, notes, look, size} of the last table; null before the first. */
export const taken = signal(null);

/** Make a draft of a table, and open it. */
export async function takeTable(
  { store, wire },
  name,
  content,
  { look = "", size = "poker" } = {},
) {
  go(to("start"), true);
  const hello = new Promise((resolve) => {
    const stop = wire.on("hello", (event) => {
      stop();
      resolve(event);
    });
  });
  const query = { name: name.includes(".") ? name : `${name}.csv`, look, size, draft: "" };
  const { columns, notes } = await wire.send("/api/start/import", query, content);
  const { project } = await hello;
  taken.value = { folder: project.folder, name, content, columns, notes, look, size };
  store.chosen.value = { kind: "", id: "" };
}
