"""Subtitles (SubRip and WebVTT) as paragraphs with the times at which they begin."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from webquarry.content.html.charset import decode_page
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.page_selection import warn_if_pages_requested

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_CUE = re.compile(rf"\s{{0,9}}{_TIME}\s{{0,9}}-->\s{{0,9}}{_TIME}")
_VOICE = re.compile(r"<v(?:\.[\w.-]{1,80})?[ \t]([^<>\n]{1,100})>")
_TAG = re.compile(r"</?[a-z0-9][^<>\n]{0,200}>|\{\\[^{}\n]{1,80}\}", re.IGNORECASE)
_PAUSE = 3.0  # seconds without speech end a paragraph
_PARAGRAPH = 60.0  # seconds of one, at most


class _Cue(NamedTuple):
    start: float
    end: float
    text: str


def read_subtitles(task: DocumentTask) -> DocumentDraft:
    """Return what is said, in paragraphs that begin with their time."""
    draft = DocumentDraft("subtitles")
    warn_if_pages_requested(task, draft)
    text = decode_page(task.data, task.content_type).replace("\r\n", "\n").replace("\r", "\n")
    cues = list(_cues(text.removeprefix("\ufeff")))
    if not cues:
        raise UnreadableDocument("has no subtitles with times in it")
    draft.set_markdown(_paragraphs(cues))
    return draft


def _cues(text: str) -> Iterator[_Cue]:
    """Yield the subtitles; one that repeats the line before it, as rolling ones do, is shorter."""
    before: list[str] = []
    for block in re.split(r"\n[ \t]*+(?:\n[ \t]*+)++", text):
        lines = block.split("\n")
        at = next((n for n, line in enumerate(lines[:3]) if _CUE.match(line)), None)
        if at is None:
            continue
        match = _CUE.match(lines[at])
        said = [line for line in map(_plain, lines[at + 1 :]) if line]
        new = [line for line in said if line not in before]
        before = said
        if match and new:
            parts = match.groups("0")
            yield _Cue(_seconds(*parts[:4]), _seconds(*parts[4:]), " ".join(new))


def _seconds(hours: str, minutes: str, seconds: str, fraction: str) -> float:
    whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    return whole + int(fraction) / 10 ** len(fraction)


def _plain(line: str) -> str:
    """Return a line without markup; a voice is named before what it says."""
    return " ".join(_TAG.sub("", _VOICE.sub(r"\1: ", line)).split())


def _paragraphs(cues: list[_Cue]) -> Iterator[str]:
    start, end, said = cues[0].start, cues[0].start, list[str]()
    for cue in cues:
        if said and (cue.start - end > _PAUSE or cue.start - start > _PARAGRAPH):
            yield f"[{_shown(start)}] {' '.join(said)}"
            start, said = cue.start, []
        said.append(cue.text)
        end = cue.end
    yield f"[{_shown(start)}] {' '.join(said)}"


def _shown(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
