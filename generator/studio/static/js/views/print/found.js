/* Findings with the way to the place where each can be put right. */
import { html } from "../../../vendor/preact.js";
import { Icon } from "../../parts/buttons.js";
import { addressOf, whereOf } from "../../shell/faults.js";

/** A list of findings; `onPoint` is told which one the pointer or the focus is on. */
export function Found({ store, findings, onPoint }) {
  return html`<ul class="result-findings">${findings.map(
    (one, at) => html`<li key=${at} class=${one.severity}
      onPointerEnter=${() => onPoint?.(one)} onPointerLeave=${() => onPoint?.(null)}
      onFocusIn=${() => onPoint?.(one)} onFocusOut=${() => onPoint?.(null)}>
      <${Icon} name=${one.severity} small/>
      <span><a href=${addressOf(store, one)}>${one.message}</a>
        ${one.hint && html`<br/><small class="soft hint">${one.hint}</small>`}
        <br/><small class="faint">${whereOf(store, one)}</small></span></li>`,
  )}</ul>`;
}
