"""arXiv through its API."""

from typing import Any

import pytest

from tests.reading.sites.exchanges import exchange, failure, failures, read
from tests.replay import Replay
from webquarry.errors import NotFoundError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import parse
from webquarry.reading.sites.arxiv_site import ArxivSite

pytestmark = pytest.mark.anyio

PAGE = "https://arxiv.org/abs/2401.01234v2"
ASKED = "https://export.arxiv.org/api/query?id_list=2401.01234v2&max_results=1"
HEAD = '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" ' + (
    'xmlns:arxiv="http://arxiv.org/schemas/atom"><title>arXiv Query</title>'
)
ENTRY = """<entry><id>http://arxiv.org/abs/2401.01234v2</id>
<title>Owls
  at night</title><updated>2024-02-01T00:00:00Z</updated>
<summary>  We watch
owls.</summary><category term="q-bio.PE"/><category term="stat.AP"/>
<published>2024-01-02T10:00:00Z</published><arxiv:comment>12 pages</arxiv:comment>
<author><name>Ada Owl</name></author><author><name>Bob Lark</name></author>{more}</entry></feed>"""


async def test_an_abstract_is_read_with_its_record() -> None:
    more = "<arxiv:doi>10.1000/owl.5</arxiv:doi><arxiv:journal_ref>J. Owls 5</arxiv:journal_ref>"

    reading = await read(ArxivSite, PAGE, exchange(ASKED, text=HEAD + ENTRY.format(more=more)))

    assert reading == Reading(
        url=PAGE,
        final_url=PAGE,
        kind="arxiv",
        markdown=(
            "# Owls at night\n\n"
            "Ada Owl, Bob Lark\n\n"
            "## Abstract\n\n"
            "We watch owls.\n\n"
            "- Submitted: 2024-01-02\n"
            "- Last version: 2024-02-01\n"
            "- Subjects: q-bio.PE, stat.AP\n"
            "- Comments: 12 pages\n"
            "- Journal: J. Owls 5\n"
            "- DOI: 10.1000/owl.5\n"
            "- PDF: https://arxiv.org/pdf/2401.01234v2\n"
            "- HTML: https://arxiv.org/html/2401.01234v2"
        ),
        metadata=PageMetadata(
            title="Owls at night",
            authors=("Ada Owl", "Bob Lark"),
            site="arXiv",
            published="2024-01-02",
            modified="2024-02-01",
            doi="10.1000/owl.5",
            kinds=("ScholarlyArticle",),
        ),
    )


async def test_without_a_journal_the_doi_is_that_of_arxiv() -> None:
    reading = await read(ArxivSite, PAGE, exchange(ASKED, text=HEAD + ENTRY.format(more="")))

    assert reading.metadata.doi == "10.48550/arXiv.2401.01234"


@pytest.mark.parametrize(
    "answer",
    [
        exchange(ASKED, text=HEAD + "</feed>"),
        exchange(ASKED, status=400, text=HEAD + "<entry><title>Error</title></entry></feed>"),
        exchange(ASKED, text=HEAD + "<entry><title>Error</title></entry></feed>"),
    ],
)
async def test_a_missing_paper_is_not_found(answer: dict[str, Any]) -> None:
    assert isinstance(await failure(ArxivSite, PAGE, answer), NotFoundError)


@pytest.mark.parametrize(("exchanges", "kind"), failures(ASKED)[:4])
async def test_upstream_failures_have_the_right_error_kind(
    exchanges: list[dict[str, Any]], kind: str
) -> None:
    assert (await failure(ArxivSite, PAGE, *exchanges)).advice.kind == kind


@pytest.mark.parametrize("text", ["not XML", "", "{}"])
async def test_a_response_that_is_not_a_feed_is_an_upstream_error(text: str) -> None:
    error = await failure(ArxivSite, PAGE, exchange(ASKED, text=text))

    assert error.advice.kind == "upstream_unavailable"


def test_old_identifiers_are_recognised_and_other_pages_are_not() -> None:
    found = ArxivSite(Upstreams(Replay([])), {})

    assert found.handles(parse("https://arxiv.org/abs/astro-ph/0601001"))
    assert found.handles(parse("https://www.arxiv.org/abs/math.GT/0309136v1"))
    assert not found.handles(parse("https://arxiv.org/pdf/2401.01234"))
    assert not found.handles(parse("https://arxiv.org/list/cs.CL/recent"))
    assert not found.handles(parse("https://evilarxiv.org/abs/2401.01234"))
