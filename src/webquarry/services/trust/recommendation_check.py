"""Checks a list of recommendations: conflicts of interest, corroboration, reputation, links."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.content.claims.claim_sentences import Claim, is_contrasting
from webquarry.content.claims.promotion import (
    Conflict,
    conflict_in,
    entities_in,
    promotes_itself,
    top_ranked_name,
)
from webquarry.content.ranking.known_sites import (
    ascii_host,
    known_site,
    registrable_domain,
    site_of,
)
from webquarry.content.text.length_limits import cap_text
from webquarry.content.text.word_list import word_set
from webquarry.errors import WebquarryError
from webquarry.models.links import LinkCheck
from webquarry.models.page import Reputation
from webquarry.models.search import WebQuery, WebResult
from webquarry.providers.capabilities_owners import KnowsOwners
from webquarry.services.link_check import LinkChecker
from webquarry.services.searching.service import SearchService
from webquarry.services.time_limit import run_within

_LENSES = ("news", "tech")
_RECORDS_LENS = "investigative_records"  # also searched for claims about companies and courts
_CORPORATE_WORDS = word_set(
    "acquisition acquired antitrust bankruptcy court earnings filing fined fraud investor "
    "investors lawsuit merger owned owner ownership regulator revenue sec settlement "
    "shareholder sued"
)
_MAX_CONCURRENT = 4
_SEARCH_TIMEOUT = 40.0  # seconds for all searches of a call
_AGREE_COVERAGE = 0.6
_MAX_SHOWN = 3
_MAX_OWNER_LOOKUPS = 5


@dataclass(frozen=True)
class RecommendedItem:
    """One recommendation of a list."""

    title: str
    url: str = ""
    author: str = ""
    bio: str = ""


@dataclass(frozen=True)
class CorroborationCounts:
    """How many results of one lens agree with a claim about a recommendation."""

    query: str
    lens: str
    agree: int
    disagree: int
    silent: int
    top: tuple[WebResult, ...]


@dataclass(frozen=True)
class ItemAssessment:
    """The result for one recommendation."""

    item: RecommendedItem
    promotion: str | None
    conflict: Conflict | None
    reputation: Reputation | None
    link: LinkCheck | None
    corroborations: tuple[CorroborationCounts, ...]
    flags: tuple[str, ...]
    reasons: tuple[str, ...]


class RecommendationChecker:
    """Collects evidence about recommendations, without a verdict."""

    def __init__(
        self, links: LinkChecker, searching: SearchService, owners: KnowsOwners | None
    ) -> None:
        self._links = links
        self._searching = searching
        self._owners = owners

    async def assess(
        self, items: Sequence[RecommendedItem], claim: str | None, count: int
    ) -> tuple[list[ItemAssessment], list[str]]:
        """Return the results in order, and notes on what could not be queried."""
        notes: list[str] = []
        links, corroborations, owners = await asyncio.gather(
            self._links.check(item.url for item in items if item.url),
            self._corroborate(items, claim, count, notes),
            self._find_owners(items, notes),
        )
        assessments = [
            assess_item(item, links.get(item.url), found, owner)
            for item, found, owner in zip(items, corroborations, owners, strict=True)
        ]
        return assessments, notes

    async def _corroborate(
        self, items: Sequence[RecommendedItem], claim: str | None, count: int, notes: list[str]
    ) -> list[tuple[CorroborationCounts, ...]]:
        """Search for each item in each lens, within a time limit."""
        if not claim:
            return [()] * len(items)
        slots = asyncio.Semaphore(_MAX_CONCURRENT)
        failures: dict[str, None] = {}
        done = 0

        async def search(item: RecommendedItem, lens: str) -> CorroborationCounts | None:
            nonlocal done
            found = None
            async with slots:
                try:
                    found = await self._search(item, claim, lens, count)
                except WebquarryError as error:
                    failures[f"Corroboration ({lens}) could not be searched: {error}"] = None
            done += 1
            return found

        jobs = {
            (number, lens): search(item, lens)
            for number, item in enumerate(items)
            for lens in lenses_for(claim)
        }
        found = await run_within(_SEARCH_TIMEOUT, jobs)
        if done < len(jobs):
            late = len(jobs) - done
            failures[f"{late} corroboration searches were not made: out of time."] = None
        notes += failures
        return [
            tuple(counts for (item, _), counts in found.items() if item == number and counts)
            for number in range(len(items))
        ]

    async def _search(
        self, item: RecommendedItem, claim: str, lens: str, count: int
    ) -> CorroborationCounts:
        text = cap_text(f"{item.title} {claim}", 400)
        query, only = self._searching.narrowed_by_lens(
            self._searching.lenses.named(lens), WebQuery(text=text, count=count), None
        )
        found = await self._searching.web.search(query, only=only)
        own = site_of(item.url)
        # the vendor's own site is not independent
        others = [result for result in found.items if site_of(result.url) != own]
        stances = [stance(result, item, claim) for result in others]
        return CorroborationCounts(
            query=text,
            lens=lens,
            agree=stances.count("agree"),
            disagree=stances.count("disagree"),
            silent=stances.count("silent"),
            top=tuple(others[:_MAX_SHOWN]),
        )

    async def _find_owners(
        self, items: Sequence[RecommendedItem], notes: list[str]
    ) -> list[str | None]:
        """Return for each item who owns the top-ranked product, if the owner runs the site."""
        owners: dict[int, str | None] = {}
        ranked = [item for item in items if item.url and top_ranked_name(item.title)]
        for item in ranked[:_MAX_OWNER_LOOKUPS] if self._owners else ():
            if promotes_itself(item.title, item.url):
                continue
            try:
                owners[id(item)] = await self._owner_with_site(item)
            except WebquarryError as error:
                name = top_ranked_name(item.title)
                notes.append(f"The owner of {name} could not be looked up: {error}")
                break
        return [owners.get(id(item)) for item in items]

    async def _owner_with_site(self, item: RecommendedItem) -> str | None:
        site = registrable_domain(ascii_host(item.url))
        owners = await self._owners.owners(top_ranked_name(item.title)) if self._owners else ()
        same = (o.name for o in owners if site in {registrable_domain(h) for h in o.hosts})
        return next(same, None)


def lenses_for(claim: str) -> tuple[str, ...]:
    """Return the lenses in which to search for a claim."""
    corporate = not _CORPORATE_WORDS.isdisjoint(claim.lower().split())
    return (*_LENSES, _RECORDS_LENS) if corporate else _LENSES


def stance(result: WebResult, item: RecommendedItem, claim: str) -> str:
    """Return agree or disagree; silent unless the result is about both the item and the claim."""
    text = f"{result.title}. {result.snippet}"
    names = [name.lower() for name in entities_in(item.title)] or [item.title.lower()]
    if not any(name in text.lower() for name in names):
        return "silent"
    parsed = Claim(claim)
    coverage = parsed.coverage(text)
    if coverage > 0 and is_contrasting(f"{result.title} {parsed.best_sentence(text)}"):
        return "disagree"
    return "agree" if coverage >= _AGREE_COVERAGE else "silent"


def assess_item(
    item: RecommendedItem,
    link: LinkCheck | None,
    corroborations: tuple[CorroborationCounts, ...],
    owner: str | None,
) -> ItemAssessment:
    """Return the assessment of an item; each flag has its reason."""
    conflict = conflict_in(item.title, item.url, item.bio)
    site = known_site(ascii_host(item.url)) if item.url else None
    flags: dict[str, str] = {}
    if conflict:
        flags["conflict_of_interest"] = (
            f"The author's biography names a stake in {conflict.entity} ({conflict.kind})."
        )
    if link and link.lost:
        flags["dead_link"] = f"The link is dead: {(link.reason or link.outcome).rstrip('.')}."
    if item.url and site is None:
        host = ascii_host(item.url) or item.url
        flags["unknown_reputation"] = f"{host} is not on our list of sites."
    elif site and site.tier == "low":
        flags["low_reputation"] = f"{site.host}: {site.basis}."
    return ItemAssessment(
        item=item,
        promotion=_promotion(item, owner),
        conflict=conflict,
        reputation=site.reputation() if site else None,
        link=link,
        corroborations=corroborations,
        flags=tuple(flags),
        reasons=tuple(flags.values()),
    )


def list_flags(assessments: Sequence[ItemAssessment]) -> list[str]:
    """Return the flags of the whole list; no agreement counts only if there was a search."""
    counts = [each for assessment in assessments for each in assessment.corroborations]
    agreed = any(each.agree for each in counts)
    return ["no_independent_corroboration"] if counts and not agreed else []


def _promotion(item: RecommendedItem, owner: str | None) -> str | None:
    host, first = ascii_host(item.url), top_ranked_name(item.title)
    if promotes_itself(item.title, item.url):
        return f"{host} puts its own brand first: {first}."
    return f"{host} puts {first} first, which belongs to {owner.rstrip('.')}." if owner else None
