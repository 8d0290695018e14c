/* Keys on the board and in the list of boxes. */
import * as steps from "./steps.js";

const STEP = 0.5; // mm
const FINE = 0.1;
const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Do what a key asks for; return whether it asked for anything. */
export function onKey(board, event) {
  if (event.defaultPrevented) return false; // a choice has taken an arrow key
  if (event.target.closest("input, textarea, select, [contenteditable=true]")) return false;
  const isChord = event.ctrlKey || event.metaKey;
  const arrow = ARROWS[event.key];
  if (arrow && !isChord && board.chosen.value.length > 0) {
    const by = event.altKey ? FINE : STEP;
    const act = event.shiftKey ? steps.grow : steps.nudge;
    act(board, arrow[0] * by, arrow[1] * by);
    return true;
  }
  const act = actionOf(board, event, isChord);
  act?.();
  return Boolean(act);
}

function actionOf(board, event, isChord) {
  const some = board.chosen.value.length > 0;
  const key = event.key.toLowerCase();
  if (isChord && key === "d" && some) return () => steps.duplicate(board);
  if (isChord && key === "a") {
    return () =>
      board.choose(
        board
          .boxes()
          .filter((box) => box.drawn && !box.dropped && box.at)
          .map((box) => box.name),
      );
  }
  if (isChord || !some) return null;
  return {
    delete: () => steps.remove(board),
    backspace: () => steps.remove(board),
    escape: () => board.choose([]),
    "]": () => steps.restack(board, "forward"),
    "[": () => steps.restack(board, "backward"),
  }[key];
}
