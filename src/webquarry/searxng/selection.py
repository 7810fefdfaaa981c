"""Selection of SearXNG instances: better grades first, then fast ones, in rotation among equals."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import takewhile
from operator import itemgetter

from webquarry.net.clock import Clock
from webquarry.searxng.instance import GRADES, OWN, Instance

_SLOW_FACTOR = 2
_SLOW_MILLISECONDS = 500


@dataclass(frozen=True, kw_only=True)
class SelectedInstance:
    """The instance to use, and the reason."""

    instance: Instance
    reason: str
    skipped: tuple[tuple[str, str], ...] = ()  # preferred instances, and why each is unavailable
    has_alternative: bool = False  # another instance is available as well


class InstanceSelection:
    """All known instances and the order of their rotation."""

    def __init__(self, clock: Clock, *, shuffle: bool, max_failures: int) -> None:
        self._clock = clock
        self._shuffle = shuffle
        self._max_failures = max_failures
        self.by_url: dict[str, Instance] = {}
        self._queue: list[str] = []  # URLs of all grades, the least recently used first
        self.last_selected: tuple[float, SelectedInstance] | None = None  # and when

    def ranked(self) -> list[Instance]:
        """Return every instance, the best grade first, within a grade the slow ones last.

        The others take turns: the fastest one alone would see every query.
        """
        queued = [self.by_url[url] for url in self._queue]
        if len(queued) < 2:
            return queued
        now = self._clock.time()
        fastest: dict[int, int] = {}
        for instance in queued:
            if (known := instance.recent_response_time(now)) is not None:
                grade = instance.preference
                fastest[grade] = min(known, fastest.get(grade, known))
        return sorted(queued, key=lambda i: (i.preference, _is_slow(i, fastest, now)))

    def available(self, tried: Iterable[str] = ()) -> list[Instance]:
        """Return the instances that can be used and were not tried yet, the best first."""
        return [instance for instance, unavailable in self._candidates(tried) if not unavailable]

    def add(self, instance: Instance) -> None:
        """Add an instance that is not known yet, at a random position or last."""
        if instance.url not in self.by_url:
            self.by_url[instance.url] = instance
            self._enqueue(instance.url, first=0)

    def update(self, url: str, change: Callable[[Instance], Instance]) -> None:
        """Replace an instance by what `change` returns; one that was removed stays removed."""
        if url in self.by_url:
            self.by_url[url] = change(self.by_url[url])

    def retain(self, urls: Iterable[str]) -> None:
        """Remove all instances but these."""
        retained = set(urls)
        self.by_url = {url: known for url, known in self.by_url.items() if url in retained}
        self._queue = [url for url in self._queue if url in retained]

    def select(self, tried: Iterable[str] = (), after: str = "") -> SelectedInstance | None:
        """Return the best available instance not tried yet, and move it back in the rotation.

        `after` says why another one is needed after those that were tried.
        """
        candidates = self._candidates(tried)
        available = [instance for instance, unavailable in candidates if not unavailable]
        if not available:
            return None
        chosen = available[0]
        self._queue.remove(chosen.url)
        # shuffled: anywhere in the later half, so that no instance is used twice in a row
        self._enqueue(chosen.url, first=(len(self._queue) + 1) // 2)
        selected = SelectedInstance(
            instance=chosen,
            reason=_reason(chosen, available, after if tried else ""),
            skipped=tuple((i.url, reason) for i, reason in takewhile(itemgetter(1), candidates)),
            has_alternative=len(available) > 1,
        )
        self.last_selected = (self._clock.time(), selected)
        return selected

    def _candidates(self, tried: Iterable[str]) -> list[tuple[Instance, str]]:
        """Return the instances not tried yet, the best first, and why each is unavailable."""
        now, excluded = self._clock.time(), set(tried)
        return [
            (instance, instance.unavailable_reason(now, self._max_failures))
            for instance in self.ranked()
            if instance.url not in excluded and instance.preference < len(GRADES)
        ]

    def _enqueue(self, url: str, *, first: int) -> None:
        """Insert a URL at the end, or when shuffling at a random position from `first` on."""
        position = end = len(self._queue)
        if self._shuffle:
            position = first + int(self._clock.random() * (end + 1 - first))
        self._queue.insert(position, url)


def _is_slow(instance: Instance, fastest: dict[int, int], now: float) -> bool:
    """Tell whether it is much slower than the fastest instance of its grade."""
    known = instance.recent_response_time(now)
    if known is None:
        return False
    best = fastest[instance.preference]
    return known > _SLOW_FACTOR * best and known > best + _SLOW_MILLISECONDS


def _reason(selected: Instance, available: list[Instance], after: str) -> str:
    kind = "configured instance" if selected.grade == OWN else f"grade {selected.grade}"
    peers = sum(instance.preference == selected.preference for instance in available)
    turn = f"next of {peers} in rotation" if peers > 1 else "the only one of its grade available"
    reason = f"{kind}, {turn}"
    return f"{reason}; {after}" if after else reason
