"""A question with its filters, as each provider is asked it, and what is checked afterwards."""

import re
from collections.abc import Iterable

from webquarry.content.ranking.result_urls import within
from webquarry.content.text.query_operators import compose, phrase
from webquarry.content.text.stopwords import STOPWORDS
from webquarry.content.text.timestamps import SECONDS, seconds_of
from webquarry.models.caller import Caller
from webquarry.models.cinder import SearchMode
from webquarry.models.model import Model
from webquarry.models.search import TimeRange, WebQuery, WebResult
from webquarry.providers.capabilities_search import Reach
from webquarry.services.searching.search_sources import ProviderResults

DAY = 86_400.0
PER_ROUND = 20  # results asked of one provider at a time
_RANGES: tuple[TimeRange, ...] = ("hour", "day", "week", "month", "year")
_NAMES = {"sites": "includeDomains", "exact_terms": "requiredText"}
_CLOSE = 1.05  # a provider's month is as good as 29 days
_WORD = re.compile(r"\w+")


class CinderQuery(Model):
    """What is looked for."""

    text: str
    mode: SearchMode = "balanced"
    include: tuple[str, ...] = ()  # hosts, or host/path
    exclude: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    max_age: float | None = None  # days

    @property
    def period(self) -> TimeRange | None:
        """The shortest period every engine knows that covers the age; None beyond a year."""
        if self.max_age is None:
            return None
        seconds = self.max_age * DAY
        return next((name for name in _RANGES if seconds <= SECONDS[name] * _CLOSE), None)

    def asked_of(self, reach: Reach, turn: int, caller: Caller) -> WebQuery:
        """Return the question for one provider: its page number `turn`, or more at once."""
        extra = self._operators() if self._fits(reach) else ""
        return WebQuery(
            text=f"{self.text} {extra}".strip(),
            count=min(reach.most, PER_ROUND if reach.pages > 1 else PER_ROUND * turn),
            page=turn if reach.pages > 1 else 1,
            time_range=self.period,
            sites=self.include,
            exact_terms=self.required[0] if self.required else None,
            asker=caller,
        )

    def sift(
        self, found: ProviderResults[WebResult], reach: Reach, now: float
    ) -> tuple[list[WebResult], tuple[str, ...]]:
        """Return the results that meet every filter, and the filters that could not be checked."""
        # the first phrase is the router's, the others are the provider's if it was told them
        phrases = () if self._fits(reach) else self.required[1:]
        kept = [
            item
            for item in found.items
            if not (self.exclude and within(item.url, self.exclude))
            and all(_says(item, words) for words in phrases)
            and self._is_recent(item, now) is not False
        ]
        unsure = [_NAMES.get(n, n) for n in found.unhonoured if n != "time_range"]
        if self._guesses_age(kept, told="time_range" not in found.unhonoured):
            unsure.append("maxAge")
        return kept, tuple(dict.fromkeys(unsure))

    def coverage(self, item: WebResult) -> float:
        """Return the share of the question's words that a result shows."""
        wanted = {word.lower() for word in _WORD.findall(self.text)}
        wanted = (wanted - STOPWORDS) or wanted
        shown = {word.lower() for word in _WORD.findall(f"{item.title} {item.snippet}")}
        return len(wanted & shown) / len(wanted) if wanted else 0.0

    def _operators(self) -> str:
        unwanted = (f"-site:{site}" for site in self.exclude)
        return " ".join([*map(phrase, self.required[1:]), *unwanted])

    def _fits(self, reach: Reach) -> bool:
        """Whether the provider can be told the further phrases and the unwanted sites."""
        if not (reach.operators and "exact_terms" in reach.honours):
            return False
        first = self.required[0] if self.required else None
        longest = max(self.include, key=len, default="")
        whole = compose(
            f"{self.text} {self._operators()}", sites=[longest] if longest else (), exact=first
        )
        return not reach.chars or len(whole) <= reach.chars

    def _is_recent(self, item: WebResult, now: float) -> bool | None:
        if self.max_age is None or item.published is None:
            return None
        return seconds_of(item.published) >= now - self.max_age * DAY

    def _guesses_age(self, kept: Iterable[WebResult], *, told: bool) -> bool:
        """Whether undated results passed that the provider did not bound this closely."""
        if self.max_age is None:
            return False
        period = self.period
        close = period is not None and SECONDS[period] <= self.max_age * DAY * _CLOSE
        return not (told and close) and any(item.published is None for item in kept)


def _says(item: WebResult, words: str) -> bool:
    text = " ".join(f"{item.title} {item.snippet}".lower().split())
    return " ".join(words.lower().split()) in text
