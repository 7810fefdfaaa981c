"""Anchors of exported pages: links to a place of a page still lead there."""

from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.export.anchors import markdown_with_anchors
from webquarry.content.html.read_html import to_markdown

PROSE = "<p>Heat pumps move heat from the air into the house, even in winter.</p>" * 3


def anchored(body: str, *names: str) -> str:
    html = f"<html><head><title>T</title></head><body><main>{body}</main></body></html>"
    plain = to_markdown(html, "https://x.test/")
    return markdown_with_anchors(
        html.encode(), content_type="text/html", url="https://x.test/", names=names, plain=plain
    )


def test_an_anchor_stands_before_its_heading() -> None:
    text = anchored(f'<h1>A</h1>{PROSE}<h2 id="b">B</h2>{PROSE}', "b")

    assert '\n\n<a id="b"></a>\n\n## B\n\n' in text


def test_an_anchor_stands_before_its_paragraph() -> None:
    text = anchored(f'<h1>A</h1>{PROSE}<p id="p">The place is here.</p>{PROSE}', "p")

    assert '\n\n<a id="p"></a>The place is here.\n\n' in text


def test_empty_anchors_of_the_page_are_kept() -> None:
    text = anchored(f'<h1>A</h1>{PROSE}<p><a name="p"></a>The place is here.</p>{PROSE}', "p")

    assert '<a id="p"></a>The place is here.' in text


def test_an_anchor_stands_before_its_code_and_its_table() -> None:
    code = '<pre id="code">one\ntwo</pre>'
    table = (
        "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr>"
        '<tr id="row"><td>3</td><td>4</td></tr></table>'
    )
    text = anchored(f"<h1>A</h1>{PROSE}{code}{PROSE}{table}{PROSE}", "code", "row")

    assert '<a id="code"></a>\n\n```\none\ntwo\n```' in text
    assert '<a id="row"></a>\n\n| a | b |\n' in text
    assert "| 3 | 4 |" in text


def test_an_anchor_stands_in_its_list_item() -> None:
    text = anchored(f'<h1>A</h1>{PROSE}<ul><li>one</li><li id="two">two</li></ul>{PROSE}', "two")

    assert '- one\n- <a id="two"></a>two' in text


def test_a_name_that_the_page_lacks_changes_nothing() -> None:
    body = f"<h1>A</h1>{PROSE}"

    assert anchored(body, "none") == anchored(body)


def test_a_name_cannot_leave_its_attribute() -> None:
    text = anchored(f"<h1>A</h1>{PROSE}<p id='\"><b'>Here.</p>{PROSE}", '"><b')

    assert '<a id="&quot;&gt;&lt;b"></a>Here.' in text


@given(st.lists(st.sampled_from(["<p id=x>", "<li id=x>", "<pre id=x>", "<table id=x>", "<tr id=x>",
                                 "<td>", "<a name=x>", "a", "b ", "</p>", "</pre>", "<h2 id=x>",
                                 "<code id=x>", "<img id=x src=y>"]), max_size=12))  # fmt: skip
def test_the_words_of_a_page_stay_as_they_are(parts: list[str]) -> None:
    body = f"<h1>A</h1>{PROSE}{''.join(parts)}"
    html = f"<html><body><main>{body}</main></body></html>"
    plain = to_markdown(html, "https://x.test/")

    text = markdown_with_anchors(
        html.encode(), content_type="text/html", url="https://x.test/", names=["x"], plain=plain
    )

    assert "".join(text.replace('<a id="x"></a>', "").split()) == "".join(plain.split())
