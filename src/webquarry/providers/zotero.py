"""Zotero: the web API (version 3), and the read-only API of the desktop app with the same paths."""

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from webquarry.errors import (
    AccessError,
    BadInputError,
    NetworkError,
    NotFoundError,
    PayloadError,
    UnconfiguredError,
    WebquarryError,
)
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import ApiRequest, Params
from webquarry.net.upstream.status_errors import RequestRefusedError, retry_after
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import path_segment
from webquarry.providers.capabilities_library import (
    LibraryCollection,
    LibraryConflictError,
    LibraryItem,
    LibraryItems,
)
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.settings.value_types import matching
from webquarry.settings.variable import Variable

_KEY, _LIBRARY = "ZOTERO_API_KEY", "ZOTERO_LIBRARY"  # the names of the settings
_HOST = "https://api.zotero.org"
_DESKTOP = "http://127.0.0.1:23119/api"
_LOCAL = "local"
_PAGE = 100  # the most that the API returns
_BATCH = 50  # the most that the API writes at once
_MAX_ITEMS = 100_000
_MAX_WAIT = 120.0  # seconds to wait when the API asks for it
_DEFAULT_WAIT = 10.0
_CHILDREN = frozenset({"attachment", "note", "annotation"})
_OWN_ERRORS = (403, 404, 412, 429)  # whose messages name our settings

W = TypeVar("W", bound=Wire)


class Zotero:
    """One library of Zotero."""

    about: ClassVar = ProviderInfo(
        name="zotero",
        docs="https://www.zotero.org/support/dev/web_api/v3/start",
        base_url=_HOST,
        variables=(
            Variable(_KEY, "Key of the Zotero API: zotero.org/settings/keys.", secret=True),
            Variable(
                _LIBRARY,
                "Zotero library: user:12345, group:678, or local for the desktop app (read-only).",
                matching(r"(?:user|group):[0-9]{1,12}|local", "user:NUMBER, group:NUMBER or local"),
            ),
        ),
        requires=(_LIBRARY,),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._library, self._key = keys.get(_LIBRARY, ""), keys.get(_KEY, "")
        self._is_local = self._library == _LOCAL
        kind, _, number = ("user:0" if self._is_local else self._library).partition(":")
        self._prefix = f"{kind}s/{number}"
        # a page of items with long abstracts takes the API several seconds
        limits = ApiLimits(timeout=30, deadline=90, max_bytes=20 * 2**20)
        base_url = _DESKTOP if self._is_local else _HOST
        self._api = upstreams.api(self.about.name, base_url, limits)
        self._clock = upstreams.clock
        self._resume_at = float("-inf")  # the API asked for no request before this time

    def check_writable(self) -> None:
        if self._is_local:
            raise BadInputError(
                f"{_LIBRARY}=local: the Zotero app can only be read. To write, set "
                f"{_LIBRARY}=user:NUMBER (or group:NUMBER) and {_KEY}."
            )
        if not self._key:
            raise UnconfiguredError(
                f"Writing to Zotero needs a key: set {_KEY} (zotero.org/settings/keys)."
            )

    async def list_collections(self) -> tuple[LibraryCollection, ...]:
        rows, _ = await self._pages("collections", _CollectionRow, {})
        return tuple(row.data for row in rows)

    async def list_items(self, collection: str = "") -> LibraryItems:
        folder = f"collections/{path_segment(collection)}/" if collection else ""
        found = await self._items(f"{folder}items/top", {})
        kept = tuple(item for item in found.items if item.item_type not in _CHILDREN)
        return LibraryItems(kept, found.version)

    async def list_notes(self, tag: str) -> LibraryItems:
        return await self._items("items", {"itemType": "note", "tag": tag})

    async def write_items(self, changes: Sequence[dict[str, Any]], version: int) -> None:
        self.check_writable()
        for start in range(0, len(changes), _BATCH):
            batch = list(changes[start : start + _BATCH])
            headers = self._headers() | {"If-Unmodified-Since-Version": str(version)}
            url = f"{self._api.base_url}/{self._prefix}/items"
            request = ApiRequest(method="POST", url=url, headers=headers, json=batch)
            response = await self._send(request)
            self._check_written(self._api.decode(_Written, response), len(batch))
            version = self._number(response, "last-modified-version", version)

    async def _items(self, path: str, params: Params) -> LibraryItems:
        rows, version = await self._pages(path, _ItemRow, params)
        return LibraryItems(tuple(row.data for row in rows), version)

    async def _pages(self, path: str, model: type[W], params: Params) -> tuple[list[W], int]:
        """Return all rows, and the version of the library at the first page."""
        rows: list[W] = []
        version = 0
        while len(rows) < _MAX_ITEMS:
            paging = {"format": "json", "limit": _PAGE, "start": len(rows)}
            url = f"{self._api.base_url}/{self._prefix}/{path}"
            request = ApiRequest(url=url, params={**params, **paging}, headers=self._headers())
            response = await self._send(request)
            if not rows:
                version = self._number(response, "last-modified-version", 0)
            page = self._api.decode(tuple[model, ...], response)
            rows += page
            # without the number, a page that is not full is the last one
            end = len(rows) if len(page) < _PAGE else len(rows) + 1
            if not page or len(rows) >= self._number(response, "total-results", end):
                return rows, version
        raise PayloadError(
            f"More than {_MAX_ITEMS:,} items: choose a collection.", provider="zotero"
        )

    def _headers(self) -> dict[str, str]:
        key = {"Zotero-API-Key": self._key} if self._key and not self._is_local else {}
        return {"Zotero-API-Version": "3"} | key

    async def _send(self, request: ApiRequest) -> FetchedResponse:
        """Send a request when the API allows it; once more after a rate limit."""
        response = await self._send_once(request)
        if response.status == 429:
            response = await self._send_once(request)
        if response.status in _OWN_ERRORS:
            raise self._error(response.status)
        return response

    async def _send_once(self, request: ApiRequest) -> FetchedResponse:
        wait = self._resume_at - self._clock.monotonic()
        if wait > _MAX_WAIT:
            raise self._api.rate_limited(wait)
        if wait > 0:
            await self._clock.sleep(wait)
        try:
            response = await self._api.send(request, expect=_OWN_ERRORS)
        except NetworkError as error:
            raise self._unreachable(error) from error
        pause = float(self._number(response, "backoff", 0))
        if response.status == 429:
            asked = retry_after(response.headers, self._clock.time())
            pause = max(pause, _DEFAULT_WAIT if asked is None else asked)
        if pause:
            self._resume_at = max(self._resume_at, self._clock.monotonic() + pause)
        return response

    def _unreachable(self, error: NetworkError) -> NetworkError:
        if not self._is_local:
            return error
        return NetworkError(
            f"Could not reach the Zotero app at {self._api.base_url}. Start it, and allow other "
            "applications to communicate with it (Settings, Advanced).",
            provider=self.about.name,
        )

    def _error(self, status: int) -> WebquarryError:
        name = self.about.name
        if status == 412:
            return LibraryConflictError("The library was changed meanwhile.", provider=name)
        if status == 429:
            return self._api.rate_limited(self._resume_at - self._clock.monotonic())
        if status == 404:
            return NotFoundError(
                f"Zotero has no library '{self._library}'. Check {_LIBRARY}.", provider=name
            )
        advice = (
            "Allow other applications to communicate with Zotero (Settings, Advanced)."
            if self._is_local
            else f"Check {_KEY} and its permissions: zotero.org/settings/keys."
        )
        return AccessError(
            f"Zotero refuses access to the library '{self._library}'. {advice}", provider=name
        )

    def _check_written(self, written: "_Written", count: int) -> None:
        failures = list(written.failed.values())
        if any(failure.code == 412 for failure in failures):
            raise self._error(412)
        if failures:
            raise RequestRefusedError(
                f"Zotero did not write {len(failures)} of {count} items: {failures[0].message}",
                provider=self.about.name,
            )

    @staticmethod
    def _number(response: FetchedResponse, header: str, default: int) -> int:
        value = response.headers.get(header, "").strip()
        return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else default


class _ItemRow(Wire):
    data: LibraryItem


class _CollectionRow(Wire):
    data: LibraryCollection


class _Failure(Wire):
    code: int = 0
    message: str = ""


class _Written(Wire):
    failed: dict[str, _Failure]
