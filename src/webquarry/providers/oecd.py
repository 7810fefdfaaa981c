"""OECD statistics over SDMX (https://www.oecd.org/en/data/insights/data-explainers/2024/09/api.html)."""

import json
import re
from typing import ClassVar

from pydantic import Field
from pydantic.alias_generators import to_camel

from webquarry.content import catalogues, cubes
from webquarry.content.cubes import CubeError
from webquarry.content.sdmx import SdmxMessage
from webquarry.errors import BadInputError, NotFoundError, PayloadError
from webquarry.models.records import Found
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.api import Limits
from webquarry.net.http import Params, Response
from webquarry.net.upstreams import Upstreams
from webquarry.providers.base import About, Keys, Wire
from webquarry.providers.capabilities_records import Shelf

_DATA = {"Accept": "application/vnd.sdmx.data+json;version=2.0.0"}
_STRUCTURE = {"Accept": "application/vnd.sdmx.structure+json"}
_REF = re.compile(r"[\w.@-]+,[\w.@-]+(,[\w.@+*-]*)?")
_COUNTRY = re.compile(r"[\w+-]+")
_AREAS = ("REF_AREA", "LOCATION", "COUNTRY", "COU")
_TOO_LARGE = 413
_DAYS = 366  # observations of a year that the upstream may send before those asked for


class Oecd:
    """Finds data sets of the OECD and their observations. 60 downloads an hour, no key."""

    about: ClassVar = About(
        name="oecd",
        docs="https://www.oecd.org/en/data/insights/data-explainers/2024/09/api.html",
        base_url="https://sdmx.oecd.org/public/rest",
    )
    usual_country: ClassVar = None

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = Limits(timeout=30, deadline=50, tries=2, max_bytes=32 * 2**20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    async def search_series(self, query: SeriesQuery, shelf: Shelf) -> Found[SeriesItem]:
        kept = await shelf.fetch("oecd", self._catalogue)
        found = catalogues.search(kept.content, query)
        return Found(found.items, (*found.notes, *kept.notes))

    async def observe(self, query: ObservationQuery, shelf: Shelf) -> Found[SeriesItem]:
        if not _REF.fullmatch(query.series):
            raise BadInputError(
                "series_id: must be agency,dataflow,version as a keyword search returns it",
                provider="oecd",
            )
        key, notes = await self._key(query, shelf)
        response = await self._data(query, key)
        if response.status == 404:
            return Found((), notes)
        try:
            cube = self._api.decode(SdmxMessage, response).cube()
        except CubeError as error:
            raise PayloadError(f"Unexpected answer (oecd): {error}.", provider="oecd") from error
        found = cubes.observations(cube, query, "oecd")
        return Found(found.items, (*found.notes, *notes))

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
            raise BadInputError(
                "Request refused (oecd): the data set is too large. Name a country and a short"
                " span from date_from to date_to.",
                provider="oecd",
            )
        return response

    async def _key(self, query: ObservationQuery, shelf: Shelf) -> tuple[str, tuple[str, ...]]:
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
            return "all", ("country does not apply: this data set has no areas.",)
        return ".".join(query.country if name == area else "" for name in dimensions), ()

    async def _dimensions(self, series: str) -> list[str]:
        agency, flow, version = (*series.split(","), "")[:3]
        response = await self._api.get(
            f"dataflow/{agency}/{flow}/{version or 'latest'}",
            params={"references": "datastructure"},
            headers=_STRUCTURE,
        )
        structures = self._api.decode(_Listing, response).data.data_structures
        if not structures:
            raise NotFoundError(f"Not found (oecd): {series} has no structure.", provider="oecd")
        dimensions = structures[0].data_structure_components.dimension_list.dimensions
        return [d.id for d in sorted(dimensions, key=lambda d: d.position)]

    async def _catalogue(self) -> bytes:
        response = await self._api.get(
            "dataflow/all/all/latest", params={"detail": "allstubs"}, headers=_STRUCTURE
        )
        flows = self._api.decode(_Listing, response).data.dataflows
        return catalogues.pack((flow.to_item() for flow in flows), "oecd")


class _Structure(Wire):
    model_config = Wire.model_config | {"alias_generator": to_camel}


class _Dimension(_Structure):
    id: str
    position: int = 0


class _DimensionList(_Structure):
    dimensions: tuple[_Dimension, ...]


class _Components(_Structure):
    dimension_list: _DimensionList


class _Definition(_Structure):
    data_structure_components: _Components


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


class _Data(_Structure):
    dataflows: tuple[_Flow, ...] = ()
    data_structures: tuple[_Definition, ...] = ()


class _Listing(_Structure):
    data: _Data
