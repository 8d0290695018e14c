/** Return the name of a field as people write it: `max_speed` is "Max speed". */
export function titled(name) {
  const words = name.replaceAll(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
