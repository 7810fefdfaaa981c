"""Eurostat, official statistics of the EU (https://ec.europa.eu/eurostat/web/user-guides/data-browser/api-data-access)."""

from typing import TYPE_CHECKING, ClassVar

from webquarry.content.statistics import catalog_search
from webquarry.errors import BadInputError, NotFoundError, PayloadError
from webquarry.models.records import RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import Params
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import path_segment
from webquarry.providers.capabilities_records import CatalogCache
from webquarry.providers.provider import Keys, ProviderInfo

if TYPE_CHECKING:
    from webquarry.content.statistics.table_reading import TableReading

_COLUMNS = ("title", "code", "type")
_LEAVES = frozenset({"dataset", "table"})


class Eurostat:
    """Finds European data sets and their observations. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="eurostat",
        docs="https://ec.europa.eu/eurostat/web/user-guides/data-browser/api-data-access",
        base_url="https://ec.europa.eu/eurostat/api/dissemination",
    )
    default_country: ClassVar = None

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(timeout=30, deadline=50, tries=2, max_bytes=32 * 2**20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    async def search_series(
        self, query: SeriesQuery, catalogs: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        catalog = await catalogs.fetch("eurostat", self._catalogue)
        found = catalog_search.search_catalog(catalog.content, query)
        return RecordsFound(found.items, (*found.notes, *catalog.notes))

    async def observe(
        self, query: ObservationQuery, catalogs: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        dated = query.since or query.until
        # whole years and one more: how a year limits monthly values is not documented
        window: Params = {
            "sinceTimePeriod": query.since[:4] if query.since else None,
            "untilTimePeriod": str(int(query.until[:4]) + 1) if query.until else None,
            "lastTimePeriod": None if dated else query.count,
        }
        table = await self._table(query, window)
        if table.is_empty and not dated and query.country:
            # the last periods of the data set may have no value of this country
            table = await self._table(query, {})
        return RecordsFound(table.items, table.notes)

    async def _table(self, query: ObservationQuery, window: Params) -> "TableReading":
        # imported here because it is slow to load and rarely needed
        from webquarry.content.statistics.table_reading import read_json_stat

        params = {
            "format": "JSON",
            "lang": "EN",
            "geo": query.country.upper() if query.country else None,
            **window,
        }
        path = f"statistics/1.0/data/{path_segment(query.series)}"
        response = await self._api.get(path, params=params, expect=(400, 404, 413))
        table = await self._api.parse(read_json_stat, response, query=query, source="eurostat")
        if response.status == 413 or (response.status != 404 and not table.has_data):
            raise _too_large(table.message or "too large")
        _check_status(response.status, table.message, query)
        if table.is_too_large:
            raise _too_large(table.problem)
        if table.problem:
            raise PayloadError(
                f"Unexpected response (eurostat): {table.problem}.", provider="eurostat"
            )
        return table

    async def _catalogue(self) -> bytes:
        response = await self._api.get("catalogue/toc/txt", params={"lang": "en"})
        lines = response.text.lstrip("\ufeff").splitlines()
        names = [name.lower() for name in _cells(lines[0])] if lines else []
        if not set(_COLUMNS) <= set(names):
            raise PayloadError(
                "Unexpected response (eurostat): the table of contents has other columns.",
                provider="eurostat",
            )
        entries = (dict(zip(names, _cells(line), strict=False)) for line in lines[1:])
        return catalog_search.serialize_catalog(
            (_entry(e) for e in entries if e.get("type") in _LEAVES), "eurostat"
        )


def _check_status(status: int, reason: str, query: ObservationQuery) -> None:
    if status == 404:
        raise NotFoundError(f"Not found (eurostat): {reason or query.series}.", provider="eurostat")
    if status == 400:
        raise BadInputError(f"Request refused (eurostat): {reason}.", provider="eurostat")


def _too_large(why: str) -> BadInputError:
    return BadInputError(
        f"Request refused (eurostat): {why}. Narrow it with country, date_from and date_to.",
        provider="eurostat",
    )


def _cells(line: str) -> list[str]:
    # quotes do not delimit cells: a title may contain unpaired ones
    return [cell.strip().strip('"').strip() for cell in line.split("\t")]


def _entry(row: dict[str, str]) -> SeriesItem:
    start, end = row.get("data start", ""), row.get("data end", "")
    return SeriesItem(
        seriesId=row["code"],
        title=row["title"],
        lastUpdated=row.get("last update of data"),
        notes=f"{start} to {end}" if start and end else None,
        source="eurostat",
    )
