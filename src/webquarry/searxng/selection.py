"""Whose turn it is: better grades first, and within a grade one after the other."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter

from webquarry.net.clock import Clock
from webquarry.searxng.instance import GRADES, OWN, Instance


@dataclass(frozen=True, kw_only=True)
class SelectedInstance:
    """An instance to ask, and the reason."""

    instance: Instance
    why: str
    skipped: tuple[tuple[str, str], ...] = ()  # better ones, and why not they


class InstanceSelection:
    """All known instances and the order of their turns."""

    def __init__(self, clock: Clock, *, shuffle: bool, most_failures: int) -> None:
        self._clock = clock
        self._shuffle = shuffle
        self._most = most_failures
        self._known: dict[str, Instance] = {}
        self._queue: list[str] = []  # of all grades; who was asked last stands last

    def __len__(self) -> int:
        return len(self._known)

    def all(self) -> list[Instance]:
        """Return every instance, best grade first, in the order of turns."""
        queued = [self._known[url] for url in self._queue]
        return sorted(queued, key=_tier) if len(queued) > 1 else queued

    def get(self, url: str) -> Instance:
        """Return the instance as it is now."""
        return self._known[url]

    def add(self, instance: Instance) -> None:
        """Take in an instance that is not known yet, at a random place or at the end."""
        if instance.url in self._known:
            return
        self._known[instance.url] = instance
        self._queue.insert(self._place(0) if self._shuffle else len(self._queue), instance.url)

    def change(self, url: str, how: Callable[[Instance], Instance]) -> None:
        """Replace an instance by what `how` makes of it; one that is gone stays gone."""
        if url in self._known:
            self._known[url] = how(self._known[url])

    def keep_only(self, urls: Iterable[str]) -> None:
        """Forget the instances that no source lists any more."""
        kept = set(urls)
        self._known = {url: found for url, found in self._known.items() if url in kept}
        self._queue = [url for url in self._queue if url in kept]

    def next(self, without: Iterable[str] = ()) -> SelectedInstance | None:
        """Return whose turn it is among those not asked yet, and give the next turn to others."""
        now = self._clock.today()
        tried = set(without)
        skipped: list[tuple[str, str]] = []
        chosen: Instance | None = None
        peers = 0
        for instance in self.all():
            if instance.url in tried or instance.tier == len(GRADES):
                continue
            if chosen and instance.tier > chosen.tier:
                break
            objection = instance.objection(now, self._most)
            if not objection:
                chosen = chosen or instance
                peers += 1
            elif not chosen:
                skipped.append((instance.url, objection))
        if chosen is None:
            return None
        self._used(chosen.url)
        why = _reason(chosen, peers, fallback=bool(tried))
        return SelectedInstance(instance=chosen, why=why, skipped=tuple(skipped))

    def has_other(self, without: Iterable[str]) -> bool:
        """Whether an instance besides these may be asked now."""
        now, tried = self._clock.today(), set(without)
        return any(
            url not in tried and i.tier < len(GRADES) and not i.objection(now, self._most)
            for url, i in self._known.items()
        )

    def _used(self, url: str) -> None:
        """Put it behind the others, in random order anywhere in the later half."""
        self._queue.remove(url)
        later = (len(self._queue) + 1) // 2
        self._queue.insert(self._place(later) if self._shuffle else len(self._queue), url)

    def _place(self, first: int) -> int:
        return first + int(self._clock.chance() * (len(self._queue) + 1 - first))


_tier = attrgetter("tier")


def _reason(instance: Instance, peers: int, *, fallback: bool) -> str:
    kind = "configured instance" if instance.grade == OWN else f"grade {instance.grade}"
    turn = f"its turn among {peers}" if peers > 1 else "the only one of its grade available"
    told = f"{kind}, {turn}"
    return f"{told}; asked after another failed" if fallback else told
