"""FRED, economic series of the Federal Reserve (https://fred.stlouisfed.org/docs/api/fred/)."""

from typing import ClassVar

from webquarry.content.statistics.catalog_search import truncate_notes
from webquarry.errors import AccessError, BadInputError, NotFoundError, WebquarryError
from webquarry.models.periods import span, within
from webquarry.models.records import RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.http_port import Params
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_records import CatalogCache
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.settings.variable import Variable

_NO_VALUE = "."


class Fred:
    """Finds US economic series and their values, also resampled and transformed."""

    about: ClassVar = ProviderInfo(
        name="fred",
        docs="https://fred.stlouisfed.org/docs/api/api_key.html",
        base_url="https://api.stlouisfed.org/fred",
        variables=(
            Variable(
                "FRED_API_KEY", "Adds FRED to econ_search (free at fred.stlouisfed.org).",
                secret=True,
            ),
        ),
        requires=("FRED_API_KEY",),
    )  # fmt: skip
    default_country: ClassVar = None

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url)
        self._key = keys["FRED_API_KEY"]

    async def search_series(
        self, query: SeriesQuery, catalogs: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        params = {"search_text": query.text, "limit": query.count}
        page = self._api.decode(_Search, await self._get("series/search", params))
        items = tuple(series.to_item() for series in page.seriess[: query.count])
        return RecordsFound(items, _cut(len(items), page.count, "series"))

    async def observe(
        self, query: ObservationQuery, catalogs: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        series = query.series.upper()  # ids of FRED have no small letters
        since, until = span(query.since or ""), span(query.until or "")
        params: Params = {
            "series_id": series,
            "sort_order": "asc" if query.since else "desc",
            "observation_start": since.start.isoformat() if since else None,
            "observation_end": until.end.isoformat() if until else None,
            "frequency": query.frequency,
            "units": query.units,
            "limit": query.count,
        }
        page = self._api.decode(_Observations, await self._get("series/observations", params))
        rows = [o for o in page.observations if within(o.date, query.since, query.until)]
        rows.sort(key=lambda row: row.date, reverse=query.since is None)
        items = tuple(row.to_item(series) for row in rows[: query.count])
        ignored = ("country does not apply to fred.",) if query.country else ()
        return RecordsFound(items, (*_cut(len(items), page.count, "observations"), *ignored))

    async def _get(self, path: str, query: Params) -> FetchedResponse:
        params = {"api_key": self._key, "file_type": "json", **query}
        response = await self._api.get(path, params=params, expect=(400,))
        if response.status == 400:
            raise self._error(self._api.decode(_Refusal, response).error_message)
        return response

    def _error(self, message: str) -> WebquarryError:
        """Return the error for a 400: a bad key, an unknown series or a bad argument."""
        text = message.replace(self._key, "***")
        if "api_key" in text:
            return AccessError(
                f"Access refused (fred): {text} Check FRED_API_KEY.", provider="fred"
            )
        if "does not exist" in text:
            return NotFoundError(f"Not found (fred): {text}", provider="fred")
        return BadInputError(f"Request refused (fred): {text}", provider="fred")


def _cut(shown: int, total: int | None, what: str) -> tuple[str, ...]:
    return (f"{shown} of {total} {what}.",) if total and 0 < shown < total else ()


class _Refusal(Wire):
    error_message: str


class _Series(Wire):
    id: str
    title: str | None = None
    frequency: str | None = None
    units: str | None = None
    seasonal_adjustment: str | None = None
    last_updated: str | None = None
    observation_start: str | None = None
    observation_end: str | None = None
    notes: str | None = None

    def to_item(self) -> SeriesItem:
        covered = f"{self.observation_start} to {self.observation_end}"
        period = covered if self.observation_end else None
        about = (self.seasonal_adjustment, period, self.notes)
        return SeriesItem(
            seriesId=self.id,
            title=self.title,
            units=self.units,
            frequency=self.frequency,
            lastUpdated=self.last_updated,
            notes=truncate_notes("; ".join(part for part in about if part) or None),
            source="fred",
        )


class _Search(Wire):
    count: int | None = None
    seriess: tuple[_Series, ...]  # the upstream's spelling


class _Observation(Wire):
    date: str
    value: str

    def to_item(self, series: str) -> SeriesItem:
        # unparsed text: a number would lose trailing zeros, which show the precision
        value = None if self.value == _NO_VALUE else self.value
        return SeriesItem(seriesId=series, date=self.date, value=value, source="fred")


class _Observations(Wire):
    count: int | None = None
    observations: tuple[_Observation, ...]
