from typing import Any, Literal

import pytest

from webquarry.server.structured_output import StructuredOutput
from webquarry.tools.scrape_page import scrape_page

PAGE = {
    "content": [{"type": "text", "text": "Owls."}],
    "structuredContent": {"url": "https://a.test/", "content": "Owls.", "truncated": False},
}
LINKED = {
    "content": [{"type": "text", "text": "Owls."}],
    "structuredContent": {"resource": "research://artifact/1", "summary": "Owls.", "linked": True},
}
ERROR = {"content": [{"type": "text", "text": "No."}], "isError": True}


@pytest.mark.parametrize(
    ("kept", "page", "linked"),
    [
        ("full", PAGE["structuredContent"], LINKED["structuredContent"]),
        (
            "metadata",
            {"url": "https://a.test/", "truncated": False},
            {"resource": "research://artifact/1", "linked": True},
        ),
        ("none", None, None),
    ],
)
def test_the_operator_chooses_what_repeats_the_text(
    kept: Literal["full", "metadata", "none"], page: Any, linked: Any
) -> None:
    output = StructuredOutput(kept)

    sent = [output.sent(result, scrape_page) for result in (PAGE, LINKED)]

    assert [result.get("structuredContent") for result in sent] == [page, linked]
    assert [result["content"] for result in sent] == [PAGE["content"], LINKED["content"]]
    assert output.sent(ERROR, scrape_page) == ERROR


def test_links_can_be_left_out() -> None:
    link = {"type": "resource_link", "uri": "research://artifact/1", "name": "owls"}
    result = {"content": [*PAGE["content"], link], "structuredContent": {"url": "https://a.test/"}}

    sent = StructuredOutput(links=False).sent(result, scrape_page)

    assert sent == result | {"content": PAGE["content"]}
    assert StructuredOutput().sent(result, scrape_page) == result


def test_without_structured_content_no_output_is_promised() -> None:
    entry = {"name": "a", "outputSchema": {"type": "object"}}

    assert StructuredOutput("none").listed([entry]) == [{"name": "a"}]
    assert StructuredOutput("metadata").listed([entry]) == [entry]
