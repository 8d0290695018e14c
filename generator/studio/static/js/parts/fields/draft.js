import { useState } from "../../../vendor/preact.js";

const EQUAL = (a, b) => a === b;

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
