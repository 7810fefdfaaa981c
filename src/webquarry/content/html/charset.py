"""Decodes the bytes of a page: byte order mark, UTF-8, declared charset, detection."""

import codecs
import re

from webquarry.content.text.length_limits import cap_text
from webquarry.content.text.word_list import words

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HEADER_CHARSET = re.compile(r"charset\s*+=\s*+(?:[\"']\s*+)?([\w:.+-]{2,40})", re.IGNORECASE)
_META_CHARSET = re.compile(
    rb"""<meta[^>]{0,400}?charset\s*+=\s*+(?:["']\s*+)?([\w:.+-]{2,40})|"""
    rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w:.+-]{2,40})""",
    re.IGNORECASE,
)
_MARKUP = re.compile(rb"<[^>]*+(>?)")
_CODECS = {  # codec -> labels, as browsers map them (WHATWG Encoding)
    "cp1252": "iso-8859-1 iso8859-1 iso_8859-1 latin1 latin-1 us-ascii ascii ansi windows-1252 "
    "x-user-defined",
    "cp1254": "iso-8859-9",
    "cp874": "iso-8859-11 tis-620",
    "gb18030": "gb2312 gb_2312-80 gbk x-gbk",
    "cp932": "shift_jis shift-jis sjis x-sjis windows-31j",
    "cp949": "euc-kr ks_c_5601-1987 ksc5601 windows-949",
    "euc_jp": "x-euc-jp",
    "big5hkscs": "big5 big5-hkscs x-x-big5",
    # a page whose meta could be read as ASCII is not UTF-16
    "utf-8": "utf8 unicode-1-1-utf-8 utf-16 utf-16le utf-16be unicode",
}
_LABELS = {label: codec for codec, labels in _CODECS.items() for label in words(labels)}
_META_SEARCH = 4096  # bytes
_SAMPLE = 60_000  # bytes
_MAX_BROKEN_UTF8 = 0.005  # share of broken characters
_MAX_BROKEN = 0.05  # share of the non-ASCII bytes
_MAX_STRAY = 0.01  # share of broken characters in the encodings of East Asia
_MULTIBYTE = ("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949")
_REPLACEMENT = "\ufffd"
# codecs that are not character encodings, and UTF-7, which hides markup
_UNSAFE = frozenset(("utf-7", "utf_7", "punycode", "idna", "hex", "rot13", "base64", "zlib"))


def decode_page(raw: bytes, content_type: str | None = None) -> str:
    """Return the text of a page, in the encoding that the bytes, the header or the page declare."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(codec, "replace")
    utf16 = _utf16_without_mark(raw)
    if utf16:
        return raw.decode(utf16, "replace")
    # ISO-2022-JP consists of ASCII bytes, so it is valid UTF-8; one byte is found much faster
    if b"\x1b" not in raw or b"\x1b$" not in raw:
        try:
            return raw.decode("utf-8")
        except UnicodeError:
            pass
    for codec in _declared_codecs(raw, content_type):
        text = _decode_lenient(raw, codec)
        if text is not None:
            return text
    return _decode_detected(raw)


def _utf16_without_mark(raw: bytes) -> str:
    """Return the UTF-16 codec if every second byte of the start is zero, else ""."""
    head = cap_text(raw, 200)
    if len(head) < 8 or head.count(0) < len(head) // 3:
        return ""
    return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"


def _declared_codecs(raw: bytes, content_type: str | None) -> list[str]:
    """Return the codecs that the header and the page declare, the header first."""
    header = _HEADER_CHARSET.search(content_type or "")
    labels = [header[1]] if header else []
    meta = _META_CHARSET.search(cap_text(raw, _META_SEARCH))
    if meta:
        labels.append((meta[1] or meta[2]).decode("ascii", "replace"))
    return [codec for codec in map(_codec_of, labels) if codec]


def _codec_of(label: str) -> str:
    """Return Python's codec for a charset label, "" for unknown and unsafe ones."""
    codec = _LABELS.get(label.lower(), label.lower())
    if codec in _UNSAFE:
        return ""
    try:
        codecs.lookup(codec)
    except LookupError:
        return ""
    return codec


def _decode_lenient(raw: bytes, codec: str) -> str | None:
    """Return the text if at most a few of its characters are broken."""
    try:
        text = raw.decode(codec, "replace")
    except (UnicodeError, LookupError, TypeError, AttributeError):
        return None  # a codec that is not a character encoding
    broken = text.count(_REPLACEMENT)
    if not broken:
        return text
    # relative to the bytes that can break: in a mostly ASCII page all of these may be wrong
    non_ascii = sum(1 for byte in raw if byte > 127)
    return text if broken <= max(2, min(len(text), non_ascii) * _MAX_BROKEN) else None


def _decode_detected(raw: bytes) -> str:
    """Detect the encoding from the bytes; windows-1252 if nothing fits better."""
    text = raw.decode("utf-8", "replace")
    broken = text.count(_REPLACEMENT)
    if broken < _MAX_BROKEN_UTF8 * len(text) and _is_mostly_valid(text, broken):
        return text
    codec = _detect_codec(raw)
    detected = _decode_lenient(raw, codec) if codec else None
    return raw.decode("cp1252", "wq-latin") if detected is None else detected


def _is_mostly_valid(text: str, broken: int) -> bool:
    """Tell whether a text has more than twice as many good non-ASCII characters as broken ones."""
    good = sum(1 for char in text if char > "\x7f") - broken
    return good > 2 * broken


def _detect_codec(raw: bytes) -> str:
    # markup is the same in every encoding
    sample = _MARKUP.sub(_closed_as_space, cap_text(raw, _SAMPLE))
    codec = _best_codec(sample)
    if codec in _MULTIBYTE:
        return codec
    # a few broken bytes make a whole page impossible in its encoding
    for candidate in _MULTIBYTE:
        text = sample.decode(candidate, "replace")
        broken = text.count(_REPLACEMENT)
        if 0 < broken <= max(2, _MAX_STRAY * len(text)):
            repaired = text.replace(_REPLACEMENT, "").encode(candidate, "ignore")
            if _best_codec(repaired) == candidate:
                return candidate
    return codec


def _best_codec(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_exclusion=["utf_7", "utf_16", "utf_32"]).best()
    return _codec_of(best.encoding.replace("_", "-")) or best.encoding if best else ""


def _decode_unused_byte(error: UnicodeError) -> tuple[str, int]:
    """Decode the five bytes that windows-1252 does not use as controls, like browsers do."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("wq-latin", _decode_unused_byte)


def _closed_as_space(match: re.Match[bytes]) -> bytes:
    return b" " if match[1] else match[0]
