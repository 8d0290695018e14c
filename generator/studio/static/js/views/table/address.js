/* From a cell to the form of its component. */
import { go, to } from "../../route.js";
import { focusField } from "../cards/desk.js";

const PATIENCE = 120; // frames

/** Show a component in Cards, with the cursor in a field. */
export function cellAddress({ store }, row, column) {
  go(to("cards", kindOf(store, row), row.id));
  let left = PATIENCE;
  const look = () => {
    left -= 1;
    if (document.getElementById(`field-${column.name}`)) focusField(column.name);
    else if (left > 0) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

function kindOf(store, row) {
  for (const [kind, rows] of store.rowsByKind) {
    if (rows.peek()?.includes(row)) return kind;
  }
  return store.chosen.peek().kind;
}
