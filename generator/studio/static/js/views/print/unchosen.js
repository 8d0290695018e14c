/* What holds as long as nobody chooses: the papers, and how the backs come behind the fronts. */

const OTHER = { a4: "letter", letter: "a4" };
const LETTER = ["US", "CA", "MX"];
const DUPLEX = ["duplex-long", "duplex-short"];

/** Return the papers to begin with: of A4 and Letter the one that is sold where a person lives,
 * if every print is also made for it; [] for all. */
export function likelyPapers(prints, locale) {
  const own = LETTER.includes(new Intl.Locale(locale).region) ? "letter" : "a4";
  const isBoth = ({ papers }) => !papers.includes(OTHER[own]) || papers.includes(own);
  const names = papersOf(prints);
  const likely = names.filter((name) => name !== OTHER[own]);
  return prints.every(isBoth) && likely.length < names.length ? likely : [];
}

/** Return an order without what the pack does not have, or no more. */
export function fitting(order, { prints, players, languages }) {
  const names = papersOf(prints);
  const isFor = players && order.players >= players.min && order.players <= players.max;
  return {
    ...order,
    papers: order.papers?.every((name) => names.includes(name)) ? order.papers : null,
    players: isFor ? order.players : null,
    locale: languages.includes(order.locale) ? order.locale : null,
  };
}

/** Return the papers that prints are made for. */
export function papersOf(prints) {
  return [...new Set(prints.flatMap(({ papers }) => papers))];
}

/** Return how the backs of a print come, when `wanted` is chosen or null. A booklet is always
 * printed on both sides. `kinds` is a Map by name. */
export function backsOf(print, wanted, kinds) {
  const backs = wanted ?? print.backs;
  if (!print.is_booklet) return hasBacks(print, kinds) ? backs : "none";
  return [backs, print.backs, "duplex-short"].find((one) => DUPLEX.includes(one));
}

/** Return how the pack wants the backs of all its prints; null if they differ. */
export function backsOfPack(prints, kinds) {
  const own = prints.filter((print) => !print.is_booklet && hasBacks(print, kinds));
  const found = new Set((own.length ? own : prints).map(({ backs }) => backs));
  return found.size === 1 ? [...found][0] : null;
}

function hasBacks(print, kinds) {
  return print.kinds.some((name) => kinds.get(name)?.faces.back);
}
