import { html } from "../../../vendor/preact.js";
export function View() { return html`<p>…</p>`; }
