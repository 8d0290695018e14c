import { useState } from "../../../vendor/preact.js";

/** A file may hold a text without the blanks at its ends, which are still being typed after. */
const EQUAL = (a, b) => a.trim() === b.trim();

/**
 * Return what an input shows, and how to change it. It is what the person types; a text that
 * comes from elsewhere (undo, another tab) takes its place.
 */
export function useDraft(typed, send, isSame = EQUAL) {
  const [draft, setDraft] = useState({ sent: typed, shown: typed });
  const change = (text) => {
    setDraft({ sent: text, shown: text });
    send(text);
  };
  return [isSame(typed, draft.sent) ? draft.shown : typed, change];
}

/** The same for what counts only once one leaves the input. */
export function useTyped(text) {
  const [{ from, shown }, set] = useState({ from: text, shown: text });
  return [from === text ? shown : text, (next) => set({ from: text, shown: next })];
}
