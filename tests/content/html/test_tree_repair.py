"""Misplaced elements and texts end up where a browser has them."""

import pytest
from lxml import etree

from webquarry.content.html.dom import parse_html


@pytest.mark.parametrize(
    ("html", "body"),
    [
        ("<table><td>A</td><th>B</th></table>", "<table><tr><td>A</td><th>B</th></tr></table>"),
        (
            "<table><thead><td>A</td></thead><tbody><td>B</td></tbody></table>",
            "<table><thead><tr><td>A</td></tr></thead><tbody><tr><td>B</td></tr></tbody></table>",
        ),
        (
            "<table>above<tr>loose<td>A</td><p>words</p></tr><p>between</p><tr><td>B</td></tr></table>",
            "<p>above</p><p>loose</p><p>words</p><p>between</p>"
            "<table><tr><td>A</td></tr><tr><td>B</td></tr></table>",
        ),
        (
            "<table><form><tr><td>A</td></tr></form></table>",
            "<table><tr><td>A</td></tr></table>",
        ),
        (
            "<table><tr><form><td>A</td><td>B</td></form></tr></table>",
            "<table><tr><td>A</td><td>B</td></tr></table>",
        ),
        (
            "<table><table><tr><td>A</td></tr></table></table>",
            "<table/><table><tr><td>A</td></tr></table>",
        ),
        (
            "<table><caption>C</caption><tr><td>A</td></tr></table>",
            "<table><caption>C</caption><tr><td>A</td></tr></table>",
        ),
        ("<p>of<wbr>(T <b>value</b>)</p>", "<p>of(T <b>value</b>)</p>"),
        ("<p>a <embed src='x'> b</p><p>c</p>", "<p>a  b</p><p>c</p>"),
        ("<p>a</p></body><p>after</p>text", "<p>a</p><p>after</p>text"),
        ("<p>a</p></body><body>one<p>two</p></body>three", "<p>a</p>one<p>two</p>three"),
    ],
)
def test_the_body_is_as_in_a_browser(html: str, body: str) -> None:
    root = parse_html(f"<html><body>{html}</body></html>")

    assert root is not None
    assert etree.tostring(root, encoding="unicode") == f"<html><body>{body}</body></html>"


def test_forms_far_inside_each_other_keep_their_text() -> None:
    root = parse_html(f"<body><table>{'<form>' * 200}<tr><td>deep</td></tr></table></body>")

    assert root is not None
    assert etree.tostring(root, encoding="unicode", method="text") == "deep"


def test_elements_beyond_the_depth_of_the_parser_keep_their_text() -> None:
    deep = "<div>" * 3_000 + "<p>deep</p>" + "</div>" * 3_000

    root = parse_html(f"<body><h1>Top</h1>{deep}<p>after</p></body>")

    assert root is not None
    assert [element.text for element in root.iter("h1", "p")] == ["Top", "deep", "after"]
