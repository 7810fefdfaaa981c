"""`chatgpt_fetch`: `fetch` of the contract of ChatGPT's connectors and deep research."""

import json
from typing import Any

import pytest

from tests.support import ALICE, BOB, CallHarness, services, text_of
from webquarry.models.page import PageMetadata
from webquarry.models.reading import RawResponse, Reading
from webquarry.models.research import Anchor
from webquarry.models.result import Result
from webquarry.net.url import Url
from webquarry.tools.chatgpt_fetch import chatgpt_fetch

pytestmark = pytest.mark.anyio
OWLS = "https://owls.test/barn"


class OwlPage:
    """Reads one page, of any length."""

    def __init__(self, markdown: str) -> None:
        self._markdown = markdown

    async def read(self, url: Url, seconds: float) -> Reading:
        about = PageMetadata(title="Barn owls", authors=("A. Strix",), published="2024-05")
        return Reading(
            url=url.href, final_url=OWLS, markdown=self._markdown, kind="html", metadata=about
        )

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        raise AssertionError("raw bytes were not requested")


def desk(markdown: str = "# Owls\n\nOwls **hunt** voles at night.") -> CallHarness:
    return CallHarness((chatgpt_fetch,), services=services(reader=OwlPage(markdown)))


def contract(result: Result) -> dict[str, Any]:
    """Return the structured content; it is also the only block, as JSON."""
    assert [block.type for block in result.content] == ["text"]
    assert json.loads(text_of(result)) == result.structured
    assert result.structured is not None
    return result.structured


async def test_a_fetched_page_has_text_and_metadata_in_words() -> None:
    page = contract(await desk().call("chatgpt_fetch", {"id": OWLS}))

    metadata = page.pop("metadata")
    assert page == {
        "id": OWLS,
        "title": "Barn owls",
        "text": "Owls\nOwls hunt voles at night.",
        "url": OWLS,
    }
    assert len(metadata.pop("sha256")) == 64
    assert metadata.pop("accessed").endswith("Z")
    assert metadata == {
        "author": "A. Strix",
        "published": "2024-05",
        "contentType": "html",
        "trust": "untrusted-external-content",
    }


async def test_what_the_text_says_can_be_verified_later_by_its_reader_only() -> None:
    at = desk()
    page = contract(await at.call("chatgpt_fetch", {"id": OWLS}))
    quote = Anchor(
        url=page["url"], quote="Owls hunt voles at night.", sha256=page["metadata"]["sha256"]
    )
    evidence = at.services.research.evidence

    assert (await evidence.verify(quote, ALICE)).stored == "verified"
    assert (await evidence.verify(quote, BOB)).stored == "no_capture"
    invented = quote.model_copy(update={"quote": "Owls sleep at night."})
    assert (await evidence.verify(invented, ALICE)).stored == "not_in_capture"


async def test_a_long_page_is_one_block_and_continues_at_the_next_id() -> None:
    at = desk("\n\n".join(f"Owl number {n} hunts voles." for n in range(8_000)))

    first = contract(await at.call("chatgpt_fetch", {"id": OWLS}))
    rest = [first]
    while following := rest[-1]["metadata"].get("nextId"):
        rest.append(contract(await at.call("chatgpt_fetch", {"id": following})))

    assert [part["metadata"]["part"] for part in rest] == ["1 of 3", "2 of 3", "3 of 3"]
    assert {part["metadata"]["sha256"] for part in rest} == {first["metadata"]["sha256"]}
    assert "".join(part["text"] for part in rest).endswith("Owl number 7999 hunts voles.")


@pytest.mark.parametrize("identifier", ["", "not a url"])
async def test_an_invented_id_is_an_error_with_advice(identifier: str) -> None:
    result = await desk().call("chatgpt_fetch", {"id": identifier})

    assert result.is_error
    assert result.problem is not None
    assert result.problem.block["kind"] == "validation"
