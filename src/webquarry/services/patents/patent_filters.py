"""Filters patents by what their registry could not filter by, and groups them by assignee."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from webquarry.content.citations.patent_numbers import same_patent
from webquarry.content.text.company_names import company_key, contains_name, short_name
from webquarry.models.patents import AssigneeCluster, Patent, PatentQuery

# a filter returns None when the record lacks the field
_Filter = Callable[[Patent, PatentQuery], bool | None]


def _has_name(name: str | None, names: Iterable[str | None]) -> bool | None:
    known = [*filter(None, names)]
    return any(contains_name(name or "", each) for each in known) if known else None


def _has_class(patent: Patent, query: PatentQuery) -> bool | None:
    if patent.classes is None:
        return None
    code = _normalized_class(query.cpc or "")
    return any(_normalized_class(each).startswith(code) for each in patent.classes)


def _filed_within(patent: Patent, since: int, until: int) -> bool | None:
    return since <= int(patent.filed[:4]) <= until if patent.filed else None


FILTERS: dict[str, _Filter] = {
    "number": lambda patent, query: same_patent(patent.number, query.number or ""),
    "office": lambda patent, query: patent.number.startswith(query.office or ""),
    "assignee": lambda p, query: _has_name(query.assignee, p.assignees or (p.assignee,)),
    "inventor": lambda p, query: _has_name(query.inventor, p.inventors or (p.inventor,)),
    "cpc": _has_class,
    "filed_from": lambda patent, query: _filed_within(patent, query.filed_from or 0, 9999),
    "filed_to": lambda patent, query: _filed_within(patent, 0, query.filed_to or 9999),
}
_PARAMETER_NAMES = {"cpc": "cpc_code", "filed_from": "year_from", "filed_to": "year_to"}


def filter_patents(
    patents: Iterable[Patent], query: PatentQuery, applied: frozenset[str]
) -> tuple[list[Patent], list[str]]:
    """Return the matching patents, and notes on those that could not be checked.

    `applied` are the filters that the registry applied itself.
    """
    names = [name for name in FILTERS if getattr(query, name) is not None]
    matching: list[Patent] = []
    unchecked: Counter[str] = Counter()
    for patent in patents:
        results = {name: FILTERS[name](patent, query) for name in names}
        if False in results.values():
            continue
        unknown = [name for name in names if results[name] is None and name not in applied]
        if unknown:
            unchecked[unknown[0]] += 1
        else:
            matching.append(patent)
    notes = [
        f"{count} left out because {_PARAMETER_NAMES.get(name, name)} could not be checked."
        for name, count in unchecked.items()
    ]
    return matching, notes


def assignee_clusters(patents: Sequence[Patent]) -> tuple[AssigneeCluster, ...]:
    """Return the assignees with their patents, the largest first."""
    groups: defaultdict[str, list[Patent]] = defaultdict(list)
    for patent in patents:
        if patent.assignee and (key := company_key(patent.assignee)):
            groups[key].append(patent)
    ordered = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return tuple(
        AssigneeCluster(
            assignee=short_name(group[0].assignee or ""),
            count=len(group),
            numbers=tuple(patent.number for patent in group),
        )
        for _, group in ordered
    )


def _normalized_class(code: str) -> str:
    return "".join(code.split()).upper().removesuffix("/00")
