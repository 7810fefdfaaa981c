"""bioRxiv and medRxiv, replaying exchanges in `recorded/biorxiv`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.biorxiv import Biorxiv

pytestmark = pytest.mark.anyio


@pytest.mark.recording("biorxiv/preprints")
async def test_the_last_version_is_read_with_its_licence(upstreams: Upstreams) -> None:
    biorxiv = Biorxiv(upstreams, {})

    assert await biorxiv.full_text(PaperIds(doi="10.1101/2024.01.02.123456")) == FullTextFile(
        content=b"<article/>",
        format="jats",
        url="https://www.biorxiv.org/content/10.1101/2024.01.02.123456v2.full",
        licence="cc-by-nc",
        version="preprint v2",
    )
    assert await biorxiv.full_text(PaperIds(doi="10.1101/none")) is None
    # a record cannot send the server anywhere
    assert await biorxiv.full_text(PaperIds(doi="10.1101/elsewhere")) is None
    assert await biorxiv.full_text(PaperIds(doi="10.1038/nature12373")) is None


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    await assert_fails(
        lambda u: Biorxiv(u, {}).full_text(PaperIds(doi="10.1101/1")),
        {"url": "https://api.biorxiv.org/details/biorxiv/10.1101/1/na/json"},
        FAILURES[case],
    )
