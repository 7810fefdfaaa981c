import pytest

from tests.searxng import pages
from tests.searxng.fakes import text
from webquarry.errors import PayloadError
from webquarry.searxng.html_results import read_html
from webquarry.searxng.query_values import Hit, InstancePage

NOW = 1_700_000_000.0


def read(page: str) -> InstancePage:
    return read_html(text(page), name="https://a.example", now=NOW)


def test_the_simple_theme_is_read() -> None:
    assert read(pages.SIMPLE) == InstancePage(
        hits=(
            Hit(
                title="Async Rust",
                url="https://doc.example.org/async",
                description="Learn async & await.",
                score=1.0,
                engines=("google", "duckduckgo"),
                published="2024-05-17T08:30:00Z",
            ),
            Hit(title="Tokio", url="https://tokio.example/", score=0.5, engines=("bing",)),
        ),
        total=12300,
        unresponsive=(("brave", "Suspended: too many requests"),),
        unusable=1,
        from_html=True,
    )


def test_pictures_of_the_simple_theme_are_read() -> None:
    assert read(pages.SIMPLE_IMAGES).hits == (
        Hit(
            title="An owl",
            url="https://page.example/owl",
            description="It looks.",
            score=1.0,
            engines=("bing images",),
            image="https://img.example/owl.png",
            thumbnail="https://img.example/small.png",
        ),
    )


def test_the_oscar_theme_is_read_without_its_answers_and_corrections() -> None:
    assert read(pages.OSCAR) == InstancePage(
        hits=(
            Hit(
                title="Owl",
                url="https://en.example.org/wiki/Owl",
                description="Birds of the night.",
                score=1.0,
                engines=("wikipedia", "ddg"),
                published="2020-01-02T00:00:00Z",
            ),
        ),
        total=40,
        unresponsive=(("qwant", "CAPTCHA required"), ("mojeek", "timeout")),
        from_html=True,
    )


def test_a_page_without_results_is_an_answer() -> None:
    assert read(pages.NOTHING) == InstancePage(hits=(), from_html=True)


@pytest.mark.parametrize("page", [pages.CHALLENGE, pages.INDEX, "", "<html>", "nonsense"])
def test_any_other_page_is_none(page: str) -> None:
    with pytest.raises(PayloadError, match="has no list of results"):
        read(page)
