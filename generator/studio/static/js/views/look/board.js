/* The board: the layout of one face file as it is shown on one card, what is chosen on it, and the
 * steps that change it.
 *
 *   layout       signal of the LayoutView, null until it is read; `missing` if it cannot be
 *   chosen       signal of the names of chosen boxes
 *   item         signal of {name, at}: an entry of a chosen row or column, or null
 *   hover        signal of a name
 *   drag         signal of {places: {name: at}, guides, note, marquee} while one drags, or null
 *   scope        signal: "all", or the index of the variants of the shown card
 *   said         signal of the words that are read out
 */
import { batch, signal } from "../../../vendor/preact.js";
import { rounded } from "../../parts/geometry.js";
import { titled } from "../../parts/fields/titled.js";
import { t } from "../../words.js";
import * as typed from "./typed.js";

/** Return the board of a face file, shown on the face with a key. */
export function createBoard(studio, file, key) {
  const { wire } = studio;
  const layout = signal(null);
  const missing = signal(false);
  const chosen = signal([]);
  const item = signal(null);
  const hover = signal("");
  const drag = signal(null);
  const scope = signal("all");
  const said = signal("");
  let wanted = 0;
  let sending = 0;
  let asked = 0;

  const load = async () => {
    const turn = ++asked;
    try {
      const found = await wire.get("/api/layout", { file, key: key.value });
      if (turn !== asked || sending > 0 || found.number < wanted) return;
      batch(() => {
        layout.value = found;
        missing.value = false;
        const names = new Set(found.boxes.map((box) => box.name));
        chosen.value = chosen.value.filter((name) => names.has(name));
        if (scope.value !== "all" && (found.variants[scope.value]?.now ?? null) === null) {
          scope.value = "all";
        }
      });
    } catch {
      if (turn === asked && !layout.value) missing.value = true;
    }
  };
  const heard = ({ number, faces, done }) => {
    if (done || faces.some((face) => face.key === key.value)) load(number);
  };
  const box = (name) => layout.value?.boxes.find((one) => one.name === name);
  const isReadonly = () => Boolean(layout.value?.files[0].readonly);

  /** Make a step: `make` notes changes in a draft. */
  const step = async (label, make, join = "") => {
    if (!layout.value || isReadonly()) return;
    const draft = typed.draftOf(layout.value);
    make(draft);
    if (draft.changes.length === 0) return;
    layout.value = typed.after(draft);
    sending += 1;
    const edits = [{ file, changes: draft.changes }];
    const answer = await wire.edit({ label, join, edits }).catch(() => null);
    sending -= 1;
    wanted = Math.max(wanted, answer?.number ?? 0);
    load();
  };
  /** Set keys of boxes, {name: {key: value}}, as one step. */
  const set = (values, label, join) =>
    step(
      label,
      (draft) => {
        for (const [name, keys] of Object.entries(values)) {
          for (const [key, value] of Object.entries(keys)) {
            typed.setKey(draft, box(name), key, value, scope.value);
          }
        }
      },
      join,
    );
  /** Move boxes, {name: at}, as one step. */
  const place = (places, label, join) => {
    const entries = Object.entries(places).filter(([name, at]) => !isSame(box(name)?.at, at));
    if (entries.length === 0 || isReadonly()) return;
    say(
      entries
        .map(([name, at]) => t("look.said", { name: titled(name), place: placeText(at) }))
        .join(" "),
    );
    const values = Object.fromEntries(entries.map(([name, at]) => [name, { at }]));
    set(values, label ?? t("look.step.move", { name: shownNames(Object.keys(values)) }), join);
  };
  const say = (words) => (said.value = words);
  const choose = (names, inside = null) =>
    batch(() => {
      chosen.value = names;
      item.value = inside;
      const one = names.length === 1 ? box(names[0]) : null;
      if (one?.at) say(t("look.said", { name: titled(one.name), place: placeText(one.at) }));
    });

  return {
    layout,
    missing,
    chosen,
    item,
    hover,
    drag,
    scope,
    said,
    load,
    heard,
    box,
    step,
    set,
    place,
    say,
    choose,
    isReadonly,
    file,
    boxes: () => layout.value?.boxes ?? [],
    chosenBoxes: () => chosen.value.map(box).filter(Boolean),
    /** Where a box is shown, also while one drags it. */
    atOf: (one) => drag.value?.places?.[one.name] ?? one.at,
  };
}

/** Say where a box is: "5.5, 44.4 mm". */
export function placeText([x, y]) {
  return `${rounded(x, true)}, ${rounded(y, true)} mm`;
}

/** Say which boxes a step changes: the name of one, else their number. */
export function shownNames(names) {
  return names.length === 1 ? titled(names[0]) : t("look.count", { count: names.length });
}

function isSame(before, now) {
  return Boolean(before) && before.every((value, index) => Math.abs(value - now[index]) < 0.005);
}
