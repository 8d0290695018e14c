/* The tile that opens what is there: packs that were open before, or any folder. */
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { Button, Icon, Menu } from "../../parts/buttons.js";
import { go, to } from "../../route.js";
import { t } from "../../words.js";
import { Folder } from "./folder.js";

/** Open a project. */
export function Open({ studio: { wire } }) {
  const [recent, setRecent] = useState(null);
  const [folder, setFolder] = useState("");
  const look = () =>
    wire.get("/api/start/recent").then(
      (answer) => setRecent(answer.recent),
      () => setRecent([]),
    );
  useEffect(() => void look(), []);
  const remove = (draft) =>
    wire
      .post("/api/start/delete", { folder: draft.folder })
      .then(look)
      .catch((error) => wire.toast(error.message));
  const open = async (body, view) => {
    try {
      await wire.post("/api/open", body);
      go(to(view));
    } catch (error) {
      wire.toast(error.message);
    }
  };
  const submit = (event) => {
    event.preventDefault();
    if (folder.trim()) open({ folder }, "cards");
  };
  return html`<section class="tile tile-open" aria-labelledby="start-open">
    <h3 id="start-open">${t("start.open")}</h3>
    <ul class="recent">
      ${(recent ?? []).map(
        (one) => html`<li key=${`${one.folder}/${one.pack}`}>
        <button type="button" onClick=${() =>
          open({ folder: one.folder, pack: one.pack }, one.draft ? "start" : "cards")}>
          <${Icon} name=${one.draft ? "file" : "folder"} small/>
          <span class="recent-title">${one.title}</span>
          <span class="faint recent-folder">
            <bdi>${one.draft ? t("start.draft") : one.shown}</bdi></span>
        </button>
        ${
          one.draft &&
          html`<${Menu} icon="trash" label=${t("start.delete", { name: one.title })} align="end"
          items=${[{ label: t("start.delete.sure"), onPick: () => remove(one) }]}/>`
        }</li>`,
      )}
      ${recent?.length === 0 && html`<li class="faint recent-none">${t("start.open.none")}</li>`}
    </ul>
    <form class="open-folder" onSubmit=${submit}>
      <${Folder} wire=${wire} value=${folder} label=${t("start.folder")} onInput=${setFolder}
        placeholder="~/…"/>
      <${Button} label=${t("start.open.do")} type="submit" disabled=${!folder.trim()}/>
    </form>
  </section>`;
}
