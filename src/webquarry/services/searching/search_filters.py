"""Nothing is dropped silently: what a provider cannot apply is applied here, or named."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from webquarry.content.ranking.result_urls import within
from webquarry.content.text.query_operators import compose, terms_of
from webquarry.content.text.timestamps import SECONDS
from webquarry.models.search import Query
from webquarry.providers.capabilities_search import Reach
from webquarry.services.searching.search_sources import ResultFacts

Q = TypeVar("Q", bound=Query)
R = TypeVar("R")

_FILTERS = (
    "time_range", "safe", "language", "country", "sites", "exact_terms", "exclude_terms",
    "sort_by", "size", "type", "color_type", "dominant_color", "file_type",
)  # fmt: skip
_CHECKED = frozenset({"sites", "exclude_terms"})  # on every result, since that costs little
# a value that asks for nothing
_IDLE = {"safe": "off", "sort_by": "relevance"}
_EXTENSIONS = {"jpeg": "jpg", "jpe": "jpg"}
_PICTURES = frozenset({"jpg", "gif", "png", "bmp", "svg", "webp", "avif", "tif", "tiff", "ico"})
_MARGIN = 3  # results asked for per result wanted, where we filter them ourselves
_CLOSE = 300.0  # clocks differ, and ages are rounded


@dataclass(frozen=True)
class FilterPlan(Generic[Q]):
    """How one provider is asked one question."""

    query: Q  # with only the filters it knows
    asked: Mapping[str, Any]  # all filters, by name
    later: tuple[str, ...]  # filters applied to its results
    missing: tuple[str, ...]  # filters nobody applies


def plan_for(reach: Reach, query: Q, checks: Sequence[str]) -> FilterPlan[Q]:
    """Divide the filters between the provider, us, and the list of what is not done."""
    later: list[str] = []
    missing: list[str] = []
    dropped: dict[str, Any] = {}
    asked = _asked(query)
    for name, value in asked.items():
        applied = reach.applies(name, value) if name != "sites" else reach.sites > 0
        if not applied:
            (later if name in checks else missing).append(name)
        if not (applied or reach.takes(name, value)):
            dropped[name] = _nothing(query, name)
    count = query.count * _MARGIN if later else query.count
    if query.count > reach.most:
        missing.append("num_results")
    told = _changed(query, dropped | {"count": min(count, reach.most)})
    text = _shortened(told.text, _room(told, reach))
    if text != query.text:
        missing.append("query")
    return FilterPlan(_changed(told, {"text": text}), asked, tuple(later), tuple(missing))


def _changed(query: Q, changes: dict[str, Any]) -> Q:
    """Return the query with these values; mostly it has them already."""
    known = vars(query)
    differ = any(known[name] != value for name, value in changes.items())
    return query.model_copy(update=changes) if differ else query


def requests_of(plan: FilterPlan[Q], reach: Reach) -> list[Q]:
    """Return the requests it takes to name every site."""
    sites = _sites(plan.query)
    if not sites or not reach.sites:
        return [plan.query]
    portions: list[list[str]] = [[]]
    for site in sites:
        longer = [*portions[-1], site]
        if portions[-1] and not _fits(plan.query, reach, longer):
            portions.append([site])
        else:
            portions[-1] = longer
    return [plan.query.model_copy(update={"sites": tuple(portion)}) for portion in portions]


def sieve(
    items: Sequence[R],
    query: Query,
    plan: FilterPlan[Any],
    *,
    facts: Callable[[R], ResultFacts],
    now: float,
) -> tuple[list[R], tuple[str, ...]]:
    """Return the results that pass what is left of the filters, and what could not be checked."""
    if not (plan.later or _CHECKED & plan.asked.keys()):  # nearly always
        return list(items), ()
    tests = _tests(query, plan, now)
    kept: list[R] = []
    unsure: dict[str, None] = {}
    for item in items:
        known = facts(item)
        verdicts = {name: test(known) for name, test in tests.items()}
        if False in verdicts.values():
            continue
        unsure.update(dict.fromkeys(name for name, passed in verdicts.items() if passed is None))
        kept.append(item)
    if "sort_by" in plan.later:
        kept.sort(key=lambda item: -(facts(item).moment or 0.0))
    return kept, tuple(unsure)


Test = Callable[[ResultFacts], bool | None]  # None: it cannot be told


def _tests(query: Query, plan: FilterPlan[Any], now: float) -> dict[str, Test]:
    """Return what is checked on every result: always sites and exclusions, which cost nothing."""
    asked = plan.asked
    tests: dict[str, Test] = {}
    if sites := _sites(query):
        tests["sites"] = lambda known: within(known.url, sites)
    if unwanted := [_matcher(term) for term in terms_of(asked.get("exclude_terms"))]:
        tests["exclude_terms"] = lambda known: not any(m.search(known.text) for m in unwanted)
    if "exact_terms" in plan.later:
        phrase = _matcher(asked["exact_terms"])
        tests["exact_terms"] = lambda known: bool(phrase.search(known.text))
    if "time_range" in plan.later:
        since = now - SECONDS[asked["time_range"]] - _CLOSE
        tests["time_range"] = lambda known: None if known.moment is None else known.moment >= since
    if "file_type" in plan.later:
        tests["file_type"] = lambda known: _has_type(known.url, asked["file_type"])
    return tests


def _asked(query: Query) -> dict[str, Any]:
    """Return the filters that were asked for."""
    values = vars(query)  # a model's own names, without asking for those it lacks
    return {
        name: value for name in _FILTERS if (value := values.get(name)) and value != _IDLE.get(name)
    }


def _nothing(query: Query, name: str) -> Any:
    return _IDLE["sort_by"] if name == "sort_by" else () if name == "sites" else None


def _sites(query: Query) -> tuple[str, ...]:
    return vars(query).get("sites", ())


def _fits(query: Query, reach: Reach, sites: Sequence[str]) -> bool:
    if len(sites) > reach.sites:
        return False
    if not (reach.chars and reach.operators):
        return True
    return len(_composed(query.text, query, sites)) <= reach.chars


def _composed(text: str, query: Query, sites: Sequence[str]) -> str:
    exact, exclude = vars(query).get("exact_terms"), vars(query).get("exclude_terms")
    return compose(text, sites=sites, exact=exact, exclude=exclude)


def _room(query: Query, reach: Reach) -> int | None:
    """Return how long the words may be beside the operators, of which one site is the least."""
    if not reach.chars:
        return None
    longest = max(_sites(query), key=len, default="") if reach.sites else ""
    operators = _composed("", query, [longest] if longest else []) if reach.operators else ""
    return max(1, reach.chars - len(operators))


def _shortened(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return text
    cut = text.rfind(" ", 0, most + 1)
    return text[: cut if cut > 0 else most]


def _matcher(term: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in term.split())
    return re.compile(rf"(?<!\w){words}(?!\w)" if term.isascii() else words, re.IGNORECASE)


def _has_type(url: str, wanted: str) -> bool | None:
    extension = urlsplit(url).path.rpartition(".")[2].lower()
    extension = _EXTENSIONS.get(extension, extension)
    return extension == wanted if extension in _PICTURES else None
