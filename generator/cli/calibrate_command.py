"""`gridpress calibrate`: prints a target, reads it and writes `printer.yaml`."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
from msgspec.structs import replace

from generator import calibration, limits, load, validate, writing
from generator.build import Order, printer_of
from generator.calibration import PrinterReading
from generator.cli import options, terminal
from generator.cli.terminal import progress_bar
from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.files import FileTooLargeError, Roots, UnreadableError
from generator.geometry import Point, Size, format_mm
from generator.model.catalogue import TRUE, Paper, PrinterProfile, PrinterStretch
from generator.model.face import Side
from generator.model.manifest import MANIFEST, MOST_BYTES, Manifest, ManifestError, read_manifest
from generator.project import PROFILE_FILE, Project, Target, shipped_root
from generator.starters import target_files
from generator.writing import TargetFolder, write_files

_PACK: Final = "calibrate"
_NUMBER: Final = re.compile(r"[+-]?\d{1,3}(?:\.\d{1,3})?(?:mm)?")
_FARTHEST: Final = 20.0
"""The most mm that a printer may be off."""
_MOST_STRETCH: Final = 0.1
_MOST: Final = 100_000
_LONGEST_ON_IT: Final = 45
"""Letters of the command that fit on the target."""
_MOST_LETTERS: Final = 60
_LEAST: Final = (100.0, 140.0)
_LARGEST: Final = (900.0, 1200.0)
"""mm of the paper's sides: less leaves no room for the scales, more is no sheet that a printer
feeds."""


class _NumberList(click.ParamType[tuple[float, ...]]):
    """Two numbers with a comma between, mm; or four, the last two the distances of marks."""

    name = "numbers"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        given = value.replace("−", "-").replace(" ", "").split(",")
        if len(given) not in (2, 4) or not all(map(_NUMBER.fullmatch, given)):
            self.fail(f"{value!r} is not two numbers such as 0.5,-0.25", param, ctx)
        numbers = tuple(float(number.removesuffix("mm")) for number in given)
        if max(map(abs, numbers[:2])) > _FARTHEST:
            self.fail(f"{value!r}: no printer is more than {_FARTHEST:g} mm off", param, ctx)
        return numbers


@click.command("calibrate")
@click.argument(
    "folder", type=click.Path(file_okay=False, exists=True, path_type=Path), default="."
)
@click.option(
    "--paper",
    help="The paper: a4 if left out, or that of the last sheet when you give readings.",
)
@click.option(
    "--backs",
    type=click.Choice(["duplex-long", "duplex-short"]),
    default="duplex-long",
    show_default=True,
    help="The edge that your printer turns the sheet over.",
)
@click.option("--printer", default="", metavar="NAME", help="The printer's name.")
@click.option(
    "--front",
    "fronts",
    type=_NumberList(),
    multiple=True,
    metavar="X,Y[,W,H]",
    help="The numbers on the front, in mm; repeatable, for several sheets.",
)
@click.option(
    "--back",
    "backs_read",
    type=_NumberList(),
    multiple=True,
    metavar="X,Y[,W,H]",
    help="The numbers on the back, in mm.",
)
@click.option(
    "--picture",
    "pictures",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A scan or photograph of a side instead (PNG, JPEG, TIFF…); repeatable.",
)
@options.output
def calibrate_command(
    folder: Path,
    paper: str | None,
    backs: str,
    printer: str,
    fronts: Sequence[tuple[float, ...]],
    backs_read: Sequence[tuple[float, ...]],
    pictures: Sequence[Path],
    output: TargetFolder,
) -> int:
    """Measure where your printer prints, and correct all sheets for it.

    First it writes a sheet, OUTPUT/calibrate/target-PAPER.pdf. Print it on both sides. Then give
    the numbers that you read on it, or pictures of it: they go to FOLDER/printer.yaml. Run it again
    to check: the new sheet is corrected and shows what is left.
    """
    if len(printer) > _MOST_LETTERS or not printer.isprintable():
        message = f"use at most {_MOST_LETTERS} printable letters"
        raise click.BadParameter(message, param_hint="--printer")
    project = Project(folder.resolve(), shipped_root())
    known = printer_of(project)
    terminal.show(known.diagnostics)
    if known.value is None or not known.ok:
        return 1
    catalogue, profile = known.value
    readings_given = bool(fronts or backs_read or pictures)
    paper = paper or (readings_given and _last_paper(output)) or "a4"
    name = paper.lower()
    if name not in catalogue.papers:
        message, hint = f"there is no paper {paper!r}", did_you_mean(name, catalogue.papers)
        raise GridpressError(Diagnostic(Span("--paper"), "GP603", message, hint))
    sheet = catalogue.papers[name]
    _refuse_paper(sheet)
    if not readings_given:
        named = Span("--printer" if printer else PROFILE_FILE)
        own = replace(profile, name=printer or profile.name)
        return _print(sheet, backs, own, named, output, _again(folder))
    before = replace(_printed_for(output, name), tolerance=profile.tolerance)
    readings = list(_readings(sheet, fronts, backs_read, pictures, _is_known(before)))
    found = calibration.calibrated_profile(before, readings, printer or before.name or profile.name)
    _refuse_too_much(found)
    path = project.root / PROFILE_FILE
    text = _profile_text(found, _text(project, path), profile)
    write_files(project.root, {path: text}, "choose another folder")
    for reading in readings:
        _tell(reading)
    terminal.say(f"\n{project.display(path)}")
    again = _again(folder) + ("" if name == "a4" else f" --paper {name}")
    terminal.say(f"print the sheet again to check: {again}")
    return 0


def _refuse_paper(paper: Paper) -> None:
    """Raise GridpressError for a paper that no target fits."""
    size = paper.size
    short, long = sorted((size.width, size.height))
    if not (
        _LEAST[0] <= short and _LEAST[1] <= long and short <= _LARGEST[0] and long <= _LARGEST[1]
    ):
        message = (
            f"no target fits on {format_mm(size.width)} × {format_mm(size.height)} mm: it "
            f"takes {_LEAST[0]:g} × {_LEAST[1]:g} mm, and is made up to "
            f"{_LARGEST[0]:g} × {_LARGEST[1]:g} mm"
        )
        hint = "take another paper that the printer feeds in the same way"
    elif paper.margin > calibration.EDGE:
        message = (
            f"a target goes to {calibration.EDGE:g} mm from the edges of the paper, and "
            f"{format_mm(paper.margin)} mm of {paper.name} are left white"
        )
        hint = "set the printer's real margin for this paper in papers.yaml"
    else:
        return
    raise GridpressError(Diagnostic(Span("--paper"), "GP601", message, hint))


def _again(folder: Path) -> str:
    return "gridpress calibrate" + ("" if folder == Path() else f" {terminal.typed(folder)}")


def _print(
    paper: Paper, backs: str, profile: PrinterProfile, named: Span, output: TargetFolder, again: str
) -> int:
    """Write the target, corrected by what is known of the printer, whose name comes from
    `named`."""
    from generator.build import press_pack

    size = calibration.face_size(paper.size)
    true = paper.size.width - 2 * calibration.INSET, paper.size.height - 2 * calibration.INSET
    is_short = again.isascii() and len(again) < _LONGEST_ON_IT
    command = f"{again if is_short else _again(Path())} --front 0.5,-0.25 --back 1,0"
    if paper.name != "a4":
        command += f" --paper {paper.name}"
    words = {
        "PAPER": paper.name,
        "TITLE": _quoted(paper.title),
        "BACKS": backs,
        "WIDTH": f"{format_mm(size.width)}mm",
        "HEIGHT": f"{format_mm(size.height)}mm",
        "PRINTER": _quoted(profile.name or "your printer"),
        "COMMAND": _quoted(command),
        "ACROSS": _quoted(format_mm(true[0])),
        "KNOWN": "true" if _is_known(profile) else "false",
        "DOWN": _quoted(format_mm(true[1])),
        "TURNED": "true" if (size.height >= size.width) == (backs == "duplex-short") else "false",
    }
    with writing.at_work(), tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
        root = Path(scratch).resolve()
        files = target_files(root, words)
        files[root / "cards/shared/papers.yaml"] = _paper_text(paper)
        files[root / PROFILE_FILE] = calibration.profile_text(profile)
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        target = Target(Project(root, shipped_root()), _PACK)
        with progress_bar(_PACK) as progress:
            made = press_pack(target, Order(), output, progress, terminal.note)
    # The target's project is temporary: only the printer's name or the paper can be wrong.
    terminal.show([_retold(fault, root.name, profile.name, named) for fault in made.diagnostics])
    if not made.value:
        return 1
    terminal.say(str(made.value[0].path))
    terminal.say("print it on both sides at 100 %, and follow the steps on it")
    return 0


def _retold(fault: Diagnostic, scratch: str, name: str, named: Span) -> Diagnostic:
    """Return a fault of the target's temporary project at the place that caused it."""
    if scratch not in fault.span.file:
        return fault
    if fault.code != "GP402":
        return replace(fault, span=Span("--paper"))
    letter = re.search("'(.)'", fault.message)
    span = named if letter and letter[1] in name else Span("--paper")
    return replace(fault, span=span, hint="write the name with other letters")


def _is_known(profile: PrinterProfile) -> bool:
    """Return whether this profile changes how a sheet is printed."""
    return replace(profile, name="", tolerance=0.0) != PrinterProfile()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _paper_text(paper: Paper) -> str:
    size = f"[{format_mm(paper.size.width)}mm, {format_mm(paper.size.height)}mm]"
    entry = f"{{title: {_quoted(paper.title)}, size: {size}, margin: {format_mm(paper.margin)}mm}}"
    return f"papers:\n  {paper.name}: {entry}\n"


def _read_manifest(output: TargetFolder) -> Manifest:
    """Return the manifest of the last target. Raises what reading it raises."""
    path = (output / _PACK).path / MANIFEST
    return read_manifest(Roots((output.named,)).read(path, MOST_BYTES))


def _last_paper(output: TargetFolder) -> str | None:
    """Return the paper of the last target, if there is one."""
    try:
        return next((each.paper for each in _read_manifest(output).files), None)
    except (UnreadableError, FileTooLargeError, ManifestError):
        return None


def _printed_for(output: TargetFolder, paper: str) -> PrinterProfile:
    """Return the profile that the last target was printed with; readings add to it."""
    path = (output / _PACK).path / MANIFEST
    file = f"target-{paper}.pdf"
    try:
        manifest = _read_manifest(output)
        told = next(each.printer for each in manifest.files if each.file == file)
    except (UnreadableError, FileTooLargeError, ManifestError, StopIteration) as error:
        message = f"no target was printed on {paper} yet"
        hint = "print one first: gridpress calibrate, with the same --paper and -o"
        raise GridpressError(Diagnostic(Span(str(path)), "GP611", message, hint)) from error
    front, back = (
        PrinterStretch(each.short, each.long, each.skew) if each else TRUE
        for each in (told.front_stretch, told.back_stretch)
    )
    return PrinterProfile(
        told.name, Point(*told.front), Point(*told.back), told.tolerance, front, back
    )


def _readings(
    paper: Paper,
    fronts: Sequence[tuple[float, ...]],
    backs: Sequence[tuple[float, ...]],
    pictures: Sequence[Path],
    known: bool,
) -> Iterator[PrinterReading]:
    """Yield what was read off the last target; `known` says whether it was printed with a
    profile."""
    for side, given in ((Side.FRONT, fronts), (Side.BACK, backs)):
        for x, y, *measured in given:
            size = Size(*measured) if measured else None
            yield calibration.reading_by_hand(side, paper.size, Point(x, y), size)
    for path in pictures:
        with limits.at(str(path)):
            reading = calibration.read_picture(path, paper.size, str(path))
        if reading.known != known:
            message = "this is an older sheet, not the last target"
            if known:
                hint = "take a picture of the sheet that was printed with printer.yaml"
            else:
                hint = "it was printed with a printer.yaml: make and print the sheet again"
            raise GridpressError(Diagnostic(Span(str(path)), "GP611", message, hint))
        yield reading


def _refuse_too_much(found: PrinterProfile) -> None:
    """Raise GridpressError for values that no printer reaches and printer.yaml refuses."""
    for side in ("front", "back"):
        by: Point = getattr(found, side)
        stretch: PrinterStretch = getattr(found, f"{side}_stretch")
        most = max(abs(stretch.short - 1), abs(stretch.long - 1))
        if max(abs(by.x), abs(by.y)) > _FARTHEST or most > _MOST_STRETCH or abs(stretch.skew) > 5:
            message = (
                f"the {side} would be {by.x:g}, {by.y:g} mm off, and {100 * most:.1f} % larger"
            )
            hint = "was it printed at 100 %, on this paper? Print and read it again"
            raise GridpressError(Diagnostic(Span(f"--{side}"), "GP611", message, hint))


def _profile_text(found: PrinterProfile, before: str, was: PrinterProfile) -> str:
    """Return the new printer.yaml. An unusual file keeps only its comments."""
    text = calibration.profile_text(found, before, was)
    read = load.document_in(text, PROFILE_FILE)
    if read.ok and read.value is not None and validate.read_profile(read.value).value == found:
        return text
    remarks = [line for line in before.splitlines() if line.startswith("#")]
    return calibration.profile_text(found, "\n".join(remarks))


def _text(project: Project, path: Path) -> str:
    """Return the text of printer.yaml, which was read before."""
    if not project.roots.holds(path):
        return ""
    try:
        return project.roots.read(path, _MOST).decode("utf-8-sig", "replace")
    except (UnreadableError, FileTooLargeError):
        return ""


def _tell(reading: PrinterReading) -> None:
    """Print what was read on one side."""
    by, stretch = reading.shift, reading.stretch
    x, y, skew = (round(number, 2) + 0.0 for number in (by.x, by.y, stretch.skew))  # never -0
    words = [f"{reading.side}: {x:+.2f} mm to the right, {y:+.2f} mm below"]
    if (stretch.short, stretch.long) != (1.0, 1.0):
        words.append(f"{100 * stretch.short:.2f} % wide, {100 * stretch.long:.2f} % high")
    if stretch.skew:
        words.append(f"turned by {skew:+.2f} degrees")
    if reading.rest:
        words.append(f"to within {reading.rest:.2f} mm")
    if reading.frame:
        words.append("an edge of the picture counts as an edge of the paper")
    terminal.say(", ".join(words))
