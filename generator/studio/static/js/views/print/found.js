/* Findings with the way to the place where each can be put right, or accepted. */
import { html, useState } from "../../../vendor/preact.js";
import { Icon } from "../../parts/buttons.js";
import { Accept } from "../../parts/fields/accept.js";
import { addressOf, whereOf } from "../../shell/faults.js";

/** Return a job without the findings that were accepted since, and what accepts one. */
export function useAccepted(job) {
  const [accepted, setAccepted] = useState([]);
  const isLeft = (one) =>
    !accepted.some((other) => one.code === other.code && one.waived_as === other.waived_as);
  const left = job && accepted.length ? { ...job, findings: job.findings.filter(isLeft) } : job;
  return [left, (finding) => setAccepted([...accepted, finding])];
}

/** A list of findings; `onPoint` is told which one the pointer or the focus is on. */
export function Found({ studio, findings, onPoint, onAccept }) {
  const { store } = studio;
  return html`<ul class="result-findings">${findings.map(
    (one, at) => html`<li key=${at} class=${one.severity}
      onPointerEnter=${() => onPoint?.(one)} onPointerLeave=${() => onPoint?.(null)}
      onFocusIn=${() => onPoint?.(one)} onFocusOut=${() => onPoint?.(null)}>
      <${Icon} name=${one.severity} small/>
      <span><a href=${addressOf(store, one)}>${one.message}</a>
        ${one.hint && html`<br/><small class="soft hint">${one.hint}</small>`}
        <br/><small class="faint">${whereOf(store, one)}</small></span>
      <${Accept} studio=${studio} fault=${one} onDone=${() => onAccept(one)}/></li>`,
  )}</ul>`;
}
