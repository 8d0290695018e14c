"""`gridpress new`: writes files to start from."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from generator import guests, load
from generator.build import Order, open_pack
from generator.cli import terminal
from generator.copied_values import values_of, with_values
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Span,
    did_you_mean,
)
from generator.edits import UnfitEditError
from generator.files import is_device
from generator.load import (
    required_packs,
)
from generator.looks import SIZES, Dress, card_looks, palettes
from generator.model.pack import Component, Pack
from generator.model.source import Mapping, Scalar, as_id
from generator.model.source import Sequence as SequenceNode
from generator.project import STARTERS, Project, Target, project_here, shipped_root
from generator.starters import (
    USUAL,
    NewKind,
    add_prints,
    likes,
    look_of,
    missing_prints,
    plural,
    start_component,
    start_kind,
    start_own_pack,
    start_pack,
    starters,
)

_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _name(_context: click.Context, _parameter: click.Parameter, name: str) -> str:
    if not _NAME.fullmatch(name):
        raise click.BadParameter("use lower-case letters, digits and hyphens")
    if is_device(name):
        raise click.BadParameter("Windows reserves this name for a device")
    if name == "null":
        raise click.BadParameter("null means nothing in YAML")
    return name


def _called(context: click.Context, parameter: click.Parameter, title: str) -> tuple[str, str]:
    """Return the name made from a title, and the title: `My Game` becomes `my-game`. A plain name
    has no title."""
    id_ = as_id(title) if title.isprintable() else ""
    if not id_:
        raise click.BadParameter(
            "folders and files get this name, so it needs letters a to z or digits: choose "
            f"another name, then write {title!r} as `title:` in the file"
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
    """Split `pack/name`."""
    pack, slash, name = given.rpartition("/")
    return pack if slash else None, _name(context, parameter, name)


_into: Callable[..., Callable[..., None]] = click.option(
    "--in",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="The project's folder; the current one by default.",
)
look_option: Callable[..., Callable[..., None]] = click.option(
    "--look",
    type=click.Choice(tuple(card_looks())),
    help="The design of its cards: gridpress looks.",
)
size_option: Callable[..., Callable[..., None]] = click.option(
    "--size",
    type=click.Choice(tuple(SIZES)),
    default="poker",
    show_default=True,
    help="The size of cards in a look.",
)
palette_option: Callable[..., Callable[..., None]] = click.option(
    "--palette", type=click.Choice(tuple(palettes())), help="Colours in place of the look's own."
)


class _NewGroup(click.Group):
    """`pack`, `kind`, and each kind with a starter in a pack."""

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Make a kind's command when it is asked for: `--in` decides which packs there are."""
        return super().get_command(context, name) or _new_component(name)

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the fixed commands, then the kinds that the packs here can start, or the shipped
        packs without any here."""
        return [*super().list_commands(context), *sorted(_offers(project_here()))]


@click.group("new", cls=_NewGroup)
def new_command() -> None:
    """Start something of your own: a pack, one more kind of component, or a component."""


@new_command.command("pack")
@click.argument("name", callback=_called)
@_into
@look_option
@size_option
@palette_option
def new_pack(
    name: tuple[str, str], folder: Path, look: str | None, size: str, palette: str | None
) -> None:
    """Start a pack called NAME, such as "My Game": three cards, their kind and faces, ready to
    build."""
    dress = None if look is None else Dress(card_looks()[look], size, palette)
    for path in start_pack(folder, *name, dress):
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
    help="The starter to copy; --list shows all.",
)
@look_option
@size_option
@click.option("--plural", "several", callback=_several, help="The plural of NAME, such as heroes.")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list_likes,
    help="List the starters.",
)  # fmt: skip
def new_kind(
    name: tuple[str, str],
    folder: Path,
    pack_name: str | None,
    like: str,
    look: str | None,
    size: str,
    several: tuple[str, str] | None,
) -> int:
    """Start a kind called NAME in a pack: its fields, faces and first components."""
    if look is not None and like != USUAL:
        raise click.UsageError("--look is for cards, so it does not go with --like")
    target = Target(Project(folder, shipped_root()), chosen_pack(folder, pack_name))
    opened = open_pack(target, Order())
    if opened.value is None:
        terminal.show(opened.diagnostics)
        terminal.note(f"{target.pack}: fix this first, then start a new kind")
        return 1
    pack = opened.value.pack
    papers = next((print_.papers for print_ in pack.prints), ("a4", "letter"))
    id_, title = name[0], name[1][:1].upper() + name[1][1:]
    id_of_all, titles = several or (as_id(plural(title or id_)), title and plural(title))
    kind = NewKind(id_, id_of_all, like, pack.title, title, titles)
    dress = None if look is None else Dress(card_looks()[look], size)
    paths, is_printed = start_kind(folder, pack.name, kind, papers, look_of(pack), dress)
    for path in paths:
        terminal.say(str(path))
    if not is_printed:
        terminal.say(f"\nadd {kind.name} to the kinds of a print in cards/{pack.name}/pack.yaml")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(folder)}")
    return 0


def _new_component(kind: str) -> click.Command:
    """Return the command that starts a component of a kind."""

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
            terminal.note(f"{target.pack}: fix this first, then start a new {kind}")
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
        if lender != cards:
            _print_too(project, made, lender.name, kind)
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
                        "--from", "like", metavar="ID", help=f"Copy the values of this {kind}."
                    )(run)
                )
            )
        )
    )


def _print_too(project: Project, pack: Pack, lender: str, kind: str) -> None:
    """Let a pack print a kind as the pack with its starter does, if it prints nothing of it."""
    lending = open_pack(Target(project, lender), Order()).value
    prints = missing_prints(pack, lending.pack, kind) if lending else {}
    if not prints:
        return
    path = add_prints(project.root, pack.name, prints)
    by_hand = f"\nadd the prints {', '.join(prints)} of {lender} to cards/{pack.name}/pack.yaml"
    terminal.say(str(path or by_hand))


def _prepared(project: Project, kind: str, wanted: str | None) -> str | None:
    """Return the pack to use. If no pack of the project can start the kind, start a pack that
    requires a shipped one that can. Raises GridpressError (GP001) when several can."""
    here = _offers(project).get(kind, {})
    shipped = Project(project.shipped, project.shipped)
    able = [pack for pack in shipped.packs() if kind in starters(shipped.cards(pack))]
    if wanted in here or wanted in project.packs() or (wanted is None and here):
        return wanted
    lending = _offers(shipped).get(kind, {})
    if not able or (wanted in shipped.packs() and wanted not in lending):
        return wanted
    lenders = [wanted] if wanted in lending else able
    borrowing = [pack for pack in here if lenders[0] in required_packs(project, pack)]
    if wanted in lending and borrowing:
        return borrowing[0]
    if len(lenders) > 1:
        message, hint = f"for which game: {', '.join(able)}?", f"add --pack {able[0]}"
        raise GridpressError(Diagnostic(Span(str(project.root)), "GP001", message, hint))
    opened = open_pack(Target(shipped, lenders[0]), Order())
    if opened.value is None:
        return wanted
    usual = f"my-{kind}s" if f"my-{kind}s" not in project.packs() else f"my-{lenders[0]}-{kind}s"
    own = wanted if wanted and wanted not in lending else usual
    terminal.say(str(start_own_pack(project.root, own, opened.value.pack, kind)))
    return own


def _offers(project: Project) -> dict[str, dict[str, Path]]:
    """Return, for each kind, the packs that can start it, with the folder of the pack that has the
    starter."""
    offers: dict[str, dict[str, Path]] = {}
    for pack in project.packs():
        for name in (pack, *required_packs(project, pack)):
            for kind in starters(project.cards(name), project.roots):
                offers.setdefault(kind, {}).setdefault(pack, project.cards(name))
    return offers


def _offering(project: Project, kind: str, name: str | None) -> tuple[str, Path]:
    """Return the pack to start a component in, and the folder of the pack with the starter. Packs
    with their own starter come first. Raises GridpressError (GP001)."""
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


def chosen_pack(folder: Path, name: str | None) -> str:
    """Return the pack to work on: the named one, or the only one in a project's folder. Raises
    GridpressError (GP001)."""
    packs = Project(folder, shipped_root()).packs()
    if name in packs or (name is None and len(packs) == 1):
        return name or packs[0]
    message = "there is no pack here" if not packs else f"which pack: {', '.join(packs)}?"
    hint = "gridpress new pack NAME starts one" if not packs else f"add --pack {packs[0]}"
    raise GridpressError(Diagnostic(Span(str(folder)), "GP001", message, hint))


_OF_THE_STARTER: Final = re.compile(
    r"""^[ \t]*#.*\bas here\b.*\n?|[ \t]+#[^\n"']*\bas here\b[^\n"']*$""", re.MULTILINE
)
"""A comment that describes only the starter's own values."""
_HEX: Final = re.compile("#[0-9A-Fa-f]{6}")


def check_starter(project: Project, path: Path) -> None:
    """Check that a starter is readable and has a component whose id is NAME. Raises GridpressError
    (GP203)."""
    read = load.read_document(path, project.display(path), project.roots)
    if read.value is None or not read.ok:
        raise GridpressError(*read.diagnostics)
    root = read.value.root
    listed = root.get("components") if isinstance(root, Mapping) else None
    first = listed.items[0] if isinstance(listed, SequenceNode) and listed.items else None
    name = first.get("id") if isinstance(first, Mapping) else None
    if not isinstance(name, Scalar) or name.text != "NAME":
        hint = "write components: and - id: NAME; see docs/make-a-deck.md"
        message = "a starter holds a component whose id is NAME"
        raise GridpressError(Diagnostic(root.span, "GP203", message, hint))


def _not_taken_over(component: Component) -> Diagnostic:
    message = f"the values of {component.id} cannot be copied, because of how they are written"
    hint = "start without --from, and copy the values by hand"
    return Diagnostic(component.span, "GP205", message, hint)


class Starter(Struct, frozen=True):
    """A component to start: its kind and name, in an opened pack."""

    project: Project
    pack: Pack
    kind: str
    name: str

    def with_free_colours(self, text: str) -> str:
        """Return the text with a free colour wherever a colour must be unique and is taken, if the
        text allows it."""
        with suppress(UnfitEditError):
            return self._with_free_colours(text)
        return text

    def _with_free_colours(self, text: str) -> str:
        values = values_of(text, self.name) or {}
        changed = False
        for field in self.pack.kinds[self.kind].fields.values():
            if field.type != "colour" or not field.unique:
                continue
            if own := _HEX.fullmatch(str(values.get(field.name))):
                taken = {str(c.values[field.name]).lower() for c in self._known}
                values[field.name] = free_colour(own[0], taken)
                changed = True
        return with_values(text, self.name, values, ()) if changed else text

    def like(self, name: str) -> Callable[[str], str]:
        """Return a function that gives a text the values of another component, except its id and
        unique fields. Raises GridpressError (GP205)."""
        found = next((c for c in self._known if c.id == name), None)
        if found is None:
            hint = did_you_mean(name, (c.id for c in self._known))
            message = f"there is no {self.kind} {name!r}"
            raise GridpressError(Diagnostic(self.pack.span, "GP205", message, hint))
        try:
            values = values_of(self._written(found), name)
        except UnfitEditError as error:
            raise GridpressError(_not_taken_over(found)) from error
        if values is None:
            message, hint = f"{name} is written in a table", "choose one that is written in YAML"
            raise GridpressError(Diagnostic(found.span, "GP205", message, hint))
        fields = self.pack.kinds[self.kind].fields.values()
        kept = ("id", *(field.name for field in fields if field.unique))

        def taken_over(text: str) -> str:
            try:
                own = _OF_THE_STARTER.sub("", text)
                return self.with_free_colours(with_values(own, self.name, values, kept))
            except UnfitEditError as error:
                raise GridpressError(_not_taken_over(found)) from error

        return taken_over

    @property
    def _known(self) -> tuple[Component, ...]:
        return tuple(self.pack.components.get(self.kind, ()))

    def _written(self, component: Component) -> str:
        """Return the text of the file that defines a component."""
        file = component.span.file
        folders = [self.project.cards(pack) for pack in (self.pack.name, *self.pack.requires)]
        roots = self.project.roots
        paths = (entry.path for folder in folders for entry in roots.walk(folder))
        path = next((p for p in paths if self.project.display(p) == file), None)
        if path is None or path.suffix not in (".yaml", ".yml"):
            return "{}"
        return load.read_text(path, file, roots)


_TURN: Final = 0.381966
"""The golden angle as a share of the colour circle: its multiples never come close to each
other."""


def free_colour(colour: str, taken: Collection[str]) -> str:
    """Return a colour, turned around the colour circle until nobody has it, equally dark."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    hue, light, strong = colorsys.rgb_to_hls(red, green, blue)
    while colour.lower() in taken:
        hue = (hue + _TURN) % 1
        parts = colorsys.hls_to_rgb(hue, light, strong)
        colour = "#" + "".join(f"{round(part * 255):02x}" for part in parts)
    return colour
