"""Snippets: the part of a text that has most of the words."""

from webquarry.storage.index_snippet import best_passage, word_pattern

FILLER = "filler " * 100


def test_a_snippet_shows_where_the_words_are() -> None:
    text = f"An owl. {FILLER}the barn owls hunted voles {FILLER}"
    pattern = word_pattern([("owl", ["owl"]), ("hunting", ["hunt"])])

    found = best_passage(text, pattern, max_chars=120)

    assert "the barn owls hunted voles" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) <= 120


def test_a_short_text_is_returned_whole_without_markup() -> None:
    text = "## Owls\n\nRead [the *guide*](https://example.org/a)\nand ![a picture](p.png)."

    assert best_passage(text, None) == "Owls Read the *guide* and a picture."


def test_text_without_a_match_starts_at_its_beginning() -> None:
    found = best_passage(FILLER, word_pattern([("owl", ["owl"])]), max_chars=60)

    assert found == "filler filler filler filler filler filler filler filler…"


def test_words_inside_other_words_do_not_match() -> None:
    pattern = word_pattern([("owl", ["owl"])])

    assert pattern is not None
    assert [m[0] for m in pattern.finditer("bowl owlet Owls")] == ["owlet", "Owls"]
    assert word_pattern([]) is None


def test_characters_match_inside_a_text_without_spaces() -> None:
    text = "夜" * 300 + "東京の梟" + "夜" * 300

    assert "東京の梟" in best_passage(text, word_pattern([("東京", ["東", "京"])]), max_chars=100)
