"""The `clinical_search` tool: registered clinical studies."""

from typing import Self

from pydantic import Field, model_validator

from webquarry.calls.paging import Cursor
from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.models.model import ArgumentsError
from webquarry.models.records import RecordsIn, RecordsOut, Trial, TrialQuery
from webquarry.providers.capabilities_records import SearchesTrials
from webquarry.services.records.output_schema import brief_schema
from webquarry.services.records.provider_reply import query_provider


class ClinicalSearchIn(RecordsIn):
    """Arguments of `clinical_search`."""

    query: str | None = Field(default=None, description="Any words.")
    condition: str | None = Field(default=None, description="Disease.")
    intervention: str | None = Field(default=None, description="Drug, device or treatment.")
    sponsor: str | None = Field(default=None, description="Sponsor or funder.")
    status: str | None = Field(default=None, description="RECRUITING, COMPLETED, TERMINATED, …")
    phase: str | None = Field(default=None, description="EARLY_PHASE1, PHASE1 to PHASE4, NA.")
    num_results: int = Field(default=10, ge=1, le=100, description="How many.")
    provider: str | None = Field(default=None, description="clinicaltrials")
    sessionId: str | None = Field(default=None, description="Session id.")
    cursor: Cursor = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not (self.query or self.condition or self.intervention or self.sponsor):
            facets = ("query", "condition", "intervention", "sponsor")
            raise ArgumentsError("give query, condition, intervention or sponsor", *facets)
        return self


class ClinicalSearchOut(RecordsOut):
    """Result of `clinical_search`."""

    trials: tuple[Trial, ...]


_OPTIONS = ToolOptions(
    title="Clinical trials",
    cache=CacheRule(6 * 3600, cacheable=lambda body: bool(body["trials"])),
    output_schema=brief_schema(ClinicalSearchOut, "trials", Trial),
)


@tool("data", _OPTIONS)
async def clinical_search(args: ClinicalSearchIn, call: Call) -> ClinicalSearchOut:
    """Search ClinicalTrials.gov by any of its facets, at least one. Not medical advice."""
    query = TrialQuery(
        text=args.query,
        condition=args.condition,
        intervention=args.intervention,
        sponsor=args.sponsor,
        status=args.status,
        phase=args.phase,
        count=args.num_results,
    )
    reply = await query_provider(
        call.services.providers.of(SearchesTrials),
        args.provider,
        lambda provider: provider.search_trials(query),
    )
    # a hint to drop a facet makes sense only if a query remains
    facets = ("condition", "intervention", "sponsor") if args.query else ()
    frame = reply.result_fields(args, ("status", "phase", *facets))
    return ClinicalSearchOut(query=args.query, trials=reply.records.items, **frame)
