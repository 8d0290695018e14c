/* A box that floats beside the button that opens it, above everything else.
 *
 *   const { isOpen, button, box } = useOpening();
 *   <button … ...${button}>…</button>
 *   ${isOpen && html`<${Popover} ...${box} align="start" | "end">…<//>`}
 *
 * It takes the focus (the first element with `data-first`, else the first that can have it). The
 * browser closes it on Escape and on a press outside, and gives the focus back.
 */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";

const FOCUSABLE = "input, select, textarea, button:not(:disabled), a[href], [tabindex]";

/** Return whether a box is open, and what its button and the box itself need. */
export function useOpening(role = "dialog") {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef(null);
  const onClick = () => setOpen(!isOpen);
  return {
    isOpen,
    button: { ref: anchor, "aria-haspopup": role, "aria-expanded": isOpen, onClick },
    box: { anchor, onClose: () => setOpen(false) },
  };
}

/** Show the children in a box beside the anchor. */
export function Popover({ anchor, align = "start", onClose, children }) {
  const box = useRef(null);
  useLayoutEffect(() => {
    const shown = box.current;
    shown.showPopover({ source: anchor.current });
    (shown.querySelector("[data-first]") ?? shown.querySelector(FOCUSABLE))?.focus();
    return () => {
      box.current = null;
      shown.hidePopover();
    };
  }, []);
  useEffect(() => {
    // The browser leaves the next press on this button to its handler.
    if (anchor.current.matches("button")) anchor.current.popoverTargetElement = box.current;
  }, []);
  const left = ({ relatedTarget: next }) => {
    // A press on what takes no focus gives it to something around the box.
    const own = box.current;
    const isOutside = own && next && !own.contains(next) && !next.contains(own);
    if (isOutside && next !== anchor.current) onClose();
  };
  const pressed = (event) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation(); // not for what is around
  };
  // The browser tells later that it has closed a box; what opened it may be busy with another.
  const toggled = (event) => event.newState === "closed" && box.current && onClose();
  return html`<div ref=${box} popover="auto" class="popover" data-align=${align} onFocusOut=${left}
    onKeyDown=${pressed} onToggle=${toggled}>
    ${children}
  </div>`;
}
