"""OECD statistics over SDMX (https://www.oecd.org/en/data/insights/data-explainers/2024/09/api.html)."""

import json
import re
from typing import ClassVar

from pydantic import AliasPath, Field

from webquarry.content.statistics import catalog_search
from webquarry.errors import BadInputError, NotFoundError, PayloadError
from webquarry.models.records import RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import Params
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_records import CatalogCache
from webquarry.providers.provider import Keys, ProviderInfo, Wire

_DATA = {"Accept": "application/vnd.sdmx.data+json;version=2.0.0"}
_STRUCTURE = {"Accept": "application/vnd.sdmx.structure+json"}
_REF = re.compile(r"[\w.@-]+,[\w.@-]+(,[\w.@+*-]*)?")
_COUNTRY = re.compile(r"[\w+-]+")
_AREAS = ("REF_AREA", "LOCATION", "COUNTRY", "COU")
_TOO_LARGE = 413
_DAYS = 366  # observations of a year that may precede the requested ones


class Oecd:
    """Finds data sets of the OECD and their observations. 60 downloads an hour, no key."""

    about: ClassVar = ProviderInfo(
        name="oecd",
        docs="https://www.oecd.org/en/data/insights/data-explainers/2024/09/api.html",
        base_url="https://sdmx.oecd.org/public/rest",
    )
    default_country: ClassVar = None

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(timeout=30, deadline=50, tries=2, max_bytes=32 * 2**20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    async def search_series(
        self, query: SeriesQuery, catalogs: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        catalog = await catalogs.fetch("oecd", self._catalogue)
        found = catalog_search.search_catalog(catalog.content, query)
        return RecordsFound(found.items, (*found.notes, *catalog.notes))

    async def observe(
        self, query: ObservationQuery, catalogs: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        if not _REF.fullmatch(query.series):
            raise BadInputError(
                "series_id: must be agency,dataflow,version as a keyword search returns it",
                provider="oecd",
            )
        key, notes = await self._key(query, catalogs)
        # imported here because it is slow to load and rarely needed
        from webquarry.content.statistics.table_reading import read_sdmx

        response = await self._data(query, key)
        if response.status == 404:
            return RecordsFound((), notes)
        found = await self._api.parse(read_sdmx, response, query=query, source="oecd")
        if found.is_too_large:
            raise _too_large(found.problem)
        if found.problem:
            raise PayloadError(f"Unexpected response (oecd): {found.problem}.", provider="oecd")
        return RecordsFound(found.items, (*found.notes, *notes))

    async def _data(self, query: ObservationQuery, key: str) -> FetchedResponse:
        """Request some observations of each series; if that is too large, only the dates."""
        path = f"data/{query.series}/{key}"
        # whole years: how a month limits yearly values depends on the server
        dates: Params = {
            "startPeriod": query.since[:4] if query.since else None,
            "endPeriod": query.until[:4] if query.until else None,
            "dimensionAtObservation": "TIME_PERIOD",
        }
        finer = any(len(day) > 4 for day in (query.since, query.until) if day)
        count = query.count + (_DAYS if finer else 0)
        window = {"firstNObservations" if query.since else "lastNObservations": count}
        response = await self._api.get(
            path, params={**dates, **window}, headers=_DATA, expect=(404, _TOO_LARGE)
        )
        if response.status != _TOO_LARGE:
            return response
        if query.since:
            response = await self._api.get(path, params=dates, headers=_DATA, expect=(404, 413))
        if response.status == _TOO_LARGE:
            raise _too_large("the data set is too large")
        return response

    async def _key(
        self, query: ObservationQuery, catalogs: CatalogCache
    ) -> tuple[str, tuple[str, ...]]:
        """Return the series key with the country in its position, and notes."""
        if query.country is None:
            return "all", ()
        if not _COUNTRY.fullmatch(query.country):
            raise BadInputError("country: must be a code like USA", provider="oecd")

        async def load() -> bytes:
            return json.dumps(await self._dimensions(query.series)).encode()

        structure = await catalogs.fetch(f"oecd:{query.series}", load)
        dimensions: list[str] = json.loads(structure.content)
        area = next((name for name in _AREAS if name in dimensions), None)
        if area is None:
            return "all", ("country does not apply: this data set has no areas.", *structure.notes)
        country = query.country.upper()
        return ".".join(country if name == area else "" for name in dimensions), structure.notes

    async def _dimensions(self, series: str) -> list[str]:
        agency, flow, version = (*series.split(","), "")[:3]
        response = await self._api.get(
            f"dataflow/{agency}/{flow}/{version or 'latest'}",
            params={"references": "datastructure"},
            headers=_STRUCTURE,
        )
        structures = self._api.decode(_Listing, response).structures
        if not structures:
            raise NotFoundError(f"Not found (oecd): {series} has no structure.", provider="oecd")
        return [d.id for d in sorted(structures[0].dimensions, key=lambda d: d.position)]

    async def _catalogue(self) -> bytes:
        response = await self._api.get(
            "dataflow/all/all/latest", params={"detail": "allstubs"}, headers=_STRUCTURE
        )
        flows = self._api.decode(_Listing, response).flows
        return catalog_search.serialize_catalog((flow.to_item() for flow in flows), "oecd")


def _too_large(why: str) -> BadInputError:
    return BadInputError(
        f"Request refused (oecd): {why}. Name a country and a short span from date_from to"
        " date_to.",
        provider="oecd",
    )


class _Dimension(Wire):
    id: str
    position: int = 0


class _Definition(Wire):
    dimensions: tuple[_Dimension, ...] = Field(
        validation_alias=AliasPath("dataStructureComponents", "dimensionList", "dimensions")
    )


class _Flow(Wire):
    id: str
    agency: str = Field(alias="agencyID")
    version: str = "latest"
    name: str | None = None
    names: dict[str, str] | None = None

    def to_item(self) -> SeriesItem:
        return SeriesItem(
            seriesId=f"{self.agency},{self.id},{self.version}",
            title=self.name or (self.names or {}).get("en"),
            source="oecd",
        )


class _Listing(Wire):
    flows: tuple[_Flow, ...] = Field(default=(), validation_alias=AliasPath("data", "dataflows"))
    structures: tuple[_Definition, ...] = Field(
        default=(), validation_alias=AliasPath("data", "dataStructures")
    )
