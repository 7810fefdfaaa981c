"""HTTPS certificates are checked through the guard and by direct clients."""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from tests.net.fetching import failure_of
from tests.net.servers import listen
from tests.net.tls_servers import VALID, authority, context, fetching_with
from webquarry.errors import NetworkError
from webquarry.net.client.direct import REQUESTS_THROUGH_GUARD
from webquarry.net.fetch import FetchRequest

pytestmark = pytest.mark.anyio

OFTEN = REQUESTS_THROUGH_GUARD + 2  # the last requests use a direct client
OVER = timedelta(days=-2)


@asynccontextmanager
async def https(wrapped: ssl.SSLContext) -> AsyncGenerator[int]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await writer.start_tls(wrapped)  # a client that rejects the certificate causes an OSError
        while await reader.readline():
            while (await reader.readline()).strip():
                pass
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nowls")

    async with listen(answer) as port:
        yield port


async def test_a_certificate_of_a_known_authority_is_accepted(tmp_path: Path) -> None:
    known = authority(tmp_path, "known")
    async with https(context(tmp_path, known, VALID)) as port, fetching_with(known.file) as reader:
        wanted = FetchRequest(url=f"https://owls.test:{port}/")
        pages = [(await reader.fetch(wanted)).content for _ in range(OFTEN)]

    assert pages == [b"owls"] * OFTEN


@pytest.mark.parametrize(
    ("signed_by", "host", "ends"),
    [
        ("stranger", "owls.test", VALID),
        ("known", "rooks.test", VALID),
        ("known", "owls.test", OVER),
    ],
    ids=["an unknown authority", "another name", "expired"],
)
async def test_any_other_certificate_is_rejected_through_the_guard_and_directly(
    tmp_path: Path, signed_by: str, host: str, ends: timedelta
) -> None:
    signers = {name: authority(tmp_path, name) for name in ("known", "stranger")}
    server = context(tmp_path, signers[signed_by], ends)
    async with https(server) as port, fetching_with(signers["known"].file) as reader:
        url = f"https://{host}:{port}/"
        failures = [await failure_of(reader, url) for _ in range(OFTEN)]

    assert {type(failure) for failure in failures} == {NetworkError}
    assert {failure.details.get("detail") for failure in failures} == {"tls"}
