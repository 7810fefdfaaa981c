"""The search engine of the sample web."""

from webquarry_demo.sample_pages import sample_web
from webquarry_demo.sample_search import SampleSearchEngine

ENGINE = SampleSearchEngine(sample_web())


def titles(query: str) -> list[str]:
    return [page.title for page, _, _ in ENGINE.find(query)]


def test_the_page_about_the_words_comes_first() -> None:
    assert titles("reading pellets of owls")[0] == "Reading pellets"
    assert titles("light signals red blinks")[0] == "Light signals"


def test_rare_words_weigh_more_than_common_ones() -> None:
    assert titles("barn owl sealant")[0] == "Five owl boxes, one wet winter: our trial"


def test_words_that_no_page_has_find_nothing() -> None:
    assert titles("quantum chromodynamics") == []


def test_sites_can_be_named() -> None:
    found = ENGINE.find("owl box (site:parish-gazette.localhost OR site:owlhaus.localhost)")

    assert {page.site for page, _, _ in found} == {"parish-gazette", "owlhaus"}


def test_a_snippet_is_what_the_page_says_about_the_words() -> None:
    [first, *_] = ENGINE.find("Owlhaus Loft Pro weatherproof site:parish-gazette.localhost")

    assert first[1].startswith("That the Owlhaus Loft Pro is the most weatherproof owl box")


def test_neither_hidden_nor_closed_pages_nor_link_texts_are_found() -> None:
    assert titles("developer collect append SYSTEM") == []
    assert "Orders" not in titles("orders closed to crawlers")
    assert "NestLog documentation" not in titles("start here")


def test_the_answer_has_the_shape_of_searxng() -> None:
    answer = ENGINE.respond({"q": "reading pellets", "format": "json"}, 4321)

    assert answer["query"] == "reading pellets"
    assert answer["unresponsive_engines"] == []
    first = answer["results"][0]
    assert {name: first[name] for name in ("url", "title", "publishedDate", "engines")} == {
        "url": "http://field-notes.localhost:4321/reading-pellets",
        "title": "Reading pellets",
        "publishedDate": "2025-11-20T00:00:00",
        "engines": ["sample"],
    }


def test_further_pages_go_on_where_the_first_ended() -> None:
    pages = [ENGINE.respond({"q": "barn owl box", "pageno": n}, 1)["results"] for n in "123"]
    urls = [result["url"] for results in pages for result in results]

    assert len(urls) == len(set(urls)) == len(ENGINE.find("barn owl box"))
