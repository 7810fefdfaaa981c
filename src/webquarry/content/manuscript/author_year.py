"""Finds citations by author and year: `(Smith et al., 2020; Jones 2019a)`, `Smith (2020)`."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from webquarry.content.citations.author_names import PARTICLES
from webquarry.content.text.word_list import word_set

_YEAR = r"(?:(?:1[5-9]|20)\d\d[a-z]?|n\.\s?d\.|in press|forthcoming)"
_YEARS = rf"{_YEAR}(?:,\s?(?:{_YEAR}|[a-z]\b)){{0,6}}"
_LOCATOR = r"(?:[,:]\s?(?:pp?\.|para\.|ch(?:ap)?\.|sec\.|fig\.|table|vol\.|\u00a7|\d)[^;()]{0,60})?"
_YEARS_AT_END = re.compile(rf"(?<![\w-])(?P<years>{_YEARS})\)?{_LOCATOR}\s*$")
_BRACKETS = re.compile(r"\(([^()]{4,800})\)|\[([^\[\]\n]{4,600})\](?!\()")
_NARRATIVE = re.compile(rf"[(\[](?P<years>{_YEARS})(?:[,:;]\s?[^()\n]{{0,60}})?[)\]](?!\()")
_PREFIX = word_set(
    "see also e.g i.e cf compare but reviewed in by as cited for a review reviews following "
    "adapted from after and"
)
_CONNECTORS = PARTICLES | word_set("and & et al colleagues others und y of for the on")
_NOT_NAMES = word_set(
    "in on at by as for the a an this these those but and or however since although when while "
    "from see also after before during table figure fig equation section chapter study "
    "january february march april may june july august september october november december "
    "mid late early"
)
_MAX_WORDS = 14
_LOOK_BACK = 160  # characters


class AuthorYear(NamedTuple):
    """A citation by author and year."""

    start: int
    end: int
    works: tuple[tuple[str, str], ...]  # authors, year
    years_start: int  # where the part begins that a sentence can do without


def author_year_markers(text: str, start: int, end: int) -> Iterator[AuthorYear]:
    """Yield the citations by author and year between two places."""
    for match in _BRACKETS.finditer(text, start, end):
        if works := _works(match[1] or match[2]):
            yield AuthorYear(match.start(), match.end(), works, match.start())
    for match in _NARRATIVE.finditer(text, start, end):
        before = text[max(start, match.start() - _LOOK_BACK) : match.start()].replace("\n", " ")
        if authors := _authors_before(before):
            first = match.start() - len(before) + before.rindex(authors)
            works = tuple((authors, year) for year in _years(match["years"]))
            yield AuthorYear(first, match.end(), works, match.start())


def _works(inner: str) -> tuple[tuple[str, str], ...]:
    """Return the works that a parenthesis names."""
    found: list[tuple[str, str]] = []
    for piece in inner.replace("\n", " ").split(";"):
        years = _YEARS_AT_END.search(piece)
        if years is None:
            continue
        authors = _names_only(piece[: years.start()])
        if not authors and found and not piece[: years.start()].strip():
            authors = found[-1][0]  # Smith, 2019; 2020
        if authors:
            found += [(authors, year) for year in _years(years["years"])]
    return tuple(found)


def _names_only(written: str) -> str:
    """Return the names of a text that has nothing else; else an empty text."""
    words = written.strip(" ,(").split()
    while words and words[0].lower().strip(".,:") in _PREFIX:
        words.pop(0)
    if not words or len(words) > _MAX_WORDS or words[0].lower().strip(".,") in _NOT_NAMES:
        return ""
    return " ".join(words) if all(map(_is_name_word, words)) and _is_name(words[0]) else ""


def _is_name_word(word: str) -> bool:
    return _is_name(word) or word.lower().strip(".,") in _CONNECTORS


def _is_name(word: str) -> bool:
    bare = word.strip(".,'\u2019\u201c\u201d\"*_")
    is_particle = word.lower() in PARTICLES
    return bool(bare) and (is_particle or (bare[0].isalpha() and not bare[0].islower()))


def _years(written: str) -> Iterator[str]:
    """Yield 2019a and 2019b of `2019a, b`."""
    base = ""
    for part in (part.strip() for part in written.split(",")):
        if len(part) == 1 and base:
            yield f"{base}{part}"
        else:
            base = part[:4] if part[:1].isdigit() else part
            yield part


def _authors_before(before: str) -> str:
    """Return the names at the end of a text."""
    words: list[str] = []
    for word in reversed(before.split()):
        ends_sentence = bool(words) and word.endswith((".", ":", ";", "!", "?", ")", "]"))
        is_abbreviated = word.lower() == "al." or len(word) == 2
        if (ends_sentence and not is_abbreviated) or not _is_name_word(word):
            break
        words.insert(0, word)
        if len(words) >= _MAX_WORDS:
            break
    return _trimmed(words, before)


def _trimmed(words: Sequence[str], before: str) -> str:
    """Return names without words before them that are none: `In`, `and`."""
    names = list(words)
    while names and (names[0].lower().rstrip(",") in _NOT_NAMES or not _is_name(names[0])):
        names.pop(0)
    joined = " ".join(names)
    # the exact text is needed for its place
    return joined if joined and joined in before else (names[-1] if names else "")
