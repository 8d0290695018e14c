/* The real pages of a print, with faults pinned to them. */
import { html, useEffect, useMemo, useState } from "../../../vendor/preact.js";
import { Icon } from "../../parts/buttons.js";
import { language, t } from "../../words.js";
import { Large } from "./large.js";
import { labelOf, PageFace } from "./page.js";
import { pinsOf } from "./pins.js";

/** All files of a print. `at` is when it was printed, if not just now. */
export function Pages({ studio, job, at, onAccept }) {
  const { store, wire } = studio;
  const [layouts, setLayouts] = useState({});
  const [open, setOpen] = useState(null);
  const asked = useMemo(() => new Set(), []);
  const isDone = job.state === "done";
  const findings = job.sort === "print" ? job.findings : store.findings.value;
  useEffect(() => {
    for (const { name } of job.files.filter((file) => !asked.has(file.name))) {
      asked.add(name);
      wire.get(`/api/jobs/${job.id}/${encodeURIComponent(name)}/pages`).then(
        (made) => setLayouts((known) => ({ ...known, [name]: made })),
        () => asked.delete(name),
      );
    }
  }, [job.files.length]);
  const when =
    at &&
    new Date(at * 1000).toLocaleString(language.value, {
      dateStyle: "medium",
      timeStyle: "short",
    });
  return html`<div class="print-files">
    <div class="print-all">
      <p class="soft">${when && html`${t("print.last", { when })} `}
        ${
          isDone &&
          !store.project.value?.draft &&
          html`${t("print.folder")}${" "}<code>${job.folder}</code>`
        }</p>
      ${
        isDone &&
        job.files.length > 1 &&
        html`<a class="button" href=${`/api/jobs/${job.id}/all.zip`} download>
        <${Icon} name="download" small/><span>${t("print.zip")}</span></a>`
      }
    </div>
    ${job.files.map(
      (file) => html`<${File} key=${file.name} store=${store} job=${job} file=${file}
        findings=${findings} made=${layouts[file.name]}
        onOpen=${(number) => setOpen({ file, number })}/>`,
    )}
    ${
      open &&
      html`<${Large} studio=${studio} job=${job} file=${open.file} number=${open.number}
        findings=${findings} onAccept=${onAccept}
        pages=${layouts[open.file.name]?.pages} onClose=${() => setOpen(null)}
        onPage=${(number) => setOpen({ ...open, number })}/>`
    }
  </div>`;
}

/** One PDF: what it is and how to print it, ways to open it, and its pages. */
function File({ store, job, file, findings, made, onOpen }) {
  const href = `/api/jobs/${job.id}/${encodeURIComponent(file.name)}`;
  const { title, media } = whatIsIn(store.model.value, file.name);
  const pages = made?.pages;
  const numbers = useMemo(
    () => Array.from({ length: file.pages }, (_, at) => at + 1),
    [file.pages],
  );
  return html`<section class="print-file" aria-label=${file.name}>
    <header>
      <div>
        <h3>${title}</h3>
        <p class="soft number">${file.name} ·${" "}
          ${t("print.pages.count", { count: file.pages })} · ${size(file.size)}</p>
        <p class="soft">${made && t(`print.how.${made.backs}`)}${media && ` · ${media}`}</p>
      </div>
      ${
        job.state === "done" &&
        html`<div class="print-takes"><a class="button" href=${href} target="_blank" rel="noopener">
        <${Icon} name="print" small/><span>${t("print.open")}</span></a>
      <a class="button" href=${href} download=${file.name}>
        <${Icon} name="download" small/><span>${t("print.download")}</span></a></div>`
      }
    </header>
    <ul class="page-list">${numbers.map((number) => {
      const page = pages?.[number - 1];
      const pins = pinsOf(findings, file.name, number, page);
      return html`<li key=${number}>
      <button type="button" class="page-thumb" onClick=${() => onOpen(number)}
        aria-label=${t("print.page.open", { label: labelOf(page, number) })}>
        <${PageFace} src=${`${href}/${number}.png`} page=${page} pins=${pins} width=${168} isSmall/>
        <${Caption} label=${labelOf(page, number)} pins=${pins}/>
      </button></li>`;
    })}</ul>
  </section>`;
}

/** Return the title and the media of a PDF, from the print and the paper that its name has. */
function whatIsIn(model, file) {
  for (const print of model?.prints ?? []) {
    const paper = print.papers.find((name) => file.startsWith(`${print.name}-${name}.`));
    if (!paper) continue;
    const known = model.papers.find(({ name }) => name === paper);
    return { title: `${print.title}, ${known?.title ?? paper}`, media: print.media };
  }
  return { title: file, media: "" };
}

/** The label of a page, with a mark if there are faults on it. */
function Caption({ label, pins }) {
  const findings = pins.map((pin) => pin.finding);
  const worst = findings.find(({ severity }) => severity === "error") ?? findings[0];
  return html`<span class="page-label faint number">${label}
    ${
      worst &&
      html`<span class="page-mark ${worst.severity}" title=${worst.message}>
      <${Icon} name=${worst.severity} small/></span>`
    }</span>`;
}

/** Return a size in words. */
function size(bytes) {
  const amount = (number, unit) =>
    new Intl.NumberFormat(language.value, { style: "unit", unit, maximumFractionDigits: 1 }).format(
      number,
    );
  return bytes < 1e6
    ? amount(Math.ceil(bytes / 1000), "kilobyte")
    : amount(bytes / 1e6, "megabyte");
}
