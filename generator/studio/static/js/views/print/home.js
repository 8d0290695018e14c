/* Printing at home: the order, its progress, and its pages. */
import { html, useEffect, useRef, useState } from "../../../vendor/preact.js";
import { t } from "../../words.js";
import { Order } from "./order.js";
import { Pages } from "./pages.js";
import { Progress, Result, runningJobs } from "./progress.js";

const AS_PACK = { papers: [], backs: null, ink: "full", players: null, locale: null };

/** Choose how to print, and see the pages. */
export function Home({ studio }) {
  const { store, wire } = studio;
  const [order, setOrder] = useState({ ...AS_PACK, only_changed: false });
  const [last, setLast] = useState(undefined);
  const [started, setStarted] = useState(() => runningJobs(store, "print")[0]?.id ?? "");
  const job = store.jobs.value.get(started);
  const isRunning = job?.state === "running";
  const result = useRef(null);
  useEffect(() => {
    if (isRunning) return;
    wire.get("/api/print/last", { locale: order.locale ?? "" }).then(
      (answer) => setLast(answer.last),
      () => setLast(null),
    );
  }, [order.locale, isRunning]);
  useEffect(() => {
    if (job && !isRunning) result.current?.focus();
  }, [isRunning]);
  const print = async () => {
    try {
      setStarted((await wire.post("/api/print", order)).job);
    } catch (error) {
      wire.toast(error.message);
    }
  };
  const shown = isRunning || job?.files.length ? job : last?.job;
  return html`<div class="print-home">
    <${Order} studio=${studio} order=${order} setOrder=${setOrder} last=${last}
      isRunning=${isRunning} onPrint=${print}/>
    <section class="print-pages" aria-label=${t("print.pages")} tabindex="-1" ref=${result}>
      ${isRunning && html`<${Progress} studio=${studio} job=${job}/>`}
      ${job && !isRunning && html`<${Result} store=${store} job=${job}/>`}
      ${
        shown?.files.length > 0 &&
        html`<${Pages} key=${shown.id} studio=${studio} job=${shown}
          at=${job === shown ? null : last.at}/>`
      }
      ${!shown && !job && last === null && html`<p class="empty">${t("print.none")}</p>`}
    </section>
  </div>`;
}
