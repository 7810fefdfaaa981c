"""The `legal_search` tool: opinions of US courts."""

from typing import Self

from pydantic import Field, model_validator

from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.models.periods import Day, check_order
from webquarry.models.records import Case, CaseQuery, RecordsIn, RecordsOut
from webquarry.providers.capabilities_records import SearchesCases
from webquarry.services.records.output_schema import brief_schema
from webquarry.services.records.provider_reply import query_provider


class LegalSearchIn(RecordsIn):
    """Arguments of `legal_search`."""

    query: str = Field(description="Topic, case name (Miranda v. Arizona) or statute.")
    jurisdiction: str | None = Field(default=None, description="Court id: scotus, ca9, ny, …")
    date_from: Day | None = Field(default=None, description="Decided since, YYYY-MM-DD.")
    date_to: Day | None = Field(default=None, description="Decided until.")
    num_results: int = Field(default=10, ge=1, le=20, description="How many.")
    provider: str | None = Field(default=None, description="courtlistener")
    sessionId: str | None = Field(default=None, description="Session id.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_order(self.date_from, self.date_to)
        return self


class LegalSearchOut(RecordsOut):
    """Result of `legal_search`."""

    cases: tuple[Case, ...]


_OPTIONS = ToolOptions(
    title="US case law",
    cache=CacheRule(86_400, cacheable=lambda body: bool(body["cases"])),
    output_schema=brief_schema(LegalSearchOut, "cases", Case),
    available=lambda services: bool(services.providers.of(SearchesCases)),
)


@tool("data", _OPTIONS)
async def legal_search(args: LegalSearchIn, call: Call) -> LegalSearchOut:
    """Search US federal and state court opinions, with Bluebook citations."""
    query = CaseQuery(
        text=args.query,
        court=args.jurisdiction,
        since=args.date_from,
        until=args.date_to,
        count=args.num_results,
    )
    reply = await query_provider(
        call.services.providers.of(SearchesCases),
        args.provider,
        lambda provider: provider.search_cases(query),
    )
    frame = reply.result_fields(args, ("jurisdiction", "date_from", "date_to"))
    return LegalSearchOut(query=args.query, cases=reply.records.items, **frame)
