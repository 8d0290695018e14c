/* Icons, buttons and menus.
 *
 *   <${Icon} name="undo" small/>
 *   <${Button} icon="plus" label="…" onClick=${…} sort="plain" | "main" | "danger" small/>
 *   <${IconButton} icon="undo" label="…" pressed=${…} disabled=${…} onClick=${…}/>
 *   <${Menu} label icon items=${[{label, note, href, onPick, checked, disabled}]}/>
 *   <${Segments} label value options=${[{value, label, icon}]} onPick=${(value) => …}/>
 */
import { html, useId } from "../../vendor/preact.js";
import { Popover, useOpening } from "./popover.js";

const ICONS = new URL("../../icons.svg", import.meta.url).pathname;

/** An icon of icons.svg. */
export function Icon({ name, small = false }) {
  const size = small ? "icon small" : "icon";
  return html`<svg class=${size} aria-hidden="true"><use href="${ICONS}#${name}"/></svg>`;
}

/** A button with words, perhaps with an icon before them. */
export function Button({ icon, label, sort = "plain", small = false, ...rest }) {
  const classes = `button ${sort}${small ? " small" : ""}`;
  return html`<button type="button" class=${classes} ...${rest}>
    ${icon && html`<${Icon} name=${icon} small/>`}<span>${label}</span>
  </button>`;
}

/** A button that shows an icon only; the words are read out and shown on hover. */
export function IconButton({ icon, label, pressed, small = false, class: more = "", ...rest }) {
  const classes = `icon-button ${small ? "small" : ""} ${more}`;
  return html`<button type="button" class=${classes} aria-label=${label} title=${label}
    aria-pressed=${pressed} ...${rest}><${Icon} name=${icon} small=${small}/></button>`;
}

/** Move the focus among the items of a menu or bar with the arrow keys. */
export function roam(event, selector) {
  const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  const items = [...event.currentTarget.querySelectorAll(selector)];
  const at = items.indexOf(document.activeElement);
  let next = null;
  if (event.key in steps) next = items[(at + steps[event.key] + items.length) % items.length];
  if (event.key === "Home") next = items[0];
  if (event.key === "End") next = items.at(-1);
  if (!next) return false;
  event.preventDefault();
  next.focus();
  return true;
}

/** A button that opens a list of things to pick. */
export function Menu({ label, text, icon, items, align = "start", class: more = "" }) {
  const { isOpen, button, box } = useOpening("menu");
  const id = useId();
  const entry = ({ label: words, note, href, checked, disabled, onPick }) => {
    const pick = () => {
      box.onClose();
      onPick?.();
    };
    const role = checked === undefined ? "menuitem" : "menuitemradio";
    const props = { role, href, disabled, tabindex: -1, "aria-checked": checked, onClick: pick };
    return html`<${href ? "a" : "button"} ...${props}><span>${words}</span>
      ${note && html`<small class="faint">${note}</small>`}<//>`;
  };
  return html`<button type="button" class="menu-button ${more}" ...${button} title=${label}
      aria-controls=${isOpen ? id : undefined}
      aria-label=${text && text !== label ? `${label}: ${text}` : label}>
      ${icon && html`<${Icon} name=${icon}/>`}${text && html`<span>${text}</span>`}
      ${text && html`<${Icon} name="down" small/>`}
    </button>
    ${
      isOpen &&
      html`<${Popover} ...${box} align=${align}>
      <div id=${id} class="menu" role="menu" aria-label=${label}
        onKeyDown=${(event) => roam(event, "[role^=menuitem]:not(:disabled)")}>
        ${items.map(entry)}
      </div>
    <//>`
    }`;
}

/** A few choices side by side, of which one is on. */
export function Segments({ label, value, options, onPick, id, describedBy }) {
  const moved = (event) => {
    if (roam(event, "[role=radio]")) document.activeElement.click();
  };
  const isKnown = options.some((option) => option.value === value);
  return html`<div class="segments" role="radiogroup" aria-label=${label} id=${id}
    aria-describedby=${describedBy} onKeyDown=${moved}>
    ${options.map((option, at) => {
      const on = option.value === value;
      return html`<button type="button" role="radio" aria-checked=${on} key=${option.value}
        tabindex=${on || (!isKnown && at === 0) ? 0 : -1} title=${option.title ?? option.label}
        aria-label=${option.title ?? option.label} onClick=${() => onPick(option.value)}>
        ${option.icon ? html`<${Icon} name=${option.icon} small/>` : option.label}
      </button>`;
    })}
  </div>`;
}
