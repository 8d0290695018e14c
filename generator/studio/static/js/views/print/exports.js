/* Files for print shops, virtual tables and other programs: every outlet, with its options. */
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { Button, Icon, Segments } from "../../parts/buttons.js";
import { go, route, to } from "../../route.js";
import { t } from "../../words.js";
import { Ink, Language, Players } from "./choices.js";
import { useAccepted } from "./found.js";
import { Progress, Result, runningJobs } from "./progress.js";

const SHOWN = 200;
const FEW = 12; // files that are listed at once
const [LEAST, MOST] = [50, 1200]; // dpi
const AS_PACK = { ink: "full", players: null, locale: null };
const NONE = { players: null, languages: [] };
const GROUPS = ["shop", "table", "file"];
const SHOPS = ["drivethru", "press"]; // besides those that are data
const TABLES = ["tts", "pcio", "ttpg", "tabletopia"];
const PLAIN = { dpi: null, form: null, bleed: true, transparent: false, url: "" };

/** Choose an outlet and make its files. */
export function Exports({ studio }) {
  const { store, wire } = studio;
  const [outlets, setOutlets] = useState([]);
  const [options, setOptions] = useState(PLAIN);
  const [order, setOrder] = useState(AS_PACK);
  const [jobs, setJobs] = useState({});
  const [running] = runningJobs(store, "export");
  useEffect(() => running && setJobs({ ...jobs, [running.outlet]: running.id }), [running?.id]);
  useEffect(() => {
    wire.get("/api/outlets").then(
      (found) => setOutlets([...found].sort((a, b) => rankOf(a) - rankOf(b))),
      (error) => wire.toast(error.message),
    );
  }, []);
  const [, asked = running?.outlet] = route.value.parts;
  const outlet = outlets.find(({ name }) => name === asked) ?? outlets[0];
  const chosen = outlet?.name ?? "";
  const choose = (name) => go(to("print", "files", name), true);
  const [job, accept] = useAccepted(store.jobs.value.get(jobs[chosen]));
  const isBusy = Object.values(jobs).some((id) => store.jobs.value.get(id)?.state === "running");
  const set = (change) => setOrder({ ...order, ...change });
  const choice = { model: store.model.value ?? NONE, order, set };
  const make = async (event) => {
    event.preventDefault();
    const ink = outlet.options.includes("ink") ? order.ink : "full";
    try {
      const wanted = { ...options, outlet: chosen, order: { ...order, ink } };
      const answer = await wire.post("/api/export", wanted);
      setJobs({ ...jobs, [chosen]: answer.job });
    } catch (error) {
      wire.toast(error.message);
    }
  };
  return html`<div class="print-home">
    <nav class="print-order outlets" aria-label=${t("print.outlets")}>
      ${GROUPS.map(
        (group) => html`<${Group} key=${group} group=${group} chosen=${chosen} onPick=${choose}
          outlets=${outlets.filter((one) => groupOf(one) === group)}/>`,
      )}
      ${outlets.length === 0 && html`<p class="empty">${t("view.opening")}</p>`}
    </nav>
    <section class="print-pages" aria-label=${outlet ? titleOf(outlet) : t("print.outlets")}>
      ${
        outlet &&
        html`<form class="export" onSubmit=${make}>
        <h2>${titleOf(outlet)}</h2>
        <p class="soft">${aboutOf(outlet)}</p>
        <div class="export-options">
          ${outlet.options.map((name) =>
            name === "ink"
              ? html`<${Ink} key=${name} ...${choice}/>`
              : html`<${Option} key=${name} name=${name} options=${options}
                set=${(change) => setOptions({ ...options, ...change })}/>`,
          )}
          <${Players} ...${choice}/>
          <${Language} ...${choice}/>
        </div>
        <${Button} sort="main" type="submit" label=${t("print.make")} disabled=${isBusy}/>
      </form>`
      }
      ${job?.state === "running" && html`<${Progress} studio=${studio} job=${job}/>`}
      ${
        job &&
        job.state !== "running" &&
        html`<${Result} studio=${studio} job=${job} onAccept=${accept}>
          ${job.state === "done" && html`<${Made} store=${store} job=${job} outlet=${outlet}/>`}
        <//>`
      }
    </section>
  </div>`;
}

/** Outlets of one sort, below a title. */
function Group({ group, outlets, chosen, onPick }) {
  if (!outlets.length) return null;
  return html`<h2>${t(`print.outlets.${group}`)}</h2><ul>
    ${outlets.map(
      (one) => html`<li key=${one.name}>
      <button type="button" class="outlet" aria-pressed=${one.name === chosen}
        onClick=${() => onPick(one.name)}>
        <span class="outlet-title">${titleOf(one)}</span>
        <span class="faint outlet-about">${aboutOf(one)}</span>
      </button></li>`,
    )}</ul>`;
}

/** Return what an outlet is: a print shop, a virtual table, or files for other uses. */
function groupOf({ name, shop }) {
  if (TABLES.includes(name)) return "table";
  return shop || SHOPS.includes(name) ? "shop" : "file";
}

/** Return where an outlet stands in the list: in its group, those that are data come first. */
function rankOf(outlet) {
  return 2 * GROUPS.indexOf(groupOf(outlet)) + (outlet.shop ? 0 : 1);
}

/** Return the title of an outlet; the programs that Gridpress knows have one in each language. */
function titleOf({ name, title }) {
  return known(t(`print.outlet.${name}`)) ?? title;
}

/** Return what an outlet is for, or which pictures a shop takes. */
function aboutOf({ name, about, shop }) {
  if (!shop) return known(t(`print.outlet.${name}.about`)) ?? about;
  return [
    t("print.shop.pictures", { form: shop.format.toUpperCase(), dpi: shop.dpi }),
    t(shop.copies ? "print.shop.copies" : "print.shop.faces"),
    shop.products ? t("print.shop.products", { count: shop.products }) : t("print.shop.any"),
  ].join(", ");
}

/** Return words, or undefined for a key that has none. */
function known(words) {
  return words.startsWith("print.") ? undefined : words;
}

/** An option of an outlet. */
function Option({ name, options, set }) {
  if (name === "dpi") {
    return html`<label class="print-field"><span>${t("print.option.dpi")}</span>
      <input class="text-input" type="number" min=${LEAST} max=${MOST} placeholder="300"
        value=${options.dpi ?? ""}
        onInput=${({ target }) => set({ dpi: Number(target.value) || null })}/></label>`;
  }
  if (name === "form") {
    return html`<div class="print-field"><span>${t("print.option.form")}</span>
      <${Segments} label=${t("print.option.form")} value=${options.form ?? "png"}
        onPick=${(form) => set({ form, ...(form === "jpeg" ? { transparent: false } : {}) })}
        options=${["png", "jpeg"].map((value) => ({ value, label: value.toUpperCase() }))}/></div>`;
  }
  if (name === "url") {
    return html`<label class="print-field"><span>${t("print.option.url")}</span>
      <input class="text-input" type="url" placeholder="https://" value=${options.url}
        onInput=${({ target }) => set({ url: target.value })}/></label>`;
  }
  const isOff = name === "transparent" && options.form === "jpeg";
  return html`<label class="export-check"><input type="checkbox" checked=${options[name]}
    disabled=${isOff} onChange=${({ target }) => set({ [name]: target.checked })}/>
    ${t(`print.option.${name}`)}</label>`;
}

/** The files that were made. */
function Made({ store, job, outlet }) {
  const shown = job.files.slice(0, SHOWN);
  const isSent = groupOf(outlet) === "shop" && outlet.name !== "press";
  return html`<div class="print-files">
    <div class="print-all">
      <p class="soft">${t("print.files", { count: job.files.length })}
        ${
          !store.project.value?.draft &&
          html`${" "}· ${t("print.folder")}${" "}<code>${job.folder}</code>`
        }
        ${isSent && html`<br/>${t("print.next", { shop: titleOf(outlet) })}`}</p>
      <a class="button" href=${`/api/jobs/${job.id}/all.zip`} download>
        <${Icon} name="download" small/><span>${t("print.zip")}</span></a>
    </div>
    <details open=${shown.length <= FEW}><summary>${t("print.each")}</summary>
    <ul class="made-files">${shown.map(
      ({ name }) => html`<li key=${name}><a download
        href=${`/api/jobs/${job.id}/${encodedPath(name)}`}>${name}</a>
      </li>`,
    )}</ul>
    ${
      job.files.length > shown.length &&
      html`<p class="faint">
        ${t("start.more", { count: job.files.length - shown.length })}</p>`
    }</details>
  </div>`;
}

function encodedPath(name) {
  return name.split("/").map(encodeURIComponent).join("/");
}
