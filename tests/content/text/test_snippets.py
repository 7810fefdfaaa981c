"""Short texts of results."""

from webquarry.content.text.snippets import brief, excerpt, plain


def test_tags_and_entities_go_and_comparisons_stay() -> None:
    assert plain("a <b>bold</b>\n claim: 3 < 5 &amp; 7 > 2") == "a bold claim: 3 < 5 & 7 > 2"
    assert plain(None) == ""


def test_long_text_is_cut_between_words() -> None:
    assert brief("one two three four", 12) == "one two…"
    assert brief("x" * 50, 10) == "x" * 9 + "…"


def test_an_excerpt_shows_where_the_words_are() -> None:
    text = "filler " * 100 + "the barn owl hunts " + "filler " * 100

    piece = excerpt(text, ["barn", "owl"], most=80)

    assert "barn owl hunts" in piece
    assert len(piece) <= 81
    assert excerpt("short text", ["barn"]) == "short text"
