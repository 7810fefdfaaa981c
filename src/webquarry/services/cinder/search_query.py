"""The query of `cinder_search`: what each provider receives, and what is checked on its results."""

import re
from collections.abc import Iterable

from webquarry.content.ranking.result_urls import is_on_site
from webquarry.content.text.query_operators import compose
from webquarry.content.text.stopwords import STOPWORDS
from webquarry.content.text.timestamps import SECONDS, unix_time
from webquarry.models.caller import Caller
from webquarry.models.cinder import SearchMode
from webquarry.models.model import Model
from webquarry.models.search import TimeRange, WebQuery, WebResult
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.services.searching.search_sources import ProviderResults

DAY = 86_400.0
RESULTS_PER_ROUND = 20  # results of one provider in one round
_RANGES: tuple[TimeRange, ...] = ("hour", "day", "week", "month", "year")
_NAMES = {"sites": "includeDomains", "exact_terms": "requiredText"}
_TOLERANCE = 1.05  # a provider's month is as good as 29 days
_WORD = re.compile(r"\w+")


class CinderQuery(Model):
    """A search with its filters."""

    text: str
    mode: SearchMode = "balanced"
    include: tuple[str, ...] = ()  # hosts, or host/path
    exclude: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    max_age: float | None = None  # days

    @property
    def period(self) -> TimeRange | None:
        """The shortest period of all engines that covers the age; None beyond a year."""
        if self.max_age is None:
            return None
        seconds = self.max_age * DAY
        return next((name for name in _RANGES if seconds <= SECONDS[name] * _TOLERANCE), None)

    def for_provider(self, support: SearchSupport, round_number: int, caller: Caller) -> WebQuery:
        """Return the query for one provider: its next page, or more results at once."""
        paged = support.max_pages > 1
        wanted = RESULTS_PER_ROUND if paged else RESULTS_PER_ROUND * round_number
        return WebQuery(
            text=self._with_operators() if self._fits(support) else self.text,
            count=min(support.max_results, wanted),
            page=round_number if paged else 1,
            time_range=self.period,
            sites=self.include,
            exact_terms=self.required[0] if self.required else None,
            asker=caller,
        )

    def filter_results(
        self, found: ProviderResults[WebResult], support: SearchSupport, now: float
    ) -> tuple[list[WebResult], tuple[str, ...]]:
        """Return the results that pass every filter, and the filters that could not be checked."""
        # the router checks the first phrase; the provider the others, if they were in its query
        phrases = () if self._fits(support) else self.required[1:]
        kept = [
            item
            for item in found.items
            if not (self.exclude and is_on_site(item.url, self.exclude))
            and contains_phrases(_text(item), phrases)
            and self._is_recent(item, now) is not False
        ]
        unchecked = [_NAMES.get(n, n) for n in found.unhonoured if n != "time_range"]
        if any(not contains_phrases(_text(item), self.required) for item in kept):
            unchecked.append("requiredText")  # the provider may have found it in the page
        if self._has_unchecked_age(kept, applied="time_range" not in found.unhonoured):
            unchecked.append("maxAge")
        return kept, tuple(dict.fromkeys(unchecked))

    def coverage(self, item: WebResult) -> float:
        """Return the share of the query's words that a result contains."""
        words = {word.lower() for word in _WORD.findall(self.text)}
        words = (words - STOPWORDS) or words
        contained = {word.lower() for word in _WORD.findall(f"{item.title} {item.snippet}")}
        return len(words & contained) / len(words) if words else 0.0

    def _with_operators(self) -> str:
        return compose(self.text, phrases=self.required[1:], exclude_sites=self.exclude)

    def _fits(self, support: SearchSupport) -> bool:
        """Whether the provider supports the further phrases and the excluded sites."""
        if not (support.query_operators and "exact_terms" in support.filters):
            return False
        first = self.required[0] if self.required else None
        longest = max(self.include, key=len, default="")
        text = compose(self._with_operators(), sites=[longest] if longest else (), exact=first)
        return not support.max_chars or len(text) <= support.max_chars

    def _is_recent(self, item: WebResult, now: float) -> bool | None:
        if self.max_age is None or item.published is None:
            return None
        return unix_time(item.published) >= now - self.max_age * DAY

    def _has_unchecked_age(self, kept: Iterable[WebResult], *, applied: bool) -> bool:
        """Whether undated results passed, and the provider did not limit their age this closely."""
        if self.max_age is None:
            return False
        period = self.period
        close = period is not None and SECONDS[period] <= self.max_age * DAY * _TOLERANCE
        return not (applied and close) and any(item.published is None for item in kept)


def contains_phrases(text: str, phrases: Iterable[str]) -> bool:
    """Tell whether a text has all phrases; case and white space make no difference."""
    flat = " ".join(text.lower().split())
    return all(" ".join(phrase.lower().split()) in flat for phrase in phrases)


def _text(item: WebResult) -> str:
    return f"{item.title} {item.snippet}"
