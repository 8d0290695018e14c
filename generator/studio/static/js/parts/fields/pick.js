/* Editors that choose from pictures: colours, icons, pictures, and components of another kind. */
import { html, useRef, useState } from "../../../vendor/preact.js";
import { textOf } from "../../nodes.js";
import { t } from "../../words.js";
import { Button, Icon, IconButton } from "../buttons.js";
import { Chooser, Sample } from "../chooser.js";
import { Dpi } from "./dpi.js";
import { useDraft } from "./draft.js";

const PICTURES = "image/png,image/jpeg,image/webp,image/avif,image/tiff,image/gif,image/svg+xml";

/** A button that shows what is chosen and opens the chooser. */
function Picker({ place, field, attributes, items, shape, none, children }) {
  const [open, setOpen] = useState(false);
  const anchor = useRef(null);
  const value = textOf(place.node) || String(field.default ?? "");
  const item = items.find((one) => one.value === value);
  const { "aria-invalid": _, "aria-label": label, ...rest } = attributes;
  return html`<div class="picker">
    <button ref=${anchor} type="button" class="picker-button" ...${rest} aria-haspopup="dialog"
      aria-expanded=${open} aria-label="${label}: ${item?.label ?? (value || t("choice.none"))}"
      onClick=${() => setOpen(!open)}>
      ${item && html`<${Sample} item=${item}/>`}
      <span class="picker-value ${value ? "" : "faint"}">${item?.label ?? (value || "–")}</span>
      <${Icon} name="down" small/>
    </button>
    ${
      field.optional &&
      textOf(place.node) &&
      !attributes.disabled &&
      html`<${IconButton} small icon="close" label=${t("choice.clear")}
      onClick=${() => place.set(undefined)}/>`
    }
    ${
      open &&
      html`<${Chooser} anchor=${anchor} label=${label} items=${items} value=${value}
      shape=${shape} none=${none} onPick=${(name) => place.set(name)}
      onClose=${() => setOpen(false)}>
      ${children}<//>`
    }
  </div>`;
}

/** A colour: from the palette of the pack, or typed. */
export function ColourEditor({ studio, field, place, attributes }) {
  const [draft, change] = useDraft(textOf(place.node), (text) => place.set(text || undefined));
  const [open, setOpen] = useState(false);
  const anchor = useRef(null);
  const palette = studio.store.model.value?.palette ?? [];
  const named = palette.find((one) => one.name === draft)?.colour;
  const shown = named ?? draft ?? "";
  const items = palette.map(({ name, colour }) => ({
    value: colour,
    label: name,
    note: colour,
    colour,
  }));
  return html`<div class="colour-field">
    <button ref=${anchor} type="button" class="swatch-button" disabled=${attributes.disabled}
      aria-label=${t("colour.choose")} title=${t("colour.choose")} onClick=${() => setOpen(true)}>
      <span class="swatch" style=${{ background: shown || field.default || "transparent" }}></span>
    </button>
    <input type="text" class="text-input" ...${attributes} value=${draft} spellcheck=${false}
      placeholder=${field.default ?? "#rrggbb"} onInput=${(event) => change(event.target.value)}/>
    ${
      open &&
      html`<${Chooser} anchor=${anchor} label=${t("colour.choose")} items=${items}
      value=${draft} onPick=${change} onClose=${() => setOpen(false)}>
      <label class="colour-any"><span>${t("colour.any")}</span>
        <input type="color" value=${/^#[0-9a-f]{6}$/i.test(shown) ? shown : "#808080"}
          onInput=${(event) => change(event.target.value)}/></label>
    <//>`
    }
  </div>`;
}

/** The name of an icon. */
export function IconEditor({ studio, ...rest }) {
  const items = (studio.store.model.value?.icons ?? []).map((name) => ({
    value: name,
    label: name,
    icon: studio.wire.icon(name),
  }));
  return html`<${Picker} items=${items} shape="grid" ...${rest}/>`;
}

/** A picture of the pack's folder; one can be dropped here. */
export function ImageEditor({ studio, place, attributes, ...rest }) {
  const [over, setOver] = useState(false);
  const input = useRef(null);
  const value = textOf(place.node);
  const folder = `cards/${studio.store.pack.value}/`;
  const items = [...studio.store.files.value.values()]
    .filter((file) => file.sort === "picture" && file.path.startsWith(folder))
    .map((file) => {
      const name = file.path.slice(folder.length);
      const label = name.split("/").at(-1);
      return { value: name, label, note: name, picture: studio.wire.asset(file.path, 64) };
    });
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
    <${Picker} items=${items} shape="grid" none=${t("picture.none")} place=${place}
      attributes=${attributes} ...${rest}/>
    ${value && html`<${Dpi} studio=${studio} file=${folder + value} path=${place.key}/>`}
    <${Button} small icon="upload" label=${t("picture.add")} disabled=${attributes.disabled}
      onClick=${() => input.current.click()}/>
    <input ref=${input} type="file" accept=${PICTURES} hidden
      onChange=${(event) => take(event.target.files[0]).catch(() => {})}/>
  </div>`;
}

/** A component of another kind, by name. */
export function RefEditor({ studio, field, ...rest }) {
  const { store, wire } = studio;
  const entries = store.model.value?.components[field.kind] ?? [];
  const items = entries.map(({ id, name }) => {
    const key = store.sides(field.kind, id)[0];
    const sha = key ? store.face(key).peek()?.sha : "";
    const picture = sha ? wire.picture(sha, 40) : undefined;
    return { value: id, label: name, note: name === id ? "" : id, picture };
  });
  return html`<${Picker} items=${items} shape="list" field=${field} ...${rest}/>`;
}
