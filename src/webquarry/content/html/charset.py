"""Bytes of a page to text, in the encoding they were written in."""

import codecs
import re
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w:.+-]{2,40})", re.IGNORECASE)
_META = re.compile(
    rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w:.+-]{2,40})|"""
    rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w:.+-]{2,40})""",
    re.IGNORECASE,
)
_LABELS = {  # what browsers take these labels to mean
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "iso_8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "ansi": "cp1252",
    "windows-1252": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "ksc5601": "cp949",
    "windows-949": "cp949",
    "x-euc-jp": "euc_jp",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "utf-16": "utf-8",  # a page whose meta could be read as ASCII is not UTF-16
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
    "unicode": "utf-8",
    "x-user-defined": "cp1252",
}
_HEAD = 4096
_SAMPLE = 60_000
_FEW = 0.005  # share of broken characters that still leaves an encoding believable
_UNSAFE = frozenset(("utf-7", "utf_7", "punycode", "idna", "hex", "rot13", "base64", "zlib"))


class Decoded(NamedTuple):
    """Text and the name of the encoding it was in."""

    text: str
    charset: str


def decode_page(raw: bytes, content_type: str | None = None) -> Decoded:
    """Read the bytes as their mark, the header, the page or the bytes themselves say."""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return Decoded(raw[len(mark) :].decode(name, "replace"), name)
    wide = _wide(raw)
    if wide:
        return Decoded(raw.decode(wide, "replace"), wide)
    text = _strictly(raw, "utf-8")
    if text is not None and b"\x1b$" not in raw:  # ISO-2022-JP is made of ASCII bytes
        return Decoded(text, "utf-8")
    for label in _declared(raw, content_type):
        text = _nearly(raw, label)
        if text is not None:
            return Decoded(text, label)
    return _guessed(raw)


def _wide(raw: bytes) -> str:
    """Return UTF-16 when every second byte of the start is zero."""
    head = raw[:200]
    if len(head) < 8 or head.count(0) < len(head) // 3:
        return ""
    return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"


def _declared(raw: bytes, content_type: str | None) -> list[str]:
    """Return the encodings that the header and the page claim, the header first."""
    header = _HEADER.search(content_type or "")
    claims = [header[1]] if header else []
    meta = _META.search(raw[:_HEAD])
    if meta:
        claims.append((meta[1] or meta[2]).decode("ascii", "replace"))
    return [name for name in map(_python_name, claims) if name]


def _python_name(label: str) -> str:
    name = _LABELS.get(label.lower(), label.lower())
    if name in _UNSAFE:
        return ""
    try:
        codecs.lookup(name)
    except LookupError:
        return ""
    return name


def _strictly(raw: bytes, name: str) -> str | None:
    try:
        return raw.decode(name)
    except (UnicodeError, LookupError):
        return None


def _nearly(raw: bytes, name: str) -> str | None:
    """Return the text if at most a few characters of it are broken."""
    try:
        text = raw.decode(name, "replace")
    except (UnicodeError, LookupError, TypeError, AttributeError):
        return None  # a codec that is no character encoding
    broken = text.count("\ufffd")
    letters = sum(1 for byte in raw if byte > 127) if broken else 0
    # counted among the bytes that could break: in a mostly ASCII page all of these may be wrong
    return text if broken <= max(2, min(len(text), letters) * 0.05) else None


def _guessed(raw: bytes) -> Decoded:
    """Detect the encoding from the bytes; windows-1252 when nothing fits better."""
    text = raw.decode("utf-8", "replace")
    if text.count("\ufffd") < _FEW * len(text) and _has_valid_sequences(text):
        return Decoded(text, "utf-8")
    name = _detected(raw)
    found = _nearly(raw, name) if name else None
    if found is not None:
        return Decoded(found, name)
    return Decoded(_as_windows(raw), "cp1252")


def _has_valid_sequences(text: str) -> bool:
    """Tell whether UTF-8 decoding found more good non-ASCII characters than broken ones."""
    broken = text.count("\ufffd")
    good = sum(1 for char in text if char > "\x7f") - broken
    return good > 2 * broken


def _detected(raw: bytes) -> str:
    from charset_normalizer import from_bytes

    sample = _telling(raw)
    best = from_bytes(sample, cp_exclusion=["utf_7", "utf_16", "utf_32"]).best()
    return _python_name(best.encoding.replace("_", "-")) or best.encoding if best else ""


def _telling(raw: bytes) -> bytes:
    """Return a sample of the bytes without markup, which is the same in every encoding."""
    return re.sub(rb"<[^>]*>", b" ", raw[:_SAMPLE])


def _as_windows(raw: bytes) -> str:
    """Decode as windows-1252, its five unused bytes as the controls that browsers make of them."""
    return raw.decode("cp1252", "wq-latin")


def _as_latin(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("wq-latin", _as_latin)
