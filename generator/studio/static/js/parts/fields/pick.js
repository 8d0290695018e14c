/* Editors that choose from pictures: colours, icons, pictures, and components of another kind. */
import { html, useRef, useState } from "../../../vendor/preact.js";
import { textOf } from "../../nodes.js";
import { t } from "../../words.js";
import { Button, IconButton } from "../buttons.js";
import { AnyColour, Chooser, Picker } from "../chooser.js";
import { addIcon, colourItems, componentItems, iconItems, pictureItems } from "../items.js";
import { useOpening } from "../popover.js";
import { Dpi } from "./dpi.js";
import { useDraft } from "./draft.js";

const PICTURES = "image/png,image/jpeg,image/webp,image/avif,image/tiff,image/gif,image/svg+xml";

/** A button that shows what is chosen and opens the chooser; another clears an optional field. */
function OneOf({ place, field, attributes, items, ...chooser }) {
  const value = textOf(place.node) || String(field.default ?? "");
  const item = items.find((one) => one.value === value);
  const { "aria-invalid": _, "aria-label": label, ...rest } = attributes;
  const canClear = field.optional && textOf(place.node) && !attributes.disabled;
  return html`<div class="picker">
    <${Picker} label=${label} text=${value} item=${item} attributes=${rest} items=${items}
      onPick=${place.set} ...${chooser}/>
    ${
      canClear &&
      html`<${IconButton} small icon="close" label=${t("choice.clear")}
      onClick=${() => place.set(undefined)}/>`
    }
  </div>`;
}

/** A colour: from the palette of the pack, or typed. */
export function ColourEditor({ studio, field, place, attributes }) {
  const [draft, change] = useDraft(textOf(place.node), (text) => place.set(text || undefined));
  const { isOpen, button, box } = useOpening();
  const palette = studio.store.model.value?.palette ?? [];
  const named = palette.find((one) => one.name === draft)?.colour;
  const shown = named ?? draft;
  const background = shown || field.default || "transparent";
  return html`<div class="colour-field">
    <button type="button" class="swatch-button" disabled=${attributes.disabled} ...${button}
      aria-label=${t("colour.choose")} title=${t("colour.choose")}>
      <span class="swatch" style=${{ background }}></span>
    </button>
    <input type="text" class="text-input" ...${attributes} value=${draft} spellcheck=${false}
      placeholder=${field.default ?? "#rrggbb"} onInput=${(event) => change(event.target.value)}/>
    ${
      isOpen &&
      html`<${Chooser} ...${box} label=${t("colour.choose")} items=${colourItems(studio)}
        value=${draft} onPick=${change}><${AnyColour} colour=${shown} onPick=${change}/><//>`
    }
  </div>`;
}

/** The name of an icon. */
export function IconEditor({ studio, ...rest }) {
  return html`<${OneOf} items=${iconItems(studio)} add=${addIcon(studio)} ...${rest}/>`;
}

/** A picture of the pack's folder; one can be dropped here. */
export function ImageEditor({ studio, ...rest }) {
  const { place, attributes } = rest;
  const [over, setOver] = useState(false);
  const input = useRef(null);
  const value = textOf(place.node);
  const take = async (file) => {
    if (!file) return;
    const { name } = await studio.wire.upload(file, "picture");
    place.set(name);
  };
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]).catch(() => {});
  };
  const allow = (event) => {
    if (attributes.disabled || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  return html`<div class="drop ${over ? "over" : ""}" onDragOver=${allow} onDrop=${drop}
    onDragLeave=${() => setOver(false)}>
    <${OneOf} items=${pictureItems(studio)} none=${t("picture.none")} ...${rest}/>
    ${
      value &&
      html`<${Dpi} studio=${studio} file=${`cards/${studio.store.pack.value}/${value}`}
      path=${place.key}/>`
    }
    <${Button} small icon="upload" label=${t("picture.add")} disabled=${attributes.disabled}
      onClick=${() => input.current.click()}/>
    <input ref=${input} type="file" accept=${PICTURES} hidden
      onChange=${(event) => take(event.target.files[0]).catch(() => {})}/>
  </div>`;
}

/** A component of another kind, by name. */
export function RefEditor({ studio, field, ...rest }) {
  const items = componentItems(studio, field.kind);
  return html`<${OneOf} items=${items} shape="list" field=${field} ...${rest}/>`;
}
