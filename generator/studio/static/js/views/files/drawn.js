import { render } from "../../../vendor/preact.js";

/** Return an element that holds a component, for the editor's own boxes. */
export function drawn(vnode, className = "") {
  const box = document.createElement("div");
  box.className = className;
  render(vnode, box);
  return box;
}
