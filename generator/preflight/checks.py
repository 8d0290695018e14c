"""The table of checks: a new one is a function, a line here and a seeded fault in the bench."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from generator.preflight.art_checks import emptiness, remains, same_art, sharpness
from generator.preflight.colour_checks import choices_apart
from generator.preflight.cut_checks import bleed, borders, cut_marks, edges, printable
from generator.preflight.deck_checks import marked_backs, odd_sizes, shared_art, two_backs
from generator.preflight.file_checks import (
    as_seen,
    asked_of_presses,
    fonts,
    identity,
    overprints,
    structure,
)
from generator.preflight.glyph_checks import glyphs
from generator.preflight.image_checks import (
    colour_space,
    flat_ink,
    page_ink,
    proportions,
    resolution,
    total_ink,
    weight,
)
from generator.preflight.layout_checks import (
    booklets,
    bought_labels,
    drift_room,
    folds,
    on_labels,
    registration,
)
from generator.preflight.likeness_checks import alike, as_rendered, differing
from generator.preflight.manifest_checks import (
    agreement,
    counts,
    faces_present,
    faces_unique,
    marks,
    own_words,
)
from generator.preflight.mark_checks import rulers
from generator.preflight.profile_checks import (
    amount,
    bleed_boxes,
    colours_taken,
    in_pictures,
    opaque,
    product_sizes,
    standard,
)
from generator.preflight.shape_checks import (
    fine_lines,
    folded_words,
    readable_codes,
    stray_icons,
    tents,
)
from generator.preflight.sheet_checks import (
    as_defined,
    copies,
    page_boxes,
    page_sizes,
    placements,
    posters,
)
from generator.preflight.text_checks import (
    contrasts,
    crossings,
    knocked_out,
    mirrored,
    safe_zone,
    sizes,
    visibility,
)


class Scope(StrEnum):
    """What a check is shown at a time: the file as read (a Subject); the file with traces of all
    its faces (a Subject, Traces); a page as seen (a SeenPage); each face in each way that
    it is shown (a Specimen; it finds FaceFindings)."""

    FILE = "file"
    SET = "set"
    PAGE = "page"
    FACE = "face"


class Needs(StrEnum):
    """What a check cannot do without: the manifest; nothing; that there is no manifest, which tells
    more; a profile of who is to print the file."""

    MANIFEST = "manifest"
    NOTHING = "nothing"
    NO_MANIFEST = "no manifest"
    PROFILE = "profile"


class Check(Struct, frozen=True):
    """One check: the code of its findings, what it makes sure of, what it is shown, and how. One
    of faces that needs nothing is shown the pages of a file without a manifest."""

    code: str
    title: str
    scope: Scope
    run: Callable[..., Iterable[Any]]
    needs: Needs = Needs.MANIFEST

    def is_for(self, *, manifest: bool, profile: bool) -> bool:
        """Whether it has what it needs."""
        if self.needs is Needs.PROFILE:
            return profile
        return self.needs is Needs.NOTHING or manifest == (self.needs is Needs.MANIFEST)


ANY: Final = Needs.NOTHING
"""A file, with or without a manifest."""

CHECKS: Final = (
    # Geometry
    Check("GP801", "every page is the size of its paper", Scope.FILE, page_sizes),
    Check("GP802", "TrimBox and BleedBox are there and nested", Scope.FILE, page_boxes, ANY),
    Check("GP803", "no piece overlaps another or the edge", Scope.FILE, placements),
    Check("GP805", "rulers are as long as they say", Scope.FILE, rulers, ANY),
    Check("GP811", "art goes on to the end of the bleed", Scope.FACE, bleed, ANY),
    Check("GP811", "no edge of colour, and no thin frame, runs along the cut", Scope.FACE, edges),
    Check("GP812", "all lies where a printer prints", Scope.FILE, printable),
    Check("GP814", "cut marks and die lines are at the trim", Scope.FILE, cut_marks),
    Check("GP815", "folds are drawn where paper is folded", Scope.FILE, folds),
    Check("GP815", "pieces lie in the middle of their labels", Scope.FILE, on_labels),
    Check("GP815", "labels are where they are bought", Scope.FILE, bought_labels),
    Check("GP815", "copies of a piece are cut alike", Scope.FILE, copies),
    Check("GP815", "pieces are as their stocks are", Scope.FILE, as_defined),
    Check("GP815", "the pages of a booklet are in order", Scope.FILE, booklets),
    Check("GP815", "the pages of a poster are named, meet and overlap", Scope.FILE, posters),
    Check("GP816", "no word lies on a fold", Scope.FACE, folded_words),
    Check("GP817", "a tent's back stands upright", Scope.FACE, tents),
    # Registration
    Check("GP807", "backs come behind their fronts", Scope.FILE, registration),
    Check("GP813", "borders are wide enough for the printer's drift", Scope.FACE, borders),
    Check("GP813", "bleed and safe zone are wider than it", Scope.FILE, drift_room),
    # Text
    Check("GP821", "no text is too small", Scope.FACE, sizes, ANY),
    Check("GP822", "every letter has its glyph", Scope.FILE, glyphs, ANY),
    Check("GP823", "text keeps inside the safe zone", Scope.FACE, safe_zone, ANY),
    Check("GP823", "no icon lies over the cut or out of the safe zone", Scope.FACE, stray_icons),
    Check("GP824", "no text is cut off, covered or invisible", Scope.FACE, visibility),
    Check("GP825", "text stands out from what is behind it", Scope.FACE, contrasts),
    Check("GP826", "no text is over another", Scope.FACE, crossings, ANY),
    Check("GP827", "no text is mirrored", Scope.FACE, mirrored, ANY),
    Check("GP828", "no small letters are left out of dark colours", Scope.FACE, knocked_out),
    Check("GP829", "no line is too thin to print", Scope.FACE, fine_lines, ANY),
    # Images
    Check("GP831", "pictures have pixels enough", Scope.FILE, resolution, ANY),
    Check("GP832", "pictures are RGB, grey or CMYK", Scope.FILE, colour_space),
    Check("GP833", "no picture is stretched or slanted", Scope.FILE, proportions, ANY),
    Check("GP834", "no picture has more pixels than print can show", Scope.FILE, weight),
    Check("GP835", "there is something in every picture", Scope.FILE, emptiness, ANY),
    Check("GP836", "no picture was enlarged before it came", Scope.FILE, sharpness, ANY),
    Check("GP837", "nothing is left in pictures of their making", Scope.FILE, remains, ANY),
    Check("GP838", "QR codes can be read", Scope.FACE, readable_codes, ANY),
    # Colour
    Check("GP841", "no value is told by a colour that some cannot see", Scope.SET, choices_apart),
    Check("GP842", "pages printed at home are not soaked in ink", Scope.PAGE, page_ink),
    Check("GP842", "pictures have no more ink than dries", Scope.FILE, total_ink, ANY),
    Check("GP842", "no colour has more ink than is taken", Scope.FILE, flat_ink, ANY),
    Check("GP843", "nothing overprints that must not", Scope.FILE, overprints, Needs.NO_MANIFEST),
    Check("GP844", "everything prints as it is seen", Scope.FILE, as_seen),
    Check("GP844", "no press is asked for more", Scope.FILE, asked_of_presses, Needs.NO_MANIFEST),
    # Set
    Check("GP806", "the file is as the manifest says", Scope.FILE, agreement),
    Check("GP806", "each mark is as it should be, and nothing else", Scope.FILE, marks),
    Check("GP851", "there are as many pieces as defined", Scope.FILE, counts),
    Check("GP854", "every piece has all its faces", Scope.FILE, faces_present),
    Check("GP855", "every face of every piece is there once", Scope.FILE, faces_unique),
    Check("GP852", "what differs looks different", Scope.SET, alike),
    Check("GP853", "what is the same looks the same", Scope.SET, differing),
    Check("GP853", "no back gives its card away", Scope.SET, marked_backs),
    Check("GP856", "every face shows its own words", Scope.SET, own_words),
    Check("GP857", "every face shows what was rendered", Scope.SET, as_rendered),
    Check("GP858", "the cards of a deck have one back", Scope.SET, two_backs),
    Check("GP859", "titles of a kind are set alike", Scope.SET, odd_sizes),
    Check("GP860", "cards have pictures of their own", Scope.SET, shared_art),
    Check("GP860", "no two files have the same art", Scope.FILE, same_art),
    # Who prints it
    Check("GP881", "pages have a size that is made", Scope.FILE, product_sizes, Needs.PROFILE),
    Check("GP882", "pages have the bleed that is wanted", Scope.FILE, bleed_boxes, Needs.PROFILE),
    Check("GP883", "colours are of kinds that are taken", Scope.FILE, colours_taken, Needs.PROFILE),
    Check("GP884", "the file is of a standard that is taken", Scope.FILE, standard, Needs.PROFILE),
    Check("GP885", "nothing is transparent that must not be", Scope.FILE, opaque, Needs.PROFILE),
    Check("GP886", "pages and bytes are no more than is taken", Scope.FILE, amount, Needs.PROFILE),
    Check("GP887", "who takes pictures gets pictures", Scope.FILE, in_pictures, Needs.PROFILE),
    # File
    Check("GP804", "every font is embedded", Scope.FILE, fonts, ANY),
    Check("GP808", "nothing that a print must not have", Scope.FILE, structure, ANY),
    Check("GP861", "the file says what it is, not when it was made", Scope.FILE, identity, ANY),
)


def of(scope: Scope) -> Iterator[Check]:
    """The checks that are shown such a thing."""
    return (check for check in CHECKS if check.scope is scope)


def codes_of(scopes: Iterable[str]) -> set[str]:
    """The codes of what checks of these scopes find."""
    asked = tuple(scopes)
    return {check.code for check in CHECKS if check.scope in asked}
