"""Ranking in the local index."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from webquarry.storage import index_search
from webquarry.storage.indexed_page import IndexedPage, IndexQuery
from webquarry.storage.page_index import PageIndex

pytestmark = pytest.mark.anyio


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[PageIndex]:
    index = PageIndex(tmp_path / "index.sqlite3", clock=lambda: 99.0)
    yield index
    await index.close()


async def _add(index: PageIndex, texts: Sequence[str], owner: str = "alice") -> None:
    pages = [
        IndexedPage(url=f"https://example.org/{number}", title=f"Page {number}", text=text)
        for number, text in enumerate(texts)
    ]
    await index.add(pages, tenant="acme", owner=owner)


async def _find(index: PageIndex, words: str, **options: object) -> list[int]:
    query = IndexQuery(words=words, **options)  # pyright: ignore[reportArgumentType] -- the test's own
    found = await index.search(query, tenant="acme", owner="alice")
    return [int(match.page.url.rpartition("/")[2]) for match in found]


async def test_other_forms_of_a_word_are_found_in_their_language(index: PageIndex) -> None:
    german = "Die Eulen haben in den Häusern und auf der Wiese gejagt."
    await _add(index, ["The owl was hunting a vole.", german, "Nothing about birds."])

    assert await _find(index, "owls hunt") == [0]
    assert await _find(index, "Haus") == [1]
    assert await _find(index, "jagen eule") == [1]


async def test_pages_with_more_of_the_words_come_first(index: PageIndex) -> None:
    await _add(index, ["barn", "A barn owl in a barn.", "an owl", "boats"])

    assert (await _find(index, "barn owl"))[0] == 1
    assert sorted(await _find(index, "barn owl")) == [0, 1, 2]


async def test_titles_and_headings_weigh_more_than_text(index: PageIndex) -> None:
    filler = "Some text about boats and sails and harbours in the north."
    pages = [
        IndexedPage(url="https://example.org/0", title="Boats", text=f"{filler} An owl. {filler}"),
        IndexedPage(url="https://example.org/1", title="Boats", text=f"## Owl\n{filler} {filler}"),
        IndexedPage(url="https://example.org/2", title="The owl", text=f"{filler} An. {filler}"),
    ]
    await index.add(pages, tenant="acme", owner="alice")

    assert await _find(index, "owls") == [2, 1, 0]


async def test_words_near_each_other_rank_higher(index: PageIndex) -> None:
    far = "An owl sat here. " + "Nothing happened for long. " * 8 + "Then a barn burned."
    near = "A barn owl sat here. " + "Nothing happened for long. " * 8 + "Then a house burned."
    await _add(index, [near, far, *["filler text"] * 5])

    assert await _find(index, "barn owl") == [0, 1]


async def test_phrases_and_exclusions_match_words_as_written(index: PageIndex) -> None:
    await _add(index, ["Owls hunt at night.", "The owl hunts at nights.", "Universities of owls."])

    assert await _find(index, "owl", exact="AT night") == [0]
    assert await _find(index, "", exact="at night") == [0]
    assert sorted(await _find(index, "owls", excluded=("universe",))) == [0, 1, 2]
    assert sorted(await _find(index, "owls", excluded=("universities",))) == [0, 1]


async def test_text_without_spaces_is_found_by_pairs_of_characters(index: PageIndex) -> None:
    filler = ["雨が降る。"] * 5
    await _add(index, ["東京都の梟は夜に狩りをする。", "京の東にある寺。", "夜の東京。", *filler])

    assert await _find(index, "梟") == [0]
    assert sorted(await _find(index, "東京")) == [0, 2]
    assert await _find(index, "東京都") == [0, 2]
    assert (await _find(index, "梟の狩り"))[0] == 0


async def test_feedback_changes_the_order_but_adds_no_page(
    index: PageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_search, "_FEEDBACK_PAGES", 3)
    monkeypatch.setattr(index_search, "_FEEDBACK_COMMON", 0.9)
    owls = ["owl talons feathers", "owl talons feathers", "owl feathers talons"]
    others = ["owl with many other words", "owl in talons and feathers", "feathers and talons only"]
    await _add(index, [*owls, *others, *["something else"] * 4])

    found = await _find(index, "owl")

    assert sorted(found) == [0, 1, 2, 3, 4]
    assert found.index(4) < found.index(3)


async def test_others_pages_are_not_searched(index: PageIndex) -> None:
    await _add(index, ["Owls hunt."], owner="bob")

    assert await _find(index, "owls") == []


async def test_very_common_words_are_left_out_beside_rarer_ones(
    index: PageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_search, "_FEW_PAGES", 3)
    await _add(index, ["common owl", *["common words"] * 9])

    assert await _find(index, "common owl") == [0]
    assert len(await _find(index, "common")) == 10
