/** Say the limits of a number, "1–9". */
export function rangeOf({ min, max }) {
  if (min === null && max === null) return "";
  if (max === null) return `≥ ${min}`;
  if (min === null) return `≤ ${max}`;
  return min < 0 ? `${min} … ${max}`.replace("-", "−") : `${min}–${max}`;
}
