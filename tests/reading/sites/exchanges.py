"""Site readers over handwritten exchanges, replayed strictly."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest

from tests.replay import FakeClock, Replay
from webquarry.errors import WebquarryError
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import parse
from webquarry.reading.sites.site import Site

S = TypeVar("S", bound=Site)


def exchange(url: str, *, status: int = 200, **more: Any) -> dict[str, Any]:
    """Return one exchange: `body=` is JSON, `text=` any text, `fails=` a network error."""
    request = {"url": url, **more.pop("request", {})}
    response = more if "fails" in more else {"status": status, **more}
    return {
        "origin": "handwritten in the upstream's documented shape",
        "request": request,
        **response,
    }


@asynccontextmanager
async def site(
    cls: type[S], *exchanges: dict[str, Any], keys: Mapping[str, str] | None = None
) -> AsyncGenerator[S]:
    """Open a site over these exchanges; every exchange must be requested."""
    replay = Replay(list(exchanges))
    yield cls(Upstreams(replay, clock=FakeClock().clock()), keys or {})
    replay.finish()


async def read(cls: type[Site], url: str, *exchanges: dict[str, Any]) -> Reading:
    """Return the reading of a site over these exchanges."""
    async with site(cls, *exchanges) as found:
        assert found.handles(parse(url))
        return await found.read(parse(url))


async def failure(cls: type[Site], url: str, *exchanges: dict[str, Any]) -> WebquarryError:
    """Return the error of a site over these exchanges."""
    async with site(cls, *exchanges) as found:
        with pytest.raises(WebquarryError) as caught:
            await found.read(parse(url))
    return caught.value


def failures(url: str, *, method: str = "GET") -> list[tuple[list[dict[str, Any]], str]]:
    """Return failing exchanges of an upstream, each with its error kind."""
    options: dict[str, Any] = {"request": {"method": method}}
    return [
        ([exchange(url, status=403, text="no", **options)], "auth_required"),
        ([exchange(url, status=429, text="", headers={"retry-after": "9"}, **options)],
         "rate_limited"),
        ([exchange(url, status=500, text="", **options)] * 2, "upstream_unavailable"),
        ([exchange(url, fails="timed out", **options)] * 2, "network"),
        ([exchange(url, text="<html>hello</html>", **options)], "upstream_unavailable"),
        ([exchange(url, body={"unexpected": []}, **options)], "upstream_unavailable"),
        ([exchange(url, text="", **options)], "upstream_unavailable"),
    ]  # fmt: skip
