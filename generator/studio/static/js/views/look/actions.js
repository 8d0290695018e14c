/* What can be done with chosen boxes: align, distribute, order, duplicate, delete. */
import { html } from "../../../vendor/preact.js";
import { IconButton } from "../../parts/buttons.js";
import { t } from "../../words.js";
import * as steps from "./steps.js";
import { sortable } from "./typed.js";

const ALIGN = [
  ["left", "to-left"],
  ["center", "to-center"],
  ["right", "to-right"],
  ["top", "to-top"],
  ["middle", "to-middle"],
  ["bottom", "to-bottom"],
];
const ORDER = [
  ["front", "to-front"],
  ["forward", "forward"],
  ["backward", "backward"],
  ["back", "to-back"],
];

/** The buttons for the chosen boxes. */
export function Actions({ board, stock }) {
  const boxes = board.chosenBoxes();
  const count = boxes.filter((box) => box.at).length;
  const order = sortable(board.layout.value);
  const canStack = boxes.some((box) => order.includes(box.name)) && order.length > 1;
  const off = board.isReadonly();
  const whose = t(count > 1 ? "look.among" : "look.onCard");
  return html`<div class="look-actions" role="toolbar" aria-label=${t("look.actions")}>
    ${ALIGN.map(
      ([how, icon]) => html`<${IconButton} key=${how} small icon=${icon}
      label=${`${t(`look.align.${how}`)} ${whose}`} disabled=${off || count === 0}
      onClick=${() => steps.align(board, how, stock)}/>`,
    )}
    ${
      count > 2 &&
      html`<span class="bar-line"></span>
        ${["x", "y"].map(
          (axis) => html`<${IconButton} key=${axis} small icon=${`spread-${axis}`}
          label=${t(`look.spread.${axis}`)} disabled=${off}
          onClick=${() => steps.distribute(board, axis)}/>`,
        )}`
    }
    ${
      canStack &&
      html`<span class="bar-line"></span>
        ${ORDER.map(
          ([how, icon]) => html`<${IconButton} key=${how} small icon=${icon}
          label=${t(`look.order.${how}`)} disabled=${off}
          onClick=${() => steps.restack(board, how)}/>`,
        )}`
    }
    <span class="bar-line"></span>
    <${IconButton} small icon="copy" label=${t("look.duplicate")} disabled=${off || count === 0}
      onClick=${() => steps.duplicate(board)}/>
    <${IconButton} small icon="trash" label=${t("look.delete")}
      disabled=${off || boxes.length === 0}
      onClick=${() => steps.remove(board)}/>
  </div>`;
}
