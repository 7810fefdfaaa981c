"""The `verify_recommendation` tool: conflicts of interest and independent agreement."""

from typing import Annotated, Any

from pydantic import Field

from webquarry.calls.paging import Cursor
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.calls.tool_schema import typed_schema
from webquarry.models.model import Filled, Model
from webquarry.models.page import Reputation
from webquarry.models.records import RecordsIn
from webquarry.models.short_schemas import objects_schema
from webquarry.models.tool_results import Recommended
from webquarry.models.zero_results import TRUST
from webquarry.services.trust.recommendation_check import (
    CorroborationCounts,
    ItemAssessment,
    RecommendedItem,
    list_flags,
)

_MAX_ITEMS, _DEFAULT_RESULTS, _MAX_RESULTS = 100, 5, 10


_ITEMS_SCHEMA = objects_schema("title", "url", "author", "authorBio", required=("title",))


class VerifyRecommendationIn(RecordsIn):
    """Arguments of `verify_recommendation`."""

    recommendations: Annotated[tuple[Recommended, ...], _ITEMS_SCHEMA] = Field(
        min_length=1, max_length=_MAX_ITEMS, description="The items."
    )
    claim: str | None = Field(
        default=None, max_length=1000, description="What the list claims; searches who agrees."
    )
    numCorroborationResults: int = Field(default=_DEFAULT_RESULTS, description="Per lens, 1-10.")
    cursor: Cursor = None


class Corroboration(Model):
    """Agreement found in one lens of independent sites."""

    query: str
    lens: str
    resultCount: int
    agreeCount: int
    disagreeCount: int
    silentCount: int
    topResults: list[dict[str, str]]


class WeighedItem(Model):
    """The checks of one item."""

    title: str
    url: Filled[str] = None
    author: Filled[str] = None
    selfPromotionSignal: str | None = None
    conflictOfInterest: dict[str, str] | None = None
    domainReputation: Reputation | None = None
    linkLive: bool | None = None
    httpStatus: int | None = None
    corroborationSearches: Filled[list[Corroboration]] = None
    flags: list[str]
    reasons: Filled[list[str]] = None


class VerifyRecommendationOut(Model):
    """Result of `verify_recommendation`."""

    itemCount: int
    recommendations: list[WeighedItem]
    aggregateFlags: list[str] | None = None
    notes: Filled[list[str]] = None
    trust: str = TRUST


_OUTPUT = typed_schema(
    recommendations=typed_schema(
        title="string",
        selfPromotionSignal="string",
        conflictOfInterest="object",
        linkLive="boolean",
        flags="array",
        reasons="array",
    ),
    aggregateFlags="array",
)


@tool(
    "trust",
    ToolOptions(
        title="Check recommendations",
        timeout=90.0,
        output_schema=_OUTPUT,
    ),
)
async def verify_recommendation(
    args: VerifyRecommendationIn, call: Call
) -> VerifyRecommendationOut:
    """Check a ranking for self-promotion, authors with a stake, dead links and who else agrees.

    Evidence, never a verdict.
    """
    items = [
        RecommendedItem(each.title, each.url.strip(), each.author, each.authorBio)
        for each in args.recommendations
    ]
    count = min(max(args.numCorroborationResults, 1), _MAX_RESULTS)
    assessments, notes = await call.services.recommendations.assess(items, args.claim, count)
    return VerifyRecommendationOut(
        itemCount=len(items),
        recommendations=[_item(each) for each in assessments],
        aggregateFlags=list_flags(assessments) if args.claim else None,
        notes=notes,
    )


def _item(assessment: ItemAssessment) -> WeighedItem:
    item, link, conflict = assessment.item, assessment.link, assessment.conflict
    link_fields: dict[str, Any] = {}
    if link:
        known = link.outcome != "unchecked"
        link_fields = {"linkLive": not link.lost if known else None, "httpStatus": link.status or 0}
    return WeighedItem(
        title=item.title,
        url=item.url,
        author=item.author,
        selfPromotionSignal=assessment.promotion,
        conflictOfInterest=conflict._asdict() if conflict else None,
        domainReputation=assessment.reputation,
        corroborationSearches=[_corroboration(each) for each in assessment.corroborations],
        flags=list(assessment.flags),
        reasons=list(assessment.reasons),
        **link_fields,
    )


def _corroboration(found: CorroborationCounts) -> Corroboration:
    return Corroboration(
        query=found.query,
        lens=found.lens,
        resultCount=found.agree + found.disagree + found.silent,
        agreeCount=found.agree,
        disagreeCount=found.disagree,
        silentCount=found.silent,
        topResults=[{"title": each.title, "url": each.url} for each in found.top],
    )
