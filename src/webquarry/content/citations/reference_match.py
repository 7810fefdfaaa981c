"""Whether a reference, as somebody wrote it, is about a given work, part by part.

The record tells what to look for: its title is searched in the text, what stands before it are the
authors, what stands after it venue and pages. Slips a careful reader forgives are forgiven: typos,
accents, transliterations, abbreviations, a year between online and print.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from webquarry.content.citations.author_match import families, same_authors, same_list
from webquarry.content.citations.venue_match import same_venue
from webquarry.content.text.spelling import SpellingToken, same_name, same_word, tokens_of
from webquarry.content.text.word_list import words

Verdict = Literal["match", "mismatch", "not_checked"]

_YEAR = re.compile(r"(?<![\d/.:-])(1[5-9]\d\d|20\d\d)(?![\d/]|[-\u2013]\d)")
_PAGES = re.compile(
    r"(?<![\d.\-\u2013(])([A-Za-z]?\d{1,6})\s*[-\u2013\u2014]{1,2}\s*([A-Za-z]?\d{1,6})"
    r"(?![\d\-\u2013)]|\.\d)"
)
_ADDRESS = re.compile(r"(?:https?://|doi:|10\.\d{4,9}/)\S+", re.IGNORECASE)
_FILLERS = frozenset(
    words(
        "a an and as at by der des die das ein eine for from in into la le les el los las un une "
        "of on or the to und van von with de du et en y del di e sur pour zur zum dans l d"
    )
)
_SUBTITLE = re.compile(r"\s*[:\u2013\u2014]\s+|\s+-\s+|(?<=[?!.])\s+")
_MAIN = 3  # words that a title without its subtitle must have
_MATCH = 0.8


class ReferenceParts(NamedTuple):
    """What a record says, as far as it says it."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    pages: str = ""


class Comparison(NamedTuple):
    """How each part of a reference fits a record."""

    likeness: float  # of the titles, from 0 to 1
    title: Verdict
    authors: Verdict = "not_checked"
    year: Verdict = "not_checked"
    venue: Verdict = "not_checked"
    pages: Verdict = "not_checked"

    @property
    def mismatches(self) -> tuple[str, ...]:
        """The parts that do not fit."""
        return tuple(name for name in _PARTS if getattr(self, name) == "mismatch")

    @property
    def fits(self) -> bool:
        """Whether the reference is about the work, with nothing wrong in it."""
        return self.title == "match" and not self.mismatches


_PARTS = ("title", "authors", "year", "venue", "pages")


class _Place(NamedTuple):
    """Where a title stands in a text, as the numbers of its words, and how well it does."""

    likeness: float = 0.0
    start: int = 0
    end: int = 0
    fits: bool = False


def compare(reference: str, record: ReferenceParts) -> Comparison:
    """Return how a reference in free text fits a record."""
    text = _ADDRESS.sub(" ", unicodedata.normalize("NFC", reference))
    tokens = tokens_of(text)
    place = _find_title(text, tokens, record)
    if not place.fits:
        return Comparison(place.likeness, "mismatch" if tokens else "not_checked")
    start, end = tokens[place.start].start, tokens[place.end - 1].end
    after = text[end:]
    return Comparison(
        place.likeness,
        "match",
        _authors(tokens[: place.start], tokens[place.end :], record.authors),
        _years(_YEAR.findall(f"{text[:start]} ; {after}"), record.year),
        same_venue(_YEAR.sub(" ", _without_names(after, record.authors)), record.venue),
        _pages(after, record.pages),
    )


def _without_names(text: str, known: Sequence[str]) -> str:
    """Return what stands behind a title without the authors, who sometimes do too."""
    people = {word for name in known for word in title_tokens(name) if len(word) > 1}
    own = [token.raw for token in tokens_of(text) if token.word in people]
    return re.sub(rf"\b(?:{'|'.join(map(re.escape, own))})\b", " ", text) if own else text


def compare_parts(given: ReferenceParts, record: ReferenceParts) -> Comparison:
    """Return how a reference whose parts are known fits a record."""
    likeness, fits = _same_title(given.title, record.title)
    title: Verdict = "match" if fits else "mismatch"
    listed = bool(given.authors and record.authors)
    people: Verdict = "match" if same_list(given.authors, record.authors) else "mismatch"
    return Comparison(
        likeness,
        title if given.title and record.title else "not_checked",
        people if listed else "not_checked",
        _years([str(given.year)] if given.year else [], record.year),
        same_venue(given.venue, record.venue),
        _pages(given.pages, record.pages),
    )


def title_tokens(title: str) -> list[str]:
    """Return the words of a title, spelt plainly."""
    return [token.word for token in tokens_of(title)]


def _same_title(given: str, known: str) -> tuple[float, bool]:
    """Compare two titles; a subtitle may be missing from either, but not differ."""
    likeness, fits = _alike(title_tokens(given), title_tokens(known))
    if fits:
        return likeness, True
    mine, theirs = _main(given), _main(known)
    if bool(mine) != bool(theirs):  # only one has a subtitle
        fits = _alike(mine or title_tokens(given), theirs or title_tokens(known))[1]
    return likeness, fits


def _main(title: str) -> list[str]:
    """Return the words in front of the subtitle; none when there is no subtitle."""
    first, *rest = _SUBTITLE.split(title, maxsplit=1)
    found = title_tokens(first)
    return found if rest and title_tokens(rest[0]) and len(found) >= _MAIN else []


def _find_title(text: str, tokens: Sequence[SpellingToken], record: ReferenceParts) -> _Place:
    """Return where in the text the title stands, with or without its subtitle."""
    best = _Place()
    for wanted, whole in ((title_tokens(record.title), True), (_main(record.title), False)):
        for place in _places(tokens, wanted):
            bounded = place.fits and _bounded(text, tokens, place, record, whole=whole)
            found = place._replace(fits=bounded)
            # without its subtitle a title says less
            if (found.fits, found.likeness) > (best.fits, best.likeness) and (whole or bounded):
                best = found
        if best.fits:
            break
    return best


def _places(tokens: Sequence[SpellingToken], wanted: Sequence[str]) -> Iterable[_Place]:
    """Yield where a title may stand: near one of its first words."""
    said = [token.word for token in tokens]
    starts = {
        at - offset
        for offset, word in enumerate(wanted[:3])
        for at, token in enumerate(said)
        if same_word(token, word)
    }
    for start in sorted(at for at in starts if at >= 0):
        for length in range(max(1, len(wanted) - 2), len(wanted) + 3):
            if start + length <= len(said):
                likeness, fits = _alike(said[start : start + length], wanted)
                yield _Place(likeness, start, start + length, fits)


def _alike(given: Sequence[str], wanted: Sequence[str]) -> tuple[float, bool]:
    """Return how alike two titles are; one word that carries meaning makes them different."""
    if not given or not wanted:
        return 0.0, False
    plain = [_closest(word, wanted) for word in given]
    matcher = SequenceMatcher(None, plain, list(wanted), autojunk=False)
    common = sum(block.size for block in matcher.get_matching_blocks())
    likeness = 2 * common / (len(given) + len(wanted))
    odd = [word for word in (*_left(wanted, plain), *_left(plain, wanted)) if word not in _FILLERS]
    return likeness, likeness > _MATCH and not odd


def _closest(word: str, among: Sequence[str]) -> str:
    if word in among:
        return word
    return next((each for each in among if same_word(word, each)), word)


def _left(these: Sequence[str], those: Sequence[str]) -> list[str]:
    rest = list(those)
    left: list[str] = []
    for word in these:
        if word in rest:
            rest.remove(word)
        else:
            left.append(word)
    return left


def _bounded(
    text: str,
    tokens: Sequence[SpellingToken],
    place: _Place,
    record: ReferenceParts,
    *,
    whole: bool,
) -> bool:
    """Tell whether the title stands by itself: Sleep is not Sleep in Old Age."""
    people = families(record.authors)
    if place.start:
        before, first = tokens[place.start - 1], tokens[place.start]
        if _joined(text[before.end : first.start]) and not _may_lead(before, people):
            return False
    if place.end == len(tokens):
        return True
    last, after = tokens[place.end - 1], tokens[place.end]
    gap = text[last.end : after.start]
    if not whole and re.search(r"[:\u2013\u2014?]|\s-\s", gap):
        return False  # another subtitle follows
    return not _joined(gap) or _may_follow(after, people, record.venue)


def _joined(gap: str) -> bool:
    return gap.strip() in ("", "'", "\u2019") or gap in ("-", "/", "\u2010", "\u2011")


def _may_lead(token: SpellingToken, people: Sequence[str]) -> bool:
    word = token.word
    return (
        word[0].isdecimal()
        or word in ("al", "in", "see", "title")
        or len(word) <= 2
        or any(same_name(word, name) for name in people)
    )


def _may_follow(token: SpellingToken, people: Sequence[str], venue: str) -> bool:
    word = token.word
    return (
        word[0].isdecimal()
        or (word in ("in", "by") and token.raw[0] == "I")
        or any(same_name(word, name) for name in people)
        or word in title_tokens(venue)[:2]
    )


def _authors(
    before: Sequence[SpellingToken], after: Sequence[SpellingToken], known: Sequence[str]
) -> Verdict:
    """Compare the names in front of a title, or behind it where none is in front."""
    if not known:
        return "not_checked"
    if any(len(token.word) > 1 and not token.word[0].isdecimal() for token in before):
        return "match" if same_authors(before, known) else "mismatch"
    said = [token.word for token in after]
    named = any(same_name(word, name) for name in families(known) for word in said)
    return "match" if named else "not_checked"


def _years(given: Sequence[str], known: int | None) -> Verdict:
    if known is None or not given:
        return "not_checked"
    # the year online and the year in print are often neighbours
    return "match" if any(abs(int(year) - known) <= 1 for year in given) else "mismatch"


def _pages(text: str, known: str) -> Verdict:
    wanted = _PAGES.search(known)
    given = _PAGES.findall(text)
    if wanted is None or not given:
        return "not_checked"
    return "match" if any(_same_pages(pair, wanted.groups()) for pair in given) else "mismatch"


def _same_pages(given: Sequence[str], known: Sequence[str]) -> bool:
    (start, end), (first, last) = ([part.lower() for part in pair] for pair in (given, known))
    if start != first:
        return False
    return _whole(start, end) == _whole(first, last)


def _whole(start: str, end: str) -> str:
    """Return the last page in full: 123-9 stands for 123-129."""
    return end if len(end) >= len(start) else start[: len(start) - len(end)] + end
