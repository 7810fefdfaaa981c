"""The `filing_search` tool: what US public companies filed with the SEC."""

from typing import Self

from pydantic import Field, model_validator

from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.models.model import ArgumentsError
from webquarry.models.periods import Day, check_order
from webquarry.models.records import Filing, FilingQuery, RecordsIn, RecordsOut
from webquarry.providers.capabilities_records import SearchesFilings
from webquarry.services.records.output_schema import brief_schema
from webquarry.services.records.provider_reply import query_provider


class FilingSearchIn(RecordsIn):
    """Arguments of `filing_search`."""

    query: str | None = Field(
        default=None, description="Company, ticker or CIK; or words to find in all filings."
    )
    form_type: str | None = Field(default=None, description="10-K, 10-Q, 8-K, S-1, DEF 14A, …")
    ticker: str | None = Field(default=None, description="Overrides query as the company.")
    date_from: Day | None = Field(default=None, description="Filed since, YYYY-MM-DD.")
    date_to: Day | None = Field(default=None, description="Filed until.")
    facts: bool = Field(default=False, description="XBRL figures instead of filings.")
    num_results: int = Field(default=5, ge=1, le=10, description="How many.")
    provider: str | None = Field(default=None, description="edgar")
    sessionId: str | None = Field(default=None, description="Session id.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.query is None and self.ticker is None:
            raise ArgumentsError("give query or ticker", "query", "ticker")
        check_order(self.date_from, self.date_to)
        return self


class FilingSearchOut(RecordsOut):
    """Result of `filing_search`."""

    filings: tuple[Filing, ...]


_OPTIONS = ToolOptions(
    title="SEC filings",
    cache=CacheRule(86_400, cacheable=lambda body: bool(body["filings"])),
    output_schema=brief_schema(FilingSearchOut, "filings", Filing),
    available=lambda services: bool(services.providers.of(SearchesFilings)),
)


@tool("data", _OPTIONS)
async def filing_search(args: FilingSearchIn, call: Call) -> FilingSearchOut:
    """Search SEC EDGAR: filings or XBRL figures of a US company, or the text of all filings."""
    query = FilingQuery(
        text=args.query,
        ticker=args.ticker,
        form=args.form_type,
        since=args.date_from,
        until=args.date_to,
        facts=args.facts,
        count=args.num_results,
    )
    reply = await query_provider(
        call.services.providers.of(SearchesFilings),
        args.provider,
        lambda provider: provider.search_filings(query, call.services.catalogs),
    )
    frame = reply.result_fields(args, ("form_type", "date_from", "date_to"))
    return FilingSearchOut(query=args.query or args.ticker, filings=reply.records.items, **frame)
