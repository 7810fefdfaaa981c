"""Applies to patents what their registry could not, and says what could not be checked."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from webquarry.content.citations.patent_numbers import is_same
from webquarry.content.text.company_names import company_key, is_named, short_name
from webquarry.models.patents import AssigneeCluster, Patent, PatentQuery

# a check answers None when the record does not say
_Check = Callable[[Patent, PatentQuery], bool | None]


def _has_number(patent: Patent, query: PatentQuery) -> bool | None:
    return is_same(patent.number, query.number or "")


def _has_office(patent: Patent, query: PatentQuery) -> bool | None:
    return patent.number.startswith(query.office or "")


def _has_owner(patent: Patent, query: PatentQuery) -> bool | None:
    owners = patent.assignees or ((patent.assignee,) if patent.assignee else ())
    return any(is_named(query.assignee or "", name) for name in owners) if owners else None


def _has_inventor(patent: Patent, query: PatentQuery) -> bool | None:
    people = patent.inventors or ((patent.inventor,) if patent.inventor else ())
    return any(is_named(query.inventor or "", name) for name in people) if people else None


def _has_class(patent: Patent, query: PatentQuery) -> bool | None:
    wanted = _class(query.cpc or "")
    if patent.classes is None:
        return None
    return any(_class(each).startswith(wanted) for each in patent.classes)


def _filed_since(patent: Patent, query: PatentQuery) -> bool | None:
    return None if not patent.filed else int(patent.filed[:4]) >= (query.filed_from or 0)


def _filed_until(patent: Patent, query: PatentQuery) -> bool | None:
    return None if not patent.filed else int(patent.filed[:4]) <= (query.filed_to or 9999)


CHECKS: dict[str, _Check] = {
    "number": _has_number,
    "office": _has_office,
    "assignee": _has_owner,
    "inventor": _has_inventor,
    "cpc": _has_class,
    "filed_from": _filed_since,
    "filed_to": _filed_until,
}
_WORDS = {"cpc": "cpc_code", "filed_from": "year_from", "filed_to": "year_to"}


def sift(
    patents: Iterable[Patent], query: PatentQuery, honours: frozenset[str]
) -> tuple[list[Patent], list[str]]:
    """Return the patents that fit, and notes on those of which nobody can tell."""
    asked = [name for name in CHECKS if getattr(query, name) is not None]
    kept: list[Patent] = []
    unknown: Counter[str] = Counter()
    for patent in patents:
        verdicts = {name: CHECKS[name](patent, query) for name in asked}
        # what the registry did not apply and the record does not show cannot be vouched for
        doubtful = [n for n, fits in verdicts.items() if fits is None and n not in honours]
        if False in verdicts.values():
            continue
        if doubtful:
            unknown.update(doubtful[:1])
        else:
            kept.append(patent)
    notes = [
        f"{count} left out because {_WORDS.get(name, name)} could not be checked."
        for name, count in unknown.items()
    ]
    return kept, notes


def clusters(patents: Sequence[Patent]) -> tuple[AssigneeCluster, ...]:
    """Return the owners with their patents, the largest first."""
    found: dict[str, list[Patent]] = {}
    for patent in patents:
        if patent.assignee and (key := company_key(patent.assignee)):
            found.setdefault(key, []).append(patent)
    ordered = sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return tuple(
        AssigneeCluster(
            assignee=short_name(owned[0].assignee or ""),
            count=len(owned),
            numbers=tuple(patent.number for patent in owned),
        )
        for _, owned in ordered
    )


def _class(code: str) -> str:
    return "".join(code.split()).upper().removesuffix("/00")
