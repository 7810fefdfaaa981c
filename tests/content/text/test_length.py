"""Counting and shortening."""

import pytest

from webquarry.content.text.dates import iso_date
from webquarry.content.text.length import count_words, size_category, truncate


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("One two three.", 3),
        ("[a link](https://quarry.example/many/words/in/it) here", 3),
        ("don't stop e-mail", 3),
        ("采石场 closed", 4),
        ("", 0),
    ],
)
def test_words_are_those_a_reader_sees(text: str, words: int) -> None:
    assert count_words(text) == words


def test_sizes_have_bands() -> None:
    sizes = (0, 4_999, 5_000, 20_000, 50_000)
    bands = ["small", "small", "medium", "large", "very_large"]
    assert [size_category(size) for size in sizes] == bands


def test_cut_falls_between_paragraphs_when_there_is_one() -> None:
    text = "First paragraph of it.\n\nSecond paragraph. It has two sentences in it."
    assert truncate(text, 40).text == "First paragraph of it."


def test_cut_falls_between_sentences_otherwise() -> None:
    assert truncate("One sentence. Another sentence. A third one.", 35).text == (
        "One sentence. Another sentence."
    )


def test_cut_code_block_is_closed() -> None:
    cut = truncate("```python\n" + "line = 1\n" * 50 + "```", 100)
    assert (cut.text.count("```"), len(cut.text) <= 100, cut.truncated) == (2, True, True)


def test_cut_does_not_split_a_link_or_a_character() -> None:
    link = "Some words here [and a link](https://quarry.example/long) after it"
    assert truncate(link, 40).text == "Some words here"
    assert truncate("é" * 10, 5).text == "éé"


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("2024-05-06T07:08:09+0200", "2024-05-06T07:08:09+02:00"),
        ("2024-05-06T00:00:00", "2024-05-06"),
        ("2024-05", "2024-05"),
        ("1999", "1999"),
        ("20240506", "2024-05-06"),
        ("2019/11", "2019-11"),
        ("May 6, 2024", "2024-05-06"),
        ("6. Mai 2024", "2024-05-06"),
        ("May 2024", "2024-05"),
        ("24.12.2020", "2020-12-24"),
        ("2024年5月6日", "2024-05-06"),
        ("Mon, 06 May 2024 07:08:09 +0000", "2024-05-06"),
        ("05/06/2024", ""),  # May or June: not ours to decide
        ("2024-13-01", ""),
        ("yesterday", ""),
    ],
)
def test_dates_keep_their_precision(said: str, date: str) -> None:
    assert iso_date(said) == date
