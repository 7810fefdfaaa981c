"""Brave's search for places: one call finds ids, two more say what they stand for."""

import logging
import unicodedata
from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from webquarry.content.text.snippets import plain
from webquarry.errors import WebquarryError
from webquarry.models.search import Place, PlaceQuery
from webquarry.net.upstream.api import ApiLimits, UpstreamApi
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import Reach
from webquarry.providers.provider import Wire
from webquarry.providers.search_wire import SearchPayload

logger = logging.getLogger(__name__)


class BravePlaces:
    """Finds places. Their ids are good for one call only and never stored."""

    reach: ClassVar = Reach(most=20, honours=frozenset(("near", "country", "units")), chars=400)

    def __init__(self, upstreams: Upstreams, api: UpstreamApi, headers: Mapping[str, str]) -> None:
        self._api = api
        # with a breaker of its own: places are worth having without their descriptions
        self._extras = upstreams.api(
            "brave_descriptions", api.base_url, ApiLimits(timeout=5, deadline=5, tries=1)
        )
        self._headers = headers

    async def search(self, query: PlaceQuery) -> list[Place]:
        """Return places with everything known about them."""
        params = {
            "q": query.text,
            "count": query.count,
            "country": query.country.upper() if query.country else None,
            "result_filter": "locations",
            "units": query.units,
        }
        headers = {**self._headers, **_anchor(query)}
        response = await self._api.get("res/v1/web/search", params=params, headers=headers)
        section = self._api.decode(_Located, response).locations
        ids = [found.id for found in (section.results if section else None) or () if found.id]
        if not ids:
            return []
        asked = {"ids": ids[: query.count], "units": query.units}
        response = await self._api.get("res/v1/local/pois", params=asked, headers=self._headers)
        places = self._api.decode(_Pois, response).results or ()
        described = await self._descriptions(ids[: query.count])
        return [poi.to_place(described.get(poi.id)) for poi in places if poi.id]

    async def _descriptions(self, ids: list[str]) -> dict[str, str]:
        try:
            response = await self._extras.get(
                "res/v1/local/descriptions", params={"ids": ids}, headers=self._headers
            )
            found = self._api.decode(_Descriptions, response).results or ()
        except WebquarryError as exc:  # best effort: the places are good without
            logger.info("places come without descriptions: %s", exc)
            return {}
        return {entry.id: plain(entry.description) for entry in found if entry.description}


def _anchor(query: PlaceQuery) -> dict[str, str]:
    """Return the headers that say where to look; coordinates win over names."""
    if query.latitude is not None and query.longitude is not None:
        return {"X-Loc-Lat": f"{query.latitude:g}", "X-Loc-Long": f"{query.longitude:g}"}
    anchor = {"X-Loc-City": _sendable(query.near or ""), "X-Loc-Country": query.country or ""}
    return {name: value for name, value in anchor.items() if value}


def _sendable(text: str) -> str:
    """Return a name as a header carries it best: Zürich as Zurich, Tokyo in its own letters."""
    whole = " ".join(text.split())
    letters = unicodedata.normalize("NFKD", whole)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return bare if bare.isascii() else whole


class _Id(Wire):
    id: str = ""


class _Ids(Wire):
    results: tuple[_Id, ...] | None = None


class _Located(SearchPayload):
    marks = ("locations", "query")
    locations: _Ids | None = None  # left out when no place was found


class _Address(Wire):
    display: str | None = Field(default=None, alias="displayAddress")


class _Contact(Wire):
    telephone: str | None = None


class _Rating(Wire):
    value: float | None = Field(default=None, alias="ratingValue")
    count: int | None = Field(default=None, alias="reviewCount")


class _Hours(Wire):
    full_name: str | None = None
    opens: str | None = None
    closes: str | None = None

    def __str__(self) -> str:
        return f"{self.full_name}: {self.opens}-{self.closes}"


class _Opening(Wire):
    current_day: tuple[_Hours, ...] | None = None
    days: tuple[tuple[_Hours, ...], ...] | None = None

    def texts(self) -> tuple[str, ...]:
        spans = [span for day in self.days or () for span in day] or self.current_day or ()
        return tuple(str(span) for span in spans if span.full_name and span.opens and span.closes)


class _Poi(Wire):
    id: str = ""
    title: str | None = None
    url: str | None = None
    coordinates: tuple[float, float] | None = None
    postal_address: _Address | None = None
    contact: _Contact | None = None
    categories: tuple[str, ...] | None = None
    rating: _Rating | None = None
    opening_hours: _Opening | None = None

    def to_place(self, description: str | None) -> Place:
        rating = self.rating or _Rating()
        lat, lon = self.coordinates or (None, None)
        return Place(
            id=self.id,
            name=plain(self.title),
            address=(self.postal_address.display if self.postal_address else None) or "",
            lat=lat,
            lon=lon,
            phone=self.contact.telephone if self.contact else None,
            website=self.url,
            categories=self.categories or (),
            rating=rating.value,
            ratingCount=rating.count,
            hours=self.opening_hours.texts() if self.opening_hours else (),
            description=description,
            source="brave",
        )


class _Pois(SearchPayload):
    marks = ("results", "type")
    results: tuple[_Poi, ...] | None = None


class _Description(Wire):
    id: str = ""
    description: str | None = None


class _Descriptions(SearchPayload):
    marks = ("results", "type")
    results: tuple[_Description, ...] | None = None
