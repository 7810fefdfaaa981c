"""ar5iv, replaying exchanges in `recorded/ar5iv`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.ar5iv import Ar5iv

pytestmark = pytest.mark.anyio
# the content is a page: what it says is judged by its reader
NOT_A_PAGE = sorted(FAILURES.keys() - {"another shape", "a list", "a page", "empty body"})


@pytest.mark.recording("ar5iv/papers")
async def test_a_paper_is_read_but_no_certain_version(upstreams: Upstreams) -> None:
    ar5iv = Ar5iv(upstreams, {})

    assert await ar5iv.full_text(PaperIds(arxiv="math/0309136")) == FullTextFile(
        content=b"<html/>",
        format="latexml",
        url="https://ar5iv.labs.arxiv.org/html/math/0309136",
    )
    assert await ar5iv.full_text(PaperIds(arxiv="2402.08954")) is None
    assert await ar5iv.full_text(PaperIds(arxiv="2402.08954", arxiv_version="v1")) is None


@pytest.mark.parametrize("case", NOT_A_PAGE)
async def test_failures_are_told_apart(case: str) -> None:
    await assert_fails(
        lambda u: Ar5iv(u, {}).full_text(PaperIds(arxiv="2402.08954")),
        {"url": "https://ar5iv.labs.arxiv.org/html/2402.08954"},
        FAILURES[case],
    )
