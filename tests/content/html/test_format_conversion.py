"""A page and a text in all formats."""

from typing import get_args

from webquarry.content.html.format_conversion import html_formats, text_formats
from webquarry.models.page_formats import Format

URL = "https://owls.test/a/b"
PROSE = "Owls hunt at night and sleep by day, in forests, in barns and in old towers. " * 4
SOURCE = f"""<html><head><title>Owls</title><base href="/c/">
<meta property="og:image" content="/cover.png"></head><body><nav><a href="x#y">X</a></nav>
<main><h1>Owls</h1><script>track()</script><p onclick="a()">{PROSE}</p>
<a href="https://other.test/#z">Other</a><a href="mailto:a@b.test">Mail</a>
<img src="owl.png" srcset="s.png 1x, l.png 2x"><img data-src="late.png" src="data:,">
</main></body></html>"""


def test_a_page_has_each_format_that_was_asked_for() -> None:
    formats = get_args(Format)
    found = html_formats(
        SOURCE.encode(), url=URL, content_type="text/html; charset=utf-8", formats=formats
    )

    assert list(found) == ["markdown", "html", "rawHtml", "text", "links", "images", "json"]
    assert found["rawHtml"] == SOURCE
    assert found["links"] == ("https://owls.test/c/x", "https://other.test/")
    assert found["images"] == (
        "https://owls.test/cover.png", "https://owls.test/c/owl.png", "https://owls.test/c/l.png",
        "https://owls.test/c/late.png",
    )  # fmt: skip
    assert str(found["markdown"]).startswith("# Owls\n\nOwls hunt at night")
    assert "<h1>Owls</h1><p>Owls hunt" in str(found["html"])
    assert "onclick" not in str(found["html"])
    assert str(found["text"]).startswith("Owls Owls hunt at night")
    data = found["json"]
    assert isinstance(data, dict)
    assert (data["title"], data["openGraph"]) == ("Owls", {"og:image": "/cover.png"})


def test_only_what_was_asked_for_is_made() -> None:
    source = SOURCE.encode()
    content_type = "text/html; charset=utf-8"

    assert list(html_formats(source, url=URL, content_type=content_type, formats=["links"])) == [
        "links"
    ]
    assert html_formats(source, url=URL, content_type=content_type, formats=["summary"]) == {}


def test_the_markdown_of_a_document_has_no_html_of_its_own() -> None:
    markdown = "# Owls\n\n[a < b](https://owls.test/1) ![Owl](https://owls.test/owl.png)"

    found = text_formats(markdown, url=URL, title="Report", formats=get_args(Format))

    data = found.pop("json")
    assert found == {
        "markdown": markdown,
        "html": "<pre># Owls\n\n[a &lt; b](https://owls.test/1)"
        " ![Owl](https://owls.test/owl.png)</pre>",
        "rawHtml": "",
        "text": markdown,
        "links": ("https://owls.test/1",),
        "images": ("https://owls.test/owl.png",),
    }
    assert isinstance(data, dict)
    assert data["title"] == "Report"
