/* Editors of lists, tables and maps: a row or a group for each entry, as deep as they go. */
import { html } from "../../../vendor/preact.js";
import { t } from "../../words.js";
import { Button, IconButton } from "../buttons.js";
import { Field, isShort } from "./field.js";
import { freshValue } from "./fresh.js";

const NUMBERS = new Set(["int", "number"]);

/** A list: entries one below the other, to add, move and remove. Numbers stand side by side. */
export function ListEditor({ studio, field, place, faults, attributes }) {
  const count = place.node?.items?.length ?? 0;
  const of = field.of ?? { type: "map", fields: field.fields, optional: false, default: null };
  const most = field.length ?? field.max_length ?? Infinity;
  const least = field.length ?? field.min_length ?? 0;
  const isCompact = NUMBERS.has(of.type);
  const off = attributes.disabled;
  const entry = (at) => {
    const inside = place.at(at);
    return html`<li class="list-entry" key=${at}>
      <${Field} studio=${studio} field=${{ ...of, name: String(at + 1) }} place=${inside}
        faults=${faults} disabled=${off} bare=${t("list.entry", { number: at + 1 })}/>
      <span class="list-tools">
        ${
          !isCompact &&
          html`<${IconButton} small icon="up" label=${t("list.up")}
            disabled=${off || at === 0} onClick=${() => inside.move(at - 1)}/>
          <${IconButton} small icon="down" label=${t("list.down")}
            disabled=${off || at === count - 1} onClick=${() => inside.move(at + 1)}/>`
        }
        ${
          count > least &&
          html`<${IconButton} small icon="close" label=${t("list.remove")}
          disabled=${off} onClick=${() => inside.remove()}/>`
        }
      </span>
    </li>`;
  };
  return html`<div class="list-field ${isCompact ? "compact" : ""}" role="group"
    aria-label=${attributes["aria-label"]} id=${attributes.id} tabindex="-1">
    <ol>${Array.from({ length: count }, (_, at) => entry(at))}</ol>
    ${
      count < most &&
      html`<${Button} small icon="plus" label=${t("list.add")} disabled=${off}
      onClick=${() => place.insert(count, freshValue(studio, of))}/>`
    }
  </div>`;
}

/** A map: a group of fields, or of names with a value each. */
export function MapEditor({ studio, field, place, faults, attributes }) {
  const known = field.fields ?? [];
  const typed = (place.node?.entries ?? []).map(([key]) => key);
  const free = field.of ? typed.filter((key) => !known.some((one) => one.name === key)) : [];
  const off = attributes.disabled;
  return html`<div class="map-field" role="group" aria-label=${attributes["aria-label"]}
    id=${attributes.id} tabindex="-1">
    ${known.map(
      (one) => html`<${Field} key=${one.name} studio=${studio} field=${one}
      place=${place.at(one.name)} faults=${faults} disabled=${off}/>`,
    )}
    ${free.map(
      (key) => html`<div class="map-entry ${isShort(field.of) ? "short" : ""}" key=${key}>
      <${Field} studio=${studio} field=${{ ...field.of, name: key }} place=${place.at(key)}
        faults=${faults} disabled=${off}/>
      <${IconButton} small icon="close" label=${t("list.remove")} disabled=${off}
        onClick=${() => place.at(key).remove()}/>
    </div>`,
    )}
    ${field.of && html`<${NewEntry} studio=${studio} of=${field.of} place=${place} off=${off}/>`}
  </div>`;
}

/** A field for the name of a new entry of a map. */
function NewEntry({ studio, of, place, off }) {
  const add = (event) => {
    event.preventDefault();
    const name = new FormData(event.target).get("name").trim();
    if (!name) return;
    place.insert(name, freshValue(studio, of));
    event.target.reset();
  };
  return html`<form class="map-new" onSubmit=${add}>
    <input class="text-input" name="name" placeholder=${t("map.name")} disabled=${off}
      aria-label=${t("map.name")}/>
    <button type="submit" class="button small" disabled=${off}>${t("list.add")}</button>
  </form>`;
}
