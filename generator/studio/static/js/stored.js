import { effect, signal } from "../vendor/preact.js";

/** Return a signal whose value the browser remembers under this name. */
export function stored(name, otherwise) {
  const key = `gridpress.${name}`;
  const made = signal(read(key, otherwise));
  effect(() => {
    const text = JSON.stringify(made.value);
    try {
      localStorage.setItem(key, text);
    } catch {
      // A browser that keeps nothing still shows everything.
    }
  });
  return made;
}

function read(key, otherwise) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}
