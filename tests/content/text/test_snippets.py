"""Short texts of results."""

from webquarry.content.text.snippets import excerpt, plain_text, shorten_snippet


def test_tags_and_entities_go_and_comparisons_stay() -> None:
    assert plain_text("a <b>bold</b>\n claim: 3 < 5 &amp; 7 > 2") == "a bold claim: 3 < 5 & 7 > 2"
    assert plain_text(None) == ""


def test_long_text_is_cut_between_words() -> None:
    assert shorten_snippet("one two three four", 12) == "one two…"
    assert shorten_snippet("x" * 50, 10) == "x" * 9 + "…"


def test_an_excerpt_shows_where_the_words_are() -> None:
    text = "filler " * 100 + "the barn owl hunts " + "filler " * 100

    piece = excerpt(text, ["barn", "owl"], max_chars=80)

    assert "barn owl hunts" in piece
    assert len(piece) <= 81
    assert excerpt("short text", ["barn"]) == "short text"
