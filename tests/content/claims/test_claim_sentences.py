"""Which sentence speaks about a claim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.claims.claim_sentences import Claim, is_contrasting

COFFEE = Claim("Coffee reduces the risk of diabetes by 25 percent")


def test_the_sentence_with_most_of_the_claim_is_the_signal() -> None:
    text = (
        "Tea is nice to drink. Drinking coffee reduced diabetes risk by 25 percent. Coffee is hot."
    )

    assert COFFEE.best_sentence(text) == "Drinking coffee reduced diabetes risk by 25 percent."


def test_nothing_relevant_gives_an_empty_signal() -> None:
    assert COFFEE.best_sentence("Owls hunt at night and sleep by day.") == ""


def test_evidence_keeps_the_order_of_the_text() -> None:
    text = "Coffee was measured here. Owls were not. Diabetes risk fell by 25 percent with coffee."

    assert COFFEE.evidence(text, limit=2) == [
        "Coffee was measured here.",
        "Diabetes risk fell by 25 percent with coffee.",
    ]


@pytest.mark.parametrize(
    ("claim", "text", "signal"),
    [
        (
            "organisation of labour",
            "It rained. The organization of labor changed.",
            "The organization of labor changed.",
        ),
        (
            "コーヒーは糖尿病のリスクを減らす",
            "お茶は美味しい飲み物です。コーヒーで糖尿病のリスクが減少すると研究が示した。",
            "コーヒーで糖尿病のリスクが減少すると研究が示した。",
        ),
        (
            "Kaffee senkt das Risiko für Diabetes",
            "Tee schmeckt gut. Kaffee senkte in der Studie das Diabetes-Risiko deutlich.",
            "Kaffee senkte in der Studie das Diabetes-Risiko deutlich.",
        ),
    ],
)  # fmt: skip
def test_endings_spellings_and_scripts_are_seen_through(claim: str, text: str, signal: str) -> None:
    assert Claim(claim).best_sentence(text) == signal


def test_coverage_is_local_not_scattered() -> None:
    together = "Coffee reduces the risk of diabetes by 25 percent."
    scattered = "Coffee. " + "Owls fly. " * 9 + "A risk. " + "Owls fly. " * 9 + "Diabetes."

    assert COFFEE.coverage(together) == 1.0
    assert COFFEE.coverage(scattered) < 0.3
    assert Claim("the of").coverage(together) == 0.0


@pytest.mark.parametrize(
    "sentence",
    ["It did not help.", "It is not the best.", "They weren't there.",
     "There is no evidence for it.", "Es gibt keinen Beleg dafür.",
     "Aucune preuve n'existe.", "No hay pruebas.", "没有证据支持。",
     "El tratamiento no redujo la mortalidad.", "Los autores no encuentran el efecto."],
)  # fmt: skip
def test_a_negating_sentence_is_contrasting(sentence: str) -> None:
    assert is_contrasting(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "However, it helped.",
        "Although it rained, it worked.",
        "It is not only good but cheap.",
        "No one doubts it.",
        "There is no one in the house.",
        "It needs no more evidence.",
    ],
)
def test_a_mere_turn_of_phrase_is_not(sentence: str) -> None:
    assert not is_contrasting(sentence)


@given(st.text(max_size=200), st.text(max_size=400))
def test_a_signal_is_always_a_part_of_the_text(claim: str, text: str) -> None:
    signal = Claim(claim).best_sentence(text)

    assert signal in " ".join(text.split())
