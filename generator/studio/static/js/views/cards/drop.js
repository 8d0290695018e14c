/* A picture dropped on a card: it goes into the field of the picture under it, else into the first
 * field for a picture; where there is none, one can be added. */
import { freshFieldName, whyFixed } from "../../kind_edits.js";
import { settingIn, textOf } from "../../nodes.js";
import { placeIn } from "../../parts/fields/place.js";
import { titled } from "../../parts/fields/titled.js";
import { addField } from "../../parts/new_field.js";
import { ask } from "../../parts/question.js";
import { t } from "../../words.js";

/** Return what a side listens to, for a component that can take a picture; else nothing. */
export function dropping(studio, { about, row, places, scale }) {
  const fields = (about?.fields ?? []).filter((field) => field.type === "image");
  const isNew = fields.length === 0;
  if (!row || row.readonly || (isNew && whyFixed(about, [row]))) return {};
  const takesFiles = (event) => event.dataTransfer.types.includes("Files");
  const mark = (event, on) => event.currentTarget.classList.toggle("over", on);
  const field = (event) => {
    const face = event.currentTarget.querySelector(".face-over");
    const at = face.getBoundingClientRect();
    const box = face.viewBox.baseVal;
    const x = (event.clientX - at.left) / scale + box.x;
    const y = (event.clientY - at.top) / scale + box.y;
    const under = places.pictures.find(
      ({ rect, field: of, icon }) => of && !icon && isInside(rect, x, y),
    );
    const name = under?.field[2][0];
    return fields.find((one) => one.name === name) ?? fields[0];
  };
  return {
    onDragOver: (event) => {
      if (!takesFiles(event)) return;
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
      const { name: fieldName } = field(event);
      const label = t("edit.field", {
        field: titled(fieldName),
        name: textOf(row.nodes.name) || row.id,
      });
      const answer = await studio.wire.upload(file, "picture").catch(() => null);
      if (answer) placeIn(studio, row, [fieldName], label).set(answer.name);
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

function isInside([left, top, width, height], x, y) {
  return x >= left && y >= top && x <= left + width && y <= top + height;
}
