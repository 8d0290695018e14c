/* A list whose entries can be dragged to another place, by mouse, pen or finger.
 *
 *   const sorting = useSorting(count, (from, to) => …);
 *   <ul ref=${sorting.list}>
 *     <li class=${sorting.mark(at)}>… <span ...${sorting.grip(at)}>…</span></li>
 *
 * Entries that can be sorted are those with `data-sort`, the place that `from` and `to` tell.
 */
import { useRef, useState } from "../../vendor/preact.js";

/** Return the parts of a list that can be sorted. */
export function useSorting(count, onMove) {
  const list = useRef(null);
  const [drag, setDrag] = useState(null);
  const placeAt = (y) => {
    const entries = [...list.current.children].filter((one) => one.dataset.sort !== undefined);
    const below = entries.find((one) => {
      const { top, height } = one.getBoundingClientRect();
      return y < top + height / 2;
    });
    return below ? Number(below.dataset.sort) : count;
  };
  const grip = (at) => ({
    onMouseDown: (event) => event.preventDefault(), // the focus stays where it is
    onPointerDown: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: at, before: at });
    },
    onPointerMove: ({ clientY }) => drag && setDrag({ ...drag, before: placeAt(clientY) }),
    onPointerUp: () => {
      setDrag(null);
      const to = drag.before > drag.from ? drag.before - 1 : drag.before;
      if (to !== drag.from) onMove(drag.from, to);
    },
    onPointerCancel: () => setDrag(null),
  });
  const mark = (at) => {
    if (!drag || drag.before === drag.from || drag.before === drag.from + 1) return "";
    if (drag.before === at) return "drop-above";
    return drag.before === count && at === count - 1 ? "drop-below" : "";
  };
  return { list, grip, mark };
}
