/* Printing at home: the order, its progress, and its pages. */
import { html, useEffect, useRef, useState } from "../../../vendor/preact.js";
import { stored } from "../../stored.js";
import { t } from "../../words.js";
import { useAccepted } from "./found.js";
import { Order } from "./order.js";
import { Pages } from "./pages.js";
import { Progress, Result, runningJobs } from "./progress.js";
import { fitting, likelyPapers } from "./unchosen.js";

const AS_PACK = { papers: null, backs: null, ink: "full", players: null, locale: null };
const NO_PACK = { prints: [], players: null, languages: [] };
const orders = stored("orders", {}); // by pack

/** Choose how to print, and see the pages. */
export function Home({ studio }) {
  const { store, wire } = studio;
  const pack = store.pack.value;
  const model = store.model.value ?? NO_PACK;
  const chosen = fitting({ ...AS_PACK, only_changed: false, ...orders.value[pack] }, model);
  const papers = chosen.papers ?? likelyPapers(model.prints, navigator.language);
  const order = { ...chosen, papers };
  const [last, setLast] = useState({});
  const running = runningJobs(store, "print")[0]?.id;
  const [started, setStarted] = useState("");
  useEffect(() => running && setStarted(running), [running]);
  const [job, accept] = useAccepted(store.jobs.value.get(started));
  const isRunning = job?.state === "running";
  const result = useRef(null);
  const shown = isRunning || job?.files.length ? job : last.last?.job;
  const taken = store.jobs.value.get(shown?.id)?.printed.length;
  useEffect(() => {
    if (isRunning) return;
    wire
      .get("/api/print/last", { locale: order.locale ?? "" })
      .then(setLast, () => setLast({ last: null, printed: null }));
  }, [order.locale, isRunning, taken]);
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
  const setOrder = (next) => (orders.value = { ...orders.value, [pack]: next });
  return html`<div class="print-home">
    <${Order} studio=${studio} order=${order} setOrder=${setOrder}
      printed=${last.printed} isRunning=${isRunning} onPrint=${print}/>
    <section class="print-pages" aria-label=${t("print.pages")} tabindex="-1" ref=${result}>
      ${isRunning && html`<${Progress} studio=${studio} job=${job}/>`}
      ${
        job &&
        !isRunning &&
        html`<${Result} studio=${studio} job=${job}
        onAccept=${accept}/>`
      }
      ${
        shown?.files.length > 0 &&
        html`<${Pages} key=${shown.id} studio=${studio} job=${shown}
          at=${job === shown ? null : last.last.at} onAccept=${accept}/>`
      }
      ${!shown && !job && last.last === null && html`<p class="empty">${t("print.none")}</p>`}
    </section>
  </div>`;
}
