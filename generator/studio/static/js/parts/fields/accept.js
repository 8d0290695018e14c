/* The button that accepts a finding which is as the maker wants it: a waiver in the pack. */
import { html } from "../../../vendor/preact.js";
import { waiverEdit } from "../../kind_edits.js";
import { t } from "../../words.js";

/** Offer to accept a finding, if that can be done. */
export function Accept({ studio: { store, wire }, fault, onDone }) {
  if (!fault.waived_as) return null;
  const edits = [waiverEdit(store.pack.value, fault, t("accept.reason"))];
  const accept = () => wire.edit({ label: t("accept.step"), edits }).then(onDone, () => {});
  return html`<button type="button" class="button plain small accept" title=${t("accept.note")}
    onClick=${accept}><span>${t("accept")}</span></button>`;
}
