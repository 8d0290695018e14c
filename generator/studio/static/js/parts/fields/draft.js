import { useRef, useState } from "../../../vendor/preact.js";

const EQUAL = (a, b) => a === b;

/**
 * Return what an input shows, and how to change it. It is what the person types; a text that
 * comes from elsewhere (undo, another tab) takes its place.
 */
export function useDraft(typed, send, isSame = EQUAL) {
  const state = useRef({ sent: typed, shown: typed });
  const [, again] = useState(0);
  if (!isSame(typed, state.current.sent)) state.current = { sent: typed, shown: typed };
  const change = (text) => {
    state.current = { sent: text, shown: text };
    again((count) => count + 1);
    send(text);
  };
  return [state.current.shown, change];
}
