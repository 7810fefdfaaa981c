"""Groups records of the same work."""

from collections.abc import Sequence

from webquarry.content.citations.identifiers import doi_key
from webquarry.content.citations.title_match import same_person, title_key
from webquarry.models.works import Work

_SHARED = ("arxiv", "pmid", "pmcid", "biorxiv", "openalex", "s2")
_DISTINCTIVE = 20  # characters of a title that rarely belongs to two works


def group_same_works(works: Sequence[Work]) -> list[list[int]]:
    """Return the indexes of records of the same work together, in order of appearance.

    Records are of the same work if they share a DOI or another identifier, or if they have the
    same title and no different first author, year or DOI. So an article, its correction and its
    reprint stay separate.
    """
    groups = _Groups(len(works))
    known: dict[str, int] = {}
    for at, work in enumerate(works):
        for name in _identifiers(work):
            groups.join(known.setdefault(name, at), at)
    titled: dict[str, list[int]] = {}
    for at, work in enumerate(works):
        if key := title_key(work.title):
            titled.setdefault(key, []).append(at)
    for key, indexes in titled.items():
        _join_titled(works, indexes, groups, distinctive=len(key) >= _DISTINCTIVE)
    return groups.all()


def _join_titled(
    works: Sequence[Work], indexes: Sequence[int], groups: "_Groups", *, distinctive: bool
) -> None:
    for number, one in enumerate(indexes):
        for other in indexes[number + 1 :]:
            if groups.apart(one, other) and _fits(
                works, groups, one, other, distinctive=distinctive
            ):
                groups.join(one, other)


def _fits(
    works: Sequence[Work], groups: "_Groups", one: int, other: int, *, distinctive: bool
) -> bool:
    dois = {
        doi_key(doi)
        for at in (*groups.members(one), *groups.members(other))
        if (doi := works[at].doi)
    }
    return len(dois) <= 1 and _agree(works[one], works[other], distinctive=distinctive)


def _agree(one: Work, other: Work, *, distinctive: bool) -> bool:
    """Tell whether first author and year are equal, or not known to differ."""
    both_authors = bool(one.authors and other.authors)
    if both_authors and not same_person(one.authors[0], other.authors[0]):
        return False
    if not (one.year and other.year):
        return distinctive
    # the printed version may appear a year after the online version
    tolerance = 1 if distinctive and both_authors else 0
    return abs(one.year - other.year) <= tolerance and (distinctive or both_authors)


def _identifiers(work: Work) -> list[str]:
    names = [f"{name}:{work.ids[name].lower()}" for name in _SHARED if name in work.ids]
    return [*names, f"doi:{doi_key(work.doi)}"] if work.doi else names


class _Groups:
    """Disjoint sets of indexes, in order of their first members."""

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
