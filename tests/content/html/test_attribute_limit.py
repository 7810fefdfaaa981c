import pytest

from webquarry.content.html.attribute_limit import limit_attributes, limit_attributes_of_text


def test_a_tag_keeps_its_first_500_attributes() -> None:
    html = b"<p " + b" ".join(b'a%d="v"' % number for number in range(5_000)) + b">words</p>"

    limited = limit_attributes(html)

    assert limited.endswith(b'a499="v">words</p>')
    assert limited == html[: len(limited) - len(b">words</p>")] + b">words</p>"


@pytest.mark.parametrize(
    "html",
    [
        "<p class=a title='b'>words</p>",
        f"<img src='data:image/png;base64,{'A' * 9_000}' alt='x = y'>",
        f'<p title="{"a=b " * 3_000}">wörds</p>',
        f"<a{' ' * 9_000}>",
        f"<a{'/' * 9_000}>",
        "<" * 9_000,
    ],
)
def test_ordinary_tags_stay_as_they_are(html: str) -> None:
    assert limit_attributes_of_text(html) == html
