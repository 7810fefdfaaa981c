"""The commands as people use them, against a small web on loopback."""

import json

import pytest

from tests.cli.stub import Stub
from tests.cli.typing_in import Typist
from webquarry.cli.command_index import MODULES, SUMMARIES
from webquarry.cli.commands import COMMANDS
from webquarry.library.bare_urls import with_scheme


def test_every_tool_command_is_in_the_help() -> None:
    assert SUMMARIES.keys() - MODULES.keys() == COMMANDS.keys()


def test_search_results_are_numbered_and_their_urls_not_wrapped(typist: Typist, web: Stub) -> None:
    done = typist.type("search", "heat", "pumps", "-n", "2")

    start = "    Heat pumps move heat instead of making it. Even at minus ten degrees there is heat"
    assert (done.status, done.err) == (0, "")
    assert [line[: len(start)] for line in done.out.splitlines()] == [
        " 1. How heat pumps work",
        f"    {web.home}/a",
        start,
        "",
        " 2. Heat pumps in winter",
        f"    {web.home}/b",
        start,
    ]


def test_json_is_the_result_of_the_tool(typist: Typist, web: Stub) -> None:
    done = typist.type("search", "heat pumps", "--json")

    body = json.loads(done.out)
    assert (body["query"], body["urls"]) == (
        "heat pumps",
        [f"{web.home}/a", f"{web.home}/b", f"{web.home}/c"],
    )


def test_markdown_is_a_list_of_links(typist: Typist, web: Stub) -> None:
    done = typist.type("search", "heat pumps", "-n", "1", "--markdown")

    assert done.out.splitlines()[0] == f"1. [How heat pumps work](<{web.home}/a>)"


def test_two_output_formats_at_once_are_a_usage_error(typist: Typist) -> None:
    done = typist.type("search", "x", "--json", "--markdown")

    assert done.status == 2
    assert "use --json or --markdown, not both" in done.err


def test_nothing_found_says_what_to_try(typist: Typist) -> None:
    done = typist.type("search", "nothing", "at", "all", "--site", "example.org")

    assert done.status == 0
    assert done.out.startswith("! Nothing found. Try without site.")


def test_verbose_shows_which_provider_answered(typist: Typist) -> None:
    before = typist.type("-v", "papers", "heat pumps", "-p", "crossref")
    after = typist.type("papers", "heat pumps", "-p", "crossref", "-v")

    assert "s by crossref\n" in before.err
    assert "from the cache" in after.err


def test_a_missing_key_says_which_and_where_to_look(typist: Typist) -> None:
    done = typist.type("search", "x", "--provider", "tavily")

    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "webquarry: Provider 'tavily' is not configured: set TAVILY_API_KEY (see .env.example).\n"
        "  → `webquarry providers` shows which keys are set.\n"
    )


def test_a_tool_without_a_source_says_what_to_set(
    typist: Typist, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EDGAR_CONTACT_EMAIL")

    done = typist.type("filings", "AAPL")

    assert done.status == 2
    assert done.err.startswith(
        "webquarry: No provider for this is configured. Set EDGAR_CONTACT_EMAIL for edgar.\n"
    )


def test_a_page_is_read_and_cited(typist: Typist, web: Stub) -> None:
    done = typist.type("read", f"{web.home}/a")

    assert done.out.startswith("# How heat pumps work\n\nHow heat pumps work: Heat pumps move")
    assert "Cite: Lovelace, A. (n.d.). How heat pumps work." in done.err
    assert "Cite:" not in done.out


def test_a_long_page_is_printed_completely(typist: Typist, web: Stub) -> None:
    done = typist.type("read", f"{web.home}/long", "--mode", "raw", "--json")

    assert len(json.loads(done.out)["content"]) > 40_000


def test_research_names_its_sources(typist: Typist, web: Stub) -> None:
    done = typist.type("research", "heat pumps", "-n", "1")

    assert f"## [1] How heat pumps work\n{web.home}/a" in done.out
    assert "## Sources" in done.out
    assert "1 of 1 pages read" in done.err


def test_a_site_is_listed_one_url_per_line(typist: Typist, web: Stub) -> None:
    done = typist.type("map", web.home, "-n", "2")

    assert (done.status, done.out) == (0, f"{web.home}/\n{web.home}/a\n")
    assert done.err == f"2 URLs of {web.home}\n! There are more: raise --limit.\n"


def test_an_answer_names_the_pages_it_relies_on(typist: Typist, web: Stub) -> None:
    done = typist.type("answer", "what", "do", "heat", "pumps", "move", "--provider", "local")

    assert done.status == 0
    assert "Heat pumps move heat instead of making it." in done.out
    assert f"    {web.home}/a" in done.out
    assert done.err.endswith("\nAnswered by local\n")


def test_a_crawl_shows_its_pages_and_how_it_went(typist: Typist, web: Stub) -> None:
    done = typist.type("crawl", f"{web.home}/", "--depth", "3")

    assert done.status == 0
    assert sorted(done.out.splitlines()[1:5]) == [
        f"200     Costs of heat pumps   {web.home}/c",
        f"200     Heat pumps            {web.home}/",
        f"200     Heat pumps in winter  {web.home}/b",
        f"200     How heat pumps work   {web.home}/a",
    ]
    assert "\nDone: 4 pages, 1 error" in done.out
    assert done.err.startswith("completed · 4/100 pages · ")
    assert done.err.endswith("/s · depth 3/3 · queue 0 · 1 error\n")


def test_crawled_pages_are_in_the_local_index(typist: Typist, web: Stub) -> None:
    typist.type("crawl", f"{web.home}/")

    done = typist.type("index", "search", "winter", "--json")

    assert f"{web.home}/b" in json.loads(done.out)["urls"]


def test_a_crawl_returns_content_if_requested(typist: Typist, web: Stub) -> None:
    done = typist.type("crawl", f"{web.home}/b", "--depth", "1", "-f", "markdown", "--json")

    body = json.loads(done.out)
    assert [page["url"] for page in body["pages"]] == [f"{web.home}/b"]
    assert "compressor" in body["pages"][0]["content"]["markdown"]


def test_values_of_a_series_are_plotted(typist: Typist) -> None:
    done = typist.type("econ", "--series", "SL.UEM.TOTL.ZS", "--country", "DE",
                       "--provider", "worldbank", "-n", "6")  # fmt: skip

    lines = done.out.splitlines()
    assert lines[2].startswith(" 3.9 ┤")
    assert lines[15].split() == ["2018", "2023"]
    assert lines[17:] == ["date  value", "2018  3.4", "2019  3.2", "2020  3.9", "2021  3.6",
                          "2022  3.1", "2023  3.0"]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["news", "owls"], " 1. Owl found\n    https://www.example.org/1\n"),
        (["images", "owl"], " 1. owl\n    https://example.org/owl.jpg\n    640 x 480 · on "),
        (["papers", "heat", "-p", "crossref"], "Ada Lovelace, Charles Babbage · Journal of Warmth"),
        (["filings", "heron"], " 1. 10-Q Heron Holdings, Inc.\n    https://www.sec.gov/"),
        (["cases", "marsh"], "    Marsh v. Heron, 401 U.S. 12 (1971) · Supreme Court"),
        (["trials", "asthma"], "    NCT90000001 · RECRUITING · PHASE1, PHASE2 · Sanofi"),
    ],
)
def test_records_show_what_identifies_them(typist: Typist, typed: list[str], told: str) -> None:
    done = typist.type(*typed)

    assert done.status == 0
    assert told in done.out


def test_a_patent_search_links_to_the_search_page(typist: Typist) -> None:
    done = typist.type("patents", "battery", "--provider", "brave")

    assert "https://patents.google.com/?q=battery" in done.out


def test_a_true_citation_is_confirmed(typist: Typist) -> None:
    done = typist.type("verify", "10.5555/heat.1")

    assert done.status == 0
    assert done.out.startswith("confirmed: 10.5555/heat.1\n\nRecord:\n\n 1. Heat pumps in cold")


def test_a_citation_with_the_wrong_title_is_refuted(typist: Typist) -> None:
    done = typist.type("verify", "Babbage, C. (1999). Cooking with owls. doi:10.5555/heat.1")

    assert done.status == 1


def test_an_invalid_url_is_a_usage_error(typist: Typist) -> None:
    done = typist.type("crawl", "nonsense")

    assert (done.status, done.err) == (
        2,
        "webquarry: URL rejected for nonsense: it is not a complete URL. "
        "Provide a valid public http(s) URL.\n",
    )


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("example.com", "https://example.com"),
        ("docs.example.com:8080/a?b=c", "https://docs.example.com:8080/a?b=c"),
        ("http://example.com", "http://example.com"),
        ("localhost:8080/a", "http://localhost:8080/a"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("192.168.1.1/status", "http://192.168.1.1/status"),
        ("9.9.9.9", "https://9.9.9.9"),
        ("nonsense", "nonsense"),
        ("mailto:a@example.com", "mailto:a@example.com"),
    ],
)
def test_a_host_without_a_scheme_is_read_over_https_unless_it_is_local(
    typed: str, url: str
) -> None:
    assert with_scheme(typed) == url


def test_verbose_shows_how_each_tier_failed(typist: Typist, web: Stub) -> None:
    url = f"{web.home}/nope"

    quiet, verbose = typist.type("read", url), typist.type("read", url, "-v")

    assert "tried" not in quiet.err
    assert "tried stealth: HTTP 404\n" in verbose.err
