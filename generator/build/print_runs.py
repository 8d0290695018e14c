"""Lay the faces of a pack out on sheets, one file for each print and paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from generator import impose, limits
from generator.build.opening import OpenPack
from generator.build.order import Order
from generator.build.standing import Standing
from generator.diagnostics import Diagnostic, Outcome, did_you_mean, warning
from generator.files import Roots
from generator.fonts import OWN_FAMILY, FontLibrary, own_fonts
from generator.geometry import summed
from generator.model.catalogue import Paper
from generator.model.face import Face, PrintedPiece, Sheet, Side
from generator.model.pack import Backs, Layout, Pack, Print
from generator.text import TextStyle, fit_line


class PrintRun(Struct, frozen=True):
    """One file to be: a print on one paper, laid out."""

    print_: Print
    paper: Paper
    backs: Backs
    sheets: tuple[Sheet, ...]
    file_name: str
    is_draft: bool = False


def is_draft(pack: Pack, faces: Iterable[Face]) -> bool:
    """Return True if one of the faces has a picture too coarse for anything but a draft."""
    return any(face.assets and pack.lets_coarse(face.kind, face.component) for face in faces)


class LaidOut(Struct, frozen=True):
    """A pack with its faces drawn and its sheets laid out; nothing is written yet. The pictures of
    the faces are below `roots`. With an error in it, the pack is only to be looked at: its faces
    are those that could be drawn, and the sheets show no others."""

    opened: OpenPack
    roots: Roots
    fonts: FontLibrary
    faces: tuple[Face, ...]
    runs: tuple[PrintRun, ...]

    @property
    def placed(self) -> list[Face]:
        """The faces that are on some sheet, each once, in order of first use."""
        found: dict[str, Face] = {}
        for sheet in (sheet for run in self.runs for sheet in run.sheets):
            for placement in sheet.placements:
                found.setdefault(placement.face.sha256, placement.face)
        return list(found.values())


def as_known(opened: OpenPack) -> OpenPack:
    """The pack, its prints with those kinds and papers that there are; without any of these on the
    first paper."""
    papers = opened.catalogue.papers
    prints = tuple(
        replace(
            print_,
            kinds=tuple(kind for kind in print_.kinds if kind in opened.pack.kinds),
            papers=tuple(filter(papers.__contains__, print_.papers)) or tuple(papers)[:1],
        )
        for print_ in opened.pack.prints
    )
    return replace(opened, pack=replace(opened.pack, prints=prints))


def print_runs(
    opened: OpenPack, faces: Sequence[Face], order: Order, standing: Standing
) -> Outcome[tuple[PrintRun, ...]]:
    """The files that an order asks for, laid out."""
    sides: dict[tuple[str, str], dict[str, Face]] = {}
    for face in faces:
        sides.setdefault((face.kind, face.component), {})[face.name] = face
    said = [
        *_unknown_papers(opened, order),
        *_unknown_cutter(opened, order),
        *_no_labels(opened, order),
    ]
    runs: list[PrintRun] = []
    wanted: list[Print] = []
    for print_ in opened.pack.prints:
        pieces = tuple(_pieces(opened.pack, print_, sides))
        wanted += [print_] if pieces else []
        for paper in _papers(opened, print_, order) if pieces else ():
            run, found = _run(opened, print_, paper, pieces, order, standing)
            said += found
            runs.append(run)
        if pieces and not _papers(opened, print_, order):
            said.append(_left_out(print_, order))
    if not runs and Outcome(None, tuple(said)).ok:
        said = [_nothing(opened, order, wanted)]
    return Outcome(tuple(runs), tuple(said))


def _left_out(print_: Print, order: Order) -> Diagnostic:
    """GP609: who asks for one paper gets less than the whole pack."""
    made_for = ", ".join(print_.papers)
    message = (
        f"{print_.title}: not printed, because it is for {made_for}, not {_any_of(order.papers)}"
    )
    kinds = ", ".join(print_.kinds)
    hint = f"{kinds}: add --paper {print_.papers[0]}, or name the paper in its papers in pack.yaml"
    return warning(print_.span, "GP609", message, hint)


def _any_of(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _nothing(opened: OpenPack, order: Order, wanted: Sequence[Print]) -> Diagnostic:
    """GP606; `wanted` are the prints of what is asked for, none of them on a paper that is."""
    papers = dict.fromkeys(paper for print_ in wanted for paper in print_.papers)
    if papers:
        hint = f"these components are printed on {', '.join(papers)}"
    elif order.only:
        hint = f"nothing that matches --only {order.only!r} is printed"
    else:
        hint = "pack.yaml has no prints, their kinds have no components, or all quantities are 0"
    return Diagnostic(opened.pack.span, "GP606", "there is nothing to print", hint)


def _run(
    opened: OpenPack,
    print_: Print,
    paper: Paper,
    pieces: Sequence[PrintedPiece],
    order: Order,
    standing: Standing,
) -> tuple[PrintRun, tuple[Diagnostic, ...]]:
    """Lay out one print on one paper. Pieces too large to fold as ordered are laid out as the pack
    says, with a warning."""
    backs = _wanted_backs(print_, order)
    name = order.called(f"{print_.name}-{paper.name}.pdf")
    imposed = _imposed(opened, print_, paper, pieces, backs, order, standing, name)
    said = imposed.diagnostics
    if not imposed.ok and backs is Backs.GUTTERFOLD and backs is not print_.backs:
        unfolded = _imposed(opened, print_, paper, pieces, print_.backs, order, standing, name)
        if unfolded.ok:
            message = f"{print_.title}: too large to fold on {paper.title}, so not folded"
            hint = "print front and back pages separately and glue them back to back"
            said = (warning(print_.span, "GP607", message, hint),)
            imposed, backs = unfolded, print_.backs
    draft = is_draft(opened.pack, _faces_of(pieces))
    printed = _printed_backs(imposed.value, backs)
    return PrintRun(print_, paper, printed, imposed.value, name, draft), said


def _faces_of(pieces: Iterable[PrintedPiece]) -> Iterator[Face]:
    return (face for piece in pieces for face in (piece.front, piece.back) if face is not None)


def _imposed(
    opened: OpenPack,
    print_: Print,
    paper: Paper,
    pieces: Sequence[PrintedPiece],
    backs: Backs,
    order: Order,
    standing: Standing,
    name: str,
) -> Outcome[tuple[Sheet, ...]]:
    label_sheet = opened.catalogue.label_sheets.get(print_.labels.get(paper.name, ""))
    if label_sheet is not None:
        label_sheet = replace(label_sheet, start=order.start_label)
    pack, profile = opened.pack, opened.profile
    file = name if _is_markable(name) else f"{print_.name}-{paper.name}.pdf"  # without the locale
    title = pack.title if _is_markable(pack.title) else pack.name
    slug = impose.Slug(title, pack.version, file, is_draft(pack, _faces_of(pieces)))
    marked = print_ if _is_markable(print_.media) else replace(print_, media="")
    if not _is_markable(paper.title):
        paper = replace(paper, title=paper.name)
    if label_sheet is not None and not _is_markable(label_sheet.title):
        label_sheet = replace(label_sheet, title=label_sheet.name)
    cutter = opened.catalogue.cutters.get(order.marks)
    seconds = limits.FILE + limits.PIECE * summed(piece.copies for piece in pieces)

    def make() -> Outcome[tuple[Sheet, ...]]:
        with limits.at(print_.span, seconds):
            return impose.impose(
                marked,
                pieces,
                paper,
                backs,
                label_sheet=label_sheet,
                profile=profile,
                slug=slug,
                cutter=cutter,
            )

    rest = (print_, paper, backs, label_sheet, profile, slug, cutter)
    return standing.sheets((slug.file, backs), pieces, rest, make)


def _is_markable(text: str) -> bool:
    """Return True if the font of rulers and slugs has all letters of a text."""
    style = TextStyle("marks", OWN_FAMILY, size_pt=6, min_pt=6)
    return not fit_line(text, style, rich=False, fonts=own_fonts()).missing


def _wanted_backs(print_: Print, order: Order) -> Backs:
    """Return how backs come behind fronts. A booklet always needs both sides of its paper."""
    wanted = order.backs or print_.backs
    duplex = (Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT)
    if print_.layout is not Layout.BOOKLET or wanted in duplex:
        return wanted
    return print_.backs if print_.backs in duplex else Backs.DUPLEX_SHORT


def _printed_backs(sheets: Sequence[Sheet], backs: Backs) -> Backs:
    """Return how the file is printed: paper without a back side is not turned over."""
    sides = {p.side for sheet in sheets for p in sheet.placements} | {s.side for s in sheets}
    return backs if Side.BACK in sides else Backs.NONE


def _unknown_papers(opened: OpenPack, order: Order) -> Iterator[Diagnostic]:
    known = {paper for print_ in opened.pack.prints for paper in print_.papers}
    for name in order.papers:
        if name not in known:
            message = f"nothing in this pack is printed on {name!r}"
            yield Diagnostic(opened.pack.span, "GP603", message, did_you_mean(name, known))


def _unknown_cutter(opened: OpenPack, order: Order) -> Iterator[Diagnostic]:
    known = [name for name, cutter in opened.catalogue.cutters.items() if cutter.marks]
    if order.marks and order.marks not in known:
        message = f"no cutting machine has marks called {order.marks!r}"
        yield Diagnostic(opened.pack.span, "GP711", message, did_you_mean(order.marks, known))


def _no_labels(opened: OpenPack, order: Order) -> Iterator[Diagnostic]:
    """GP604 where an order starts at a label and nothing comes onto labels."""
    if order.start_label > 1 and all(p.layout is not Layout.LABELS for p in opened.pack.prints):
        message = "--start-label: nothing in this pack is printed on labels"
        hint = "leave it out, or give a print layout: labels (docs/printing.md)"
        yield Diagnostic(opened.pack.span, "GP604", message, hint)


def _papers(opened: OpenPack, print_: Print, order: Order) -> tuple[Paper, ...]:
    return tuple(
        opened.catalogue.papers[name]
        for name in print_.papers
        if not order.papers or name in order.papers
    )


def _pieces(
    pack: Pack, print_: Print, sides: Mapping[tuple[str, str], Mapping[str, Face]]
) -> Iterator[PrintedPiece]:
    for kind in print_.kinds:
        for component in pack.printed(kind):
            faces = sides.get((kind, component.id))
            if faces and len(faces) == len(pack.kinds[kind].faces) and component.quantity:
                yield PrintedPiece(faces["front"], faces.get("back"), component.quantity)
