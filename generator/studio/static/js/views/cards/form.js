/* The form: every field of the chosen component, as it is typed. */
import { html } from "../../../vendor/preact.js";
import { copiesEdits, copiesOf } from "../../kind_edits.js";
import { nameOf } from "../../nodes.js";
import { findingsOf } from "../../store.js";
import { Icon, IconButton } from "../../parts/buttons.js";
import { Accept } from "../../parts/fields/accept.js";
import { FaultWords, Field } from "../../parts/fields/field.js";
import { placeIn } from "../../parts/fields/place.js";
import { NewField } from "../../parts/new_field.js";
import { to, toFile } from "../../route.js";
import { t } from "../../words.js";
import { isPictured } from "./faces_of.js";
import { duplicateComponent, freeId, labelOf, nameFresh, removeComponent } from "./changes.js";
import { Judgements } from "./judgements.js";

const ID = {
  name: "id",
  type: "id",
  description: "",
  optional: false,
  default: null,
  choices: [],
  fields: [],
};

/** The form of one component. */
export function Form({ studio, kind, id, source, hand }) {
  const { store } = studio;
  const { row } = source;
  const about = store.kinds.value.get(kind);
  const edited = store.kinds.value.get(source.kind);
  const isMade = source.kind !== kind;
  const component = store.component(kind, id);
  const written = isMade ? findingsOf(store, source.kind, source.id) : [];
  const faults = [...findingsOf(store, kind, id), ...written];
  const name = (!isMade && row && nameOf(row)) || component?.name || id;
  const focus = (event) => {
    hand.field.value = event.target.closest("[data-field]")?.dataset.field ?? "";
  };
  const blur = (event) => {
    hand.field.value = "";
    const isName = event.target.closest("[data-field]")?.dataset.field === "name";
    if (isName && row && !row.readonly) nameFresh(studio, edited, row).catch(() => {});
  };
  const leave = (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    document.querySelector(".gallery [aria-current=true]")?.focus();
  };
  return html`<section class="form" aria-label=${t("form", { name })} onFocusIn=${focus}
    onFocusOut=${blur} onKeyDown=${leave}>
    <${Head} studio=${studio} about=${about} name=${name} id=${id} row=${isMade ? null : row}
      component=${component}/>
    <div class="form-body">
      <${General} studio=${studio} faults=${faults} fields=${edited?.fields ?? []} row=${row}/>
      ${
        (isMade || !row) &&
        store.rows(kind).value &&
        html`<${Elsewhere} store=${store} component=${component}/>`
      }
      ${
        row &&
        edited &&
        html`<${Fields} studio=${studio} about=${edited} row=${row}
        faults=${faults}/>`
      }
    </div>
    ${about?.judged && html`<${Judgements} studio=${studio} kind=${kind} id=${id}/>`}
  </section>`;
}

/** The name of the component, and what can be done with it as a whole. */
function Head({ studio, about, name, id, row, component }) {
  const isOwn = row && !row.readonly;
  const line = component?.line ?? 0;
  const file = row?.file ?? component?.file;
  const said = (promise) => promise.catch(() => {});
  return html`<header class="form-head">
    <div class="form-title">
      <h2 title=${name}>${name}</h2>
      <p class="faint">${about?.title ?? ""} · ${id}${
        component &&
        isPictured(about) &&
        html` · <span class="number">${copies(component.quantity)}</span>`
      }</p>
    </div>
    ${
      isOwn &&
      html`<${IconButton} icon="copy" label=${t("form.duplicate")}
        onClick=${() => said(duplicateComponent(studio, about, row))}/>
      <${IconButton} icon="trash" label=${t("form.remove")}
        onClick=${() => said(removeComponent(studio, about, row))}/>`
    }
    ${
      file &&
      html`<a class="icon-button" href=${toFile(file, line)} aria-label=${t("form.file")}
      title=${t("form.file")}><${Icon} name="file"/></a>`
    }
  </header>`;
}

function copies(count) {
  return count ? t("form.copies", { count }) : t("form.unprinted");
}

/** Faults of the component that belong to none of its fields. */
function General({ studio, faults, fields, row }) {
  const names = new Set(["id", "copies", ...fields.map((field) => field.name)]);
  const rest = faults.filter(({ path }) => !row || !path?.length || !names.has(path[0]));
  if (rest.length === 0) return null;
  return html`<ul class="form-faults">
    ${rest.map(
      (fault, at) => html`<li key=${at} class=${fault.severity}>
      <${Icon} name=${fault.severity} small/><${FaultWords} fault=${fault}/>
      <${Accept} studio=${studio} fault=${fault}/>
    </li>`,
    )}
  </ul>`;
}

function Fields({ studio, about, row, faults }) {
  const copies = copiesOf(about);
  const own = copies?.fresh ? [copies.field.name] : [];
  const known = new Set(["id", ...own, ...about.fields.map((field) => field.name)]);
  const extra = Object.keys(row.nodes).filter((name) => !known.has(name));
  const place = (name) => placeIn(studio, row, [name], labelOf(name, row));
  const show = (field, at = place(field.name)) => html`<${Field} key=${field.name}
    studio=${studio} field=${field} place=${at} faults=${faults}
    disabled=${Boolean(row.readonly)}/>`;
  const setCopies = (value) =>
    studio.wire.edit({ label: labelOf("copies", row), edits: copiesEdits(about, row, value) });
  const setId = (wanted) => place("id").set(freeId(studio.store, about.name, wanted).id);
  const showCopies = () => show(copies.field, { ...place("copies"), set: setCopies });
  return html`${
    row.readonly &&
    html`<p class="form-note"><${Icon} name="lock" small/>
      <span>${row.readonly}</span></p>`
  }
    <div class="fields">
      ${about.fields.map((field) =>
        field === copies?.field && copies.unsaid ? showCopies() : show(field),
      )}
      ${copies?.fresh && showCopies()}
      ${
        copies?.rule &&
        html`<${Ruled} about=${about} rule=${copies.rule}
        count=${studio.store.component(about.name, row.id)?.quantity ?? 0}/>`
      }
      ${extra.map((name) => show({ ...ID, name, type: "text", description: t("form.unknown") }))}
      ${show({ ...ID, description: t("id.note") }, { ...place("id"), set: setId })}
    </div>
    <${NewField} studio=${studio} about=${about}
      rows=${studio.store.rows(about.name).value ?? []}/>`;
}

/** Say how many copies a rule of the kind gives, unless a field has this name. */
function Ruled({ about, rule, count }) {
  if (about.fields.some((field) => field.name === "copies")) return null;
  return html`<div class="field">
    <div class="field-head"><strong>${t("table.count")}</strong></div>
    <p><span class="number">${count}</span> · ${t("copies.ruled")} ·
      <a href=${toFile(about.file, about.line)} title=${rule}> ${t("copies.rule")}</a></p>
  </div>`;
}

/** Say where a component without a row of its own comes from. */
function Elsewhere({ store, component }) {
  if (!component) return null;
  if (component.made_from) {
    const [kind, id] = component.made_from;
    const name = store.component(kind, id)?.name ?? id;
    return html`<p class="form-note"><${Icon} name="link" small/>
      <span>${t("form.made")} <a href=${to("cards", kind, id)}>${name}</a></span>
    </p>`;
  }
  return html`<p class="form-note"><${Icon} name="lock" small/>
    <span>${component.readonly || t("form.elsewhere")}</span></p>`;
}
