/* A question over the page that is answered with yes or no. */
import { html, render } from "../../vendor/preact.js";
import { t } from "../words.js";

/** Ask a question; resolve with true for yes. `yes` says in words what will be done. */
export function ask(question, yes) {
  const place = document.body.appendChild(document.createElement("div"));
  return new Promise((resolve) => {
    const closed = ({ target }) => {
      resolve(target.returnValue === "yes");
      render(null, place);
      place.remove();
    };
    const open = (dialog) => dialog && !dialog.open && dialog.showModal();
    render(
      html`<dialog ref=${open} class="question" aria-label=${question} onClose=${closed}>
        <form method="dialog">
          <p>${question}</p>
          <button class="button plain" value="no">${t("question.no")}</button>
          <button class="button main" value="yes" autofocus>${yes}</button>
        </form>
      </dialog>`,
      place,
    );
  });
}
