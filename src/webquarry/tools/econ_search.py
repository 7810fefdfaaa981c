"""The `econ_search` tool: economic and development statistics."""

import re
from typing import Literal, Self

from pydantic import Field, model_validator

from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.errors import ProviderError, UnconfiguredError
from webquarry.models.model import ArgumentsError
from webquarry.models.periods import Period, check_order
from webquarry.models.records import RecordsFound, RecordsIn, RecordsOut
from webquarry.models.result import Result
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.providers.capabilities_records import SearchesSeries
from webquarry.services.provider_choice import CapableProviders
from webquarry.services.records.chart_image import chart_block
from webquarry.services.records.output_schema import brief_schema
from webquarry.services.records.provider_reply import query_provider

_DEFAULT_SERIES, _DEFAULT_OBSERVATIONS = 5, 10
_NARROWING = ("country", "date_from", "date_to", "frequency", "units")
_FRED_ONLY = ("frequency", "units")


class EconSearchIn(RecordsIn):
    """Arguments of `econ_search`."""

    query: str | None = Field(default=None, description="Words in a series' name.")
    series_id: str | None = Field(
        default=None, description="Id from a keyword search, e.g. UNRATE or NY.GDP.MKTP.CD."
    )
    country: str | None = Field(
        default=None, description="worldbank US (default WLD), oecd USA, eurostat DE."
    )
    date_from: Period | None = Field(
        default=None, description="YYYY-MM-DD or YYYY; oldest first from here."
    )
    date_to: Period | None = Field(default=None, description="Until.")
    frequency: str | None = Field(default=None, description="fred: d, w, m, q, a")
    units: str | None = Field(default=None, description="fred: pch, pc1, …")
    num_results: int | None = Field(
        default=None, ge=1, le=200, description="Default 5 series or 10 observations."
    )
    provider: str | None = Field(default=None, description="fred, worldbank, oecd, eurostat")
    chart: bool = Field(default=False, description="Also draw the observations.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.query is None and self.series_id is None:
            raise ArgumentsError("give query or series_id", "query", "series_id")
        check_order(self.date_from, self.date_to)
        return self


class EconSearchOut(RecordsOut):
    """Result of `econ_search`."""

    mode: Literal["series", "observations"]
    seriesId: str | None = None
    country: str | None = None
    results: tuple[SeriesItem, ...]


_OPTIONS = ToolOptions(
    title="Economic data",
    cache=CacheRule(6 * 3600, cacheable=lambda body: bool(body["results"])),
    output_schema=brief_schema(EconSearchOut, "results", SeriesItem),
)


@tool("data", _OPTIONS)
async def econ_search(args: EconSearchIn, call: Call) -> tuple[EconSearchOut, Result]:
    """Economic data: find series by keyword, then get observations by series_id."""
    providers = call.services.providers.of(SearchesSeries)
    catalogs = call.services.catalogs

    async def query(provider: SearchesSeries) -> RecordsFound[SeriesItem]:
        if args.series_id is None:
            series = SeriesQuery(text=args.query or "", count=args.num_results or _DEFAULT_SERIES)
            return await provider.search_series(series, catalogs)
        return await provider.observe(_observations(args, args.series_id), catalogs)

    needs_fred = _needs_fred(args, providers)
    try:
        reply = await query_provider(providers, args.provider, query)
    except ProviderError as error:
        if needs_fred:
            raise _missing_fred_key(f"{error} {args.series_id}", providers) from error
        raise
    if needs_fred and not reply.records.items:
        reason = f"{args.series_id} is unknown to {reply.provider}; it"
        raise _missing_fred_key(reason, providers)
    country = args.country or providers.ready[reply.provider].default_country
    out = EconSearchOut(
        query=args.query,
        mode="series" if args.series_id is None else "observations",
        seriesId=args.series_id,
        country=country if args.series_id else None,
        results=reply.records.items,
        **reply.result_fields(args, _NARROWING if args.series_id else ()),
    )
    out = _with_note(out, _ignored(args, reply.provider))
    if not args.chart or args.series_id is None or not out.results:
        return out, Result()
    block, note = await chart_block(call.services.parsers, out.results)
    return _with_note(out, note), Result(content=(block,) if block else ())


def _needs_fred(args: EconSearchIn, providers: CapableProviders[SearchesSeries]) -> bool:
    """Tell whether a series that was not found is probably one of FRED, which has no key here."""
    is_like_fred = bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9]{1,29}", args.series_id or ""))
    return is_like_fred and not args.provider and "fred" not in providers.ready


def _missing_fred_key(
    subject: str, providers: CapableProviders[SearchesSeries]
) -> UnconfiguredError:
    return UnconfiguredError(
        f"{subject} looks like a FRED series: set FRED_API_KEY "
        "(free, https://fred.stlouisfed.org/docs/api/api_key.html).",
        provider="fred",
        alternatives=tuple(providers.ready),
    )


def _observations(args: EconSearchIn, series: str) -> ObservationQuery:
    return ObservationQuery(
        series=series,
        country=args.country,
        since=args.date_from,
        until=args.date_to,
        frequency=args.frequency,
        units=args.units,
        count=args.num_results or _DEFAULT_OBSERVATIONS,
    )


def _ignored(args: EconSearchIn, provider: str) -> str | None:
    """Return a note that names the arguments without effect."""
    unused = _NARROWING if args.series_id is None else _FRED_ONLY if provider != "fred" else ()
    names = [name for name in unused if getattr(args, name) is not None]
    if args.series_id is None and args.chart:
        names.append("chart")
    where = "in a keyword search" if args.series_id is None else f"for {provider}"
    return f"Without effect {where}: {', '.join(names)}." if names else None


def _with_note(out: EconSearchOut, note: str | None) -> EconSearchOut:
    if note is None:
        return out
    return out.model_copy(update={"note": f"{out.note} {note}" if out.note else note})
