"""Selection of SearXNG instances: better grades first, in rotation within a grade."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter, itemgetter

from webquarry.net.clock import Clock
from webquarry.searxng.instance import GRADES, OWN, Instance


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

    def ranked(self) -> list[Instance]:
        """Return every instance, the best grade first, within a grade in order of rotation."""
        queued = [self.by_url[url] for url in self._queue]
        return sorted(queued, key=attrgetter("preference")) if len(queued) > 1 else queued

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

    def select(self, tried: Iterable[str] = ()) -> SelectedInstance | None:
        """Return the best available instance not tried yet, and move it back in the rotation."""
        now, excluded = self._clock.time(), set(tried)
        candidates = [
            (instance, instance.unavailable_reason(now, self._max_failures))
            for instance in self.ranked()
            if instance.url not in excluded and instance.preference < len(GRADES)
        ]
        available = [instance for instance, unavailable in candidates if not unavailable]
        if not available:
            return None
        selected = available[0]
        self._queue.remove(selected.url)
        # shuffled: anywhere in the later half, so that no instance is used twice in a row
        self._enqueue(selected.url, first=(len(self._queue) + 1) // 2)
        return SelectedInstance(
            instance=selected,
            reason=_reason(selected, available, fallback=bool(excluded)),
            skipped=tuple((i.url, reason) for i, reason in takewhile(itemgetter(1), candidates)),
            has_alternative=len(available) > 1,
        )

    def _enqueue(self, url: str, *, first: int) -> None:
        """Insert a URL at the end, or when shuffling at a random position from `first` on."""
        position = end = len(self._queue)
        if self._shuffle:
            position = first + int(self._clock.random() * (end + 1 - first))
        self._queue.insert(position, url)


def _reason(selected: Instance, available: list[Instance], *, fallback: bool) -> str:
    kind = "configured instance" if selected.grade == OWN else f"grade {selected.grade}"
    peers = sum(instance.preference == selected.preference for instance in available)
    turn = f"next of {peers} in rotation" if peers > 1 else "the only one of its grade available"
    reason = f"{kind}, {turn}"
    return f"{reason}; tried after another failed" if fallback else reason
