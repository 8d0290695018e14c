"""Commands that write files to start from: `new`, by a name, and `import`, of a spreadsheet; long,
since each asks for a pack, a kind and names, and says what to do next."""

from __future__ import annotations

import colorsys
import functools
import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePath
from typing import Final

import click
from msgspec import Struct

from generator import guests, limits, load
from generator.assets import MAX_FILE
from generator.cli import terminal
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Outcome,
    Span,
    did_you_mean,
    plain,
)
from generator.files import FileTooLargeError, Roots, UnreadableError, is_device, refusal
from generator.load import (
    MAX_BYTES,
    mappings,
    read_bytes,
    read_table,
    required_packs,
    text_in,
)
from generator.model.pack import Component, Pack
from generator.model.source import Mapping, Scalar, as_id, is_sum, sound_heads
from generator.model.source import Sequence as SequenceNode
from generator.order import Order
from generator.prepress import open_pack
from generator.project import PACK_FILE, STARTERS, Project, Target, project_here, shipped_root
from generator.starters import (
    NEW,
    USUAL,
    NewKind,
    likes,
    look_of,
    plural,
    singular,
    start_component,
    start_kind,
    start_own_pack,
    start_pack,
    starters,
    values_of,
    with_values,
)
from generator.table_import import (
    Column,
    changed_ids,
    columns_of,
    fields_left_out,
    in_braces,
    no_numbers,
    other_numbers,
    write_imported,
)
from generator.writing import is_plain_path

_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _name(_context: click.Context, _parameter: click.Parameter, name: str) -> str:
    if not _NAME.fullmatch(name):
        raise click.BadParameter("use lower-case letters, digits and hyphens")
    if is_device(name):
        raise click.BadParameter("Windows takes files of that name for a device")
    if name == "null":
        raise click.BadParameter("null is what YAML calls nothing")
    return name


def _called(context: click.Context, parameter: click.Parameter, title: str) -> tuple[str, str]:
    """The name that is made of a title, and the title: `My Game` is `my-game`; what is a name has
    no title of its own."""
    id_ = as_id(title) if title.isprintable() else ""
    if not id_:
        raise click.BadParameter(
            f"folders and files are called by it, so it needs letters a to z or digits: start with "
            f"another name, and write {title!r} as `title:` into the file then"
        )
    name = _name(context, parameter, id_)
    return name, "" if title == name else title.strip()


def _several(
    context: click.Context, parameter: click.Parameter, title: str | None
) -> tuple[str, str] | None:
    return None if title is None else _called(context, parameter, title)


def _pack_and_name(
    context: click.Context, parameter: click.Parameter, given: str
) -> tuple[str | None, str]:
    """`name`, or `pack/name`."""
    pack, slash, name = given.rpartition("/")
    return pack if slash else None, _name(context, parameter, name)


_into: Callable[..., Callable[..., None]] = click.option(
    "--in",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="The project's folder; the current one by default.",
)


class _NewGroup(click.Group):
    """`pack`, `kind`, and any kind for which a pack has a starter."""

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """A kind's command is made when it is asked for: --in says which packs there are."""
        return super().get_command(context, name) or _new_component(name)

    def list_commands(self, context: click.Context) -> list[str]:
        """Those that are always there, then the kinds that packs of this folder can start; in one
        without packs those of the shipped packs."""
        return [*super().list_commands(context), *sorted(_offers(project_here()))]


@click.group("new", cls=_NewGroup)
def new_command() -> None:
    """Start something of your own: a pack, one more kind of component, or a component."""


@new_command.command("pack")
@click.argument("name", callback=_called)
@_into
def new_pack(name: tuple[str, str], folder: Path) -> None:
    """Start a pack called NAME, such as "My Game": three cards, their kind and templates, ready to
    build."""
    for path in start_pack(folder, *name):
        terminal.say(str(path))
    terminal.say(f"\nnow try: gridpress build {terminal.typed(folder)}")


def _list_likes(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        for like, what in likes().items():
            terminal.say(f"{like:14} {what}")
        context.exit()


@new_command.command("kind")
@click.argument("name", callback=_called)
@_into
@click.option("--pack", "pack_name", help="The pack; not needed when the project has only one.")
@click.option(
    "--like",
    type=click.Choice(tuple(likes())),
    default=USUAL,
    show_default=True,
    help="What it is like.",
)
@click.option("--plural", "several", callback=_several, help="What several are called: heroes.")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list_likes,
    help="Tell what a kind can be like.",
)  # fmt: skip
def new_kind(
    name: tuple[str, str],
    folder: Path,
    pack_name: str | None,
    like: str,
    several: tuple[str, str] | None,
) -> int:
    """Start a kind called NAME in a pack: its fields, templates and first components."""
    target = Target(Project(folder, shipped_root()), _chosen_pack(folder, pack_name))
    opened = open_pack(target, Order())
    if opened.value is None:
        terminal.show(opened.diagnostics)
        terminal.note(f"{target.pack}: mend this first, then start a new kind")
        return 1
    pack = opened.value.pack
    papers = next((print_.papers for print_ in pack.prints), ("a4", "letter"))
    id_, title = name[0], name[1][:1].upper() + name[1][1:]
    id_of_all, titles = several or (as_id(plural(title or id_)), title and plural(title))
    kind = NewKind(id_, id_of_all, like, pack.title, title, titles)
    paths, is_printed = start_kind(folder, pack.name, kind, papers, look_of(pack))
    for path in paths:
        terminal.say(str(path))
    if not is_printed:
        terminal.say(f"\nadd {kind.name} to the kinds of a print in cards/{pack.name}/pack.yaml")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(folder)}")
    return 0


def _new_component(kind: str) -> click.Command:
    """The command that starts a component of a kind."""

    def run(
        name: tuple[str | None, str], folder: Path, pack_name: str | None, like: str | None
    ) -> int:
        project = Project(folder, shipped_root())
        in_pack, own = name
        if in_pack and pack_name not in (None, in_pack):
            raise click.BadParameter(f"NAME says {in_pack}", param_hint="--pack")
        wanted = _prepared(project, kind, in_pack or pack_name)
        pack, lender = _offering(project, kind, wanted)
        check_starter(project, lender / STARTERS / f"{kind}.yaml")
        target = Target(project, pack)
        opened = open_pack(target, Order())
        if opened.value is None:
            terminal.show(opened.diagnostics)
            terminal.note(f"{target.pack}: mend this first, then start a new {kind}")
            return 1
        made = opened.value.pack
        if kind not in made.kinds:
            message, hint = f"{pack} has no kind {kind!r}", did_you_mean(kind, made.kinds)
            raise GridpressError(Diagnostic(made.span, "GP212", message, hint))
        taken = [c for c in made.components.get(kind, ()) if c.id == own]
        if taken:
            message = f"there is a {kind} {own!r} already"
            raise GridpressError(Diagnostic(taken[0].span, "GP704", message, "choose another name"))
        starter = Starter(project, made, kind, own)
        shaped = starter.like(like) if like else starter.with_free_colours
        cards = project.cards(pack)
        made_in = start_component(cards, kind, own, lender, shaped, project.roots)
        terminal.say(str(made_in))
        where = pack if folder == Path() else f"{folder}/cards/{pack}"
        terminal.say(f"\nnow try: gridpress build {terminal.typed(where)} --only {own}")
        if made.kinds[kind].is_layout:
            terminal.say(f"         gridpress track show {terminal.typed(f'{where}/{own}')}")
        for words in guests.next_steps((pack, *made.requires), kind):
            terminal.say(f"         gridpress {words.format(terminal.typed(f'{where}/{own}'))}")
        return 0

    run.__doc__ = f"Start a {kind} called NAME in a pack that has a starter for it."
    return click.command(kind)(
        click.argument("name", callback=_pack_and_name, metavar="[PACK/]NAME")(
            _into(
                click.option("--pack", "pack_name", help="The pack, if several can.")(
                    click.option(
                        "--from", "like", metavar="ID", help=f"Take over the values of this {kind}."
                    )(run)
                )
            )
        )
    )


def _prepared(project: Project, kind: str, wanted: str | None) -> str | None:
    """The pack that is meant. Where none of the project's can start the kind, one of the user's own
    is started that requires the shipped pack with a starter for it. Raises GridpressError (GP001)
    when several have one."""
    here = _offers(project).get(kind, {})
    shipped = Project(project.shipped, project.shipped)
    able = [pack for pack in shipped.packs() if kind in starters(shipped.cards(pack))]
    if wanted in here or wanted in project.packs() or (wanted is None and here):
        return wanted
    if not able or (wanted in shipped.packs() and wanted not in able):
        return wanted
    lenders = [wanted] if wanted in able else able
    borrowing = [pack for pack in here if here[pack] == shipped.cards(lenders[0])]
    if wanted in able and borrowing:
        return borrowing[0]
    if len(lenders) > 1:
        message, hint = f"for which game: {', '.join(able)}?", f"add --pack {able[0]}"
        raise GridpressError(Diagnostic(Span(str(project.root)), "GP001", message, hint))
    opened = open_pack(Target(shipped, lenders[0]), Order())
    if opened.value is None:
        return wanted
    usual = f"my-{kind}s" if f"my-{kind}s" not in project.packs() else f"my-{lenders[0]}-{kind}s"
    own = wanted if wanted and wanted not in able else usual
    terminal.say(str(start_own_pack(project.root, own, opened.value.pack, kind)))
    return own


def _offers(project: Project) -> dict[str, dict[str, Path]]:
    """By kind the packs of a project that have a starter for it, or require a pack that has; each
    with the folder of the pack whose starter it is."""
    offers: dict[str, dict[str, Path]] = {}
    for pack in project.packs():
        for name in (pack, *required_packs(project, pack)):
            for kind in starters(project.cards(name), project.roots):
                offers.setdefault(kind, {}).setdefault(pack, project.cards(name))
    return offers


def _offering(project: Project, kind: str, name: str | None) -> tuple[str, Path]:
    """The pack to start a component in, and the folder of the pack whose starter it is; one that
    has a starter of its own goes before those that are lent it. Raises GridpressError (GP001)."""
    offers = _offers(project)
    offered = offers.get(kind, {})
    able = [pack for pack in offered if name in (None, pack)]
    packs = [pack for pack in able if offered[pack] == project.cards(pack)] or able
    if len(packs) == 1:
        return packs[0], offered[packs[0]]
    known = ("pack", "kind", *offers)
    if packs:
        message, hint = f"which pack: {', '.join(packs)}?", f"add --pack {packs[0]}"
    else:
        where = f"the pack {name}" if name else "a pack here"
        message = f"there is no starter for a {kind} in {where}"
        hint = f"{did_you_mean(kind, known)}; --in names the folder that holds cards/"
        others = offered or _offers(Project(project.shipped, project.shipped)).get(kind, {})
        if others:
            hint = f"packs that have one: {', '.join(others)}"
    raise GridpressError(Diagnostic(Span(name or str(project.root)), "GP001", message, hint))


def _chosen_pack(folder: Path, name: str | None) -> str:
    packs = Project(folder, shipped_root()).packs()
    if name in packs or (name is None and len(packs) == 1):
        return name or packs[0]
    message = "there is no pack here" if not packs else f"which pack: {', '.join(packs)}?"
    hint = "gridpress new pack NAME starts one" if not packs else f"add --pack {packs[0]}"
    raise GridpressError(Diagnostic(Span(str(folder)), "GP001", message, hint))


_OF_THE_STARTER: Final = re.compile(
    r"""^[ \t]*#.*\bas here\b.*\n?|[ \t]+#[^\n"']*\bas here\b[^\n"']*$""", re.MULTILINE
)
"""A comment that is true of a starter's own values alone."""
_HEX: Final = re.compile("#[0-9A-Fa-f]{6}")


def check_starter(project: Project, path: Path) -> None:
    """Looks at a starter before anything is made of it.

    Raises GridpressError when it cannot be read, or has no component whose id is NAME (GP203).
    """
    read = load.read_document(path, project.display(path), project.roots)
    if read.value is None or not read.ok:
        raise GridpressError(*read.diagnostics)
    root = read.value.root
    listed = root.get("components") if isinstance(root, Mapping) else None
    first = listed.items[0] if isinstance(listed, SequenceNode) and listed.items else None
    name = first.get("id") if isinstance(first, Mapping) else None
    if not isinstance(name, Scalar) or name.text != "NAME":
        hint = "write components: and - id: NAME; see docs/own-cards.md"
        message = "a starter holds a component whose id is NAME"
        raise GridpressError(Diagnostic(root.span, "GP203", message, hint))


def _not_taken_over(component: Component) -> Diagnostic:
    message = f"the values of {component.id} cannot be taken over as they are written"
    hint = "start without --from and copy what you like by hand"
    return Diagnostic(component.span, "GP205", message, hint)


class Starter(Struct, frozen=True):
    """What is to be started: a component of a kind, in an opened pack of a project."""

    project: Project
    pack: Pack
    kind: str
    name: str

    def with_free_colours(self, text: str) -> str:
        """The text with another colour wherever one must be unique and is taken; as it is where it
        is written in a way in which no value of it can be another."""
        with suppress(ValueError):
            return self._with_free_colours(text)
        return text

    def _with_free_colours(self, text: str) -> str:
        values = values_of(text, self.name) or {}
        changed = False
        for field in self.pack.kinds[self.kind].fields.values():
            own = _HEX.search(values.get(field.name, "")) if field.type == "colour" else None
            if own and field.unique:
                taken = {str(c.values[field.name]).lower() for c in self._known}
                free = free_colour(own[0], taken)
                values[field.name] = values[field.name].replace(own[0], free)
                changed = True
        return with_values(text, self.name, values, ()) if changed else text

    def like(self, name: str) -> Callable[[str], str]:
        """What gives a text the values of another component, but for its own id and what must be
        unique. Raises GridpressError when there is none (GP205), or it is written in a table."""
        found = next((c for c in self._known if c.id == name), None)
        if found is None:
            hint = did_you_mean(name, (c.id for c in self._known))
            message = f"there is no {self.kind} {name!r}"
            raise GridpressError(Diagnostic(self.pack.span, "GP205", message, hint))
        try:
            values = values_of(self._written(found), name)
        except ValueError as error:
            raise GridpressError(_not_taken_over(found)) from error
        if values is None:
            message, hint = f"{name} is written in a table", "take one that is written in YAML"
            raise GridpressError(Diagnostic(found.span, "GP205", message, hint))
        fields = self.pack.kinds[self.kind].fields.values()
        kept = ("id", *(field.name for field in fields if field.unique))

        def taken_over(text: str) -> str:
            try:
                own = _OF_THE_STARTER.sub("", text)
                return self.with_free_colours(with_values(own, self.name, values, kept))
            except ValueError as error:
                raise GridpressError(_not_taken_over(found)) from error

        return taken_over

    @property
    def _known(self) -> tuple[Component, ...]:
        return tuple(self.pack.components.get(self.kind, ()))

    def _written(self, component: Component) -> str:
        """The text of the file that the component is in."""
        file = component.span.file
        folders = [self.project.cards(pack) for pack in (self.pack.name, *self.pack.requires)]
        roots = self.project.roots
        paths = (entry.path for folder in folders for entry in roots.walk(folder))
        path = next((p for p in paths if self.project.display(p) == file), None)
        if path is None or path.suffix not in (".yaml", ".yml"):
            return "{}"
        return load.read_text(path, file, roots)


_TURN: Final = 0.381966
"""Of the colour circle: the golden angle, whose multiples never come near each other."""


def free_colour(colour: str, taken: Collection[str]) -> str:
    """`#rrggbb` turned round the colour circle until nobody has it; as dark as it was."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    hue, light, strong = colorsys.rgb_to_hls(red, green, blue)
    while colour.lower() in taken:
        hue = (hue + _TURN) % 1
        parts = colorsys.hls_to_rgb(hue, light, strong)
        colour = "#" + "".join(f"{round(part * 255):02x}" for part in parts)
    return colour


_PAPERS: Final[tuple[str, ...]] = ("a4", "letter")
_NUMBER: Final = re.compile(r"-?[0-9]+([.,][0-9]+)?%?")
_SHOWN, _LONG = 6, 40
"""Ids that are told as changed, of more it says how many; characters of one."""


def _given(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    if name is None or _NAME.fullmatch(name):
        return name
    if not as_id(name):
        raise click.BadParameter("a name has letters a to z or digits")
    return as_id(name)


@click.command("import")
@click.argument("shown", metavar="FILE|-", type=click.Path(allow_dash=True))
@click.option(
    "--in",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="The project's folder; the current one by default.",
)
@click.option("--pack", "pack_name", callback=_given, help="The pack; if need be one is started.")
@click.option("--kind", callback=_given, help="What a row is, such as card.")
@click.option("--sheet", default="", help="The sheet of a workbook, if not the first.")
def import_command(
    shown: str, folder: Path, pack_name: str | None, kind: str | None, sheet: str
) -> int:
    """Turn a table, CSV or XLSX, into a kind of component with a template and its data.

    Types of fields are guessed from what is in the columns; a column such as Qty says how many are
    printed. CSV for nanDECK, Squib or Dextrous will do as it is. Without a pack in the folder one
    is started. - reads CSV from standard input.
    """
    file = Path(shown)
    with limits.at(shown, limits.BEGINNING + limits.MEGABYTE * MAX_BYTES / 1_000_000):
        rows, notes = _rows(file, shown, sheet)
        stem = as_id(file.stem) if shown != "-" else ""
        kind = kind or singular(stem.removeprefix("my-")) or "card"
        home = None if shown == "-" else file.resolve().parent
        columns = columns_of(rows, kind, lambda name: _is_beside(home, name))
    project = Project(folder, shipped_root())
    packs = project.packs()
    if pack_name is None and len(packs) > 1:
        message, hint = f"which pack: {', '.join(packs)}?", f"add --pack {packs[0]}"
        raise GridpressError(Diagnostic(Span(str(folder)), "GP001", message, hint))
    data = stem.removeprefix("my-") or plural(kind)
    pack = pack_name or (packs[0] if packs else f"my-{data}")
    look, papers = NEW, _PAPERS
    if pack in packs:
        opened = open_pack(Target(project, pack), Order())
        if opened.value is None:
            terminal.show(opened.diagnostics)
            terminal.note(f"{pack}: mend this first, then import a table")
            return 1
        look = look_of(opened.value.pack) or NEW
        papers = next((p.papers for p in opened.value.pack.prints), _PAPERS)

    def pack_text() -> str:
        path = project.cards(pack) / PACK_FILE
        return text_in(project.roots.read(path, MAX_BYTES), project.display(path))

    known = pack_text if pack in packs else None
    named = {cell for column in columns if column.type == "image" for cell in column.cells if cell}
    pictures = {
        name: functools.partial(_picture, home, name) for name in sorted(named) if home is not None
    }
    called = file.stem.replace("_", " ").strip()
    called = called if as_id(called) == data and called.isprintable() else data.replace("-", " ")
    paths, is_printed = write_imported(
        folder, pack, kind, data, called, columns, look, papers, known, pictures
    )
    for path in paths:
        terminal.say(str(path))
    notes += _unexpected(rows, columns, pack, kind)
    for note in notes:
        terminal.note(f"\n{note}")
    guessed = ", ".join(f"{column.name} ({column.type})" for column in columns)
    counted = f"{len(rows)} row{'s' * (len(rows) > 1)}"
    terminal.say(f"\n{counted} of the kind {kind} (--kind calls it otherwise); fields: {guessed}")
    if not is_printed:
        terminal.say(f"\nadd {kind} to the kinds of a print in cards/{pack}/pack.yaml")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(folder)}")
    return 0


def _unexpected(
    rows: Sequence[Mapping], columns: Sequence[Column], pack: str, kind: str
) -> Iterator[str]:
    """What became otherwise of a table than its author may think."""
    if changed := changed_ids(rows, columns):
        listed = ", ".join(f"{plain(given[:_LONG])} → {made}" for given, made in changed[:_SHOWN])
        more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
        yield (
            f"{listed}{more}: an id stands once\n"
            "    it is lower-case letters, digits and hyphens; call these so from now on"
        )
    for name, cell, line in islice(no_numbers(rows, columns), _SHOWN):
        yield (
            f"{name}: a text, as {plain(cell[:_LONG])!r} in row {line} is no number here\n"
            "    a number is 12 or 1.5; what stands beside it (€, %) belongs into the template"
        )
    for name, given, number in other_numbers(columns, rows):
        others = "numbers" if any(map(str.isdigit, given)) else "words for numbers"
        yield f"{name}: {plain(given[:_LONG])} is written {number}, as all {others} there"
    for name, words in in_braces(columns):
        yield (
            f"{name}: {plain(words[:_LONG])} is printed as it stands\n"
            "    for an icon the field is type: rich, without a \\ before the braces: docs/text.md"
        )
    if missing := [column.name for column in columns if column.type == "file"]:
        yield (
            f"{', '.join(missing)}: not all of these pictures lie beside the table\n"
            f"    put them into cards/{pack}, make the field type: image, and show them"
        )
    if unshown := fields_left_out(columns):
        yield (
            f"{', '.join(unshown)}: the card has no place for these yet\n"
            f"    show them in templates/{pack}/{kind}.svg.j2"
        )


def _is_beside(home: Path | None, name: str) -> bool:
    """True for a picture that can be copied from beside the table."""
    if home is None or refusal(name, Span(name)) or not is_plain_path(PurePath(name).as_posix()):
        return False
    try:
        return Roots((home,)).has_file(home / name)
    except UnreadableError:  # a name too long for a file, or a link that leads out
        return False


def _picture(home: Path, name: str) -> bytes:
    """A picture that the table names, beside it."""
    try:
        return Roots((home,)).read(home / name, MAX_FILE)
    except UnreadableError as error:
        raise GridpressError(error.told(Span(name), "the picture")) from error
    except FileTooLargeError as error:
        message, hint = "the picture is too large", "scale it to its printed size"
        raise GridpressError(Diagnostic(Span(name), "GP504", message, hint)) from error


def _rows(file: Path, shown: str, sheet: str) -> tuple[list[Mapping], list[str]]:
    """The rows of a table, and what its author may not expect of how it was read.

    Raises GridpressError for a table that cannot be read.
    """
    span = Span(shown)
    if shown == "-":
        content = sys.stdin.buffer.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            message, hint = "the table has more than 5 MB", "split it into several files"
            raise GridpressError(Diagnostic(span, "GP103", message, hint))
    elif "://" in shown:
        message = "this is an address, and Gridpress uses no network"
        hint = (
            "open it in your browser, save the sheet as CSV (File > Download), and import that file"
        )
        raise GridpressError(Diagnostic(span, "GP108", message, hint))
    else:
        content = read_bytes(file.resolve(), shown)
    table = read_table(content, sheet, span, shown)
    rows, notes = sound_heads(table.rows)
    found, faults = mappings(rows, shown, (), table.point)
    if not Outcome(None, tuple(faults)).ok:
        raise GridpressError(*faults)
    terminal.show((*table.remarks, *faults))
    if not found:
        hint = "the first row names the fields, the others are cards"
        raise GridpressError(Diagnostic(span, "GP108", "the table has no rows", hint))
    if len(found) > 1 and is_sum(found[-1]):
        line = found.pop().span.line
        notes.append(f"row {line} is left out: it is no card, but the sum of those above it")
    if table.others and not sheet:
        others = ", ".join(table.others)
        notes.append(f"this is the first sheet; --sheet takes another: {others}")
    if numbers := [key.text for key, _ in found[0].entries if _NUMBER.fullmatch(key.text)]:
        notes.append(
            f"{', '.join(numbers)}: is the first row a card?\n"
            "    it names the fields: put a row of names above it, and import the table again"
        )
    return found, notes
