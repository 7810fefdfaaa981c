"""European Patent Office, Open Patent Services (https://www.epo.org/en/searching-for-patents/data/web-services/ops)."""

import asyncio
import base64
from typing import ClassVar

from pydantic import Field

from webquarry.content.text.company_names import spellings
from webquarry.errors import AccessError, ProviderError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.status_errors import error_for_status
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers._epo_wire import parse_documents
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.settings.variable import Variable

_KEY, _SECRET = "EPO_OPS_CONSUMER_KEY", "EPO_OPS_CONSUMER_SECRET"  # the names of the settings
_MAX_RESULTS = 100  # of one request
_RENEW_BEFORE = 60.0  # seconds before a token expires


class Epo:
    """Finds patents of all offices; needs a free account. Filing dates are checked locally."""

    about: ClassVar = ProviderInfo(
        name="epo",
        docs="https://developers.epo.org/",
        base_url="https://ops.epo.org/3.2",
        variables=(
            Variable(_KEY, "Consumer key for the EPO's Open Patent Services.", secret=True),
            Variable(_SECRET, "Consumer secret for that key.", secret=True),
        ),
        requires=(_KEY, _SECRET),
    )
    patent_offices: ClassVar = None
    patent_filters: ClassVar = frozenset(("number", "office", "assignee", "inventor", "cpc"))

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(per_second=2, burst=4, max_bytes=20 * 2**20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._clock = upstreams.clock
        pair = base64.b64encode(f"{keys[_KEY]}:{keys[_SECRET]}".encode()).decode()
        self._login = {"Authorization": f"Basic {pair}"}
        self._token, self._expires = "", 0.0
        self._renewing = asyncio.Lock()

    async def search_patents(self, query: PatentQuery) -> list[Patent]:
        count = min(_MAX_RESULTS, query.count)
        params = {"q": _cql(query), "Range": f"1-{count}"}
        response = await self._search(params)
        if response.status == 404:  # nothing matches
            return []
        return parse_documents(response.content, self._api.name)[:count]

    async def _search(self, params: dict[str, str]) -> FetchedResponse:
        """Return the response; retried with a new token if the old one has expired."""
        used = await self._valid_token()
        response = await self._get(params, used)
        if _is_token_rejected(response):
            response = await self._get(params, await self._valid_token(rejected=used))
        if response.status in (200, 404) and not _is_token_rejected(response):
            return response
        if "quota" in response.headers.get("x-rejection-reason", "").lower():
            raise self._api.rate_limited()
        raise error_for_status(self._api.name, response, self._clock.time())

    async def _get(self, params: dict[str, str], token: str) -> FetchedResponse:
        return await self._api.get(
            "rest-services/published-data/search/biblio,abstract",
            params=params,
            headers={"Authorization": f"Bearer {token}", "Accept": "application/exchange+xml"},
            expect=(400, 401, 403, 404),
        )

    async def _valid_token(self, rejected: str = "") -> str:
        """Return a token that is valid for a while; one request at a time renews it."""
        async with self._renewing:
            if (
                not self._token
                or self._token == rejected
                or self._clock.monotonic() >= self._expires
            ):
                await self._renew()
            return self._token

    async def _renew(self) -> None:
        self._token = ""
        response = await self._api.post(
            "auth/accesstoken",
            form={"grant_type": "client_credentials"},
            headers=self._login,
            expect=(400, 401),
        )
        if response.status != 200:
            raise AccessError(
                f"Access refused ({self._api.name}): HTTP {response.status}. "
                f"Check {_KEY} and {_SECRET}.",
                provider=self._api.name,
            )
        granted = self._api.decode(_Grant, response)
        self._token = granted.access_token
        self._expires = self._clock.monotonic() + max(0.0, granted.expires_in - _RENEW_BEFORE)


def _is_token_rejected(response: FetchedResponse) -> bool:
    return response.status in (400, 401) and b"access_token" in response.content.lower()


def _cql(query: PatentQuery) -> str:
    """Return the query in CQL, every condition quoted."""
    words = (query.text or "").split()
    names = " or ".join(_condition("pa=", name) for name in spellings(query.assignee or ""))
    parts = [
        _condition("pn=", query.number),
        " and ".join(_condition("ta=", word) for word in words),
        f"({names})" if " or " in names else names,
        _condition("in=", query.inventor),
        _condition("cpc=", query.cpc),
        f"pn={query.office}" if query.office else "",
        # a patent is published after it is filed; the exact years are checked on the results
        f"pd>={query.filed_from}" if query.filed_from else "",
    ]
    conditions = [part for part in parts if part]
    if not conditions:
        raise ProviderError("Nothing to search for.", provider="epo")
    return " and ".join(conditions)


def _condition(field: str, text: str | None) -> str:
    return f"{field}{_quoted(text)}" if text else ""


def _quoted(text: str) -> str:
    return '"' + " ".join(text.replace('"', " ").split()) + '"'


class _Grant(Wire):
    access_token: str = Field(min_length=1)
    expires_in: float
