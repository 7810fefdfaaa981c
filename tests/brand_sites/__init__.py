"""Sites of fictional companies, one file each, with the expected brand data.

A file is a line about the site, then parts: `=== host/path` and the response body, with the marks
`status=`, `type=`, `to=` (redirect target), `png=WxH`, `gif=`, `ico=`, `any` (all other paths of
the host), `shown` (what a browser renders) or `document` (its text). The last part is the expected
result; `portal` says whether the brand portal is read, closed or none.
"""

import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_DIRECTORY = Path(__file__).parent


@dataclass(frozen=True)
class Part:
    """The response at one URL."""

    body: bytes
    marks: dict[str, str]


@dataclass
class BrandSite:
    """The site of one company."""

    name: str
    parts: dict[str, Part] = field(default_factory=dict[str, Part])
    anywhere: dict[str, Part] = field(default_factory=dict[str, Part])  # by host
    shown: dict[str, str] = field(default_factory=dict[str, str])
    documents: dict[str, str] = field(default_factory=dict[str, str])
    expect: dict[str, Any] = field(default_factory=dict[str, Any])


def names() -> list[str]:
    """Return the names of all sites."""
    return sorted(path.stem for path in _DIRECTORY.glob("*.txt"))


def load(name: str) -> BrandSite:
    """Return one site."""
    site = BrandSite(name)
    for chunk in (_DIRECTORY / f"{name}.txt").read_text("utf-8").split("\n=== ")[1:]:
        head, _, body = chunk.partition("\n")
        target, *marked = head.split()
        marks = {key: value for key, _, value in (mark.partition("=") for mark in marked)}
        if target == "expect":
            site.expect = json.loads(body)
        elif "shown" in marks:
            site.shown[target] = body
        elif "document" in marks:
            site.documents[target] = body
        elif "any" in marks:
            site.anywhere[target.partition("/")[0]] = Part(_bytes(body, marks), marks)
        else:
            site.parts[target] = Part(_bytes(body, marks), marks)
    return site


def _bytes(body: str, marks: dict[str, str]) -> bytes:
    if size := marks.get("png"):
        return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", *_size(size))
    if size := marks.get("gif"):
        return b"GIF89a" + struct.pack("<HH", *_size(size))
    if size := marks.get("ico"):
        return b"\0\0\1\0\1\0" + bytes(_size(size)) + bytes(14)
    return body.encode()


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)
