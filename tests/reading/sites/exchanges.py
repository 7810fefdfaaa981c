"""Sites over handwritten exchanges, played strictly."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest

from tests.replay import Replay, StillClock
from webquarry.errors import WebquarryError
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import parse
from webquarry.reading.sites.site import Site

S = TypeVar("S", bound=Site)


def exchange(url: str, *, status: int = 200, **more: Any) -> dict[str, Any]:
    """Return one exchange: `body=` is JSON, `text=` anything else, `fails=` no answer."""
    asked = {"url": url, **more.pop("request", {})}
    answer = more if "fails" in more else {"status": status, **more}
    return {"origin": "handwritten in the upstream's documented shape", "request": asked, **answer}


@asynccontextmanager
async def site(
    cls: type[S], *exchanges: dict[str, Any], keys: Mapping[str, str] | None = None
) -> AsyncGenerator[S]:
    """A site whose upstream answers exactly this; what is recorded must be asked for."""
    replay = Replay(list(exchanges))
    yield cls(Upstreams(replay, clock=StillClock().clock()), keys or {})
    replay.finish()


async def read(cls: type[Site], url: str, *exchanges: dict[str, Any]) -> Reading:
    """Return what a site makes of the exchanges."""
    async with site(cls, *exchanges) as found:
        assert found.handles(parse(url))
        return await found.read(parse(url))


async def failure(cls: type[Site], url: str, *exchanges: dict[str, Any]) -> WebquarryError:
    """Return the error a site makes of the exchanges."""
    async with site(cls, *exchanges) as found:
        with pytest.raises(WebquarryError) as caught:
            await found.read(parse(url))
    return caught.value


def failures(url: str, *, method: str = "GET") -> list[tuple[list[dict[str, Any]], str]]:
    """Return the ways an upstream fails, with the kind of error each is."""
    asked: dict[str, Any] = {"request": {"method": method}}
    return [
        ([exchange(url, status=403, text="no", **asked)], "auth_required"),
        ([exchange(url, status=429, text="", headers={"retry-after": "9"}, **asked)],
         "rate_limited"),
        ([exchange(url, status=500, text="", **asked)] * 2, "upstream_unavailable"),
        ([exchange(url, fails="timed out", **asked)] * 2, "network"),
        ([exchange(url, text="<html>hello</html>", **asked)], "upstream_unavailable"),
        ([exchange(url, body={"unexpected": []}, **asked)], "upstream_unavailable"),
        ([exchange(url, text="", **asked)], "upstream_unavailable"),
    ]  # fmt: skip
