/* The files of the project by what they are. */
import { html, useMemo } from "../../../vendor/preact.js";
import { Icon, roam } from "../../parts/buttons.js";
import { LongList } from "../../parts/list.js";
import { toFile } from "../../route.js";
import { stored } from "../../stored.js";
import { t } from "../../words.js";

const GROUPS = [
  ["cards", ["components"]],
  ["tables", ["table"]],
  ["kinds", ["kind"]],
  ["faces", ["face", "template"]],
  ["parts", ["part"]],
  ["styles", ["styles", "pack"]],
  ["pictures", ["picture", "icon"]],
  ["texts", ["text"]],
  ["fonts", ["font"]],
  ["other", ["other"]],
];
const HEAD = 32;
const LINE = 27;
const folded = stored("files.folded", { parts: true, pictures: true, fonts: true, other: true });

/** The list of all files; the one at `path` is marked. */
export function Tree({ studio, path }) {
  const { store } = studio;
  const files = store.files.value;
  const query = store.query.value.toLowerCase();
  const faults = useMemo(() => faultsByFile(store.findings.value), [store.findings.value]);
  const rows = useMemo(
    () => rowsOf([...files.values()], query, folded.value, path),
    [files, query, folded.value, path],
  );
  const reach = rows.findIndex((row) => row.file?.path === path);
  return html`<nav class="tree" aria-label=${t("files.tree")}
    onKeyDown=${(event) => roam(event, "a, button")}>
    <${LongList} rows=${rows} pad=${6} reach=${reach} lead=${HEAD} render=${(row) =>
      row.file
        ? html`<${Line} file=${row.file} on=${row.file.path === path} faults=${faults}/>`
        : html`<${Group} row=${row}/>`}/>
    ${rows.length === 0 && html`<p class="empty">${t("choose.none")}</p>`}
  </nav>`;
}

function faultsByFile(findings) {
  const found = new Map();
  for (const { file, severity } of findings) {
    if (found.get(file) !== "error") found.set(file, severity);
  }
  return found;
}

function rowsOf(files, query, shut, path) {
  const rows = [];
  for (const [name, sorts] of GROUPS) {
    const found = files.filter(
      (file) => sorts.includes(sortIn(file)) && file.path.toLowerCase().includes(query),
    );
    if (found.length === 0) continue;
    const isShut = shut[name] && !query && !found.some((file) => file.path === path);
    rows.push({ key: `=${name}`, height: HEAD, name, count: found.length, isShut });
    if (isShut) continue;
    for (const file of found) rows.push({ key: file.path, height: LINE, file });
  }
  return rows;
}

/** Return the sort of a file in the tree; parts are templates in a folder of their own, and the
 * licence of a font is beside it. */
function sortIn({ sort, path }) {
  if (path.startsWith("fonts/")) return "font";
  const isPart = sort === "template" && (path.split("/").length > 3 || path.includes("/shared/"));
  return isPart ? "part" : sort;
}

function Group({ row: { name, count, isShut } }) {
  const turn = () => (folded.value = { ...folded.value, [name]: !isShut });
  return html`<h2 class="tree-head"><button type="button" aria-expanded=${!isShut} onClick=${turn}>
    <${Icon} name=${isShut ? "right" : "down"} small/><span>${t(`files.${name}`)}</span>
    <span class="faint number">${count}</span></button></h2>`;
}

function Line({ file, on, faults }) {
  const parts = file.path.split("/");
  const severity = faults.get(file.path) ?? "";
  const note = severity ? t(`gallery.${severity}`) : "";
  const state = file.state === "saved" ? "" : t(`save.${file.state}`);
  return html`<a class="tree-file" href=${toFile(file.path)} aria-current=${on ? "true" : undefined}
    title=${file.path}>
    <span class="tree-name">${parts.at(-1)}</span>
    ${file.state !== "saved" && html`<span class="mark ${file.state}" aria-hidden="true"></span>`}
    ${severity && html`<span class="mark ${severity}" aria-hidden="true"></span>`}
    <span class="unseen">${[note, state].filter(Boolean).join(", ")}</span>
    <span class="faint tree-folder">${folderOf(parts)}</span>
  </a>`;
}

/** Say in short which folder a file is in, where its group does not say it. */
function folderOf(parts) {
  const inside = parts.slice(parts[0] === "cards" || parts[0] === "templates" ? 2 : 0, -1);
  const shared = parts[1] === "shared" ? ["shared"] : [];
  return [...shared, ...inside].filter((name) => name !== "kinds").join("/");
}
