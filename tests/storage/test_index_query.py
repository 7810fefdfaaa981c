"""The words of a query as FTS5 expressions."""

from webquarry.storage.index_query import near_expression, plain_words, query_words
from webquarry.storage.index_terms import TermExtractor


def _phrases(text: str, *languages: str) -> list[str]:
    return [word.phrase for word in query_words(text, TermExtractor(), languages or ("en",))]


def test_function_words_are_left_out_unless_there_are_no_others() -> None:
    assert _phrases("the owls of the barn") == ['"owl"', '"barn"']
    assert _phrases("to be or not to be") == ['"to"', '"be"', '"or"', '"not"']


def test_a_word_has_a_term_for_each_language() -> None:
    assert _phrases("Häuser", "de", "en") == ['"haus" OR "hauser"']


def test_joined_words_and_pairs_of_characters_are_phrases() -> None:
    assert _phrases("re-use 東京都") == ['"re use"', '"東 京"', '"京 都"']
    assert _phrases("梟") == ['"梟"']


def test_operators_are_words() -> None:
    assert _phrases('owls") OR (title:x*') == ['"owl"', '"titl x"']
    assert _phrases('")(') == []


def test_neighbours_stand_near_each_other() -> None:
    one, other = query_words("barn owls", TermExtractor(), ("en",))

    assert near_expression(one, other, 6) == 'NEAR("barn" "owl", 6)'
    assert near_expression(one, one, 6) == ""


def test_plain_words_have_no_marks() -> None:
    assert plain_words("At *Night*: Café!") == " at night cafe "
