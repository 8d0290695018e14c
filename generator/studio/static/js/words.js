/* Words in the person's language. `t("key")` reads a signal, so that a change of language shows. */
import { signal } from "../vendor/preact.js";
import { stored } from "./stored.js";

const LANGUAGES = ["en", "de"];
const words = signal({});
const preferred = navigator.language.startsWith("de") ? "de" : "en";

/** The language of the page: "en" or "de". */
export const language = stored("language", preferred);

/** Read the words of a language, and show them. */
export async function speak(code) {
  const known = LANGUAGES.includes(code) ? code : "en";
  const response = await fetch(new URL(`../words/${known}.json`, import.meta.url));
  words.value = await response.json();
  language.value = known;
  document.documentElement.lang = known;
}

/** Return the words of a key, with {names} filled in; `count` chooses key.one or key.other. */
export function t(key, values = {}) {
  const known = words.value;
  const form = "count" in values ? new Intl.PluralRules(language.value).select(values.count) : "";
  const text = known[`${key}.${form}`] ?? known[key] ?? (form ? known[`${key}.other`] : undefined);
  return (text ?? key).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}
