"""Brave place search: one request returns ids, two more their details and descriptions."""

import logging
import unicodedata
from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from webquarry.content.text.snippets import plain_text
from webquarry.errors import WebquarryError
from webquarry.models.model import Items
from webquarry.models.search import Place, PlaceQuery
from webquarry.net.upstream.api import ApiLimits, UpstreamApi
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Wire
from webquarry.providers.search_wire import SearchPayload

logger = logging.getLogger(__name__)


class BravePlaces:
    """Searches places. Their ids are valid for one search and are never stored."""

    support: ClassVar = SearchSupport(
        max_results=20, filters=frozenset(("near", "country", "units")), max_chars=400
    )

    def __init__(self, upstreams: Upstreams, api: UpstreamApi, headers: Mapping[str, str]) -> None:
        self._api = api
        # a separate circuit breaker: descriptions are optional
        self._extras = upstreams.api(
            "brave_descriptions", api.base_url, ApiLimits(timeout=5, deadline=5, tries=1)
        )
        self._headers = headers

    async def search(self, query: PlaceQuery) -> list[Place]:
        """Return places with their details."""
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
        details = {"ids": ids[: query.count], "units": query.units}
        response = await self._api.get("res/v1/local/pois", params=details, headers=self._headers)
        places = self._api.decode(_Pois, response).results
        described = await self._descriptions(ids[: query.count])
        return [poi.to_place(described.get(poi.id)) for poi in places if poi.id]

    async def _descriptions(self, ids: list[str]) -> dict[str, str]:
        try:
            response = await self._extras.get(
                "res/v1/local/descriptions", params={"ids": ids}, headers=self._headers
            )
            found = self._api.decode(_Descriptions, response).results
        except WebquarryError as exc:  # descriptions are optional
            logger.info("no descriptions of places: %s", exc)
            return {}
        return {entry.id: plain_text(entry.description) for entry in found if entry.description}


def _anchor(query: PlaceQuery) -> dict[str, str]:
    """Return the location headers; coordinates take precedence over names."""
    if query.latitude is not None and query.longitude is not None:
        return {"X-Loc-Lat": _degrees(query.latitude), "X-Loc-Long": _degrees(query.longitude)}
    anchor = {"X-Loc-City": _header_value(query.near or ""), "X-Loc-Country": query.country or ""}
    return {name: value for name, value in anchor.items() if value}


def _degrees(angle: float) -> str:
    """Return the angle to about 10 cm."""
    return f"{angle:.6f}".rstrip("0").rstrip(".")


def _header_value(text: str) -> str:
    """Return Latin letters without accents (Zurich for Zürich); other scripts unchanged."""
    name = " ".join(text.split())
    letters = unicodedata.normalize("NFKD", name)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return plain if plain.isascii() else name


class _Id(Wire):
    id: str = ""


class _Ids(Wire):
    results: Items[_Id] = ()


class _Located(SearchPayload):
    expected_keys = ("locations", "query")
    locations: _Ids | None = None  # absent when there are no places


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
    current_day: Items[_Hours] = ()
    days: Items[tuple[_Hours, ...]] = ()

    def texts(self) -> tuple[str, ...]:
        spans = [span for day in self.days for span in day] or self.current_day
        return tuple(str(span) for span in spans if span.full_name and span.opens and span.closes)


class _Poi(Wire):
    id: str = ""
    title: str | None = None
    url: str | None = None
    coordinates: tuple[float, float] | None = None
    postal_address: _Address | None = None
    contact: _Contact | None = None
    categories: Items[str] = ()
    rating: _Rating | None = None
    opening_hours: _Opening | None = None

    def to_place(self, description: str | None) -> Place:
        rating = self.rating or _Rating()
        lat, lon = self.coordinates or (None, None)
        return Place(
            id=self.id,
            name=plain_text(self.title),
            address=(self.postal_address.display if self.postal_address else None) or "",
            lat=lat,
            lon=lon,
            phone=self.contact.telephone if self.contact else None,
            website=self.url,
            categories=self.categories,
            rating=rating.value,
            ratingCount=rating.count,
            hours=self.opening_hours.texts() if self.opening_hours else (),
            description=description,
            source="brave",
        )


class _Pois(SearchPayload):
    expected_keys = ("results", "type")
    results: Items[_Poi] = ()


class _Description(Wire):
    id: str = ""
    description: str | None = None


class _Descriptions(SearchPayload):
    expected_keys = ("results", "type")
    results: Items[_Description] = ()
