"""Looks up quotations in a source: word for word, or else the most similar passage."""

import difflib
import re
import unicodedata
from typing import Literal, NamedTuple

from rapidfuzz import fuzz

from webquarry.content.text.length_limits import cap_text

QuotationMatch = Literal["verbatim", "differs", "absent"]
MIN_WORDS = 4  # shorter passages in quotation marks are terms or titles
_MAX_CHARS = 2000
_TITLE_SHARE = 0.6  # of the longer words
_MIN_SIMILARITY = 72.0  # of 100, of a passage that may be the quoted one
_QUOTED = re.compile(
    r"“([^“”]{1,2000})”|„([^„“”]{1,2000})[“”]|«([^«»]{1,2000})»|\"([^\"]{1,2000})\"|``([^`']{1,2000})''"
)
# what a quoting author leaves out or adds: … [...] [sic] [the authors]
_OMISSION = re.compile(r"\[[^\]]{0,80}\]|\(\.\.\.\)|\.\.\.|…")
_WORD = re.compile(r"[\w%]+(?:[.,'\u2019-][\w%]+)*")
_FOLDED = str.maketrans({"\u2019": "'", "\u2018": "'", "\u2013": "-", "\u2014": "-"})


class WordDifference(NamedTuple):
    """Words of a quotation that the source has differently."""

    cited: str  # empty: the source has more words here
    source: str  # empty: the source does not have these words

    @property
    def description(self) -> str:
        """The difference in a few words."""
        if self.cited and self.source:
            return f"“{self.cited}” for “{self.source}”"
        return f"“{self.cited}” added" if self.cited else f"“{self.source}” left out"


class QuotationCheck(NamedTuple):
    """A quotation, and what the source says in its place."""

    quote: str
    match: QuotationMatch
    found: str = ""  # the passage of the source
    differences: tuple[WordDifference, ...] = ()


def quotations_in(text: str) -> list[str]:
    """Return the passages of a text in quotation marks that are long enough to be quotations."""
    found = (next(filter(None, match.groups())) for match in _QUOTED.finditer(text))
    return [
        quote.strip() for quote in found if len(quote.split()) >= MIN_WORDS and not _is_title(quote)
    ]


def _is_title(quote: str) -> bool:
    """Tell whether a passage is the title of a work: its words have capital letters."""
    long = [word for word in _WORD.findall(quote) if len(word) > 3]
    return bool(long) and sum(word[0].isupper() for word in long) > _TITLE_SHARE * len(long)


def check_quotation(quote: str, source: str) -> QuotationCheck:
    """Look up a quotation: each part between omissions must be in the source, in order."""
    quote = cap_text(quote, _MAX_CHARS)
    text = " ".join(source.split())
    places = list(_WORD.finditer(text))
    words = [_fold(place[0]) for place in places]
    first, at = -1, 0
    for part in _parts(quote):
        found = _find_words(part, words, at)
        if found < 0:
            return _most_similar(quote, text)
        first, at = found if first < 0 else first, found + len(part)
    passage = text[places[first].start() : places[at - 1].end()] if at else ""
    return QuotationCheck(quote, "verbatim", passage)


def _parts(quote: str) -> list[list[str]]:
    """Return the words of each part of a quotation; an author may change its first letter."""
    pieces = (_words(piece) for piece in _OMISSION.split(quote))
    return [piece for piece in pieces if piece]


def _words(text: str) -> list[str]:
    return [_fold(match[0]) for match in _WORD.finditer(text)]


def _fold(word: str) -> str:
    return unicodedata.normalize("NFKC", word).translate(_FOLDED).casefold()


def _find_words(wanted: list[str], words: list[str], start: int) -> int:
    """Return where a run of words begins, or -1."""
    first, size = wanted[0], len(wanted)
    at = start
    while True:
        try:
            at = words.index(first, at)
        except ValueError:
            return -1
        if words[at : at + size] == wanted:
            return at
        at += 1


def _most_similar(quote: str, text: str) -> QuotationCheck:
    """Return the passage most similar to the quotation, with the words that differ."""
    alignment = fuzz.partial_ratio_alignment(
        _fold(quote), _fold(text), score_cutoff=_MIN_SIMILARITY
    )
    if alignment is None:
        return QuotationCheck(quote, "absent")
    around = _whole_words(text, alignment.dest_start, alignment.dest_end)
    passage, differences = compare_words(quote, around)
    if not differences:
        return QuotationCheck(quote, "verbatim", passage)
    return QuotationCheck(quote, "differs", passage, differences)


def _whole_words(text: str, start: int, end: int) -> str:
    """Return the passage with the whole of its first and last word."""
    # folding can change the length of rare characters by a few places
    start, end = min(start, len(text)), min(end, len(text))
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[start:end].strip(" ,;:")


def compare_words(cited: str, source: str) -> tuple[str, tuple[WordDifference, ...]]:
    """Return the passage without words before and after the quotation, and what differs in it."""
    left = [match[0] for match in _WORD.finditer(_OMISSION.sub(" ", cited))]
    places = list(_WORD.finditer(source))
    right = [place[0] for place in places]
    folded = ([_fold(word) for word in words] for words in (left, right))
    codes = difflib.SequenceMatcher(None, *folded, autojunk=False).get_opcodes()
    first, last = 0, len(places)
    if codes[0][0] == "insert":
        first, codes = codes[0][4], codes[1:]
    if codes and codes[-1][0] == "insert":
        last, codes = codes[-1][3], codes[:-1]
    changes = (
        WordDifference(" ".join(left[a:b]), " ".join(right[c:d]))
        for tag, a, b, c, d in codes
        if tag != "equal"
    )
    return source[places[first].start() : places[last - 1].end()], tuple(changes)
