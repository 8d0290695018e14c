/* The route in the address: #/cards/kind/id, #/cards/kind/id/field,
 * #/files/cards/duel/cards.yaml:12:7, … */
import { computed, signal } from "../vendor/preact.js";

const address = signal(location.hash);
window.addEventListener("hashchange", () => (address.value = location.hash));

/** {view, parts}: the name of the view, and the decoded words after it. */
export const route = computed(() => {
  const [view = "", ...parts] = address.value.replace(/^#\/?/, "").split("/").map(decoded);
  return { view: view || "cards", parts: parts.filter(Boolean) };
});

/** {path, line, column} of a route to a file; line and column are 0 if none is named. */
export const place = computed(() => {
  const [, path, line = 0, column = 0] = /^(.*?)(?::(\d+))?(?::(\d+))?$/.exec(
    route.value.parts.join("/"),
  );
  return { path, line: Number(line), column: Number(column) };
});

/** Return the address of a view. */
export function to(view, ...parts) {
  return `#/${[view, ...parts]
    .filter((part) => part !== "")
    .map(encoded)
    .join("/")}`;
}

/** Return the address of a place in a file. */
export function toFile(path, line = 0, column = 0) {
  const at = line ? `:${line}${column ? `:${column}` : ""}` : "";
  return to("files", ...`${path}${at}`.split("/"));
}

/** Go to an address; `quietly` leaves no step in the browser's history, nor does it lead back from
 * where the browser is going already. */
export function go(hash, quietly = false) {
  if (location.hash === hash || (quietly && location.hash !== address.peek())) return;
  if (quietly) history.replaceState({ quietly }, "", hash);
  else location.hash = hash;
  address.value = location.hash;
}

function encoded(part) {
  return encodeURIComponent(part).replaceAll("%3A", ":");
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
