"""Links to a passage of a page: text fragments (`#:~:text=`).

Specification: https://wicg.github.io/scroll-to-text-fragment/
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote

DELIMITER = ":~:"
_KEY = "text="
_DIRECTIVE = re.compile(
    r"(?:(?P<prefix>[^,-]+)-,)?(?P<start>[^,-]+)(?:,(?P<end>[^,-]+))?(?:,-(?P<suffix>[^,-]+))?",
    re.DOTALL,
)
_MAX_EXACT_CHARS = 300  # a longer passage is identified by its start and end
_WORD_COUNTS = (5, 10, 20, 40)  # words of start, end, prefix and suffix, tried in this order
_CHARS_PER_FIVE_WORDS = 40  # limits the words of scripts without spaces
# each character of these scripts may be a word
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)


class Directive(NamedTuple):
    """A passage: its text or its start and end, and the text around it."""

    start: str
    end: str = ""
    prefix: str = ""
    suffix: str = ""

    def encode(self) -> str:
        """Return the directive in the form used in a URL."""
        parts = (
            f"{_encoded(self.prefix)}-" if self.prefix else "",
            _encoded(self.start),
            _encoded(self.end),
            f"-{_encoded(self.suffix)}" if self.suffix else "",
        )
        return _KEY + ",".join(filter(None, parts))


class TextSpan(NamedTuple):
    """A range of characters in a text."""

    start: int
    end: int


def with_fragment(url: str, directive: Directive) -> str:
    """Return the URL of the passage; the page's own fragment stays."""
    base, hash_, fragment = url.partition("#")
    own = fragment.partition(DELIMITER)[0] if hash_ else ""
    return f"{base}#{own}{DELIMITER}{directive.encode()}"


def without_fragment(url: str) -> str:
    """Return the URL without a text directive."""
    base, _, fragment = url.partition("#")
    own = fragment.partition(DELIMITER)[0]
    return f"{base}#{own}" if own else base


def directives_in(url: str) -> list[Directive]:
    """Return the text directives of a URL, without malformed ones."""
    parts = url.partition("#")[2].partition(DELIMITER)[2].split("&")
    values = (part.removeprefix(_KEY) for part in parts if part.startswith(_KEY))
    return [_decode(match) for match in map(_DIRECTIVE.fullmatch, values) if match]


def normalize_text(text: str) -> str:
    """Return the text with single spaces; each line is a block of the page."""
    cells = re.sub(r"(?<![ \t])[ \t]+\|[ \t]+", "\n", text)  # table cells are blocks, too
    return "\n".join(line for part in cells.splitlines() if (line := " ".join(part.split())))


class PageText:
    """The text of a page, searched for passages as a browser does."""

    def __init__(self, text: str) -> None:
        self.text = normalize_text(text)

    def span_of(self, passage: str) -> TextSpan | None:
        """Return the range of an exact passage, or None."""
        text = normalize_text(passage)
        at = self.text.find(text) if text else -1
        return TextSpan(at, at + len(text)) if at >= 0 else None

    def directive_for(self, span: TextSpan) -> Directive | None:
        """Return a directive whose first match is the span, or None if there is none."""
        target = self._whole_words(span)
        has_surrogates = re.search(r"[\ud800-\udfff]", self.text[target.start : target.end])
        if target.start >= target.end or has_surrogates:
            return None
        candidates = self._candidates(target)
        return next((each for each in candidates if self.find(each) == target), None)

    def find(self, directive: Directive) -> TextSpan | None:
        """Return the first match of a directive, as the specification defines it."""
        start, end = _folded(directive.start), _folded(directive.end)
        prefix, suffix = _folded(directive.prefix), _folded(directive.suffix)
        if not start or bool(directive.end) > bool(end):
            return None
        for first in self._starts(prefix, start, bounded=bool(end) or not suffix):
            ends = self._matches(end, first.end, opens=True, closes=not suffix) if end else (first,)
            for last in ends:
                if not suffix or self._is_followed_by(last.end, suffix):
                    return self._original(TextSpan(first.start, last.end))
        return None

    def _starts(self, prefix: str, start: str, *, bounded: bool) -> Iterator[TextSpan]:
        if not prefix:
            yield from self._matches(start, 0, opens=True, closes=bounded)
            return
        for before in self._matches(prefix, 0, opens=True, closes=False):
            at = self._skip_spaces(before.end)
            closes = not bounded or self._is_boundary(at + len(start))
            if self._folded.startswith(start, at) and closes:
                yield TextSpan(at, at + len(start))

    def _is_followed_by(self, at: int, suffix: str) -> bool:
        at = self._skip_spaces(at)
        return self._folded.startswith(suffix, at) and self._is_boundary(at + len(suffix))

    def _matches(self, term: str, at: int, *, opens: bool, closes: bool) -> Iterator[TextSpan]:
        while (at := self._folded.find(term, at)) >= 0:
            end = at + len(term)
            starts_well = not opens or self._is_boundary(at)
            if starts_well and (not closes or self._is_boundary(end)):
                yield TextSpan(at, end)
            at += 1

    def _skip_spaces(self, at: int) -> int:
        while at < len(self._folded) and self._folded[at].isspace():
            at += 1
        return at

    def _is_boundary(self, at: int) -> bool:
        if at <= 0 or at >= len(self._folded):
            return True
        return not (_in_word(self._folded[at - 1]) and _in_word(self._folded[at]))

    @cached_property
    def _folded_with_indexes(self) -> tuple[str, list[int]]:
        """The text without case and accents, and each character's index in the original."""
        if self.text.isascii():
            return self.text.lower(), list(range(len(self.text)))
        folded = [_folded_character(character) for character in self.text]
        indexes = [index for index, part in enumerate(folded) for _ in part]
        return "".join(folded), indexes

    @property
    def _folded(self) -> str:
        return self._folded_with_indexes[0]

    def _original(self, span: TextSpan) -> TextSpan:
        indexes = self._folded_with_indexes[1]
        end = indexes[span.end - 1] + 1
        while end < len(self.text) and not _folded_character(self.text[end]):
            end += 1  # combining marks
        return TextSpan(indexes[span.start], end)

    def _whole_words(self, span: TextSpan) -> TextSpan:
        """Return the span without surrounding spaces, extended to complete words."""
        start, end = self._stripped(span)
        if start == end:
            return TextSpan(start, start)
        while start > 0 and _is_same_word(self.text[start - 1], self.text[start]):
            start -= 1
        while end < len(self.text) and _is_same_word(self.text[end - 1], self.text[end]):
            end += 1
        return TextSpan(start, end)

    def _stripped(self, span: TextSpan) -> TextSpan:
        start, end = span
        while start < end and not _folded_character(self.text[start]).strip():
            start += 1
        while end > start and not _folded_character(self.text[end - 1]).strip():
            end -= 1
        return TextSpan(start, end)

    def _candidates(self, span: TextSpan) -> Iterator[Directive]:
        """Yield directives for the span, the shortest first."""
        without_context = list(self._exact_or_range(span))
        yield from without_context
        for count in _WORD_COUNTS:
            prefix = self._words_before(span.start, count)
            suffix = self._words_after(span.end, count)
            for directive in without_context:
                yield directive._replace(prefix=prefix)
                yield directive._replace(suffix=suffix)
                yield directive._replace(prefix=prefix, suffix=suffix)

    def _exact_or_range(self, span: TextSpan) -> Iterator[Directive]:
        passage = self.text[span.start : span.end]
        if "\n" not in passage and len(passage) <= _MAX_EXACT_CHARS:
            yield Directive(passage)
            return
        first, last = passage.split("\n")[0], passage.split("\n")[-1]
        for count in _WORD_COUNTS:
            yield Directive(_first_words(first, count), end=_last_words(last, count))

    def _words_before(self, at: int, count: int) -> str:
        lines = self.text[max(0, at - 1000) : at].rstrip().rsplit("\n", 1)
        return _last_words(lines[-1].strip(), count)

    def _words_after(self, at: int, count: int) -> str:
        lines = self.text[at : at + 1000].lstrip().split("\n", 1)
        return _first_words(lines[0].strip(), count)


def _decode(match: re.Match[str]) -> Directive:
    terms = match.groupdict("").items()
    return Directive(**{name: unquote(term, errors="replace") for name, term in terms})


def _encoded(term: str) -> str:
    return quote(term, safe="").replace("-", "%2D")  # a bare dash marks prefix and suffix


def _folded(term: str) -> str:
    return "".join(map(_folded_character, " ".join(term.split())))


@lru_cache(maxsize=1 << 14)
def _folded_character(character: str) -> str:
    """Return the character as a browser compares it: without accents and case."""
    if character == "\n":
        return character
    parts = unicodedata.normalize("NFKD", character)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def _in_word(character: str) -> bool:
    return (character.isalnum() or character == "_") and not _UNSPACED.match(character)


def _is_same_word(left: str, right: str) -> bool:
    """Tell whether two adjacent characters are parts of one word."""
    if left.isspace() or right.isspace():
        return False
    before, after = _folded_character(left), _folded_character(right)
    if not after:  # a combining mark belongs to the character before it
        return True
    return _in_word(after[0]) and (not before or _in_word(before[-1]))


def _first_words(line: str, count: int) -> str:
    words = " ".join(line.split()[:count])
    limit = _CHARS_PER_FIVE_WORDS * count // 5
    return words if len(words) <= limit else _cut(words, limit)


def _last_words(line: str, count: int) -> str:
    return _first_words(line[::-1], count)[::-1]


def _cut(text: str, limit: int) -> str:
    """Return the start of a long text, up to the end of a word."""
    end = limit
    while end > 0 and _is_same_word(text[end - 1], text[end]):
        end -= 1
    return text[: end or limit].strip()
