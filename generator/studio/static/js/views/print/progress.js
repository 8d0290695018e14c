/* How far a print or an export is, and how it ended. */
import { html } from "../../../vendor/preact.js";
import { Button, Icon } from "../../parts/buttons.js";
import { t } from "../../words.js";
import { Found } from "./found.js";

const MOST = 30;

/** Return the jobs of a sort that are running for the open pack. */
export function runningJobs(store, sort) {
  const jobs = [...store.jobs.value.values()];
  const isOwn = (job) => job.sort === sort && job.pack === store.pack.value;
  return jobs.filter((job) => job.state === "running" && isOwn(job));
}

/** A job that is running. */
export function Progress({ studio: { wire }, job }) {
  const { step, done, total } = job;
  const isKnown = total > 0;
  const words = step ? t(`print.step.${step}`) : t("print.step.opening");
  return html`<div class="progress">
    <p role="status">${words}${" "}
      ${isKnown && html`<span class="number soft">${done} / ${total}</span>`}</p>
    <progress aria-label=${words} max=${isKnown ? total : undefined}
      value=${isKnown ? done : undefined}></progress>
    <${Button} small icon="stop" label=${t("print.stop")}
      onClick=${() => wire.post("/api/stop", { job: job.id }).catch(() => {})}/>
  </div>`;
}

/** What came of a job that has ended; the children stand before what was found. */
export function Result({ studio, job, onAccept, children }) {
  const { store } = studio;
  const names = (job.only ?? []).map((called) => {
    const [kind, id] = called.split("/");
    return store.component(kind, id)?.name ?? called;
  });
  const words =
    job.state === "stopped"
      ? t("print.stopped")
      : job.state === "failed"
        ? job.message || t("print.failed")
        : job.only && !names.length
          ? t("print.nothing")
          : job.only
            ? t("print.only", { count: names.length, names: names.join(", ") })
            : t(job.outlet ? "print.made" : "print.printed");
  return html`<div class="result ${job.state}" role="status">
    <p><${Icon} name=${job.state === "done" ? "check" : "error"} small/>${words}</p>
    ${children}
    ${
      job.findings.length > 0 &&
      html`<${Found} studio=${studio} findings=${job.findings.slice(0, MOST)}
        onAccept=${onAccept}/>`
    }
  </div>`;
}
