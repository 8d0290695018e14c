/* The top bar: pack, tabs, search, undo; save state, faults, theme and language. */
import { effect, html } from "../../vendor/preact.js";
import { Icon, IconButton, Menu } from "../parts/buttons.js";
import { go, to } from "../route.js";
import { stored } from "../stored.js";
import { language, speak, t } from "../words.js";
import { Faults } from "./faults.js";

const TABS = ["cards", "look", "table", "files", "print"];
const THEMES = { system: "half", light: "sun", dark: "moon" };
const LANGUAGES = { en: "English", de: "Deutsch" };

/* What is searched in a view; in the others, a word leads to the cards. */
const SEARCHES = ["cards", "table", "files"];

/* What the list of a view offers first. */
const HITS = ".gallery a.entry, .tree a.tree-file";

/* Steps that nobody made in the page. */
const STEPS = { outside: "undo.outside", recovered: "undo.recovered", resolved: "undo.resolved" };

const theme = stored("theme", "system");
effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});

/** The bar above every view. */
export function TopBar({ studio, view }) {
  const { store, wire } = studio;
  const { undo, redo } = store.undo.value;
  const isOpen = Boolean(store.project.value);
  return html`<header class="top">
    <a class="skip" href="#view" onClick=${skip}>${t("top.skip")}</a>
    <h1 class="unseen">${t("studio")}</h1>
    <${PackMenu} studio=${studio}/>
    ${
      isOpen &&
      html`<nav class="tabs" aria-label=${t("top.views")}>
      ${TABS.map(
        (tab) => html`<a key=${tab} href=${addressOf(store, tab)}
        aria-current=${tab === view ? "page" : undefined} title=${t(`tab.${tab}.note`)}>
        <${Icon} name=${tab === "files" ? "file" : tab} small/><span>${t(`tab.${tab}`)}</span></a>`,
      )}
    </nav>
    <${Search} store=${store} view=${view}/>
    <${IconButton} icon="undo" label=${undo ? t("undo.what", { what: wordsOf(undo) }) : t("undo")}
      disabled=${!undo} onClick=${() => wire.undo().catch(() => {})}/>
    <${IconButton} icon="redo" label=${redo ? t("redo.what", { what: wordsOf(redo) }) : t("redo")}
      disabled=${!redo} onClick=${() => wire.redo().catch(() => {})}/>`
    }
    <span class="top-space"></span>
    ${
      store.project.value?.draft &&
      view !== "start" &&
      html`<a class="keep-link" href=${to("start")} title=${t("start.keep.note")}>
      ${t("start.keep")}</a>`
    }
    ${isOpen && html`<${SaveState} store=${store}/><${Faults} studio=${studio}/>`}
    <${Menu} label=${t("theme")} icon=${THEMES[theme.value]} align="end"
      items=${Object.keys(THEMES).map((name) => ({
        label: t(`theme.${name}`),
        checked: theme.value === name,
        onPick: () => (theme.value = name),
      }))}/>
    <${Menu} label=${t("language")} text=${language.value.toUpperCase()} align="end"
      class="language" items=${Object.entries(LANGUAGES).map(([code, label]) => ({
        label,
        checked: language.value === code,
        onPick: () => speak(code),
      }))}/>
  </header>`;
}

function wordsOf(step) {
  return STEPS[step] ? t(STEPS[step]) : step;
}

/** Return the address of a tab for the component in hand. */
function addressOf(store, tab) {
  const { kind, id } = store.chosen.value;
  if (tab === "cards") return to("cards", kind, id);
  if (tab === "table") return to("table", ...(store.component(kind, id)?.made_from ?? [kind, id]));
  if (tab === "look") return kind ? to("look", kind, "front") : to("look");
  return to(tab);
}

function skip(event) {
  event.preventDefault();
  document.getElementById("view").focus();
}

/** The name of the pack, and what else can be opened. */
function PackMenu({ studio: { store, wire } }) {
  const name = store.pack.value;
  const title = store.model.value?.title ?? name ?? t("studio");
  const packs = store.packs.value.map((pack) => ({
    label: pack.title || pack.name,
    note: pack.title === pack.name ? "" : pack.name,
    checked: pack.name === name,
    onPick: () =>
      wire.post("/api/open", { pack: pack.name }).catch((error) => wire.toast(error.message)),
  }));
  const items = [...packs, { label: t("pack.start"), href: to("start", "new") }];
  return html`<${Menu} label=${t("pack.menu")} text=${title} class="pack-menu" items=${items}/>`;
}

function Search({ store, view }) {
  const query = store.query;
  const where = SEARCHES.includes(view) ? view : "cards";
  const search = ({ target: { value } }) => {
    query.value = value;
    if (where !== view) go(to(where));
  };
  const key = (event) => {
    if (event.key === "Enter") document.querySelector(HITS)?.click();
    if (event.key !== "Escape") return;
    query.value = "";
    event.target.blur();
  };
  return html`<label class="search">
    <${Icon} name="search" small/><span class="unseen">${t("search")}</span>
    <input id="search" type="search" placeholder=${t(`search.${where}`)} value=${query.value}
      onInput=${search} onKeyDown=${key}/>
    ${!query.value && html`<kbd aria-hidden="true">/</kbd>`}
  </label>`;
}

function SaveState({ store }) {
  const state = store.online.value ? store.saving.value : "offline";
  return html`<span class="save ${state}" role="status">
    <span class="save-dot" aria-hidden="true"></span>${t(`save.${state}`)}
  </span>`;
}
