/* A field for a folder, completed with those that there are. */
import { html, useEffect, useId, useState } from "../../../vendor/preact.js";
import { t } from "../../words.js";

const PAUSE = 120; // ms

/** Type a folder. */
export function Folder({ wire, value, label, onInput, placeholder = "" }) {
  const [known, setKnown] = useState([]);
  const id = useId();
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(() => {
      wire.get("/api/start/folders", { typed: value }).then(
        ({ folders }) => isWanted && setKnown(folders),
        () => {},
      );
    }, PAUSE);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [value]);
  return html`<input class="text-input" list=${id} value=${value} aria-label=${label}
      placeholder=${placeholder} spellcheck=${false} autocomplete="off"
      onInput=${(event) => onInput(event.target.value)}/>
    <datalist id=${id}>${known.map(
      (folder) => html`<option key=${folder.path} value=${folder.path}
        label=${folder.project ? t("start.project") : undefined}/>`,
    )}</datalist>`;
}
