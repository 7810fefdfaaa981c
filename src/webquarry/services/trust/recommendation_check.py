"""Looks into a list of recommendations: who gains, who vouches, and whether the links are alive."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.content.claims.claim_sentences import Claim, contrasts
from webquarry.content.claims.promotion import (
    Conflict,
    conflict_in,
    entities_in,
    first_named,
    promotes_itself,
)
from webquarry.content.ranking.known_sites import host_of, registrable_domain, site_of
from webquarry.errors import WebquarryError
from webquarry.models.links import LinkCheck
from webquarry.models.page import Reputation
from webquarry.models.search import WebQuery, WebResult
from webquarry.providers.capabilities_owners import KnowsOwners
from webquarry.services.link_check import LinkChecker
from webquarry.services.searching.service import SearchService

_LENSES = ("news", "tech")
_RECORDS = "investigative_records"  # asked as well where companies and courts are the topic
_CORPORATE = frozenset(
    [
        "acquisition",
        "acquired",
        "antitrust",
        "bankruptcy",
        "court",
        "earnings",
        "filing",
        "fined",
        "fraud",
        "investor",
        "investors",
        "lawsuit",
        "merger",
        "owned",
        "owner",
        "ownership",
        "regulator",
        "revenue",
        "sec",
        "settlement",
        "shareholder",
        "sued",
    ]
)
_AT_ONCE = 4
_PATIENCE = 40.0  # seconds for all searches of a call
_AGREES = 0.6
_SHOWN = 3
_OWNERS_ASKED = 5


@dataclass(frozen=True)
class RecommendedItem:
    """One item of a list, as the caller has it."""

    title: str
    url: str = ""
    author: str = ""
    bio: str = ""


@dataclass(frozen=True)
class RecommendationOptions:
    """What one set of independent sites says about a recommendation."""

    query: str
    lens: str
    agree: int
    disagree: int
    silent: int
    top: tuple[WebResult, ...]


@dataclass(frozen=True)
class ItemAssessment:
    """Everything found out about one recommendation."""

    item: RecommendedItem
    promotion: str | None
    conflict: Conflict | None
    reputation: Reputation | None
    link: LinkCheck | None
    lookouts: tuple[RecommendationOptions, ...]
    flags: tuple[str, ...]
    reasons: tuple[str, ...]


class RecommendationChecker:
    """Checks recommendations. Evidence, never a verdict."""

    def __init__(
        self, links: LinkChecker, searching: SearchService, owners: KnowsOwners | None
    ) -> None:
        self._links = links
        self._searching = searching
        self._owners = owners

    async def weigh(
        self, items: Sequence[RecommendedItem], claim: str | None, count: int
    ) -> tuple[list[ItemAssessment], list[str]]:
        """Return the items in their order, and what could not be asked."""
        notes: list[str] = []
        links, lookouts, owned = await asyncio.gather(
            self._links.check(item.url for item in items if item.url),
            self._corroborated(items, claim, count, notes),
            self._owned(items, notes),
        )
        weighed = [
            weighed_up(item, links.get(item.url), found, owner)
            for item, found, owner in zip(items, lookouts, owned, strict=True)
        ]
        return weighed, notes

    async def _corroborated(
        self, items: Sequence[RecommendedItem], claim: str | None, count: int, notes: list[str]
    ) -> list[tuple[RecommendationOptions, ...]]:
        if not claim:
            return [()] * len(items)
        gate = asyncio.Semaphore(_AT_ONCE)
        failed: dict[str, None] = {}

        async def look(item: RecommendedItem, lens: str) -> RecommendationOptions | None:
            async with gate:
                try:
                    return await self._look(item, claim, lens, count)
                except WebquarryError as error:
                    failed[f"Corroboration ({lens}) could not be searched: {error}"] = None
                    return None

        lenses = lenses_for(claim)
        asked = [(item, lens) for item in items for lens in lenses]
        tasks = [asyncio.create_task(look(item, lens)) for item, lens in asked]
        _, late = await asyncio.wait(tasks, timeout=_PATIENCE)
        for task in late:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if late:
            failed[f"{len(late)} corroboration searches were not made: no time was left."] = None
        notes += failed
        found = [None if task.cancelled() else task.result() for task in tasks]
        step = len(lenses)
        rows = (found[at : at + step] for at in range(0, len(found), step))
        return [tuple(each for each in row if each) for row in rows]

    async def _look(
        self, item: RecommendedItem, claim: str, lens: str, count: int
    ) -> RecommendationOptions:
        text = f"{item.title} {claim}"[:400]
        asked = WebQuery(text=text, count=count)
        query, only = self._searching.through(self._searching.lenses.named(lens), asked, None)
        found = await self._searching.web.answer(query, only=only)
        own = registrable_domain(host_of(item.url))
        # what the vendor says about itself corroborates nothing
        others = [
            each for each in found.items if not own or registrable_domain(host_of(each.url)) != own
        ]
        said = [stance(each, item, claim) for each in others]
        return RecommendationOptions(
            query=text,
            lens=lens,
            agree=said.count("agree"),
            disagree=said.count("disagree"),
            silent=said.count("silent"),
            top=tuple(others[:_SHOWN]),
        )

    async def _owned(self, items: Sequence[RecommendedItem], notes: list[str]) -> list[str | None]:
        """Return who owns what a list puts first, where the list is on the owner's site."""
        asked = [item for item in items if item.url and first_named(item.title)][:_OWNERS_ASKED]
        found: dict[int, str | None] = {}
        for item in asked:
            if self._owners is None or promotes_itself(item.title, item.url):
                continue
            first = first_named(item.title)
            try:
                owners = await self._owners.owners(first)
            except WebquarryError as error:
                notes.append(f"Who owns {first} could not be asked: {error}")
                break
            own = registrable_domain(host_of(item.url))
            same = (o.name for o in owners if own in {registrable_domain(h) for h in o.hosts})
            found[id(item)] = next(same, None)
        return [found.get(id(item)) for item in items]


def lenses_for(claim: str) -> tuple[str, ...]:
    """Return the sets of sites to ask about a claim."""
    corporate = not _CORPORATE.isdisjoint(claim.lower().split())
    return (*_LENSES, _RECORDS) if corporate else _LENSES


def stance(result: WebResult, item: RecommendedItem, claim: str) -> str:
    """Return agree, disagree or silent: silent unless it speaks of the item and of the claim."""
    text = f"{result.title}. {result.snippet}"
    names = [name.lower() for name in entities_in(item.title)] or [item.title.lower()]
    if not any(name in text.lower() for name in names):
        return "silent"
    wanted = Claim(claim)
    signal = f"{result.title} {wanted.signal(text)}"
    if contrasts(signal) and wanted.coverage(text) > 0:
        return "disagree"
    return "agree" if wanted.coverage(text) >= _AGREES else "silent"


def weighed_up(
    item: RecommendedItem,
    link: LinkCheck | None,
    found: tuple[RecommendationOptions, ...],
    owner: str | None,
) -> ItemAssessment:
    """Return what the parts say together; each flag has its reason."""
    conflict = conflict_in(item.title, item.url, item.bio)
    site = site_of(host_of(item.url)) if item.url else None
    said: list[tuple[str, str]] = []
    if conflict:
        why = f"The author's biography names a stake in {conflict.entity} ({conflict.kind})."
        said.append(("conflict_of_interest", why))
    if link and link.lost:
        said.append(("dead_link", f"The link is dead: {link.reason or link.outcome}."))
    if item.url and site is None:
        said.append(("unknown_reputation", f"{host_of(item.url)} is not on our list of sites."))
    elif site and site.tier == "low":
        said.append(("low_reputation", f"{site.host}: {site.basis}."))
    return ItemAssessment(
        item=item,
        promotion=_promotion(item, owner),
        conflict=conflict,
        reputation=site.reputation() if site else None,
        link=link,
        lookouts=found,
        flags=tuple(flag for flag, _ in said),
        reasons=tuple(why for _, why in said),
    )


def aggregate(weighed: Sequence[ItemAssessment]) -> list[str]:
    """Return what holds for the list as a whole; silence counts only where somebody was asked."""
    lookouts = [found for each in weighed for found in each.lookouts]
    agreed = any(found.agree for found in lookouts)
    return ["no_independent_corroboration"] if lookouts and not agreed else []


def _promotion(item: RecommendedItem, owner: str | None) -> str | None:
    first = first_named(item.title)
    if promotes_itself(item.title, item.url):
        return f"{host_of(item.url)} puts its own brand first: {first}."
    return (
        f"{host_of(item.url)} puts {first} first, which belongs to {owner.rstrip('.')}."
        if owner
        else None
    )
