"""Unpaywall, replaying exchanges in `recorded/unpaywall`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.works import OpenCopy, OpenLocation
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.unpaywall import Unpaywall

pytestmark = pytest.mark.anyio
KEYS = {"UNPAYWALL_EMAIL": "me@example.org"}


@pytest.mark.recording("unpaywall/copies")
async def test_any_copy_with_a_pdf_will_do(upstreams: Upstreams) -> None:
    unpaywall = Unpaywall(upstreams, KEYS)

    assert await unpaywall.open_copy("10.1000/owl.1") == OpenCopy(
        open=True,
        pdfUrl="https://repo.example.org/owl.pdf",
        landingUrl="https://example.org/owl",
        locations=(
            OpenLocation(page="https://example.org/owl"),
            OpenLocation(
                pdf="https://repo.example.org/owl.pdf",
                page="https://repo.example.org/owl.pdf",
                licence="cc-by",
                version="acceptedVersion",
            ),
        ),
    )
    assert await unpaywall.open_copy("10.1000/closed") == OpenCopy(open=False)
    assert await unpaywall.open_copy("10.1000/none") is None
    assert await unpaywall.open_copy("10.1000/odd") is None


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    url = "https://api.unpaywall.org/v2/10.1000/owl.1?email=me%40example.org"

    await assert_fails(
        lambda u: Unpaywall(u, KEYS).open_copy("10.1000/owl.1"), {"url": url}, FAILURES[case]
    )
