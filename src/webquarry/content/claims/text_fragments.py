"""Links to a passage that a browser finds: text fragments (`#:~:text=`).

As https://wicg.github.io/scroll-to-text-fragment/ defines them.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

DELIMITER = ":~:"
_NAME = "text="
_LONGEST_EXACT = 300  # characters; a longer passage is named by its start and end
_WORDS = (5, 10, 20, 40)  # of the start and end of a long passage, and of what surrounds one
_LONGEST_PIECE = 40  # characters per ten words, for scripts without spaces
# each sign of these scripts may be a word of its own
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)


class Directive(NamedTuple):
    """A passage: its text or its start and end, and what stands around it."""

    start: str
    end: str = ""
    prefix: str = ""
    suffix: str = ""

    def encode(self) -> str:
        """Return it as it stands in an address."""
        parts = (
            f"{_encoded(self.prefix)}-" if self.prefix else "",
            _encoded(self.start),
            _encoded(self.end) if self.end else "",
            f"-{_encoded(self.suffix)}" if self.suffix else "",
        )
        return _NAME + ",".join(part for part in parts if part)


class TextSpan(NamedTuple):
    """A part of a text."""

    start: int
    end: int


def with_fragment(url: str, directive: Directive) -> str:
    """Return the address of the passage; the page's own fragment stays."""
    base, hash_, fragment = url.partition("#")
    own = fragment.partition(DELIMITER)[0] if hash_ else ""
    return f"{base}#{own}{DELIMITER}{directive.encode()}"


def without_fragment(url: str) -> str:
    """Return the address of the page that a passage is on."""
    base, _, fragment = url.partition("#")
    own = fragment.partition(DELIMITER)[0]
    return f"{base}#{own}" if own else base


def directives_in(url: str) -> list[Directive]:
    """Return the passages an address names; those that are not well formed name none."""
    _, found, listed = url.partition("#")[2].partition(DELIMITER)
    if not found:
        return []
    values = (part.removeprefix(_NAME) for part in listed.split("&") if part.startswith(_NAME))
    return [directive for value in values if (directive := _decode(value))]


def normalised(text: str) -> str:
    """Return the text with single spaces; every line of it is a block of the page."""
    cells = re.sub(r"[ \t]+\|[ \t]+", "\n", text)  # cells of a table are blocks as well
    return "\n".join(line for part in cells.splitlines() if (line := " ".join(part.split())))


class PageText:
    """The text of a page in which passages are looked for, as a browser does."""

    def __init__(self, text: str) -> None:
        self.text = normalised(text)

    def span_of(self, passage: str) -> TextSpan | None:
        """Return where a passage stands word for word, or None."""
        wanted = normalised(passage)
        at = self.text.find(wanted) if wanted else -1
        return TextSpan(at, at + len(wanted)) if at >= 0 else None

    def directive_for(self, span: TextSpan) -> Directive | None:
        """Return what finds the words of the span and nothing before them, None if nothing can."""
        wanted = self._whole_words(span)
        if wanted.start >= wanted.end or not _encodable(self.text[wanted.start : wanted.end]):
            return None
        for directive in self._candidates(wanted):
            if self.find(directive) == wanted:
                return directive
        return None

    def find(self, directive: Directive) -> TextSpan | None:
        """Return the first passage that fits, by the steps of the specification."""
        start, end = _folded(directive.start), _folded(directive.end)
        prefix, suffix = _folded(directive.prefix), _folded(directive.suffix)
        if not start or bool(directive.end) > bool(end):
            return None
        for first in self._starts(prefix, start, bounded=bool(end) or not suffix):
            ends = self._ends(first.end, end, bounded=not suffix) if end else iter((first.end,))
            for last in ends:
                if not suffix or self._followed(last, suffix):
                    return self._original(TextSpan(first.start, last))
        return None

    def _starts(self, prefix: str, start: str, *, bounded: bool) -> Iterator[TextSpan]:
        if not prefix:
            yield from self._matches(start, 0, opens=True, closes=bounded)
            return
        for before in self._matches(prefix, 0, opens=True, closes=False):
            at = self._skip(before.end)
            closes = not bounded or self._is_boundary(at + len(start))
            if self._folded.startswith(start, at) and closes:
                yield TextSpan(at, at + len(start))

    def _ends(self, after: int, end: str, *, bounded: bool) -> Iterator[int]:
        for match in self._matches(end, after, opens=True, closes=bounded):
            yield match.end

    def _followed(self, at: int, suffix: str) -> bool:
        at = self._skip(at)
        return self._folded.startswith(suffix, at) and self._is_boundary(at + len(suffix))

    def _matches(self, term: str, at: int, *, opens: bool, closes: bool) -> Iterator[TextSpan]:
        while (at := self._folded.find(term, at)) >= 0:
            end = at + len(term)
            starts_well = not opens or self._is_boundary(at)
            if starts_well and (not closes or self._is_boundary(end)):
                yield TextSpan(at, end)
            at += 1

    def _skip(self, at: int) -> int:
        while at < len(self._folded) and self._folded[at].isspace():
            at += 1
        return at

    def _is_boundary(self, at: int) -> bool:
        if at <= 0 or at >= len(self._folded):
            return True
        return not (_in_word(self._folded[at - 1]) and _in_word(self._folded[at]))

    @cached_property
    def _pairs(self) -> tuple[str, list[int]]:
        """The text without case and accents, and where each of its characters comes from."""
        if self.text.isascii():
            return self.text.lower(), list(range(len(self.text)))
        pieces: list[str] = []
        places: list[int] = []
        for at, character in enumerate(self.text):
            plain = _folded_character(character)
            pieces.append(plain)
            places += [at] * len(plain)
        return "".join(pieces), places

    @property
    def _folded(self) -> str:
        return self._pairs[0]

    def _original(self, span: TextSpan) -> TextSpan:
        places = self._pairs[1]
        end = places[span.end - 1] + 1
        while end < len(self.text) and not _folded_character(self.text[end]):
            end += 1  # accents that stand for themselves
        return TextSpan(places[span.start], end)

    def _whole_words(self, span: TextSpan) -> TextSpan:
        """Return the span without spaces around it, extended to the words it cuts."""
        start, end = span
        while start < end and not _folded_character(self.text[start]).strip():
            start += 1
        while end > start and not _folded_character(self.text[end - 1]).strip():
            end -= 1
        if start == end:
            return TextSpan(start, start)
        while start > 0 and _joined(self.text[start - 1], self.text[start]):
            start -= 1
        while end < len(self.text) and (
            _joined(self.text[end - 1], self.text[end]) or not _folded_character(self.text[end])
        ):
            end += 1
        return TextSpan(start, end)

    def _candidates(self, span: TextSpan) -> Iterator[Directive]:
        """Yield what could name the span, the shortest first."""
        named = list(self._named(span))
        yield from named
        for count in _WORDS:
            before, after = self._before(span.start, count), self._after(span.end, count)
            for part in named:
                yield part._replace(prefix=before)
                yield part._replace(suffix=after)
                yield part._replace(prefix=before, suffix=after)

    def _named(self, span: TextSpan) -> Iterator[Directive]:
        passage = self.text[span.start : span.end]
        if "\n" not in passage and len(passage) <= _LONGEST_EXACT:
            yield Directive(passage)
            return
        first, last = passage.split("\n")[0], passage.split("\n")[-1]
        for count in _WORDS:
            yield Directive(_head(first, count), end=_tail(last, count))

    def _before(self, at: int, count: int) -> str:
        lines = self.text[max(0, at - 1000) : at].rstrip().rsplit("\n", 1)
        return _tail(lines[-1].strip(), count)

    def _after(self, at: int, count: int) -> str:
        lines = self.text[at : at + 1000].lstrip().split("\n", 1)
        return _head(lines[0].strip(), count)


def _decode(value: str) -> Directive | None:
    tokens = value.split(",")
    prefix = suffix = ""
    if not 1 <= len(tokens) <= 4:
        return None
    if tokens[0].endswith("-"):
        prefix = tokens.pop(0)[:-1]
        if not _is_term(prefix) or not tokens:
            return None
    if tokens[-1].startswith("-"):
        suffix = tokens.pop()[1:]
        if not _is_term(suffix) or not tokens:
            return None
    if len(tokens) > 2 or not all(map(_is_term, tokens)):
        return None
    terms = (*tokens, "")[:2]
    return Directive(*map(_decoded, (terms[0], terms[1], prefix, suffix)))


def _is_term(token: str) -> bool:
    return bool(token) and "-" not in token


def _encoded(term: str) -> str:
    return quote(term, safe="").replace("-", "%2D")  # a bare dash marks prefix and suffix


def _decoded(term: str) -> str:
    return unquote_to_bytes(term).decode("utf-8", "replace")


def _encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _folded(term: str) -> str:
    return "".join(map(_folded_character, " ".join(term.split())))


@lru_cache(maxsize=1 << 14)
def _folded_character(character: str) -> str:
    """Return the letter that a browser compares: without accents and case."""
    if character == "\n":
        return character
    parts = unicodedata.normalize("NFKD", character)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def _in_word(character: str) -> bool:
    return (character.isalnum() or character == "_") and not _UNSPACED.match(character)


def _joined(left: str, right: str) -> bool:
    """Tell whether two neighbours are parts of one word."""
    if left.isspace() or right.isspace():
        return False
    before, after = _folded_character(left), _folded_character(right)
    if not after:  # an accent belongs to what it stands on
        return True
    return _in_word(after[0]) and (not before or _in_word(before[-1]))


def _head(line: str, count: int) -> str:
    words = " ".join(line.split()[:count])
    most = _LONGEST_PIECE * count // 5
    return words if len(words) <= most else _cut(words, most)


def _tail(line: str, count: int) -> str:
    words = " ".join(line.split()[-count:])
    most = _LONGEST_PIECE * count // 5
    return words if len(words) <= most else _cut(words[::-1], most)[::-1]


def _cut(text: str, most: int) -> str:
    """Return the start of a long text, up to the end of a word."""
    end = most
    while end > 0 and _joined(text[end - 1], text[end]):
        end -= 1
    return text[: end or most].strip()
