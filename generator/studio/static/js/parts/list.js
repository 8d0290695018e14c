/* A scrolling list that holds only what is in view in the page.
 *
 *   <${LongList} rows=${[{key, height, …}]} render=${(row, index) => vnode} gap=${px} pad=${px}
 *     reach=${index to scroll to, or -1} lead=${px above it to show, too}
 *     onView=${(first, last) => …} …attributes of the box/>
 *
 * Each row has a known height. Rows are absolutely placed, so their number costs nothing.
 */
import {
  html,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "../../vendor/preact.js";

const SPARE = 300; // px drawn above and below the view

/** Show the rows in view. */
export function LongList({
  rows,
  render,
  gap = 0,
  pad = 0,
  reach = -1,
  lead = 0,
  onView,
  class: more = "",
  ...rest
}) {
  const box = useRef(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const tops = useMemo(() => {
    let y = pad;
    const found = rows.map((row) => {
      const top = y;
      y += row.height + gap;
      return top;
    });
    return [...found, y - (rows.length ? gap : 0) + pad];
  }, [rows, gap, pad]);

  useEffect(() => {
    const element = box.current;
    let asked = 0;
    const look = () => {
      asked = 0;
      setView({ top: element.scrollTop, height: element.clientHeight });
    };
    const ask = () => {
      asked ||= requestAnimationFrame(look);
    };
    element.addEventListener("scroll", ask, { passive: true });
    const watch = new ResizeObserver(ask);
    watch.observe(element);
    return () => {
      element.removeEventListener("scroll", ask);
      watch.disconnect();
      cancelAnimationFrame(asked);
    };
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (reach < 0 || reach >= rows.length) return;
    const [top, bottom] = [tops[reach] - lead, tops[reach] + rows[reach].height];
    if (view.height === 0) return;
    if (top < element.scrollTop) element.scrollTop = top - pad;
    else if (bottom > element.scrollTop + element.clientHeight) {
      element.scrollTop = bottom + pad - element.clientHeight;
    }
    setView({ top: element.scrollTop, height: element.clientHeight });
  }, [reach, rows, view.height]);

  const first = at(tops, view.top - SPARE);
  const last = Math.min(rows.length - 1, at(tops, view.top + view.height + SPARE));
  const seen = [at(tops, view.top), Math.min(rows.length - 1, at(tops, view.top + view.height))];
  useEffect(() => onView?.(...seen), [rows, ...seen]);

  const shown = [];
  for (let index = first; index <= last; index += 1) {
    const row = rows[index];
    const style = { top: `${tops[index]}px`, height: `${row.height}px` };
    shown.push(html`<div class="long-row" key=${row.key} style=${style} role="presentation">
      ${render(row, index)}
    </div>`);
  }
  return html`<div ref=${box} class="long-list ${more}" ...${rest}>
    <div class="long-inside" style=${{ height: `${tops.at(-1)}px` }} role="presentation">
      ${shown}
    </div>
  </div>`;
}

/** Return the index of the last row that begins at or above y, 0 for none. */
function at(tops, y) {
  let [low, high] = [0, tops.length - 2];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tops[middle] <= y) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
