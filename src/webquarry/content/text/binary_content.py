"""Tells binary content from text, by its bytes; the declared type only names what no byte names."""

import unicodedata
from typing import NamedTuple

_HEAD_BYTES = 8192
_PART_BYTES = 4096
# controls that no text uses; ESC, backspace and SUB occur in terminal logs and old text files
_CONTROLS = bytes((*range(0x07), *range(0x0E, 0x1A), *range(0x1C, 0x20), 0x7F))
_MAX_CONTROLS = 0.01  # share of the bytes
_MAX_CONTROLS_IN_MARKUP = 0.05
_MAX_UNREADABLE = 0.05  # share of the characters of UTF-16 and UTF-32
_UNREADABLE_CATEGORIES = frozenset(("Cc", "Cn", "Co", "Cs"))
_UTF_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_GENERIC = "application/octet-stream"


class _Signature(NamedTuple):
    offset: int
    magic: bytes
    media_type: str


_SIGNATURES = tuple(
    _Signature(offset, magic, media_type)
    for media_type, places in {
        "image/png": ((0, b"\x89PNG\r\n\x1a\n"),),
        "image/jpeg": ((0, b"\xff\xd8\xff"),),
        "image/gif": ((0, b"GIF87a"), (0, b"GIF89a")),
        "image/webp": ((8, b"WEBPVP8"),),
        "image/bmp": ((0, b"BM"),),
        "image/tiff": ((0, b"II*\0"), (0, b"MM\0*")),
        "image/x-icon": ((0, b"\0\0\1\0"),),
        "image/avif": ((4, b"ftypavif"), (4, b"ftypavis")),
        "image/heic": ((4, b"ftypheic"), (4, b"ftypheix"), (4, b"ftypmif1")),
        "image/jxl": ((0, b"\xff\x0a"), (4, b"JXL \r\n\x87\n")),
        "image/jp2": ((4, b"jP  \r\n\x87\n"),),
        "image/vnd.adobe.photoshop": ((0, b"8BPS"),),
        "image/vnd.djvu": ((0, b"AT&TFORM"),),
        "audio/wav": ((8, b"WAVE"),),
        "audio/mpeg": ((0, b"ID3"), (0, b"\xff\xfb"), (0, b"\xff\xf3"), (0, b"\xff\xf2")),
        "audio/aac": ((0, b"\xff\xf1"), (0, b"\xff\xf9")),
        "audio/flac": ((0, b"fLaC"),),
        "audio/ogg": ((0, b"OggS"),),
        "audio/midi": ((0, b"MThd"),),
        "audio/aiff": ((8, b"AIFF"), (8, b"AIFC")),
        "audio/mp4": ((4, b"ftypM4A"),),
        "video/quicktime": ((4, b"ftypqt"), (4, b"moov")),
        "video/mp4": ((4, b"ftyp"),),
        "video/webm": ((0, b"\x1aE\xdf\xa3"),),
        "video/x-msvideo": ((8, b"AVI "),),
        "video/x-flv": ((0, b"FLV\x01"),),
        "video/x-ms-asf": ((0, b"0&\xb2u\x8ef\xcf\x11"),),
        "video/mpeg": ((0, b"\0\0\1\xba"), (0, b"\0\0\1\xb3")),
        "video/mp2t": ((188, b"G"),),
        "font/woff": ((0, b"wOFF"),),
        "font/woff2": ((0, b"wOF2"),),
        "font/otf": ((0, b"OTTO"),),
        "font/ttf": ((0, b"\0\1\0\0"), (0, b"true\0")),
        "font/collection": ((0, b"ttcf"),),
        "application/gzip": ((0, b"\x1f\x8b"),),
        "application/x-bzip2": ((0, b"BZh"),),
        "application/x-xz": ((0, b"\xfd7zXZ\0"),),
        "application/zstd": ((0, b"(\xb5/\xfd"),),
        "application/x-lz4": ((0, b"\x04\x22M\x18"),),
        "application/x-7z-compressed": ((0, b"7z\xbc\xaf'\x1c"),),
        "application/vnd.rar": ((0, b"Rar!\x1a\x07"),),
        "application/x-tar": ((257, b"ustar"),),
        "application/zip": ((0, b"PK\3\4"), (0, b"PK\5\6")),
        "application/vnd.ms-cab-compressed": ((0, b"MSCF"),),
        "application/x-archive": ((0, b"!<arch>\n"),),
        "application/x-rpm": ((0, b"\xed\xab\xee\xdb"),),
        "application/x-iso9660-image": ((32769, b"CD001"),),
        "application/x-elf": ((0, b"\x7fELF"),),
        "application/vnd.microsoft.portable-executable": ((0, b"MZ"),),
        "application/x-mach-binary": (
            (0, b"\xcf\xfa\xed\xfe"), (0, b"\xce\xfa\xed\xfe"), (0, b"\xfe\xed\xfa\xcf"),
        ),
        "application/java-vm": ((0, b"\xca\xfe\xba\xbe"),),
        "application/wasm": ((0, b"\0asm"),),
        "application/vnd.android.dex": ((0, b"dex\n"),),
        "application/vnd.sqlite3": ((0, b"SQLite format 3\0"),),
        "application/x-hdf5": ((0, b"\x89HDF\r\n"),),
        "application/vnd.apache.parquet": ((0, b"PAR1"),),
        "application/vnd.apache.arrow.file": ((0, b"ARROW1"),),
        "application/x-shockwave-flash": ((0, b"CWS"), (0, b"FWS"), (0, b"ZWS")),
        "application/dicom": ((128, b"DICM"),),
        "application/x-mobipocket-ebook": ((60, b"BOOKMOBI"),),
        "application/vnd.ms-htmlhelp": ((0, b"ITSF"),),
        "application/vnd.tcpdump.pcap": ((0, b"\xd4\xc3\xb2\xa1"), (0, b"\n\r\r\n")),
        "application/x-ole-storage": ((0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),),
        "application/pdf": ((0, b"%PDF-"),),
    }.items()
    for offset, magic in places
)  # fmt: skip


def binary_type(data: bytes, declared: str = "") -> str | None:
    """Return the media type of binary content; None for text in any encoding, markup included.

    `declared` is the media type of the response.
    """
    if not _is_binary(data):
        return None
    for offset, magic, media_type in _SIGNATURES:
        if data.startswith(magic, offset):
            return media_type
    media = declared.partition(";")[0].strip().lower()
    is_telling = "/" in media and not media.startswith("text/") and "html" not in media
    return media if is_telling else _GENERIC


def _is_binary(data: bytes) -> bool:
    head = data[:_HEAD_BYTES]
    codec = next((codec for mark, codec in _UTF_MARKS if head.startswith(mark)), "")
    codec = codec or _unmarked_utf16(head)
    if codec:
        return not _is_readable(head, codec)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n\0")[:1] == b"<":
        return _control_share(head) > _MAX_CONTROLS_IN_MARKUP
    middle = len(data) // 2
    parts = (head, data[middle : middle + _PART_BYTES], data[-_PART_BYTES:])
    return any(_control_share(part) > _MAX_CONTROLS for part in parts)


def _control_share(part: bytes) -> float:
    found = len(part) - len(part.translate(None, _CONTROLS))
    return found / len(part) if found > 1 else 0.0  # one stray control is no sign


def _unmarked_utf16(head: bytes) -> str:
    """Return the codec of Latin text whose every second byte is zero, else ""."""
    if 0 not in head:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if half < 4 or min(even, odd) > half // 10:
        return ""
    if odd > 0.6 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.6 * half else ""


def _is_readable(head: bytes, codec: str) -> bool:
    width = 4 if "32" in codec else 2
    text = head[: len(head) // width * width].decode(codec, "replace").strip("\ufeff\ufffd")
    unreadable = sum(
        char not in "\t\n\r\f\v" and unicodedata.category(char) in _UNREADABLE_CATEGORIES
        for char in text
    )
    broken = text.count("\ufffd")
    return unreadable + broken <= _MAX_UNREADABLE * len(text)
