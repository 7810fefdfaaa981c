"""How good a source is for a question."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.ranking.source_quality import (
    UNDATED,
    WEIGHTS,
    authority,
    combined_scores,
    content_quality,
    freshness,
    relevance,
    timestamp_of,
    variety,
)
from webquarry.content.ranking.source_type import classify
from webquarry.models.research import Scores

DAY = 86400.0
NOW = 20_000 * DAY
PROSE = """
Barn owls breed in hollow trees, church towers and old barns from the lowlands up to 800 metres.

A pair raises four to seven young a year. In 1987 a keeper in the valley counted 31 nests, which
fell to 12 after the cold winter of 2010 and rose again when boxes were put up.

Voles are nine tenths of what they eat. An owl listens for them with ears that sit at different
heights, and so tells within two degrees where a rustle comes from, even under snow.

Poison against rodents kills more owls than cars do, as a study of 120 carcasses found in 2019.

Whoever finds an injured bird should put it into a dark box and call the nearest station. It must
not be given water. Most of those that are brought in can fly again after 20 days.
"""


def test_the_weights_are_those_of_the_contract() -> None:
    assert WEIGHTS == {
        "relevance": 0.35, "freshness": 0.20, "authority": 0.25, "contentQuality": 0.20
    }  # fmt: skip
    assert combined_scores(
        {"relevance": 0.8, "freshness": 0.5, "authority": 0.9, "contentQuality": 0.333}
    ) == Scores(overall=0.67, relevance=0.8, freshness=0.5, authority=0.9, contentQuality=0.33)


@pytest.mark.parametrize(
    ("days", "worth"),
    [(0, 1.0), (1, 1.0), (7, 0.9), (30, 0.75), (365, 0.5), (1825, 0.3), (3650, 0.15), (9000, 0.15)],
)
def test_pages_lose_worth_with_age(days: float, worth: float) -> None:
    assert freshness(NOW - days * DAY, NOW) == pytest.approx(worth)


def test_a_page_without_a_date_or_of_the_future_is_neither_new_nor_old() -> None:
    assert freshness(None, NOW) == UNDATED
    assert freshness(NOW + 30 * DAY, NOW) == UNDATED
    assert freshness(NOW + DAY, NOW) == 1.0


@settings(deadline=None)
@given(st.floats(0, 1e5), st.floats(0, 1e5))
def test_an_older_page_is_never_fresher(one: float, other: float) -> None:
    younger, older = sorted((one, other))

    assert freshness(NOW - older * DAY, NOW) <= freshness(NOW - younger * DAY, NOW) + 1e-9


@pytest.mark.parametrize(
    ("stated", "moment"),
    [
        ("1970-01-02", DAY),
        ("1970-01-02T00:00:10Z", DAY + 10),
        ("1970-01-02T02:00:00+02:00", DAY),
        ("1970-01", 27 * DAY),
        ("1970", 361 * DAY),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_are_read_as_precisely_as_they_are_stated(stated: str, moment: float | None) -> None:
    assert timestamp_of(stated) == moment


@pytest.mark.parametrize(
    ("url", "worth"),
    [
        ("https://www.nhs.uk/x", 0.9),
        ("https://owls.test/x", 0.55),
        ("https://someone.substack.com/p/x", 0.25),
        ("https://stackoverflow.com/q/1", 0.45),
        ("https://owls.test/nature.com/who.int", 0.55),
        ("https://nature.com.owls.test/", 0.55),
    ],
)
def test_authority_goes_by_the_registered_domain(url: str, worth: float) -> None:
    question = QueryTerms("barn population")

    assert authority(url, classify(url), question, retracted=False) == pytest.approx(worth)


def test_the_own_site_of_the_query_subject_has_authority() -> None:
    url = "https://www.kestreldb.io/docs"

    assert authority(url, classify(url), QueryTerms("KestrelDB backup"), retracted=False) == 0.7
    assert authority(url, classify(url), QueryTerms("backup"), retracted=False) == 0.55


def test_a_retracted_paper_has_no_authority() -> None:
    url = "https://www.nature.com/articles/1"

    assert authority(url, classify(url), QueryTerms("owls"), retracted=True) < 0.1


def test_prose_is_worth_more_than_a_stub_and_a_stub_more_than_nothing() -> None:
    stub = content_quality("Owls are birds.", 3)

    assert content_quality(PROSE, 130) > 0.6 > stub > content_quality("", 0) == 0.0


def test_a_page_that_could_not_be_read_in_full_counts_less() -> None:
    assert content_quality(PROSE, 130, complete=False) < content_quality(PROSE, 130)


def test_words_that_are_only_repeated_count_little() -> None:
    stuffed = "cheap owl deals, best owl deals, owl deals today, " * 30
    question = QueryTerms("owl deals")

    assert variety(PROSE) == 1.0
    assert variety(stuffed) < 0.4
    assert relevance("Owl deals", stuffed, question) < 0.75
