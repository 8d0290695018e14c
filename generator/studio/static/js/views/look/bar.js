/* The bar above the stage: kind, side, component, guides, and boxes to add. */
import { html } from "../../../vendor/preact.js";
import { freshFieldName, whyFixed } from "../../kind_edits.js";
import { Icon, IconButton, Menu, Segments } from "../../parts/buttons.js";
import { titled } from "../../parts/fields/titled.js";
import { addField } from "../../parts/new_field.js";
import { go, to } from "../../route.js";
import { t } from "../../words.js";
import { boxOfField, boxOfSort, canShow, missingFields } from "./adding.js";
import { sayVariant } from "./spoken.js";
import { editWords } from "./properties.js";
import { addBox } from "./steps.js";

const SOME = 4; // variants that are named
const SORTS = ["words", "picture", "icon", "fill", "frame", "line", "badge"];

/** Say a side in words. */
export function sideName(side) {
  return ["front", "back"].includes(side) ? t(`side.${side}`) : titled(side);
}

/** What is shown, and what can be added. */
export function LookBar({ studio, board, kind, side, kinds, entries, id, onStep, stock }) {
  const { store } = studio;
  const guides = store.guides.value;
  const toggle = (name) => (store.guides.value = { ...guides, [name]: !guides[name] });
  const sides = Object.keys(kind.faces).map((value) => ({ value, label: sideName(value) }));
  const at = entries.findIndex((entry) => entry.id === id);
  const items = kinds.map((one) => ({
    label: one.title,
    checked: one.name === kind.name,
    onPick: () => go(to("look", one.name, Object.keys(one.faces)[0])),
  }));
  return html`<div class="look-bar" role="toolbar" aria-label=${t("look.bar")}>
    <${Menu} label=${t("look.kind")} text=${kind.title} items=${items}/>
    ${
      sides.length > 1 &&
      html`<${Segments} label=${t("look.side")} value=${side} options=${sides}
      onPick=${(name) => go(to("look", kind.name, name))}/>`
    }
    <span class="top-space"></span>
    <${IconButton} icon="left" label=${t("look.previous")} disabled=${at <= 0}
      onClick=${() => onStep(-1)}/>
    <span class="look-component cut">${entries[at]?.name ?? id}</span>
    <${IconButton} icon="right" label=${t("look.next")} disabled=${at >= entries.length - 1}
      onClick=${() => onStep(1)}/>
    <span class="top-space"></span>
    <${IconButton} icon="guides" label=${t("guides.trim")} pressed=${guides.trim}
      onClick=${() => toggle("trim")}/>
    <${IconButton} icon="safe" label=${t("guides.safe")} pressed=${guides.safe}
      onClick=${() => toggle("safe")}/>
    ${
      board?.layout.value &&
      !board.isReadonly() &&
      html`<${AddMenu} studio=${studio} board=${board}
      kind=${kind} stock=${stock}/>`
    }
  </div>`;
}

function AddMenu({ studio, board, kind, stock }) {
  const model = studio.store.model.value;
  const layout = board.layout.value;
  const missing = missingFields(layout, kind).map((field) => ({
    label: titled(field.name),
    note: t("look.addField"),
    onPick: () => {
      const made = boxOfField(layout, field, stock, model.palette);
      addBox(board, made.name, made.values);
    },
  }));
  const add = (sort, about) => {
    const made = boxOfSort(layout, about, sort, t("look.newWords"), stock, model);
    addBox(board, sort, made).then(editWords);
  };
  const rows = studio.store.rows(kind.name).value ?? [];
  const why = whyFixed(kind, rows);
  const addPicture = async () => {
    const field = { name: freshFieldName(kind, t("picture.field")), type: "image" };
    await addField(studio, kind, rows, field).catch(() => {});
    add("picture", { ...kind, fields: [...kind.fields, field] });
  };
  const sorts = SORTS.filter((sort) => sort in layout.sorts).map((sort) => ({
    label: t(`look.sort.${sort}`),
    ...(canShow(layout, kind, sort)
      ? { onPick: () => add(sort, kind) }
      : { note: why || t("picture.newField"), disabled: Boolean(why), onPick: addPicture }),
  }));
  return html`<${Menu} label=${t("look.add")} text=${t("look.add")} icon="plus" align="end"
    class="look-add" items=${[...missing, ...sorts]}/>`;
}

/** Which variant the shown card is, and what changes are for. */
export function VariantBar({ board }) {
  const layout = board.layout.value;
  const shown = layout.variants
    .map((one, index) => ({ ...one, index }))
    .filter((one) => one.now !== null);
  if (layout.variants.length === 0) return null;
  if (shown.length === 0) {
    const all = layout.variants.flatMap((one) =>
      one.values.map((value) => sayVariant(one, value, layout.names)),
    );
    const values = [...all.slice(0, SOME), ...(all.length > SOME ? ["…"] : [])].join(", ");
    return html`<p class="variant-bar soft"><span class="cut" title=${all.join(", ")}>
      ${t("look.variant.none", { values })}</span></p>`;
  }
  const options = [
    { value: "all", label: t("look.scope.all") },
    ...shown.map(({ index, now }) => ({
      value: index,
      label: t("look.scope.only", {
        variant: sayVariant(layout.variants[index], now, layout.names),
      }),
    })),
  ];
  const names = shown.map((one) => sayVariant(one, one.now, layout.names)).join(" · ");
  return html`<div class="variant-bar">
    <span class="soft cut"><${Icon} name="cards" small/>${t("look.variant.now", { names })}</span>
    ${
      !board.isReadonly() &&
      html`<${Segments} label=${t("look.scope")} value=${board.scope.value}
      options=${options} onPick=${(value) => (board.scope.value = value)}/>`
    }
  </div>`;
}
