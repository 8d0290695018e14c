"""Rewrites workbooks whose sheets openpyxl does not find: strict Open XML, and those of scripts."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Final

_STRICT: Final = b"http://purl.oclc.org/ooxml/"
_SHEET_PART: Final = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
_SHEET_NAME: Final = re.compile(rb'<(?:\w+:)?sheet\s[^>]*?\bname="([^"]+)"')
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006"
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_SHEETS: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_OWN: Final = ("[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels")


def mended_workbook(content: bytes) -> bytes:
    """Return a workbook that names each of its sheets as openpyxl expects it."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as given, zipfile.ZipFile(made, "w") as mended:
        names = given.namelist()
        parts = sorted(filter(_SHEET_PART.fullmatch, names), key=lambda name: (len(name), name))
        book = given.read(_OWN[1]) if _OWN[1] in names else b""
        for name in names:
            if name not in _OWN:
                mended.writestr(name, _usual(given.read(name)))
        for name, text in zip(_OWN, _texts(parts, _SHEET_NAME.findall(book), names), strict=True):
            mended.writestr(name, text)
    return made.getvalue()


def _usual(part: bytes) -> bytes:
    """Return a part with the usual names for those of strict Open XML."""
    part = part.replace(_STRICT + b"spreadsheetml/main", _MAIN.encode())
    return part.replace(_STRICT + b"officeDocument", _OFFICE.encode())


def _texts(parts: Sequence[str], titles: Sequence[bytes], names: Sequence[str]) -> Iterator[str]:
    """Yield the types of the parts, the workbook, and its relations."""
    types = {"/xl/workbook.xml": "sheet.main"} | {f"/{part}": "worksheet" for part in parts}
    if "xl/sharedStrings.xml" in names:
        types["/xl/sharedStrings.xml"] = "sharedStrings"
    overrides = "".join(
        f'<Override PartName="{part}" ContentType="{_SHEETS}.{type_}+xml"/>'
        for part, type_ in types.items()
    )
    plain = '<Default Extension="xml" ContentType="application/xml"/>'
    yield f'<Types xmlns="{_PACKAGE}/content-types">{plain}{overrides}</Types>'
    called = [title.decode("utf-8", "replace") for title in titles]
    if len(called) != len(parts):
        called = [f"Sheet{number}" for number in range(1, len(parts) + 1)]
    sheets = "".join(
        f'<sheet name="{title}" sheetId="{number}" r:id="r{number}"/>'
        for number, title in enumerate(called, 1)
    )
    relations = f"{_OFFICE}/relationships"
    yield f'<workbook xmlns="{_MAIN}" xmlns:r="{relations}"><sheets>{sheets}</sheets></workbook>'
    entries = "".join(
        f'<Relationship Id="r{number}" Type="{relations}/worksheet" Target="/{part}"/>'
        for number, part in enumerate(parts, 1)
    )
    yield f'<Relationships xmlns="{_PACKAGE}/relationships">{entries}</Relationships>'
