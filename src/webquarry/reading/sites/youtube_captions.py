"""Captions in the formats YouTube sends: JSON, two kinds of XML, and WebVTT."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.models.model import Items, Text
from webquarry.reading.sites.site import SiteWire

_XML_LINE = re.compile(
    r'<(?:text start="([\d.]+)"|p t="(\d+)")[^<>]*>((?:[^<]++|<(?!/?(?:text|p)\b))*+)</(?:text|p)>'
)
_TAG = re.compile(r"<[^<>]+>")
_VTT_TIME = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{3}) -->")
_MIN_LINES_FOR_HIGHLIGHTS = 5
_MAX_HIGHLIGHTS = 5


class _Part(SiteWire):
    utf8: Text = ""


class _Event(SiteWire):
    tStartMs: float | None = None  # noqa: N815 - as they spell it
    segs: Items[_Part] = ()


class _Captions(SiteWire):
    events: Items[_Event] = ()


@dataclass(frozen=True)
class CaptionLine:
    """A line of text and its time in seconds."""

    seconds: float
    text: str

    def __str__(self) -> str:
        minutes, seconds = divmod(int(self.seconds), 60)
        hours, minutes = divmod(minutes, 60)
        clock = f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
        return f"[{clock}] {self.text}"


def parse_captions(text: str) -> list[CaptionLine]:
    """Return the lines of captions in any of the formats; none for other content."""
    head = text.lstrip()[:20]
    if head.startswith("{"):
        captions = _json(text)
    elif head.startswith("WEBVTT"):
        captions = _vtt(text)
    else:
        captions = _xml(text)
    lines = [
        CaptionLine(start, " ".join(without_invisible(line).split())) for start, line in captions
    ]
    lines = [line for line in lines if line.text]
    # automatic captions repeat the previous line
    return [line for n, line in enumerate(lines) if not n or line.text != lines[n - 1].text]


def highlights(lines: Sequence[CaptionLine]) -> list[CaptionLine]:
    """Return up to five lines with figures, names or questions, in their order."""
    if len(lines) < _MIN_LINES_FOR_HIGHLIGHTS:
        return []
    scored = [(_score(line.text), -index) for index, line in enumerate(lines)]
    best = sorted((score for score in scored if score[0]), reverse=True)[:_MAX_HIGHLIGHTS]
    return [lines[index] for index in sorted(-index for _, index in best)]


def _score(text: str) -> int:
    """Score figures, names and questions in a line."""
    figures = 2 * bool(re.search(r"\d", text))
    names = bool(re.search(r"(?<=\w )[A-Z][a-z]{2,}", text))
    return figures + names + ("?" in text)


def _json(text: str) -> list[tuple[float, str]]:
    try:
        found = _Captions.model_validate_json(text)
    except ValueError:  # an error, or nothing
        return []
    return [
        ((event.tStartMs or 0) / 1000, "".join(part.utf8 for part in event.segs))
        for event in found.events
    ]


def _xml(text: str) -> list[tuple[float, str]]:
    # unescaped twice: the text inside the XML is HTML
    return [
        (
            float(match[1]) if match[1] else int(match[2]) / 1000,
            html.unescape(html.unescape(_TAG.sub("", match[3]))),
        )
        for match in _XML_LINE.finditer(text)
    ]


def _vtt(text: str) -> list[tuple[float, str]]:
    found: list[tuple[float, str]] = []
    for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        match = _VTT_TIME.search(block)
        if match:
            start = int(match[1] or 0) * 3600 + int(match[2]) * 60 + int(match[3])
            line = block[match.end() :].partition("\n")[2]
            found.append((start + int(match[4]) / 1000, html.unescape(_TAG.sub("", line))))
    return found
