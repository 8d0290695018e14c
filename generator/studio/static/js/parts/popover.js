/* A box that floats beside what opened it, above everything else.
 *
 *   <${Popover} anchor=${ref} align="start" | "end" onClose=${…}>…<//>
 *
 * It takes the focus (the first element with `data-first`, else the first that can have it), closes
 * on Escape and on a press outside, and gives the focus back.
 */
import { Fragment, h, render, useEffect, useLayoutEffect, useRef } from "../../vendor/preact.js";

const GAP = 4;
const EDGE = 8;
const FOCUSABLE = "input, select, textarea, button:not(:disabled), a[href], [tabindex]";

/** Show the children in a box beside the anchor. */
export function Popover({ anchor, align = "start", onClose, children }) {
  const host = useRef(null);
  host.current ??= document.createElement("div");
  const closing = useRef(onClose);
  closing.current = onClose;

  useLayoutEffect(() => {
    const before = document.activeElement;
    const box = host.current;
    box.className = "popover";
    (anchor.current?.closest("header, main, footer") ?? document.body).append(box);
    const place = () => placed(box, anchor.current, align);
    const outside = (event) => {
      if (!box.contains(event.target) && !anchor.current?.contains(event.target)) {
        closing.current();
      }
    };
    const key = (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      closing.current();
    };
    const left = (event) => {
      const next = event.relatedTarget;
      // A press on what takes no focus gives it to something around the box.
      const isOutside = next && !box.contains(next) && !next.contains(box);
      if (isOutside && next !== anchor.current) closing.current();
    };
    document.addEventListener("pointerdown", outside, true);
    box.addEventListener("keydown", key);
    box.addEventListener("focusout", left);
    window.addEventListener("resize", place);
    const watch = new ResizeObserver(place);
    watch.observe(box);
    return () => {
      document.removeEventListener("pointerdown", outside, true);
      window.removeEventListener("resize", place);
      box.removeEventListener("focusout", left);
      watch.disconnect();
      const inside = box.contains(document.activeElement);
      render(null, box);
      box.remove();
      if (inside || document.activeElement === document.body) before?.focus?.();
    };
  }, []);
  useLayoutEffect(() => {
    render(h(Fragment, null, children), host.current);
    placed(host.current, anchor.current, align);
  });
  useEffect(() => {
    const box = host.current;
    (box.querySelector("[data-first]") ?? box.querySelector(FOCUSABLE))?.focus();
  }, []);
  return null;
}

function placed(box, anchor, align) {
  if (!anchor) return;
  const at = anchor.getBoundingClientRect();
  const size = box.getBoundingClientRect();
  const below = at.bottom + GAP + size.height + EDGE <= window.innerHeight;
  const fits = below || at.top < size.height + GAP + EDGE;
  const top = fits ? at.bottom + GAP : at.top - GAP - size.height;
  const left = align === "end" ? at.right - size.width : at.left;
  const most = window.innerWidth - size.width - EDGE;
  box.style.left = `${Math.max(EDGE, Math.min(left, most))}px`;
  box.style.top = `${Math.max(EDGE, Math.min(top, window.innerHeight - size.height - EDGE))}px`;
}
