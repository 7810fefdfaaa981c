"""Short texts of results."""

from webquarry.content.text.snippets import plain_text, shorten_snippet


def test_tags_and_entities_go_and_comparisons_stay() -> None:
    assert plain_text("a <b>bold</b>\n claim: 3 < 5 &amp; 7 > 2") == "a bold claim: 3 < 5 & 7 > 2"
    assert plain_text(None) == ""


def test_long_text_is_cut_between_words() -> None:
    assert shorten_snippet("one two three four", 12) == "one two…"
    assert shorten_snippet("x" * 50, 10) == "x" * 9 + "…"
