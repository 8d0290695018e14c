"""A pack and one of its kinds in, the pack.yaml of a pack for components of one's own out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.model.pack import DEFAULT_OVERLAP, Pack, Print
from generator.project import PACK_FILE
from generator.writing import write_texts

_TEMPLATE = """\
title: {title}
version: 0.1.0
# Fields, faces and rules are those of {lender}; what stands in {kind}s/ is your own.
requires: {{{name}: ">= {version}"}}
# What is printed on which paper. A build prints theirs too; --only NAME prints yours alone.
prints:
{prints}
"""


def start_own_pack(root: Path, name: str, lender: Pack, kind: str) -> Path:
    """The file `cards/<name>/pack.yaml` of a new pack that requires another, and prints one of its
    kinds with all that belongs to it. Raises GridpressError when it is there already (GP704) or
    cannot be written (GP702)."""
    path = root / "cards" / name / PACK_FILE
    if path.parent.exists():
        message, hint = "this folder is there already", "choose another name for the pack"
        raise GridpressError(Diagnostic(Span(str(path.parent)), "GP704", message, hint))
    kinds = _family(lender, kind)
    prints = [_line(print_, kinds) for print_ in lender.prints if kinds & {*print_.kinds}]
    text = _TEMPLATE.format(
        title=name.replace("-", " ").title(),
        lender=lender.title,
        kind=kind,
        name=lender.name,
        version=lender.version,
        prints="\n".join(prints),
    )
    return write_texts(root, {path: text}, "look at the folder, or choose another with --in")[0]


def _family(pack: Pack, kind: str) -> set[str]:
    """A kind, all that is made from it, and what its components bring if printed alone."""
    found = {kind}
    while more := {k.name for k in pack.kinds.values() if k.made_from in found} - found:
        found |= more
    ids = {component.id for name in found for component in pack.components[name]}
    everything = (component for of_kind in pack.components.values() for component in of_kind)
    return found | {component.kind for component in everything if ids & {*component.origins}}


def _line(print_: Print, kinds: set[str]) -> str:
    """The entry of a print that takes only some of its kinds."""
    entry: dict[str, Any] = {
        "title": print_.title,
        "kinds": [kind for kind in print_.kinds if kind in kinds],
        "papers": list(print_.papers),
        "layout": str(print_.layout),
        "backs": str(print_.backs),
    }
    if print_.labels:
        entry["labels"] = dict(print_.labels)
    if print_.gutter is not None:
        entry["gutter"] = f"{print_.gutter:g}mm"
    if print_.overlap != DEFAULT_OVERLAP:
        entry["overlap"] = f"{print_.overlap:g}mm"
    if print_.media:
        entry["media"] = print_.media
    written = yaml.safe_dump(
        entry, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000
    )
    return f"  {print_.name}: {written.strip()}"
