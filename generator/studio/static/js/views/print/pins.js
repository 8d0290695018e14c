/* Where findings are on the pages of a print. */

/** Return where findings are on a page: [{finding, transform, rects}], mm. */
export function pinsOf(findings, file, number, page) {
  return findings.flatMap((finding) => {
    if (!finding.pages?.length)
      return (page?.faces ?? []).flatMap((face) => pinOf(finding, face) ?? []);
    const here = finding.pages.filter(([name, at]) => name === file && at === number);
    return here.length ? [{ finding, rects: here.map(([, , rect]) => rect) }] : [];
  });
}

/** Return where a finding is on a face: the whole face if no place is known. */
function pinOf(finding, face) {
  const { faces = [], rects = [], kind, id } = finding;
  const key = `${face.kind}/${face.id}/${face.side}`;
  const isOwn = kind === face.kind && id === face.id.split("~")[0];
  if (!(faces.length ? faces.includes(key) : isOwn)) return null;
  const { transform, size } = placing(face);
  const places = rects.filter(([of]) => of === key).map(([, rect]) => rect);
  return { finding, transform, rects: places.length ? places : [[0, 0, ...size]] };
}

/** Return the transformation from the trim of a face to the page, and the size of the trim, mm. */
function placing({ x, y, width, height, rotation }) {
  const size = rotation % 180 ? [height, width] : [width, height];
  const middle = `translate(${x + width / 2} ${y + height / 2})`;
  const corner = `translate(${-size[0] / 2} ${-size[1] / 2})`;
  return { transform: `${middle} rotate(${rotation}) ${corner}`, size };
}
