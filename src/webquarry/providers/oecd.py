"""OECD statistics over SDMX (https://www.oecd.org/en/data/insights/data-explainers/2024/09/api.html)."""

import json
import re
from typing import ClassVar

from anyio import to_thread
from pydantic import AliasPath, Field

from webquarry.content.statistics import catalog_search, data_cube
from webquarry.content.statistics.data_cube import CubeError, CubeTooLargeError
from webquarry.errors import BadInputError, NotFoundError, PayloadError
from webquarry.models.records import RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import Params, Response
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_records import CatalogCache
from webquarry.providers.provider import Keys, ProviderInfo, Wire

_DATA = {"Accept": "application/vnd.sdmx.data+json;version=2.0.0"}
_STRUCTURE = {"Accept": "application/vnd.sdmx.structure+json"}
_REF = re.compile(r"[\w.@-]+,[\w.@-]+(,[\w.@+*-]*)?")
_COUNTRY = re.compile(r"[\w+-]+")
_AREAS = ("REF_AREA", "LOCATION", "COUNTRY", "COU")
_TOO_LARGE = 413
_DAYS = 366  # observations of a year that the upstream may send before those asked for


class Oecd:
    """Finds data sets of the OECD and their observations. 60 downloads an hour, no key."""

    about: ClassVar = ProviderInfo(
        name="oecd",
        docs="https://www.oecd.org/en/data/insights/data-explainers/2024/09/api.html",
        base_url="https://sdmx.oecd.org/public/rest",
    )
    usual_country: ClassVar = None

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(timeout=30, deadline=50, tries=2, max_bytes=32 * 2**20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    async def search_series(
        self, query: SeriesQuery, shelf: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        kept = await shelf.fetch("oecd", self._catalogue)
        found = catalog_search.search(kept.content, query)
        return RecordsFound(found.items, (*found.notes, *kept.notes))

    async def observe(
        self, query: ObservationQuery, shelf: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        if not _REF.fullmatch(query.series):
            raise BadInputError(
                "series_id: must be agency,dataflow,version as a keyword search returns it",
                provider="oecd",
            )
        key, notes = await self._key(query, shelf)
        # imported here because most starts never decode a table
        from webquarry.content.statistics.sdmx import SdmxMessage

        response = await self._data(query, key)
        if response.status == 404:
            return RecordsFound((), notes)

        def decode() -> RecordsFound[SeriesItem]:
            cube = self._api.decode(SdmxMessage, response).cube()
            return data_cube.observations(cube, query, "oecd")

        try:
            found = await to_thread.run_sync(decode)  # a large table would hold up everyone
        except CubeTooLargeError as error:
            raise _too_large(f"{error}") from error
        except CubeError as error:
            raise PayloadError(f"Unexpected answer (oecd): {error}.", provider="oecd") from error
        return RecordsFound(found.items, (*found.notes, *notes))

    async def _data(self, query: ObservationQuery, key: str) -> Response:
        """Ask for one window per series; where the upstream forbids that, for the dates alone."""
        path = f"data/{query.series}/{key}"
        # whole years, because how a month limits yearly values is up to the server: we cut
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
        self, query: ObservationQuery, shelf: CatalogCache
    ) -> tuple[str, tuple[str, ...]]:
        """Return the series key with the country in its place, and what could not be honoured."""
        if query.country is None:
            return "all", ()
        if not _COUNTRY.fullmatch(query.country):
            raise BadInputError("country: must be a code like USA", provider="oecd")

        async def load() -> bytes:
            return json.dumps(await self._dimensions(query.series)).encode()

        kept = await shelf.fetch(f"oecd:{query.series}", load)
        dimensions: list[str] = json.loads(kept.content)
        area = next((name for name in _AREAS if name in dimensions), None)
        if area is None:
            return "all", ("country does not apply: this data set has no areas.", *kept.notes)
        country = query.country.upper()
        return ".".join(country if name == area else "" for name in dimensions), kept.notes

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
        return catalog_search.pack((flow.to_item() for flow in flows), "oecd")


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
