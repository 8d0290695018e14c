"""A sound PDF or manifest in, the same with something wrong, odd or far too large out.

Both functions are pure: the same bytes and the same state of `rng` give the same mutant. About half
of the mutants of a PDF are still files that a reader opens, so that what is wrong is deep inside.
"""

from __future__ import annotations

import io
import json
import random
import re
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

NUMBERS: Final = (
    *(b"0 -0 -1 1 2 3 7 90 91 255 256 65535 65536 2147483647 -2147483648 4294967296".split()),
    *(b"99999999999999999999 1e308 0.0000000001 -0.5 .5 1000000 1.5 +- 1..2 nan".split()),
)
KEYWORDS: Final = (
    *(b"obj endobj stream endstream xref trailer startxref R null true false %%EOF".split()),
    *(b"<< >> [ ] ( ) < > / % q Q cm re f S W n BT ET Tj TJ Tf Do gs sh BI ID EI BDC EMC".split()),
)
NAMES: Final = (
    *(b"/Type /Subtype /Page /Pages /Kids /Count /Parent /Contents /Resources /MediaBox".split()),
    *(b"/CropBox /TrimBox /Rotate /UserUnit /XObject /Form /Image /Width /Height /Length".split()),
    *(b"/Filter /FlateDecode /LZWDecode /ASCII85Decode /RunLengthDecode /DCTDecode".split()),
    *(b"/JPXDecode /JBIG2Decode /CCITTFaxDecode /DecodeParms /Predictor /Columns".split()),
    *(b"/Font /ToUnicode /FontFile2 /FontFile3 /W /SMask /Mask /BBox /Matrix /Group".split()),
    *(b"/ExtGState /Pattern /Shading /Function /FunctionType /OCProperties /OCGs /D".split()),
    *(b"/Annots /Prev /Root /Size /ID /Index /XRef /ObjStm /N /First /Encrypt".split()),
    *(b"/\xff\xfe", b"/#00"),
)
_NUMBER: Final = re.compile(rb"(?<![\w.#])[-+]?\d*\.?\d+(?![\w.])")
_NAME: Final = re.compile(rb"/[A-Za-z0-9]+")
_XREF: Final = re.compile(rb"startxref\s+(\d+)|\d{10} \d{5} [nf]|/Prev \d+|/Size \d+|/W ?\[[^]]*\]")


def mutate_pdf(data: bytes, rng: random.Random) -> bytes:
    """One mutant of a sound PDF, at most a few megabytes larger."""
    change = rng.choice(_PDF_CHANGES)
    try:
        return change(data, rng)
    except Exception:  # what is to be mutated may be a mutant itself, which no library reads
        return _bytes_changed(data, rng)


def mutate_manifest(data: bytes, rng: random.Random) -> bytes:
    """One mutant of a sound manifest.json."""
    change = rng.choice((_tree_changed, _tree_changed, _tree_changed, _text_changed))
    try:
        return change(data, rng)
    except (ValueError, RecursionError):
        return _bytes_changed(data, rng)


def _bytes_changed(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16, 64))):
        at, length = rng.randrange(len(out) + 1), rng.choice((1, 2, 4, 16, 200, 5000))
        action = rng.randrange(6)
        if action == 0:
            out[at : at + 1] = rng.randbytes(1)
        elif action == 1:
            del out[at : at + length]
        elif action == 2:
            out[at:at] = rng.randbytes(length)
        elif action == 3:
            start = rng.randrange(len(out) + 1)
            out[at:at] = out[start : start + length]
        elif action == 4 and out:
            out[min(at, len(out) - 1)] ^= 1 << rng.randrange(8)
        else:
            out[at : at + length] = bytes(length)
        if not out:
            break
    if rng.random() < 0.1:
        del out[rng.randrange(len(out) + 1) :]
    return bytes(out)


def _tokens_changed(data: bytes, rng: random.Random) -> bytes:
    """Numbers, names and keywords of the file as it is written, and of nothing that is packed."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        pattern, values = rng.choice(
            ((_NUMBER, NUMBERS), (_NAME, NAMES), (re.compile(rb"\b[a-z]{2,}\b|<<|>>"), KEYWORDS))
        )
        found = list(pattern.finditer(data))
        if found:
            one = rng.choice(found)
            data = data[: one.start()] + rng.choice(values) + data[one.end() :]
    return data


def _xref_changed(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 2, 8))):
        found = list(_XREF.finditer(data))
        if not found:
            break
        one = rng.choice(found)
        spoilt = re.sub(rb"\d+", lambda _: rng.choice(NUMBERS[:18]), one[0], count=1)
        data = data[: one.start()] + spoilt + data[one.end() :]
    return data


def _objects_changed(data: bytes, rng: random.Random) -> bytes:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for _ in range(rng.choice((1, 1, 2, 4, 10))):
            _change_object(pdf, rng)
        return _saved(pdf, rng)


def _content_changed(data: bytes, rng: random.Random) -> bytes:
    """A content stream, token by token."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        stream = rng.choice(_drawings(pdf))
        tokens = re.split(rb"(\s+)", stream.read_bytes())
        for _ in range(rng.choice((1, 2, 5, 30))):
            at = rng.randrange(len(tokens))
            action = rng.randrange(4)
            if action == 0:
                tokens[at] = rng.choice(NUMBERS)
            elif action == 1:
                tokens[at] = rng.choice(KEYWORDS)
            elif action == 2:
                tokens[at:at] = tokens[at : at + 20] * rng.choice((1, 3, 50))
            else:
                del tokens[at : at + rng.choice((1, 2, 20))]
            tokens = tokens or [b"q"]
        stream.write(b"".join(tokens))
        return _saved(pdf, rng)


def _stream_changed(data: bytes, rng: random.Random) -> bytes:
    """The bytes of a stream, as they are or packed in another way."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        stream = rng.choice([item for item in pdf.objects if isinstance(item, Stream)])
        raw, action = stream.read_raw_bytes(), rng.randrange(5)
        filters: Any = stream.get("/Filter")
        if action == 0:
            raw = _bytes_changed(raw, rng)
        elif action == 1:
            filters = Name(rng.choice(NAMES[20:27]).decode())
        elif action == 2:
            times = rng.choice((1, 2, 30))
            for _ in range(times):
                raw = zlib.compress(raw)
            filters = Array([Name.FlateDecode] * (times + (filters == Name.FlateDecode)))
        elif action == 3:
            raw, filters = _bomb(rng), Array([Name.FlateDecode] * rng.choice((1, 2)))
        else:
            unpacked = stream.read_bytes()
            raw, filters = zlib.compress(_bytes_changed(unpacked, rng)), Name.FlateDecode
        if filters is None:
            stream.write(raw)
        else:
            stream.write(raw, filter=filters)
        return _saved(pdf, rng)


def _grown(data: bytes, rng: random.Random) -> bytes:
    """Something that takes far more to read or to draw than its bytes say."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        rng.choice(_GROWTHS)(pdf, rng)
        return _saved(pdf, rng)


def _crypt(data: bytes, rng: random.Random) -> bytes:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        out = io.BytesIO()
        user = rng.choice(("", "secret"))
        pdf.save(out, encryption=pikepdf.Encryption(owner="o", user=user, R=rng.choice((4, 6))))
        locked = out.getvalue()
    return locked if rng.random() < 0.3 else _bytes_changed(locked, rng)


_PDF_CHANGES: Final[tuple[Callable[[bytes, random.Random], bytes], ...]] = (
    *(_bytes_changed, _bytes_changed, _tokens_changed, _tokens_changed, _xref_changed),
    *(_objects_changed, _objects_changed, _objects_changed, _objects_changed),
    *(_content_changed, _content_changed, _stream_changed, _stream_changed, _grown, _crypt),
)


def _saved(pdf: Pdf, rng: random.Random) -> bytes:
    out = io.BytesIO()
    modes = pikepdf.ObjectStreamMode
    pdf.save(
        out,
        object_stream_mode=rng.choice((modes.preserve, modes.disable, modes.generate)),
        stream_decode_level=pikepdf.StreamDecodeLevel.none,
        compress_streams=False,
        linearize=rng.random() < 0.1,
        static_id=True,
    )
    saved = out.getvalue()
    return saved if rng.random() < 0.85 else _tokens_changed(saved, rng)


def _drawings(pdf: Pdf) -> list[Stream]:
    """Streams with operators in them."""
    forms = [
        item
        for item in pdf.objects
        if isinstance(item, Stream) and item.get("/Subtype") == Name.Form
    ]
    contents = [page.obj.get("/Contents") for page in pdf.pages]
    return [item for item in (*forms, *contents, *contents) if isinstance(item, Stream)]


def _change_object(pdf: Pdf, rng: random.Random) -> None:
    holders = [item for item in pdf.objects if isinstance(item, Dictionary | Stream | Array)]
    holder = rng.choice([pdf.Root, pdf.trailer, *(p.obj for p in pdf.pages), *holders, *holders])
    for _ in range(rng.randrange(4)):  # deeper
        inside = [v for _, v in _items(holder) if isinstance(v, Dictionary | Stream | Array)]
        if inside:
            holder = rng.choice(inside)
    items = _items(holder)
    if not items:
        return
    key, value = rng.choice(items)
    new = _other(value, pdf, rng)
    if new is None or rng.random() < 0.2:
        del holder[key]
    else:
        holder[key] = new


def _items(holder: Object) -> list[tuple[Any, Any]]:
    if isinstance(holder, Array):
        return list(enumerate(holder))
    return [(key, value) for key, value in holder.items() if key != "/Length"]


def _other(value: Any, pdf: Pdf, rng: random.Random) -> Any:
    """A value in the place of another: of another type, extreme, or one that leads around."""
    objects = list(pdf.objects)
    choices: list[Callable[[], Any]] = [
        lambda: rng.choice((0, -1, 1, 2**31 - 1, -(2**31), 65536, 10**9)),
        lambda: rng.choice((0, -1, 1, 90, 45, 10**6)),
        lambda: Object.parse(rng.choice((b"0.000001", b"-0.5", b"99999999999.0", b"1.7"))),
        lambda: rng.choice((True, False, None)),
        lambda: Name(rng.choice(NAMES[:-2]).decode()),
        lambda: String(rng.choice((b"", b"\xff\xfe\xd8\x00", b"\x1b[31m", b"a" * 5000))),
        lambda: Array([value] * rng.choice((1, 2, 7))),
        lambda: Array([]),
        Dictionary,
        lambda: Dictionary(A=value),
        lambda: rng.choice(objects),
        lambda: rng.choice(objects),
        lambda: pdf.Root,
        lambda: rng.choice(list(pdf.pages)).obj,
        lambda: pdf.make_stream(rng.randbytes(30)),
        lambda: _nested(rng),
    ]
    if isinstance(value, Array) and len(value):
        choices += [lambda: Array(list(value)[: rng.randrange(len(value))])] * 4
        choices += [lambda: Array(list(value) * rng.choice((2, 300)))] * 2
    return rng.choice(choices)()


def _nested(rng: random.Random) -> Object:
    depth = rng.choice((50, 400, 490))
    start, end = rng.choice(((b"[", b"]"), (b"<</A ", b">>")))
    return Object.parse(start * depth + b"0" + end * depth)


def _bomb(rng: random.Random) -> bytes:
    """Packed once or twice: 300 MB of one operator or of nothing."""
    word = rng.choice((b"\0", b" ", b"q ", b"0 0 m ", b"/F Do ", b"<41> <41> <0041>\n"))
    once = _packed(word, rng.choice((40, 300)) * 1_000_000)
    return rng.choice((once, zlib.compress(once)))


@cache
def _packed(word: bytes, size: int) -> bytes:
    piece = word * 4096
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(piece) for _ in range(size // len(piece))) + packer.flush()


def _page(pdf: Pdf, rng: random.Random) -> pikepdf.Page:
    return rng.choice(list(pdf.pages))


def _draw(pdf: Pdf, rng: random.Random, content: bytes, **resources: Dictionary) -> None:
    """Put something more onto a page."""
    page = _page(pdf, rng)
    for category, entries in resources.items():
        there = page.resources.get(f"/{category}", Dictionary())
        for key, value in entries.items():
            there[key] = value
        page.resources[f"/{category}"] = there
    page.contents_add(content)


def _form(pdf: Pdf, content: bytes, **entries: Any) -> Stream:
    box = Array([0, 0, 200, 200])
    return pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=box, **entries)


def _forms_in_forms(pdf: Pdf, rng: random.Random) -> None:
    form, uses = _form(pdf, b"0 0 50 50 re f"), rng.choice((1, 2, 10))
    for _ in range(rng.choice((5, 10, 30, 200))):
        inner = Dictionary(XObject=Dictionary(A=form))
        form = _form(pdf, b"/A Do " * uses, Resources=inner)
    _draw(pdf, rng, b"/Deep Do", XObject=Dictionary(Deep=form))


def _form_in_itself(pdf: Pdf, rng: random.Random) -> None:
    form = _form(pdf, b"/A Do /A Do")
    form.Resources = Dictionary(XObject=Dictionary(A=form))
    _draw(pdf, rng, b"/Loop Do", XObject=Dictionary(Loop=form))


def _picture(pdf: Pdf, rng: random.Random) -> None:
    width, height = rng.choice(((100_000, 100_000), (0, 0), (-5, 9), (1, 10**9), (9000, 9000)))
    packed = zlib.compress(bytes(1000))
    space = rng.choice((Name.DeviceRGB, Name.DeviceGray, Name.Pattern, Name.DeviceN))
    picture = pdf.make_stream(packed, Type=Name.XObject, Subtype=Name.Image)
    picture.Width, picture.Height, picture.ColorSpace = width, height, space
    picture.BitsPerComponent = rng.choice((1, 8, 16, 0, 77))
    picture.Filter = rng.choice(
        (Name.FlateDecode, Name.JPXDecode, Name.JBIG2Decode, Name.DCTDecode)
    )
    if rng.random() < 0.3:
        picture.SMask = picture
    _draw(pdf, rng, b"q 100 0 0 100 0 0 cm /Pic Do Q", XObject=Dictionary(Pic=picture))


def _tiling(pdf: Pdf, rng: random.Random) -> None:
    pattern = pdf.make_stream(b"0 0 1 1 re f", PatternType=1, PaintType=1, TilingType=1)
    pattern.BBox, pattern.Resources = Array([0, 0, 1, 1]), Dictionary()
    step = rng.choice((b"0.001", b"0", b"-1", b"0.00000001"))
    pattern.XStep = pattern.YStep = Object.parse(step)
    content = b"/Pattern cs /Tiles scn 0 0 5000 5000 re f"
    _draw(pdf, rng, content, Pattern=Dictionary(Tiles=pattern))


def _shading(pdf: Pdf, rng: random.Random) -> None:
    code = b"{ " + b"dup sin exch pop " * rng.choice((10, 5000)) + b"dup dup }"
    function = pdf.make_stream(code, FunctionType=4)
    function.Domain, function.Range = Array([0, 1]), Array([0, 1, 0, 1, 0, 1])
    shading = Dictionary(ShadingType=rng.choice((1, 2, 3, 4)), ColorSpace=Name.DeviceRGB)
    shading.Coords, shading.Function = Array([0, 0, 500, 500]), function
    shading.Extend = Array([True, True])
    content = b"/Sh sh " * rng.choice((1, 300))
    _draw(pdf, rng, content, Shading=Dictionary(Sh=shading))


def _soft_masks(pdf: Pdf, rng: random.Random) -> None:
    group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
    form = _form(pdf, b"0.5 g 0 0 9999 9999 re f", Group=group)
    for _ in range(rng.choice((3, 30, 200))):
        state = Dictionary(SMask=Dictionary(S=Name.Luminosity, G=form))
        resources = Dictionary(ExtGState=Dictionary(M=state))
        content = b"/M gs 0.5 g 0 0 9999 9999 re f"
        form = _form(pdf, content, Group=group, Resources=resources)
    _draw(pdf, rng, b"/Masked Do", XObject=Dictionary(Masked=form))


def _box(pdf: Pdf, rng: random.Random) -> None:
    page = _page(pdf, rng).obj
    name = rng.choice(("/MediaBox", "/CropBox", "/TrimBox", "/BleedBox"))
    corners = (
        (0, 0, 10**6, 10**6),
        (0, 0, 0, 0),
        (5, 5, -5, -5),
        (0, 0, 1, 14400),
        (0, 0, 10**9, 1),
    )
    page[name] = Array(rng.choice(corners))
    if rng.random() < 0.5:
        page.UserUnit = rng.choice((0, -1, 1000, 10**9))
    if rng.random() < 0.5:
        page.Rotate = rng.choice((90, 45, -90, 10**9, Name.Up))


def _page_tree(pdf: Pdf, rng: random.Random) -> None:
    tree, action = pdf.Root.Pages, rng.randrange(4)
    if action == 0:
        tree.Kids.append(tree)
    elif action == 1:
        tree.Kids = Array([tree.Kids[0]] * rng.choice((2, 3000)))
    elif action == 2:
        tree.Count = rng.choice((0, -1, 10**9))
    else:
        for _ in range(rng.choice((10, 300))):
            tree = pdf.make_indirect(Dictionary(Type=Name.Pages, Kids=Array([tree]), Count=1))
        pdf.Root.Pages = tree


def _layers(pdf: Pdf, rng: random.Random) -> None:
    group = pdf.make_indirect(Dictionary(Type=Name.OCG))
    group.Name = String(rng.choice((b"\xff", b"Cut lines", b"\x1b]0;x\x07")))
    order = pdf.make_indirect(Array([group]))
    order.append(order)
    members = pdf.make_indirect(Dictionary(Type=Name.OCMD, P=Name.AllOn))
    members.OCGs = Array([group, members])
    members.VE = Array([Name.Not, members])
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group] * rng.choice((1, 3000))))
    pdf.Root.OCProperties.D = Dictionary(Order=order, OFF=Array([group]))
    content = b"/OC /L BDC 0 0 100 100 re f EMC"
    _draw(pdf, rng, content, Properties=Dictionary(L=members))


def _operators(pdf: Pdf, rng: random.Random) -> None:
    piece = rng.choice(
        (
            b"q ",
            b"0 0 9 9 re f ",
            b"0 0 m 5 5 l S ",
            b"BT (a) Tj ET ",
            b"/OC /x BDC ",
            b"[[[[ ",
            b"1 ",
        )
    )
    _draw(pdf, rng, piece * rng.choice((1000, 100_000, 1_000_000)))


def _endless(pdf: Pdf, rng: random.Random) -> None:
    """In what a page or a form draws, something that nobody closes."""
    opening, more = rng.choice(
        ((b"(", rb"\("), (b"(", b"("), (b"<", b"0"), (b"<", b"<"), (b"/", b"a"), (b"/a ", b"1"))
    )
    drawing = rng.choice(_drawings(pdf))
    long = opening + more * rng.choice((3000, 200_000))
    drawing.write(drawing.read_bytes() + b" /F1 9 Tf " + long + rng.choice((b"", b") Tj", b" Do")))


def _many_objects(pdf: Pdf, rng: random.Random) -> None:
    pdf.Root.Many = Array(
        [pdf.make_indirect(number) for number in range(rng.choice((500, 20_000)))]
    )


def _words(pdf: Pdf, rng: random.Random) -> None:
    """A ToUnicode map, or the widths of a font, that say far too much."""
    fonts = [i for i in pdf.objects if isinstance(i, Dictionary) and i.get("/Type") == Name.Font]
    font = rng.choice(fonts)
    lines = rng.choice(
        (b"<0000> <FFFF> <0000>\n", b"<00> <01> <>\n", b"<0> <FFFFFFFF> <D800>\n", b"beginbfchar ")
    )
    head, tail = rng.choice(((b"beginbfrange\n", b"endbfrange"), (b"beginbfchar\n", b"")))
    font.ToUnicode = pdf.make_stream(head + lines * rng.choice((1, 20_000)) + tail)
    if "/DescendantFonts" in font and rng.random() < 0.5:
        font.DescendantFonts[0].W = rng.choice(
            (Array([0, 2**31 - 1, 500]), Array([0, Array([5] * 3000)] * 20), Array([1, Name.A, 3]))
        )


_GROWTHS: Final = (
    *(_forms_in_forms, _form_in_itself, _picture, _picture, _tiling, _shading, _soft_masks),
    *(_box, _box, _page_tree, _layers, _operators, _endless, _many_objects, _words),
)

_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 0.5, -0.001, 1e-300, 1e300, 10**400, 2**63, float("inf")),
    *(float("nan"), "", "0", "x" * 5000, "\ud800", "\x1b[31m\x07\0", "../../x.pdf", "/etc/passwd"),
    *("CON", "a\0b", "<script>alert(1)</script>", "\u202e\u2066", "é", [], {}, [[]], {"": {}}),
)


def _tree_changed(data: bytes, rng: random.Random) -> bytes:
    """Values, keys and items of the JSON."""
    tree = json.loads(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        holder: Any = tree
        for _ in range(rng.randrange(9)):
            inside = [v for v in _values(holder) if isinstance(v, dict | list) and v]
            holder = rng.choice(inside or [holder])
        if holder:
            _change_value(holder, rng)
    return json.dumps(tree, ensure_ascii=rng.random() < 0.9).encode("utf-8", "surrogatepass")


def _change_value(holder: Any, rng: random.Random) -> None:
    """One of the values, keys or items of an object or array."""
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    key, action = rng.choice(keys), rng.randrange(6)
    if action == 0:
        del holder[key]
    elif action == 1 and isinstance(holder, dict):
        holder[str(rng.choice(_VALUES))] = holder.pop(key)
    elif action == 2 and isinstance(holder, list):
        holder *= rng.choice((0, 2, 50))
    elif action == 3:
        holder[key] = rng.choice(_values(holder))
    elif action == 4 and type(holder[key]) in (int, float):
        by = rng.choice((-1, 0, 1e-9, 1000, 1e9, 1e300))
        holder[key] = holder[key] * by if abs(holder[key]) < 1e300 else by
    else:
        holder[key] = rng.choice(_VALUES)


def _values(holder: Any) -> list[Any]:
    return list(holder.values()) if isinstance(holder, dict) else list(holder)


def _text_changed(data: bytes, rng: random.Random) -> bytes:
    """The JSON as it is written: its bytes, depth, keys that stand twice, constants."""
    action = rng.randrange(5)
    if action == 0:
        return _bytes_changed(data, rng)
    if action == 1:
        depth = rng.choice((200, 5000, 100_000))
        at = rng.choice([found.start() for found in re.finditer(rb"[{\[]", data)])
        return data[:at] + b"[" * depth + data[at:] + b"]" * rng.choice((0, depth))
    if action == 2:
        key = rng.choice(list(re.finditer(rb'"\w+": ', data)))
        return data[: key.start()] + key[0] + b"null, " + data[key.start() :]
    if action == 3:
        return rng.choice((b"\xff\xfe", b"\xef\xbb\xbf", b"\x00", b"")) + data.decode().encode(
            rng.choice(("utf-16-le", "utf-32", "latin-1")), "replace"
        )
    number = rng.choice(list(_NUMBER.finditer(data)))
    other = rng.choice(
        (b"NaN", b"Infinity", b"-Infinity", b"9" * 5000, b"1e999", b"-1e-400", b"0x1")
    )
    return data[: number.start()] + other + data[number.end() :]
