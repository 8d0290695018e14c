"""All that comes before the press: a pack read, checked, drawn and laid out on sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from generator import impose, limits, load, render, validate
from generator.assets import assets_of
from generator.diagnostics import Diagnostic, Outcome, Suggestions, did_you_mean, warning
from generator.files import Roots
from generator.fonts import OWN_FAMILY, FontLibrary, fonts_of, own_fonts
from generator.model.face import Face
from generator.model.outlet import Shop
from generator.model.pack import COARSE, Backs, Layout, Pack, Print, words_in
from generator.model.sheet import PrintedPiece, Sheet, Side
from generator.model.source import Mapping as MappingNode
from generator.model.source import PackSource
from generator.model.stock import Catalogue, Paper, PrinterProfile
from generator.order import Order
from generator.project import PACK_FILE, PROFILE_FILE, Project, Target
from generator.standing import Standing
from generator.text import TextStyle, fit_line
from generator.units import summed


class StepProgress(Protocol):
    """Told how far a step has come."""

    def __call__(self, step: str, done: int, total: int) -> None:
        """One report; `total` is 0 while it is not known."""


def silent(step: str, done: int, total: int) -> None:
    """The progress that nobody watches."""


class OpenPack(Struct, frozen=True):
    """A pack read and found right, with what is needed to draw and print it."""

    target: Target
    pack: Pack
    catalogue: Catalogue
    profile: PrinterProfile


class PrintRun(Struct, frozen=True):
    """One file to be: a print on one paper, laid out."""

    print_: Print
    paper: Paper
    backs: Backs
    sheets: tuple[Sheet, ...]
    file_name: str


def open_pack(
    target: Target,
    order: Order,
    *,
    in_parts: bool = False,
    standing: Standing | None = None,
) -> Outcome[OpenPack | None]:
    """Load and validate one pack, with the stocks, papers and fonts that it may name.

    With an error in it there is no pack; or `in_parts`, to look at, what of it is sound.
    """
    standing = standing or Standing(cache=order.cache)
    read, said = _read(target, order, standing)
    if read is None:
        return Outcome(None, said)
    checked, said = _opened(read, order, standing, said)
    return Outcome(checked.value if in_parts or Outcome(None, said).ok else None, said)


def _opened(
    read: _PackFiles, order: Order, standing: Standing, said: tuple[Diagnostic, ...]
) -> tuple[Outcome[OpenPack], tuple[Diagnostic, ...]]:
    """What of a pack is sound and what was found in it; then all that is said, of the order too."""
    checked = _checked(read, read.source, order, standing)
    said += checked.diagnostics
    if Outcome(None, said).ok:
        said += tuple(_fitting_nothing(checked.value.pack, order.only))
    return checked, said


class _PackFiles(Struct, frozen=True):
    """The files of a pack, not yet checked; `file` is what they are told as. `shops` are read where
    it says something of outlets. `required` are the packs below it that were checked: it is again
    when faults are looked for, they are not."""

    target: Target
    file: str
    source: PackSource
    catalogue: Catalogue
    shops: Mapping[str, Shop] | None
    profile: PrinterProfile
    required: dict[str, validate.CheckedPack] = field(default_factory=dict)


def _read(
    target: Target, order: Order, standing: Standing
) -> tuple[_PackFiles | None, tuple[Diagnostic, ...]]:
    documents = standing.documents
    said: list[Diagnostic] = []
    file = target.project.display(target.project.cards(target.pack) / PACK_FILE)
    with limits.at(file, limits.BEGINNING):
        catalogue = standing.catalogue(target.project)
        profile = _profile(target.project, documents, said)
        source = load.read_pack(target.project, target.pack, order.locale, documents)
        said = [*catalogue.diagnostics, *said, *source.diagnostics]
        if source.value is None or not catalogue.ok or profile is None:
            return None, tuple(said)
        root = source.value.pack.root
        shops = None
        if isinstance(root, MappingNode) and root.get("outlets") is not None:
            found = standing.shops(target.project)
            said += found.diagnostics
            shops = found.value if found.ok else None
    return _PackFiles(target, file, source.value, catalogue.value, shops, profile), tuple(said)


def _checked(
    read: _PackFiles, source: PackSource, order: Order, standing: Standing | None = None
) -> Outcome[OpenPack]:
    """What of a pack is sound, and what is wrong with the rest."""
    assets = assets_of(
        read.target.project, read.target.pack, source.requires, order.locale, order.cache
    )
    count = summed(len(each.components) for each in (source, *source.lenders))
    with limits.at(read.file, limits.BEGINNING + limits.COMPONENT * count):
        checked = validate.check_pack(
            source,
            read.catalogue,
            shops=read.shops,
            assets=assets,
            players=order.players,
            only=order.only,
            standing=standing.pack if standing else None,
            required=read.required,
            cache=order.cache,
        )
    limits.allow(limits.COMPONENT * len(source.components))
    opened = OpenPack(read.target, checked.value, read.catalogue, read.profile)
    return Outcome(opened, checked.diagnostics)


_BY_CHANCE: Final = ("GP303", "GP304", "GP309")
"""What a template may say because something is missing that is wrong elsewhere."""


def _further(
    read: _PackFiles,
    first: Outcome[OpenPack],
    order: Order,
    scratch: Path | None,
    progress: StepProgress,
    standing: Standing,
    said: Sequence[Diagnostic],
    unprinted: bool,
) -> Iterator[Diagnostic]:
    """What else is wrong with a pack that was checked `first`, of which this was `said`: its faces
    are drawn as if that was mended, and what is found on them is told, unless it is at a place that
    was told of. unprinted: those of which none is printed, too."""
    if first.ok and read.source.complete:
        return  # the order is wrong, not the pack
    mended = validate.with_stand_ins(read.source, first.value.pack.kinds, said)
    again = _checked(read, mended, order)
    sound = again.ok and read.source.complete
    fonts = standing.fonts(read.target.project, scratch)
    opened = each_once(again.value) if unprinted else again.value
    drawn = draw(opened, order, scratch, progress, fonts)
    told = {found.span for found in said}
    for found in drawn.diagnostics:
        if found.span not in told and (sound or found.code not in _BY_CHANCE):
            yield found


_CALL: Final = "call it by its id, kind/id or name; * and ? stand for any, commas part several"


def _fitting_nothing(pack: Pack, only: str | None) -> Iterator[Diagnostic]:
    """GP606 for each word of `--only` that no component is called by."""
    words = words_in(only)
    called = [component.called for found in pack.components.values() for component in found]
    known = [name for one in called for name in (one.id, one.name) if name]
    suggestions = Suggestions()
    for word in words:
        if not any(one.fits(word) for one in called):
            kind, slash, _ = word.rpartition("/")
            of_kind = [one for one in called if one.kind == kind] or called
            near = suggestions.nearest(
                word, (f"{one.kind}/{one.id}" for one in of_kind) if slash else known
            )
            meant = f"did you mean {near!r}?\n" if near else ""
            if word in pack.kinds:
                meant = f"it is a kind: '{word}/*' is all of it\n"
            message = f"--only: no component is called {word!r}"
            yield Diagnostic(pack.span, "GP606", message, meant + _CALL)


def printer_of(project: Project) -> Outcome[tuple[Catalogue, PrinterProfile] | None]:
    """The papers that there are in a project, and its printer."""
    said: list[Diagnostic] = []
    standing = Standing()
    with limits.at(project.display(project.root / PROFILE_FILE), limits.BEGINNING):
        catalogue = standing.catalogue(project)
        profile = _profile(project, standing.documents, said)
    known = None if not catalogue.ok or profile is None else (catalogue.value, profile)
    return Outcome(known, (*catalogue.diagnostics, *said))


def _profile(
    project: Project, documents: load.Documents, said: list[Diagnostic]
) -> PrinterProfile | None:
    path = project.root / PROFILE_FILE
    if not project.roots.holds(path):
        return PrinterProfile()
    read = documents.read(path, project.display(path), project.roots)
    said += read.diagnostics
    if read.value is None:
        return None
    outcome = validate.read_profile(read.value)
    said += outcome.diagnostics
    return outcome.value


def draw(
    opened: OpenPack,
    order: Order,
    scratch: Path | None = None,
    progress: StepProgress = silent,
    fonts: FontLibrary | None = None,
    standing: Standing | None = None,
) -> Outcome[tuple[Face, ...]]:
    """Render every face that the order asks for.

    `scratch` is a folder for what the faces need until they are printed, such as pictures made
    grey for `--ink mono`; `fonts` are those of the project, if they are read already.
    """
    project = opened.target.project
    with limits.at(project.display(project.root / "fonts"), limits.BEGINNING):
        fonts = fonts or fonts_of(project, scratch)
    drawn = render.render_faces(
        opened.pack,
        project=project,
        fonts=fonts,
        assets=assets_of(
            project, opened.target.pack, opened.pack.requires, order.locale, order.cache
        ),
        ink=order.ink,
        only=order.only,
        jobs=order.jobs,
        scratch=scratch,
        progress=lambda done, total: progress("drawing", done, total),
        cache=order.cache,
        standing=standing.faces if standing else None,
        corrected=standing.pack.corrected if standing else None,
    )
    limits.allow(limits.COMPONENT * len(drawn.value))  # for what becomes of them in no step
    return drawn


def each_once(opened: OpenPack) -> OpenPack:
    """A pack as if at least one of each component was printed."""
    pieces = {
        kind: tuple(replace(one, quantity=one.quantity or 1) for one in found)
        for kind, found in opened.pack.components.items()
    }
    return replace(opened, pack=replace(opened.pack, components=pieces))


class LaidOut(Struct, frozen=True):
    """A pack with its faces drawn and its sheets laid out; nothing is written yet. The pictures of
    the faces are below `roots`."""

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


def lay_out(
    pack: Target | OpenPack,
    order: Order,
    scratch: Path | None = None,
    progress: StepProgress = silent,
    standing: Standing | None = None,
    unprinted: bool = False,
) -> Outcome[LaidOut | None]:
    """All that a build does short of writing: load, validate, render, impose; each with what was
    sound before, so that all is told that there is to mend. One that is open, whole or in parts, is
    not loaded, and what was said of it is not said again. Where pictures are too
    coarse, and nothing else is wrong, there is a value, to look at and not to print. unprinted:
    where there is something to mend, look at the faces of components of which none is printed,
    too."""
    standing = standing or Standing(cache=order.cache)
    said: tuple[Diagnostic, ...] = ()
    if isinstance(pack, Target):
        read, said = _read(pack, order, standing)
        if read is None:
            return Outcome(None, said)
        opened, said = _opened(read, order, standing, said)
        if not Outcome(None, said).ok:
            further = _further(read, opened, order, scratch, progress, standing, said, unprinted)
            return Outcome(None, (*said, *further))
        pack = opened.value
    progress("drawing", 0, 0)
    fonts = standing.fonts(pack.target.project, scratch)
    faces = draw(pack, order, scratch, progress, fonts, standing)
    said += faces.diagnostics
    runs = _runs(pack, faces.value, order, standing)
    said += tuple(found for found in runs.diagnostics if faces.ok or found.code != "GP606")
    if not Outcome(None, tuple(found for found in said if found.code not in COARSE)).ok:
        return Outcome(None, said)
    roots = pack.target.project.roots.also(*[scratch] if scratch else ())
    return Outcome(LaidOut(pack, roots, fonts, faces.value, runs.value), said)


def _runs(
    opened: OpenPack, faces: Sequence[Face], order: Order, standing: Standing
) -> Outcome[tuple[PrintRun, ...]]:
    sides: dict[tuple[str, str], dict[str, Face]] = {}
    for face in faces:
        sides.setdefault((face.kind, face.component), {})[face.name] = face
    said = [*_unknown_papers(opened, order), *_unknown_cutter(opened, order)]
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
        f"{print_.title}: not printed, as it is for {made_for} and not {_any_of(order.papers)}"
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
        hint = f"what you ask for is printed on {', '.join(papers)}"
    elif order.only:
        hint = f"nothing that answers to --only {order.only!r} is printed"
    else:
        hint = "pack.yaml has no prints, their kinds no components, or all quantities are 0"
    return Diagnostic(opened.pack.span, "GP606", "there is nothing to print", hint)


def _run(
    opened: OpenPack,
    print_: Print,
    paper: Paper,
    pieces: Sequence[PrintedPiece],
    order: Order,
    standing: Standing,
) -> tuple[PrintRun, tuple[Diagnostic, ...]]:
    """One print laid out on one paper. What is too large to fold, though the order wants it
    folded, is laid out as the pack says; a warning tells."""
    backs = _wanted_backs(print_, order)
    name = order.called(f"{print_.name}-{paper.name}.pdf")
    imposed = _imposed(opened, print_, paper, pieces, backs, order, standing, name)
    said = imposed.diagnostics
    if not imposed.ok and backs is Backs.GUTTERFOLD and backs is not print_.backs:
        unfolded = _imposed(opened, print_, paper, pieces, print_.backs, order, standing, name)
        if unfolded.ok:
            message = f"{print_.title}: too large to fold on {paper.title}, so not folded"
            hint = "print front and back pages one by one and glue them back to back"
            said = (warning(print_.span, "GP607", message, hint),)
            imposed, backs = unfolded, print_.backs
    return PrintRun(print_, paper, _printed_backs(imposed.value, backs), imposed.value, name), said


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
    pack, profile = opened.pack, opened.profile
    slug = impose.Slug(
        pack.title if _is_markable(pack.title) else pack.name, pack.version, name, pack.is_draft
    )
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
    """Whether the font of rulers and slugs has all letters of a text."""
    style = TextStyle("marks", OWN_FAMILY, size_pt=6, min_pt=6)
    return not fit_line(text, style, rich=False, fonts=own_fonts()).missing


def _wanted_backs(print_: Print, order: Order) -> Backs:
    """How backs shall come behind fronts; a booklet always needs both sides of its paper."""
    wanted = order.backs or print_.backs
    duplex = (Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT)
    if print_.layout is not Layout.BOOKLET or wanted in duplex:
        return wanted
    return print_.backs if print_.backs in duplex else Backs.DUPLEX_SHORT


def _printed_backs(sheets: Sequence[Sheet], backs: Backs) -> Backs:
    """How the file is to be printed: what has no back side is not turned over."""
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
        message = f"no cutter looks for marks called {order.marks!r}"
        yield Diagnostic(opened.pack.span, "GP711", message, did_you_mean(order.marks, known))


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
