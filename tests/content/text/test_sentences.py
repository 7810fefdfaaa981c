"""Sentences of several scripts, and what only looks like their end."""

import pytest

from webquarry.content.text.sentences import sentences_of


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It grew. It fell!", ["It grew.", "It fell!"]),
        (
            "Dr. Smith et al. found 3.5 percent, e.g. in the U.S. market. It grew.",
            ["Dr. Smith et al. found 3.5 percent, e.g. in the U.S. market.", "It grew."],
        ),
        ("Am 3. Mai kam er. Ende.", ["Am 3. Mai kam er.", "Ende."]),
        ('He said "no." She left.', ['He said "no."', "She left."]),
        ("研究は終わった。次の文\uff01", ["研究は終わった。", "次の文\uff01"]),
        ("هل هذا صحيح؟ نعم.", ["هل هذا صحيح؟", "نعم."]),
        ("यह सच है। हाँ।", ["यह सच है।", "हाँ।"]),
        ("A heading\nA line", ["A heading", "A line"]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_text_is_cut_at_its_sentences(text: str, sentences: list[str]) -> None:
    assert sentences_of(text) == sentences


def test_short_ones_can_be_left_out() -> None:
    assert sentences_of("No. A longer sentence here.", min_length=12) == ["A longer sentence here."]
