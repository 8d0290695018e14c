/* The real pages of a print, with faults pinned to them. */
import { html, useEffect, useMemo, useState } from "../../../vendor/preact.js";
import { Button, Icon } from "../../parts/buttons.js";
import { language, t } from "../../words.js";
import { Large } from "./large.js";
import { labelOf, PageFace, pinsOf } from "./page.js";

/** All files of a print. `at` is when it was printed, if not just now. */
export function Pages({ studio, job, at }) {
  const { wire } = studio;
  const [layouts, setLayouts] = useState({});
  const [open, setOpen] = useState(null);
  useEffect(() => {
    let isWanted = true;
    for (const { name } of job.files) {
      wire.get(`/api/jobs/${job.id}/${encodeURIComponent(name)}/pages`).then(
        (pages) => isWanted && setLayouts((known) => ({ ...known, [name]: pages })),
        () => {},
      );
    }
    return () => {
      isWanted = false;
    };
  }, [job.id, job.files]);
  const when =
    at &&
    new Date(at * 1000).toLocaleString(language.value, {
      dateStyle: "medium",
      timeStyle: "short",
    });
  return html`<div class="print-files">
    <div class="print-all">
      <p class="soft">${when && html`${t("print.last", { when })} · `}
        ${
          !studio.store.project.value?.draft &&
          html`${t("print.folder")}${" "}<code>${job.folder}</code>`
        }</p>
      ${
        job.files.length > 1 &&
        html`<a class="button" href=${`/api/jobs/${job.id}/all.zip`} download>
        <${Icon} name="file" small/><span>${t("print.zip")}</span></a>`
      }
    </div>
    ${job.files.map(
      (file) => html`<${File} key=${file.name} studio=${studio} job=${job} file=${file}
        pages=${layouts[file.name]} onOpen=${(number) => setOpen({ file, number })}/>`,
    )}
    ${
      open &&
      html`<${Large} studio=${studio} job=${job} file=${open.file} number=${open.number}
        pages=${layouts[open.file.name]} onClose=${() => setOpen(null)}
        onPage=${(number) => setOpen({ ...open, number })}/>`
    }
  </div>`;
}

/** One PDF: its name, ways to open it, and its pages. */
function File({ studio, job, file, pages, onOpen }) {
  const href = `/api/jobs/${job.id}/${encodeURIComponent(file.name)}`;
  const numbers = useMemo(
    () => Array.from({ length: file.pages }, (_, at) => at + 1),
    [file.pages],
  );
  return html`<section class="print-file" aria-label=${file.name}>
    <header>
      <h3>${file.name}</h3>
      <span class="soft number">
        ${t("print.pages.count", { count: file.pages })} · ${size(file.size)}</span>
      <span class="top-space"></span>
      <a class="button small" href=${href} target="_blank" rel="noopener">
        <${Icon} name="eye" small/><span>${t("print.open")}</span></a>
      <a class="button small" href=${href} download=${file.name}>
        <${Icon} name="down" small/><span>${t("print.download")}</span></a>
    </header>
    <ul class="page-list">${numbers.map(
      (number) => html`<li key=${number}>
      <button type="button" class="page-thumb" onClick=${() => onOpen(number)}
        aria-label=${t("print.page.open", { label: labelOf(pages?.[number - 1], number) })}>
        <${PageFace} studio=${studio} src=${`${href}/${number}.png`} page=${pages?.[number - 1]}
          width=${168} isSmall/>
        <${Caption} store=${studio.store} page=${pages?.[number - 1]} number=${number}/>
      </button></li>`,
    )}</ul>
  </section>`;
}

/** The label of a page, with a mark if there are faults on it. */
function Caption({ store, page, number }) {
  const findings = pinsOf(store, page).flatMap((pin) => pin.findings.map((one) => one.finding));
  const worst = findings.find(({ severity }) => severity === "error") ?? findings[0];
  return html`<span class="page-label faint number">${labelOf(page, number)}
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
