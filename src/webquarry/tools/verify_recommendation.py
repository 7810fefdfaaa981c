"""The `verify_recommendation` tool: who gains from a recommendation, and who else agrees."""

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from webquarry.calls.tool import Call, Options, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.page import Reputation
from webquarry.models.records import RecordsIn
from webquarry.models.zero_results import TRUST
from webquarry.providers.capabilities_owners import KnowsOwners
from webquarry.services.trust.recommendation_check import (
    ItemAssessment,
    RecommendationChecker,
    RecommendationOptions,
    RecommendedItem,
    aggregate,
)

_MOST, _RESULTS, _MOST_RESULTS = 100, 5, 10


class Recommended(Model):
    """One item of a list."""

    title: str = Field(min_length=1, max_length=4000)
    url: str = ""
    author: str = ""
    authorBio: str = Field(default="", max_length=4000)


_ITEMS = WithJsonSchema(
    {
        "type": "array",
        "items": {"type": "object", "description": "title, url?, author?, authorBio?"},
        "minItems": 1,
        "maxItems": _MOST,
    }
)


class VerifyRecommendationIn(RecordsIn):
    """Arguments of `verify_recommendation`."""

    recommendations: Annotated[tuple[Recommended, ...], _ITEMS] = Field(
        min_length=1, max_length=_MOST, description="The items."
    )
    claim: str | None = Field(
        default=None, max_length=1000, description="What the list claims; searches who agrees."
    )
    numCorroborationResults: int = Field(default=_RESULTS, description="Per lens, 1-10.")


class Corroboration(Model):
    """What one set of independent sites says."""

    query: str
    lens: str
    resultCount: int
    agreeCount: int
    disagreeCount: int
    silentCount: int
    topResults: list[dict[str, str]]


class WeighedItem(Model):
    """What was found out about one item."""

    title: str
    url: str | None = None
    author: str | None = None
    selfPromotionSignal: str | None = None
    conflictOfInterest: dict[str, str] | None = None
    domainReputation: Reputation | None = None
    linkLive: bool | None = None
    httpStatus: int | None = None
    corroborationSearches: list[Corroboration] | None = None
    flags: list[str]
    reasons: list[str] | None = None


class VerifyRecommendationOut(Model):
    """Result of `verify_recommendation`."""

    itemCount: int
    recommendations: list[WeighedItem]
    aggregateFlags: list[str] | None = None
    notes: list[str] | None = None
    trust: str = TRUST


@tool(
    "trust",
    Options(
        title="Check recommendations",
        timeout=90.0,
        output_schema=names_schema("recommendations", "aggregateFlags"),
    ),
)
async def verify_recommendation(
    args: VerifyRecommendationIn, call: Call
) -> VerifyRecommendationOut:
    """Check a ranking for self-promotion, authors with a stake, dead links and who else agrees.

    Evidence, never a verdict.
    """
    services = call.services
    owners = services.choices.of(KnowsOwners).ready.values()
    checking = RecommendationChecker(services.links, services.searching, next(iter(owners), None))
    items = [
        RecommendedItem(each.title, each.url.strip(), each.author, each.authorBio)
        for each in args.recommendations
    ]
    count = min(max(args.numCorroborationResults, 1), _MOST_RESULTS)
    weighed, notes = await checking.weigh(items, args.claim, count)
    return VerifyRecommendationOut(
        itemCount=len(items),
        recommendations=[_item(each) for each in weighed],
        aggregateFlags=aggregate(weighed) if args.claim else None,
        notes=notes or None,
    )


def _item(weighed: ItemAssessment) -> WeighedItem:
    item, link, conflict = weighed.item, weighed.link, weighed.conflict
    told: dict[str, Any] = {}
    if link:
        known = link.outcome != "unchecked"
        told = {"linkLive": not link.lost if known else None, "httpStatus": link.status or 0}
    return WeighedItem(
        title=item.title,
        url=item.url or None,
        author=item.author or None,
        selfPromotionSignal=weighed.promotion,
        conflictOfInterest=conflict._asdict() if conflict else None,
        domainReputation=weighed.reputation,
        corroborationSearches=[_lookout(each) for each in weighed.lookouts] or None,
        flags=list(weighed.flags),
        reasons=list(weighed.reasons) or None,
        **told,
    )


def _lookout(found: RecommendationOptions) -> Corroboration:
    return Corroboration(
        query=found.query,
        lens=found.lens,
        resultCount=found.agree + found.disagree + found.silent,
        agreeCount=found.agree,
        disagreeCount=found.disagree,
        silentCount=found.silent,
        topResults=[{"title": each.title, "url": each.url} for each in found.top],
    )
