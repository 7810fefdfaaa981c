"""Detects crawl traps: URLs of one shape that bring no new content, however many are read."""

import hashlib
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from webquarry.crawl.store.crawl_values import ShapeStates
from webquarry.crawl.url_shapes import UrlShapes, is_progression, shapes_of

_MAX_LENGTH = 2_000
_MAX_SEGMENTS = 24
_MAX_REPEATS = 3  # of one segment, like /a/b/a/b/a/b
_MAX_SHAPES = 2_000  # that are remembered
_MAX_WORDS = 20_000  # of one shape that are remembered, twice
_ALL_WORDS = 400_000  # of all shapes
_BROAD_FACTOR = 4  # the window of a group of shapes is so much longer
_MAX_TEXT = 16_000  # characters of a page that are looked at
_CHECK_EVERY = 32  # pages of a shape that seems to be fine
_FIRST_PROBE = 8  # URLs of an exhausted shape that are skipped before one is read
_MIN_NUMBERS = 5  # new numbers that make a page new without a new word
_WARM_UP = 4  # pages after a restart that teach the words of a shape
_MAX_STORED = 200  # shapes
_DIGITS = re.compile(r"\d+")
_PUNCTUATION = ".,;:!?#()[]{}\"'"

ShapeState = tuple[int, int, int, int]


@dataclass(frozen=True)
class TrapLimits:
    """When the URLs of one shape are a trap."""

    window: int = 32  # recent pages that are judged; 0: URLs are never judged by their pages
    new_share: float = 0.1  # of the pages in the window that must bring something new


class Traps:
    """Judges the URLs of one crawl: by their form, and by what the pages of their shape brought."""

    def __init__(self, limits: TrapLimits | None = None) -> None:
        self._limits = limits or TrapLimits()
        self._shapes: OrderedDict[str, _Shape] = OrderedDict()
        self._stored: ShapeStates = {}  # of earlier runs
        self._poor: dict[str, _Shape] = {}  # by blinded shape
        self._words = 0

    def load(self, stored: ShapeStates) -> None:
        """Load what earlier runs know."""
        self._stored = dict(stored)

    def state(self) -> ShapeStates:
        """Return what the next run must know: the shapes that bring little."""
        return {name: shape.state for name, shape in self._poor.items()}

    def is_trap(self, url: str) -> bool:
        """Whether the form of a URL shows that it is one of infinitely many."""
        if len(url) > _MAX_LENGTH:
            return True
        segments = url.partition("?")[0].split("/")[3:]
        return len(segments) > _MAX_SEGMENTS or _has_repeated_segments(segments)

    def is_exhausted(self, url: str) -> bool:
        """Whether the pages of this shape bring nothing new; some are still read, to notice it."""
        if not self._limits.window:
            return False
        shapes = shapes_of(url)
        own, broad = self._known(shapes.own), self._known(shapes.broad)
        if own is not None and own.is_judged:
            return own.is_exhausted and not own.takes_probe()
        return broad is not None and broad.is_exhausted and not broad.takes_probe()

    def note_page(
        self,
        url: str,
        words: Callable[[], set[str]],
        links: Callable[[], Iterable[str]],
        *,
        is_new: bool,
    ) -> None:
        """Count a page. `is_new`: its text as a whole is unlike that of earlier pages."""
        if not self._limits.window:
            return
        shapes = shapes_of(url)
        own, broad = self._shape(shapes.own), self._shape(shapes.broad)
        checked = [
            shape
            for shape in (own, broad)
            if shape and (shape.needs_check() or not is_new or shapes.has_query)
        ]
        for shape in (own, broad):
            if shape and shape not in checked:
                shape.note(is_new=True)
        if not checked:
            return
        found = words()
        for shape in checked:
            new = shape.learn(found)
            self._words += len(new)
            has_content = _is_new(new, url)
            shape.note_content(is_new=has_content)
            shape.note(is_new=has_content or self._leads_on(links(), shapes))
        self._remember_poor(shapes.own, own)
        self._remember_poor(shapes.broad, broad)
        self._forget()

    def _remember_poor(self, name: str, shape: "_Shape | None") -> None:
        if shape and shape.is_poor and len(self._poor) < _MAX_STORED:
            self._poor[_blinded(name)] = shape

    def _leads_on(self, links: Iterable[str], shapes: UrlShapes) -> bool:
        """Whether a page leads to new URLs other than more of its kind."""
        for link in links:
            other = shapes_of(link)
            is_same = other.path == shapes.path or (other.broad and other.broad == shapes.broad)
            if not is_same and not is_progression(link) and self._is_productive(other):
                return True
        return False

    def _is_productive(self, shapes: UrlShapes) -> bool:
        """Whether the pages of a shape have content of their own, as far as is known."""
        shape = self._known(shapes.own or shapes.broad)
        return shape is None or shape.is_productive

    def _known(self, name: str) -> "_Shape | None":
        shape = self._shapes.get(name)
        if shape is None and self._stored and name and (state := self._stored.get(_blinded(name))):
            shape = self._shapes[name] = _Shape(self._limits, _factor(name), state)
        return shape

    def _shape(self, name: str) -> "_Shape | None":
        if not name:
            return None
        shape = self._known(name)
        if shape is None:
            shape = self._shapes[name] = _Shape(self._limits, _factor(name))
        return shape

    def _forget(self) -> None:
        """Forget the words of shapes if there are too many."""
        if self._words > _ALL_WORDS:
            self._words = 0
            for shape in self._shapes.values():
                shape.forget_older_words()
                self._words += shape.words
        if len(self._shapes) > _MAX_SHAPES:
            name, shape = self._shapes.popitem(last=False)
            if shape.is_exhausted:  # it must be remembered
                self._shapes[name] = shape
            else:
                self._words -= shape.words


class _Shape:
    """What the recent pages of one shape brought."""

    def __init__(
        self, limits: TrapLimits, factor: int, state: ShapeState = (0, 0, 0, _FIRST_PROBE)
    ) -> None:
        self.pages, self._recent, self._skipped, self._until_probe = state
        self._window = limits.window * factor
        self._run = self._window * 3 // 8  # pages without anything new that are enough
        self._mask = (1 << self._window) - 1
        self._min_new = limits.new_share * self._window
        self._checked = 0  # pages whose own content was checked
        self._content = 0  # a bit for each recent one of them
        self._warm_up = _WARM_UP if self.pages else 0
        self._current: set[str] = set()
        self._older: set[str] = set()

    @property
    def state(self) -> ShapeState:
        return self.pages, self._recent, self._skipped, self._until_probe

    @property
    def words(self) -> int:
        return len(self._current) + len(self._older)

    @property
    def is_judged(self) -> bool:
        return self.pages >= self._run

    @property
    def is_poor(self) -> bool:
        judged = min(self.pages, self._window)
        return judged >= _FIRST_PROBE and 2 * self._recent.bit_count() < judged

    @property
    def is_exhausted(self) -> bool:
        if not self.is_judged:
            return False
        lately = self._recent & ((1 << self._run) - 1)
        few = self.pages >= self._window and self._recent.bit_count() < self._min_new
        return few or not lately

    @property
    def is_productive(self) -> bool:
        return self._checked < self._run or self._content.bit_count() > self._min_new

    def takes_probe(self) -> bool:
        """Whether a URL of an exhausted shape is read, to see whether there is something new."""
        self._skipped += 1
        if self._skipped <= self._until_probe:
            return False
        self._skipped = 0
        return True

    def needs_check(self) -> bool:
        # a shape whose pages are all new is checked now and then
        return self.pages % _CHECK_EVERY == 0 or self.is_poor

    def learn(self, words: set[str]) -> set[str]:
        """Return the words that were not on recent pages, and remember them."""
        new = {word for word in words - self._current - self._older if not _is_visible_url(word)}
        self._current |= new
        if len(self._current) > _MAX_WORDS:
            self.forget_older_words()
        return new

    def forget_older_words(self) -> None:
        self._older, self._current = self._current, set()

    def note_content(self, *, is_new: bool) -> None:
        """Count whether a page had content of its own, apart from links."""
        self._checked += 1
        self._content = (self._content << 1 | is_new) & self._mask

    def note(self, *, is_new: bool) -> None:
        if self._warm_up:  # all words are new after a restart
            self._warm_up -= 1
            return
        if self.is_exhausted:
            self._until_probe = 0 if is_new else max(_FIRST_PROBE, 2 * self._until_probe)
        self.pages += 1
        self._recent = (self._recent << 1 | is_new) & self._mask


def _is_new(words: set[str], url: str) -> bool:
    """Whether a page with these new words brings something new."""
    numbers: set[str] = set()
    for word in words:
        if not _DIGITS.search(word):
            return True
        numbers.add(word.strip(_PUNCTUATION))
    if len(numbers) >= _MIN_NUMBERS:
        return True
    # "Item 17" at ?id=17 is an item of its own; "Page 17" at ?page=17 need not be
    return not is_progression(url) and not numbers.isdisjoint(_DIGITS.findall(url))


def _is_visible_url(word: str) -> bool:
    return "/" in word or "=" in word


def words_of(title: str, text: str) -> set[str]:
    """Return the words of a page, of the first part if it is long."""
    words = set(text[:_MAX_TEXT].split())
    words.update(title.split())
    return words


def _factor(name: str) -> int:
    return _BROAD_FACTOR if name.endswith(("?", "/**")) else 1


def _blinded(shape: str) -> str:
    # the key of a job's URLs would do too, but shapes are few and need no salt to be looked up
    return hashlib.blake2b(shape.encode("utf-8", "replace"), digest_size=12).hexdigest()


def _has_repeated_segments(segments: list[str]) -> bool:
    """Whether a segment repeats too often; numbers may."""
    if len(segments) - len(set(segments)) < _MAX_REPEATS:
        return False
    counts = Counter(segment for segment in segments if segment and not segment.isdigit())
    return bool(counts) and max(counts.values()) > _MAX_REPEATS
