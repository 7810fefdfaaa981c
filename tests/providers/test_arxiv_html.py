"""arXiv's HTML, replaying exchanges in `recorded/arxiv_html`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.arxiv_html import ArxivHtml

pytestmark = pytest.mark.anyio
# the content is a page: what it says is judged by its reader
NOT_A_PAGE = sorted(FAILURES.keys() - {"another shape", "a list", "a page", "empty body"})


@pytest.mark.recording("arxiv_html/papers")
async def test_a_version_of_a_paper_is_read(upstreams: Upstreams) -> None:
    arxiv = ArxivHtml(upstreams, {})

    found = await arxiv.full_text(PaperIds(arxiv="2402.08954", arxiv_version="v2"))

    assert found == FullTextFile(
        content=b"<html/>", format="latexml", url="https://arxiv.org/html/2402.08954v2"
    )
    assert await arxiv.full_text(PaperIds(arxiv="0704.0001")) is None


@pytest.mark.parametrize("case", NOT_A_PAGE)
async def test_failures_are_told_apart(case: str) -> None:
    await assert_fails(
        lambda u: ArxivHtml(u, {}).full_text(PaperIds(arxiv="2402.08954")),
        {"url": "https://arxiv.org/html/2402.08954"},
        FAILURES[case],
    )
