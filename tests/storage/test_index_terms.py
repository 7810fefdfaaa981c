"""Terms of texts: stems by language, characters, languages."""

import pytest

from webquarry.storage.index_terms import TermExtractor, language_of, words_of

GERMAN = "Die Eulen jagen in der Nacht, und sie hören sehr gut. Das ist für die Häuser nicht neu."


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The owls of this forest hunt at night, and they hear very well.", "en"),
        (GERMAN, "de"),
        ("Les chouettes chassent dans la nuit et elles entendent très bien pour leur âge.", "fr"),
        ("Los búhos cazan por la noche y con un oído muy fino, que es lo más importante.", "es"),
        ("Совы охотятся в лесу и на поле, но не днём если есть только ночь.", "ru"),
        ("Owl pictures", "en"),  # too short to tell
        ("東京都の梟は夜に狩りをする。", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_the_one_with_most_function_words(text: str, language: str) -> None:
    assert language_of(words_of(text)) == language


def test_forms_of_a_word_have_one_term() -> None:
    terms = TermExtractor()

    assert len(set(terms.terms(words_of("Hunting hunts HUNTED hunt"), "en"))) == 1
    assert len(set(terms.terms(words_of("Häuser Haus häusern hauser"), "de"))) == 1
    assert terms.terms(words_of("naïve cafe\u0301"), "en") == terms.terms(["naive", "cafe"], "en")


def test_characters_of_scripts_without_spaces_are_terms() -> None:
    assert words_of("東京 2026、Nara") == ["東", "京", "2026", "nara"]
    assert words_of("foo_bar-baz") == ["foo", "bar", "baz"]


def test_alternatives_are_listed_once() -> None:
    found = TermExtractor().alternatives("night", ("de", "en"))

    assert found == [["night"]]
