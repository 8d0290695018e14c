/* Where a draft is kept: a name and a folder, both suggested. */
import { html, useEffect, useState } from "../../../vendor/preact.js";
import { Button } from "../../parts/buttons.js";
import { go, to } from "../../route.js";
import { t } from "../../words.js";
import { Folder } from "./folder.js";

/** Keep a draft. */
export function Keep({ studio: { store, wire } }) {
  const [name, setName] = useState(store.model.value.title);
  const [folder, setFolder] = useState("");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  useEffect(() => {
    wire.get("/api/start/recent").then(
      ({ keep }) => setFolder((typed) => typed || keep),
      () => {},
    );
  }, []);
  const keep = async (event) => {
    event.preventDefault();
    setBusy(true);
    setFault("");
    try {
      const { shown } = await wire.post("/api/start/keep", { name, folder });
      wire.toast(t("start.kept", { folder: shown }), "note");
      go(to("cards"));
    } catch (error) {
      setFault(error.message);
    }
    setBusy(false);
  };
  return html`<form class="keep" onSubmit=${keep} aria-labelledby="start-keep">
    <h3 id="start-keep">${t("start.draft.head")}</h3>
    <p class="soft">${t("start.keep.note")}</p>
    <label><span>${t("start.name")}</span>
      <input class="text-input" value=${name} onInput=${(event) => setName(event.target.value)}
        aria-describedby="keep-fault" autocomplete="off"/></label>
    <label><span>${t("start.folder")}</span>
      <${Folder} wire=${wire} value=${folder} label=${t("start.folder")} onInput=${setFolder}/>
    </label>
    <p id="keep-fault" class="keep-fault" role="status">${fault}</p>
    <${Button} sort="main" type="submit" label=${t("start.keep.do")}
      disabled=${busy || !name.trim() || !folder.trim()}/>
  </form>`;
}
