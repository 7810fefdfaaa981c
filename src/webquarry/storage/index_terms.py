"""Terms of the local index: stems of words, by the language of the text.

Scripts without spaces between words are indexed by character; a query for several characters
looks for pairs of neighbours.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from webquarry.storage.function_words import FUNCTION_WORDS

_VERSION = 1  # increase it when the terms of a text change: indexes are rebuilt
DEFAULT_LANGUAGE = "en"
_ALGORITHMS = {
    "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip
_SAMPLE_WORDS = 200  # of a text, to detect its language
_MIN_FUNCTION_WORDS = 3
_MAX_TERM_CHARS = 40
_MAX_REMEMBERED = 50_000  # words of one language
# Thai, Lao, Burmese, Khmer, kana, Chinese characters
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff"
)
_ASCII_WORDS = {code: " " for code in range(128) if not chr(code).isalnum()}
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_CHARACTER = re.compile(rf"[{_UNSPACED}]")
_ACCENT = re.compile(r"[\u0300-\u036f]")


class TermExtractor:
    """Returns the terms of texts. For one thread at a time."""

    def __init__(self) -> None:
        self._stems: dict[str, _Stems] = {}

    def terms(self, words: Sequence[str], language: str) -> list[str]:
        """Return the terms of words in their order."""
        return list(map(self._stems_of(language).__getitem__, words))

    def alternatives(self, text: str, languages: Iterable[str]) -> list[list[str]]:
        """Return the terms of a text in each of the languages, without repetitions."""
        words = words_of(text)
        found = [list(map(self._stems_of(lang).__getitem__, words)) for lang in languages]
        return list({tuple(terms): terms for terms in found}.values())

    def _stems_of(self, language: str) -> "_Stems":
        if language not in self._stems:
            self._stems[language] = _Stems(language)
        return self._stems[language]


class _Stems(dict[str, str]):
    """The term of each word of a language, found once."""

    def __init__(self, language: str) -> None:
        super().__init__()
        stem: Callable[[str], str] = _stemmers().Stemmer(_ALGORITHMS[language], 0).stemWord
        self._stem = stem

    def __missing__(self, word: str) -> str:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        term = self[word] = without_accents(self._stem(word))[:_MAX_TERM_CHARS]
        return term


def terms_version() -> str:
    """Return the version of the terms: another one of the stemmers may find others."""
    return f"{_VERSION} {_stemmers().version()}"


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters; characters of scripts without spaces singly."""
    text = text.lower()
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    return _WORD.findall(unicodedata.normalize("NFC", text))


def is_character(word: str) -> bool:
    """Whether a word is a character of a script without spaces."""
    return bool(_CHARACTER.match(word))


def is_function_word(word: str) -> bool:
    """Whether a word is a function word of a known language."""
    return word in _languages_with()


def language_of(words: Sequence[str]) -> str:
    """Return the language with the most function words; English for unknown ones."""
    found = Counter(filter(None, map(_languages_with().get, words[:_SAMPLE_WORDS])))
    counts: Counter[str] = Counter()
    for languages, count in found.items():
        counts.update(dict.fromkeys(languages, count))
    # the first of equals in the order of the table
    best = max(FUNCTION_WORDS, key=counts.__getitem__)
    return best if counts[best] >= _MIN_FUNCTION_WORDS else DEFAULT_LANGUAGE


def without_accents(text: str) -> str:
    """Return text without diacritics, and with the usual form of compatibility characters."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _ACCENT.sub("", decomposed))


@cache
def _languages_with() -> dict[str, tuple[str, ...]]:
    """Return the languages that have each function word."""
    return {
        word: tuple(code for code, words in FUNCTION_WORDS.items() if word in words)
        for word in frozenset[str]().union(*FUNCTION_WORDS.values())
    }


@cache
def _stemmers() -> Any:
    # a library without types
    return import_module("Stemmer")
