"""Beginnings of files of many kinds, and texts that are easily mistaken for them."""

import gzip
import io
import random
import struct
import zipfile
import zlib
from typing import NamedTuple


class BinarySample(NamedTuple):
    """Bytes, and the media type that names them."""

    content: bytes
    media_type: str


class TextSample(NamedTuple):
    """Bytes of a text, its declared type, and words of it."""

    content: bytes
    declared: str
    words: str


# every byte is as likely as in compressed data
_NOISE = random.Random(20).randbytes(6000)  # noqa: S311 - the same bytes in every run


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + check


def _png() -> bytes:
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", 640, 480, 8, 2, 0, 0, 0))
    title = _chunk(b"tEXt", b"Title\0A barn owl")
    return b"\x89PNG\r\n\x1a\n" + header + title + _chunk(b"IDAT", _NOISE) + _chunk(b"IEND", b"")


def _jpeg() -> bytes:
    text = b"A tawny owl\0"
    ifd = struct.pack("<HHHIII", 1, 0x010E, 2, len(text), 26, 0)
    exif = b"Exif\0\0II*\0" + struct.pack("<I", 8) + ifd + text
    app1 = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    frame = b"\xff\xc0\0\x11\x08" + struct.pack(">HH", 300, 400) + b"\x03\1\x11\0\2\x11\1\3\x11\1"
    return b"\xff\xd8" + app1 + frame + b"\xff\xda" + _NOISE


def _tar() -> bytes:
    header = b"owls.bin".ljust(100, b"\0") + b"0000644\0".ljust(157, b"\0") + b"ustar\00000"
    return header.ljust(512, b"\0") + _NOISE


def _riff(kind: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", 6000) + kind + _NOISE


def _ftyp(brand: bytes) -> bytes:
    return b"\0\0\0\x20ftyp" + brand.ljust(4) + b"\0\0\2\0" + _NOISE


def _zip_of(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, _NOISE)
    return stream.getvalue()


_PROGRAM = "application/vnd.microsoft.portable-executable"
_TINY_GIF = bytes.fromhex(
    "47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b"
)
_SCRIPT = b"#!/bin/sh\n" + b"echo unpacking the owls and their nests\n" * 300
BINARIES = {
    name: BinarySample(content, media_type)
    for name, content, media_type in (
        ("png", _png(), "image/png"),
        ("jpeg", _jpeg(), "image/jpeg"),
        ("gif", b"GIF89a\x80\x02\xe0\x01\xf7\0\0" + _NOISE, "image/gif"),
        ("tiny gif", _TINY_GIF, "image/gif"),
        ("webp", _riff(b"WEBPVP8 "), "image/webp"),
        ("bmp", b"BM" + struct.pack("<IHHI", 6000, 0, 0, 54) + _NOISE, "image/bmp"),
        ("tiff", b"II*\0\x08\0\0\0" + _NOISE, "image/tiff"),
        ("ico", b"\0\0\1\0\1\0\x10\x10\0\0\1\0\x20\0\x68\4\0\0\x16\0\0\0" + _NOISE, "image/x-icon"),
        ("avif", _ftyp(b"avif"), "image/avif"),
        ("heic", _ftyp(b"heic"), "image/heic"),
        ("psd", b"8BPS\0\1" + _NOISE, "image/vnd.adobe.photoshop"),
        ("wav", _riff(b"WAVEfmt "), "audio/wav"),
        ("mp3 with id3", b"ID3\3\0\0\0\0\0\x0fTIT2\0\0\0\5\0\0\0Owls" + _NOISE, "audio/mpeg"),
        ("mp3", b"\xff\xfb\x90\x64" + _NOISE, "audio/mpeg"),
        ("flac", b"fLaC\0\0\0\x22" + _NOISE, "audio/flac"),
        ("ogg", b"OggS\0\2" + _NOISE, "audio/ogg"),
        ("midi", b"MThd\0\0\0\6\0\1\0\2\1\xe0" + _NOISE, "audio/midi"),
        ("m4a", _ftyp(b"M4A "), "audio/mp4"),
        ("mp4", _ftyp(b"isom"), "video/mp4"),
        ("mov", _ftyp(b"qt  "), "video/quicktime"),
        ("webm", b"\x1aE\xdf\xa3\x01\0\0\0" + _NOISE, "video/webm"),
        ("avi", _riff(b"AVI LIST"), "video/x-msvideo"),
        ("flv", b"FLV\x01\5\0\0\0\t" + _NOISE, "video/x-flv"),
        ("woff", b"wOFF\0\1\0\0" + _NOISE, "font/woff"),
        ("woff2", b"wOF2\0\1\0\0" + _NOISE, "font/woff2"),
        ("otf", b"OTTO\0\x0b" + _NOISE, "font/otf"),
        ("ttf", b"\0\1\0\0\0\x0f" + _NOISE, "font/ttf"),
        ("gzip", gzip.compress(_NOISE, mtime=0), "application/gzip"),
        ("bzip2", b"BZh91AY&SY" + _NOISE, "application/x-bzip2"),
        ("xz", b"\xfd7zXZ\0\0\4" + _NOISE, "application/x-xz"),
        ("zstd", b"(\xb5/\xfd\x04" + _NOISE, "application/zstd"),
        ("7z", b"7z\xbc\xaf'\x1c\0\4" + _NOISE, "application/x-7z-compressed"),
        ("rar", b"Rar!\x1a\x07\1\0" + _NOISE, "application/vnd.rar"),
        ("tar", _tar(), "application/x-tar"),
        (
            "deb",
            b"!<arch>\ndebian-binary   1 0 0 100644 4 `\n2.0\n" + _NOISE,
            "application/x-archive",
        ),
        ("shared library", b"\x7fELF\2\1\1" + b"\0" * 9 + _NOISE, "application/x-elf"),
        ("windows program", b"MZ\x90\0\3\0\0\0\4\0\0\0\xff\xff\0\0" + _NOISE, _PROGRAM),
        ("java class", b"\xca\xfe\xba\xbe\0\0\0\x34" + _NOISE, "application/java-vm"),
        ("wasm", b"\0asm\1\0\0\0" + _NOISE, "application/wasm"),
        ("sqlite", b"SQLite format 3\0\x10\0\1\1" + _NOISE, "application/vnd.sqlite3"),
        ("parquet", b"PAR1\x15\4\x15" + _NOISE, "application/vnd.apache.parquet"),
        ("flash", b"CWS\x0a" + _NOISE, "application/x-shockwave-flash"),
        ("self-extracting script", _SCRIPT + _NOISE * 8, "application/octet-stream"),
        ("random bytes", _NOISE, "application/octet-stream"),
        ("random bytes after a UTF-16 mark", b"\xff\xfe" + _NOISE, "application/octet-stream"),
        ("the middle of a PDF", _NOISE[100:], "application/octet-stream"),
        ("truncated zip", _zip_of("owls.bin")[:3000], "application/zip"),
    )
}
# refused or read by the readers of documents
DOCUMENTS = {
    "truncated docx": _zip_of("word/document.xml")[:3000],
    "archive": _zip_of("owls.bin"),
    "broken docx": _zip_of("word/document.xml"),
    "broken PDF": b"%PDF-1.7\n" + _NOISE,
    "broken doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + _NOISE,
}
_OWLS = "Owls hunt at night and sleep by day, in barns and in old towers. " * 5
_RUSSIAN = "Совы охотятся ночью и спят днём, в лесах и старых башнях. " * 8
_JAPANESE = "フクロウは夜に狩りをし、昼は森や古い塔で眠る。" * 10
TEXTS = {
    name: TextSample(content, declared, words)
    for name, content, declared, words in (
        ("UTF-16 with a mark", _OWLS.encode("utf-16"), "text/plain", "Owls hunt"),
        ("UTF-16 without a mark", _OWLS.encode("utf-16-le"), "text/plain", "Owls hunt"),
        ("big-endian UTF-16", b"\xfe\xff" + _RUSSIAN.encode("utf-16-be"), "text/plain", "Совы"),
        ("Japanese UTF-16", _JAPANESE.encode("utf-16"), "text/plain", "フクロウ"),
        ("UTF-32", _OWLS.encode("utf-32"), "text/plain", "Owls hunt"),
        ("UTF-8 with a mark", _OWLS.encode("utf-8-sig"), "text/plain", "Owls hunt"),
        ("windows-1251", _RUSSIAN.encode("cp1251"), "text/plain; charset=windows-1251", "Совы"),
        ("KOI8-R", _RUSSIAN.encode("koi8-r"), "text/plain; charset=koi8-r", "Совы"),
        ("Shift-JIS", _JAPANESE.encode("shift-jis"), "text/plain; charset=shift_jis", "フクロウ"),
        (
            "ISO-2022-JP",
            _JAPANESE.encode("iso2022-jp"),
            "text/plain; charset=iso-2022-jp",
            "フクロウ",
        ),
        (
            "GB18030",
            "猫头鹰在夜间捕猎。".encode("gb18030") * 20,
            "text/plain; charset=gb18030",
            "猫头鹰",
        ),
        (
            "a terminal log",
            b"\x1b[32mOwls\x1b[0m hunt at night\n" * 20,
            "text/plain",
            "hunt at night",
        ),
        ("a text that begins with BM", b"BM owls hunt at night. " * 20, "text/plain", "owls hunt"),
        ("a text that begins with MZ", b"MZ owls hunt at night. " * 20, "text/plain", "owls hunt"),
        ("an unknown type", _OWLS.encode(), "application/x-owls", "Owls hunt"),
        (
            "an image type with a page",
            b"<html><body><p>" + _OWLS.encode() + b"</p></body></html>",
            "image/png",
            "Owls hunt",
        ),
        (
            "a page with stray controls",
            b"<html><body><p>\x01\x02" + _OWLS.encode() + b"</p></body></html>",
            "text/html",
            "Owls hunt",
        ),
    )
}
