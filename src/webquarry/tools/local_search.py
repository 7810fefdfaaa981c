"""The `local_search` tool: physical places."""

from pydantic import Field, model_validator

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.search_meta import search_meta
from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import ArgumentsError, Filled
from webquarry.models.search import PlaceQuery, Units
from webquarry.models.search_args import Country, QueryText, ShortText, clamped
from webquarry.models.search_out import Hints, Places, UnhonouredFilters
from webquarry.models.zero_results import TRUST, zero_result_hints
from webquarry.providers.capabilities_search import SearchesPlaces
from webquarry.wiring.container import Services

_MAX_RESULTS, _DEFAULT_RESULTS = 20, 5
_FILTERS = ("near", "radius", "country")


class LocalSearchIn(Budgeted):
    """Arguments of `local_search`."""

    query: QueryText = Field(description="E.g. coffee shops.")
    near: ShortText | None = Field(default=None, description="City or region.")
    latitude: float | None = Field(default=None, ge=-90, le=90, description="Overrides near.")
    longitude: float | None = Field(default=None, ge=-180, le=180, description="With latitude.")
    radius: float = Field(default=0, ge=0, description="Metres around the point; 0 = any.")
    country: Country | None = Field(default=None, description="ISO 3166-1.")
    units: Units | None = Field(default=None, description="For display.")
    num_results: int = Field(default=_DEFAULT_RESULTS, description="1-20.")
    provider: str | None = Field(default=None, description="Use only this one.")
    sessionId: str | None = Field(default=None, description="Session id.")

    @model_validator(mode="after")
    def _check_point(self) -> "LocalSearchIn":
        if (self.latitude is None) != (self.longitude is None):
            raise ArgumentsError(
                "latitude and longitude must be given together", "latitude", "longitude"
            )
        return self


class LocalSearchOut(Paged):
    """Result of `local_search`."""

    places: Places
    query: str
    resultCount: int
    provider: str
    hints: Hints | None = None
    unhonoured: Filled[UnhonouredFilters] = None
    trust: str


def _is_available(services: Services) -> bool:
    return bool(services.providers.of(SearchesPlaces))


@tool(
    "web",
    ToolOptions(
        cache=CacheRule(seconds=21_600, cacheable=lambda body: bool(body["places"])),
        cuttable=("places",),
        output_schema=names_schema("places", "hints", "unhonoured", "nextCursor"),
        available=_is_available,
        after_call=search_meta(max_results=_MAX_RESULTS),
    ),
)
async def local_search(args: LocalSearchIn, call: Call) -> LocalSearchOut:
    """Find places (shops, restaurants, services), nearest first if a point is given."""
    query = PlaceQuery(
        text=args.query,
        count=clamped(args.num_results, _MAX_RESULTS, _DEFAULT_RESULTS),
        near=args.near,
        latitude=args.latitude,
        longitude=args.longitude,
        country=args.country,
        units=args.units,
    )
    found = await call.services.searching.places(query, radius=args.radius, only=args.provider)
    hints = None
    if not found.items:
        applied = [n for n in _FILTERS if getattr(args, n) and n not in found.unhonoured]
        hints = zero_result_hints(applied, [])
    return LocalSearchOut(
        places=found.items,
        query=args.query,
        resultCount=len(found.items),
        provider=found.provider,
        hints=hints,
        unhonoured=list(found.unhonoured),
        trust=TRUST,
    )
