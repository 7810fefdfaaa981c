import pytest

from tests.searxng import pages
from webquarry.errors import PayloadError
from webquarry.searxng.html_results import read_html
from webquarry.searxng.query_values import DirectAnswer, Hit, Infobox, InstancePage, SearchExtras

NOW = 1_700_000_000.0


def read(page: str) -> InstancePage:
    url = "https://a.example/search"
    return read_html(page.encode(), url=url, name="https://a.example", now=NOW)


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


def test_the_oscar_theme_is_read_with_its_answers_and_corrections() -> None:
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
        extras=SearchExtras(
            answers=(DirectAnswer(text="42"),),
            infoboxes=(
                Infobox(title="Owl", content="Birds.", attributes=(("Order", "Strigiformes"),)),
            ),
            suggestions=("owl names",),
            corrections=("owls",),
        ),
    )


def test_response_times_are_no_failures_and_extras_are_read() -> None:
    assert read(pages.TIMINGS) == InstancePage(
        hits=(
            Hit(
                title="Owls",
                url="https://owl.example/",
                description="About owls.",
                score=1.0,
                engines=("bing",),
            ),
        ),
        unresponsive=(("qwant", "Suspended: access denied"),),
        from_html=True,
        extras=SearchExtras(
            answers=(
                DirectAnswer(text="6.2137 mi"),
                DirectAnswer(text="A mile. wiki.example", url="https://wiki.example/mile"),
            ),
            infoboxes=(
                Infobox(
                    title="Owl",
                    content="Owls are birds.",
                    url="https://wiki.example/Owl",
                    attributes=(("Order", "Strigiformes"),),
                ),
            ),
            suggestions=("barn owl",),
            corrections=("owls",),
        ),
    )


def test_an_empty_page_whose_engines_all_responded_reports_no_failure() -> None:
    assert read(pages.EMPTY_WITH_TIMINGS) == InstancePage(hits=(), from_html=True)


@pytest.mark.parametrize(
    ("page", "failures"),
    [
        (
            pages.FAILED_PARAGRAPHS,
            (("brave", "Suspended: too many requests"), ("bing news", "timeout")),
        ),
        (pages.FAILED_MESSAGE, (("our index", "HTTP error: 500"), ("bing", "timeout"))),
    ],
)
def test_failed_engines_are_read_in_every_form(
    page: str, failures: tuple[tuple[str, str], ...]
) -> None:
    assert read(page) == InstancePage(hits=(), unresponsive=failures, from_html=True)


def test_a_page_without_results_is_an_answer() -> None:
    assert read(pages.NOTHING) == InstancePage(hits=(), from_html=True)


@pytest.mark.parametrize("page", [pages.CHALLENGE, pages.INDEX, "", "<html>", "nonsense"])
def test_any_other_page_is_none(page: str) -> None:
    with pytest.raises(PayloadError, match="has no list of results"):
        read(page)
