"""One list out of several."""

from tests.services.searching.fakes import page
from webquarry.content.ranking.result_urls import unique_pages
from webquarry.services.searching.merge_results import fuse, interleave
from webquarry.services.searching.search_sources import ProviderResults

STORY = "The ministry said on Monday that owls will be protected in all barns from next year on"


def test_lists_take_turns() -> None:
    assert interleave([[1, 4], [2], [3, 5, 6]]) == [1, 2, 3, 4, 5, 6]


def test_a_page_appears_once_and_only_web_addresses_do() -> None:
    results = [
        page(1, url="https://www.example.org/a?utm_source=x"),
        page(2, url="https://example.org/a#part"),
        page(3, url="javascript:alert(1)"),
        page(4, url="https://m.example.org/b"),
    ]

    assert [r.title for r in unique_pages(results, lambda r: r.url)] == ["Page 1", "Page 4"]


def test_what_several_providers_rank_high_comes_first() -> None:
    one = ProviderResults(items=[page(1), page(2), page(3)], provider="one")
    other = ProviderResults(items=[page(3), page(4)], provider="other")

    fused = fuse([one, other])

    assert [(f.result.title, f.providers) for f in fused] == [
        ("Page 3", ["one", "other"]),
        ("Page 1", ["one"]),
        ("Page 2", ["one"]),
        ("Page 4", ["other"]),
    ]


def test_the_fullest_snippet_and_a_date_are_kept() -> None:
    one = ProviderResults(items=[page(1, snippet="Short.")], provider="one")
    other = ProviderResults(
        items=[page(1, snippet="A longer text.", published="2024-01-01T00:00:00Z")],
        provider="other",
    )

    (result,) = fuse([one, other])

    assert result.result == page(1, snippet="A longer text.", published="2024-01-01T00:00:00Z")


def test_one_story_on_many_sites_is_one_result() -> None:
    items = [
        page(1, "a.example", title="Owls protected", snippet=STORY),
        page(2, "b.example", title="Owls protected", snippet=STORY + " (agency)"),
        page(3, "c.example", title="Something else", snippet="Another text about other birds."),
    ]

    fused = fuse([ProviderResults(items=items, provider="one")])

    assert [(f.result.url, f.near_duplicates) for f in fused] == [
        ("https://a.example/1", ["https://b.example/2"]),
        ("https://c.example/3", []),
    ]
