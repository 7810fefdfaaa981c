"""World Bank Open Data (https://datahelpdesk.worldbank.org/knowledgebase/articles/889392)."""

from typing import ClassVar, TypeVar

from pydantic import Field

from webquarry.content.statistics import catalog_search
from webquarry.errors import BadInputError, NotFoundError, PayloadError
from webquarry.models.periods import span, within
from webquarry.models.records import RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import Params
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import path_segment
from webquarry.providers.capabilities_records import CatalogCache
from webquarry.providers.provider import Keys, ProviderInfo, Wire

R = TypeVar("R")

_WDI = 2  # the source "World Development Indicators"
_PAGE = 1000
_MAX_PAGES = 20
_ALL_ROWS = 20_000  # one page with every economy and year
_UNKNOWN = frozenset({"120", "175"})  # an indicator or economy that does not exist


class WorldBank:
    """Finds development indicators and their values for economies and regions. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="worldbank",
        docs="https://datahelpdesk.worldbank.org/knowledgebase/topics/125589",
        base_url="https://api.worldbank.org/v2",
    )
    default_country: ClassVar = "WLD"

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(timeout=20, deadline=40, max_bytes=16 * 2**20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    async def search_series(
        self, query: SeriesQuery, catalogs: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        catalog = await catalogs.fetch("worldbank", self._catalogue)
        found = catalog_search.search_catalog(catalog.content, query)
        return RecordsFound(found.items, (*found.notes, *catalog.notes))

    async def observe(
        self, query: ObservationQuery, catalogs: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        country = (query.country or self.default_country).replace(",", ";").replace(" ", "")
        several = ";" in country or country.lower() == "all"
        path = f"country/{path_segment(country)}/indicator/{path_segment(query.series)}"
        response = await self._api.get(path, params=_window(query, several=several))
        # the full type: a type variable would lose the rows
        head, rows = _head_and_rows(
            self._api.decode(list[_Head | tuple[_Row, ...] | None], response)
        )
        matching = [row for row in rows if within(row.date, query.since, query.until)]
        matching.sort(key=_period_end, reverse=query.since is None)
        shown = matching[: query.count]
        items = tuple(row.to_item(query.series, named=several) for row in shown)
        total = head.total if head.pages > 1 else len(matching)
        more = 0 < len(shown) < total
        return RecordsFound(items, (f"{len(shown)} of {total} observations.",) if more else ())

    async def _catalogue(self) -> bytes:
        entries: list[SeriesItem] = []
        for page in range(1, _MAX_PAGES + 1):
            params = {"source": _WDI, "format": "json", "per_page": _PAGE, "page": page}
            response = await self._api.get("indicator", params=params)
            head, rows = _head_and_rows(
                self._api.decode(list[_Head | tuple[_Indicator, ...] | None], response)
            )
            entries += [row.to_item() for row in rows]
            if page >= head.pages:
                break
        return catalog_search.serialize_catalog(entries, "worldbank")


def _window(query: ObservationQuery, *, several: bool) -> Params:
    """Return the parameters for the newest rows, or for all rows if they must be filtered."""
    since, until = span(query.since or ""), span(query.until or "")
    all_rows = several or since or until
    return {
        "format": "json",
        "date": f"{since.start.year}:{until.end.year}" if since and until else None,
        "per_page": _ALL_ROWS if all_rows else query.count,
    }


def _head_and_rows(parts: "list[_Head | tuple[R, ...] | None]") -> "tuple[_Head, tuple[R, ...]]":
    """Return head and rows; errors have status 200 as well."""
    head = parts[0] if parts else None
    if not isinstance(head, _Head):
        raise PayloadError(
            "Unexpected response (worldbank): it has no header. Try a different provider.",
            provider="worldbank",
        )
    if head.message:
        messages = "; ".join(f"{each.key}: {each.value}" for each in head.message)
        kind = NotFoundError if {each.id for each in head.message} & _UNKNOWN else BadInputError
        raise kind(f"Request refused (worldbank): {messages}.", provider="worldbank")
    rows = parts[1] if len(parts) > 1 else None
    return head, rows if isinstance(rows, tuple) else ()


class _Message(Wire):
    id: str = ""
    key: str = ""
    value: str = ""


class _Head(Wire):
    pages: int = 1
    total: int = 0
    message: tuple[_Message, ...] = ()


class _Topic(Wire):
    value: str | None = None


class _Row(Wire):
    date: str
    value: int | float | None = None
    country: _Topic | None = None
    code: str | None = Field(default=None, alias="countryiso3code")
    unit: str | None = None
    obs_status: str | None = None

    def to_item(self, series: str, *, named: bool) -> SeriesItem:
        return SeriesItem(
            seriesId=series,
            title=self._country() if named else None,
            date=self.date,
            value=self.value,
            notes=f"status: {self.obs_status}" if self.obs_status else None,
            source="worldbank",
        )

    def _country(self) -> str | None:
        return (self.country and self.country.value) or self.code or None


def _period_end(row: _Row) -> str:
    found = span(row.date)
    return found.end.isoformat() if found else ""


class _Indicator(Wire):
    id: str
    name: str | None = None
    unit: str | None = None
    source_note: str | None = Field(default=None, alias="sourceNote")

    def to_item(self) -> SeriesItem:
        return SeriesItem(
            seriesId=self.id,
            title=self.name,
            units=self.unit,
            notes=self.source_note,
            source="worldbank",
        )
