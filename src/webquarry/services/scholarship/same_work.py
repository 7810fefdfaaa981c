"""Which records describe the same work."""

from collections.abc import Sequence

from webquarry.content.citations.identifiers import doi_key
from webquarry.content.citations.title_match import same_person, title_key
from webquarry.models.works import Work

_SHARED = ("arxiv", "pmid", "pmcid", "biorxiv", "openalex", "s2")
_TELLING = 20  # letters from which a title alone hardly ever belongs to two works


def grouped(works: Sequence[Work]) -> list[list[int]]:
    """Return the places of records of the same work together, in order of appearance.

    The same is what shares a DOI or another identifier; else what has the same title while its
    first author and year do not contradict. Two DOIs contradict, so that an article, its
    correction and its reprint stay apart.
    """
    groups = _Groups(len(works))
    known: dict[str, int] = {}
    for at, work in enumerate(works):
        for name in _names(work):
            groups.join(known.setdefault(name, at), at)
    titled: dict[str, list[int]] = {}
    for at, work in enumerate(works):
        if key := title_key(work.title):
            titled.setdefault(key, []).append(at)
    for key, places in titled.items():
        _join_titled(works, places, groups, telling=len(key) >= _TELLING)
    return groups.all()


def _join_titled(
    works: Sequence[Work], places: Sequence[int], groups: "_Groups", *, telling: bool
) -> None:
    for number, one in enumerate(places):
        for other in places[number + 1 :]:
            if groups.apart(one, other) and _fits(works, groups, one, other, telling=telling):
                groups.join(one, other)


def _fits(works: Sequence[Work], groups: "_Groups", one: int, other: int, *, telling: bool) -> bool:
    dois = {
        doi_key(doi)
        for at in (*groups.members(one), *groups.members(other))
        if (doi := works[at].doi)
    }
    return len(dois) <= 1 and _agree(works[one], works[other], telling=telling)


def _agree(one: Work, other: Work, *, telling: bool) -> bool:
    """Tell whether first author and year are the same, or at least not different."""
    if one.authors and other.authors and not same_person(one.authors[0], other.authors[0]):
        return False
    if one.year and other.year:
        # printed a year after it was put online
        near = abs(one.year - other.year) <= (1 if telling and one.authors and other.authors else 0)
        return near and (telling or bool(one.authors and other.authors))
    return telling


def _names(work: Work) -> list[str]:
    names = [f"{name}:{work.ids[name].lower()}" for name in _SHARED if name in work.ids]
    return [*names, f"doi:{doi_key(work.doi)}"] if work.doi else names


class _Groups:
    """Sets that can be joined, in order of their first members."""

    def __init__(self, size: int) -> None:
        self._sets = [[at] for at in range(size)]

    def apart(self, one: int, other: int) -> bool:
        return self._sets[one] is not self._sets[other]

    def members(self, one: int) -> list[int]:
        return self._sets[one]

    def join(self, one: int, other: int) -> None:
        if not self.apart(one, other):
            return
        joined = sorted(self._sets[one] + self._sets[other])
        for at in joined:
            self._sets[at] = joined

    def all(self) -> list[list[int]]:
        """Return each set once."""
        return [found for at, found in enumerate(self._sets) if found[0] == at]
