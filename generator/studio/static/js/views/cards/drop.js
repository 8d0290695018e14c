/* A picture dropped on a card: it goes into the field of the picture under it, else into the first
 * field for a picture; where there is none, one can be added. */
import { freshFieldName, whyFixed } from "../../kind_edits.js";
import { settingIn } from "../../nodes.js";
import { placeIn } from "../../parts/fields/place.js";
import { addField } from "../../parts/new_field.js";
import { ask } from "../../parts/question.js";
import { t } from "../../words.js";
import { labelOf } from "./changes.js";

/** Return what a side listens to, for a component that can take a picture; else nothing. */
export function dropping(studio, about, row) {
  const fields = (about?.fields ?? []).filter((field) => field.type === "image");
  const isNew = fields.length === 0;
  if (!row || row.readonly || (isNew && whyFixed(about, [row]))) return {};
  const mark = (event, on) => event.currentTarget.classList.toggle("over", on);
  return {
    onDragOver: (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      mark(event, true);
    },
    onDragLeave: (event) => mark(event, false),
    onDrop: async (event) => {
      event.preventDefault();
      mark(event, false);
      const [file] = event.dataTransfer.files;
      if (!file) return;
      if (isNew) {
        addPicture(studio, about, row, file).catch(() => {});
        return;
      }
      const under = document.elementsFromPoint(event.clientX, event.clientY);
      const isUnder = ({ name }) => under.some((element) => element.dataset.path === name);
      const { name } = fields.find(isUnder) ?? fields[0];
      const answer = await studio.wire.upload(file, "picture").catch(() => null);
      if (answer) placeIn(studio, row, [name], labelOf(name, row)).set(answer.name);
    },
  };
}

/** Ask for a field for pictures, and put the picture into it. */
async function addPicture(studio, about, row, file) {
  if (!(await ask(t("picture.noField", { kind: about.title }), t("picture.newField")))) return;
  const { name: picture } = await studio.wire.upload(file, "picture");
  const name = freshFieldName(about, t("picture.field"));
  const change = settingIn(row, [name], picture);
  const field = { name, type: "image" };
  const further = [{ file: row.file, changes: [change] }];
  await addField(studio, about, null, field, further);
  studio.wire.toast(t("picture.added"), "note");
}
