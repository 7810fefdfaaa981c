"""European Patent Office, Open Patent Services (https://www.epo.org/en/searching-for-patents/data/web-services/ops)."""

import asyncio
import base64
from typing import ClassVar

from pydantic import Field

from webquarry.content.text.company_names import spellings
from webquarry.errors import AccessError, ProviderError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import Response
from webquarry.net.upstream.status_errors import error_of
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers._epo_wire import parse_documents
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.settings.variable import Variable

_KEY, _SECRET = "EPO_OPS_CONSUMER_KEY", "EPO_OPS_CONSUMER_SECRET"  # their names
_MOST = 100  # documents of one answer
_EARLY = 60.0  # seconds before its end a token is renewed


class Epo:
    """Finds patents of all offices; needs a free account. Filing dates are ours to check."""

    about: ClassVar = ProviderInfo(
        name="epo",
        docs="https://developers.epo.org/",
        base_url="https://ops.epo.org/3.2",
        variables=(
            Variable(_KEY, "Consumer key of the EPO's Open Patent Services.", secret=True),
            Variable(_SECRET, "Consumer secret that belongs to the key.", secret=True),
        ),
        requires=(_KEY, _SECRET),
    )
    patent_offices: ClassVar = None
    patent_honours: ClassVar = frozenset(("number", "office", "assignee", "inventor", "cpc"))

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(per_second=2, burst=4, max_bytes=20 * 2**20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._clock = upstreams.clock
        pair = base64.b64encode(f"{keys[_KEY]}:{keys[_SECRET]}".encode()).decode()
        self._login = {"Authorization": f"Basic {pair}"}
        self._token, self._ends = "", 0.0
        self._renewing = asyncio.Lock()

    async def search_patents(self, query: PatentQuery) -> list[Patent]:
        wanted = min(_MOST, query.count)
        params = {"q": _cql(query), "Range": f"1-{wanted}"}
        response = await self._ask(params)
        if response.status == 404:  # nothing matches
            return []
        return parse_documents(response.content, self._api.name)[:wanted]

    async def _ask(self, params: dict[str, str]) -> Response:
        """Return the answer, with a new token when the old one is no longer taken."""
        used = await self._current()
        response = await self._get(params, used)
        if _is_stale(response):
            response = await self._get(params, await self._current(stale=used))
        if response.status in (200, 404) and not _is_stale(response):
            return response
        if "quota" in response.headers.get("x-rejection-reason", "").lower():
            raise self._api.limited()
        raise error_of(self._api.name, response, self._clock.today())

    async def _get(self, params: dict[str, str], token: str) -> Response:
        return await self._api.get(
            "rest-services/published-data/search/biblio,abstract",
            params=params,
            headers={"Authorization": f"Bearer {token}", "Accept": "application/exchange+xml"},
            expect=(400, 401, 403, 404),
        )

    async def _current(self, stale: str = "") -> str:
        """Return a token that is good for a while; one request at a time fetches a new one."""
        async with self._renewing:
            if not self._token or self._token == stale or self._clock.now() >= self._ends:
                await self._renew()
            return self._token

    async def _renew(self) -> None:
        self._token = ""
        response = await self._api.submit(
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
        self._ends = self._clock.now() + max(0.0, granted.expires_in - _EARLY)


def _is_stale(response: Response) -> bool:
    return response.status in (400, 401) and b"access_token" in response.content.lower()


def _cql(query: PatentQuery) -> str:
    """Return the search in their language, every condition in quotes."""
    owners = spellings(query.assignee) if query.assignee else ()
    parts = [
        f"pn={_quoted(query.number)}" if query.number else "",
        " and ".join(f"ta={_quoted(word)}" for word in (query.text or "").split()),
        " or ".join(f"pa={_quoted(name)}" for name in owners),
        f"in={_quoted(query.inventor)}" if query.inventor else "",
        f"cpc={_quoted(query.cpc)}" if query.cpc else "",
        f"pn={query.office}" if query.office else "",
        # nothing is published before it is filed; the rest of the years is checked afterwards
        f"pd>={query.filed_from}" if query.filed_from else "",
    ]
    joined = [f"({part})" if " or " in part else part for part in parts if part]
    if not joined:
        raise ProviderError("Nothing to search for.", provider="epo")
    return " and ".join(joined)


def _quoted(text: str) -> str:
    return '"' + " ".join(text.replace('"', " ").split()) + '"'


class _Grant(Wire):
    access_token: str = Field(min_length=1)
    expires_in: float
