"""Finds the sentences of a source that are about a claim: evidence to read, not a verdict."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from webquarry.content.text.length_limits import cap_text
from webquarry.content.text.sentences import sentences_of
from webquarry.content.text.stopwords import STOPWORDS

MIN_SENTENCE_CHARS = 12
MAX_CLAIM_CHARS = 2000
_STEM_PREFIX = 6  # letters that related words have in common
_NEAR_BEST = 0.75  # share of the best sentence's term count
WINDOW = 4  # consecutive sentences that may cover a claim together
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
# scripts written without spaces: pairs of characters are used as words
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu)['\u2019](?=[^\W\d_]{2})")
_SUFFIXES = ("'s", "\u2019s", "ing", "ed", "es", "s", "en", "er", "e")
_BRITISH = (
    ("isation", "ization"),
    ("ise", "ize"),
    ("yse", "yze"),
    ("our", "or"),
    ("tre", "ter"),
)
_STANCE = re.compile(
    r"signifikan|significan|evidence|found that|showed? that|conclud|demonstrat|associat|increas"
    r"|decreas|reduc|caus|correlat|risk|randomi[sz]|meta-analys|confiden|odds ratio|p\s*[<=>]"
    r"|\bno\b|\bnot\b|never|nicht|kein|pas\b|aucun|ningún|evidenc|preuve|beleg|studie|étude|estudio"
    r"|研究|証拠|增加|减少|減少|显著|顯著|有意",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"not significant|no significant|contrary|contradict|disput|refut|disprov|failed to|did not"
    r"|do(?:es)? not|(?:did|does|do)n['\u2019]t"
    r"|\b(?:is|are|was|were)(?: not|n['\u2019]t)\b(?! only)"
    r"|no evidence|no association|no difference"
    r"|reject(?:ed|s)|no effect|not associated|not supported|falsely|debunk|hoax|unfounded|baseless"
    r"|discredit|misinformation|fabricated|no (?:causal )?link|not true|untrue|lacks? evidence"
    r"|unsupported|widerleg|bestreit|kein(?:e[nrs]?)? (?:beleg|hinweis|zusammenhang|nachweis)"
    r"|démenti|réfut|contredi|aucune? (?:preuve|lien|effet)|desmient|desminti|refuta"
    r"|no hay (?:pruebas|evidencia)|ning[uú]n(?:a)? (?:prueba|evidencia)|smenti|nessuna prova"
    r"|\bnicht\b|\bkein(?:e[mnrs]?)?\b"
    r"|\bn(?:e |['\u2019])[^.;]{0,40}\b(?:pas|plus|jamais|aucune?)\b"
    r"|\baucune? \w+ (?:n['\u2019]|ne )|\bno (?:se |ha |han |hay |hubo |fue |es |son )"
    r"|否定|反駁|反驳|没有|沒有|并未|並未|并没|未能|不能|不会|不是|无关|証拠はない|ありません|なかった|誤情報"
    r"|謠言|谣言",
    re.IGNORECASE,
)  # fmt: skip
# "no" before a Spanish verb; English "no one" and "no more" look the same
_SPANISH_CONTRAST = re.compile(
    r"\bno \w+(?:ó|jo|aron|ieron|jeron|aba|aban|ía|ían|a|e|an|en)\b", re.IGNORECASE
)
_SPANISH_WORD = re.compile(
    r"\b(?:al|como|con|del|el|en|las?|los|más|para|pero|por|que|se|sus?|una?|y)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Claim:
    """A statement to look for in texts."""

    text: str

    @cached_property
    def terms(self) -> frozenset[str]:
        """The stems of its content words."""
        return frozenset(stems(cap_text(self.text, MAX_CLAIM_CHARS)))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers in it."""
        return frozenset(term for term in self.terms if term[0].isdecimal())

    def best_sentence(self, text: str) -> str:
        """Return the sentence that is most about the claim; empty when none is."""
        ranked = self._ranked(text)
        return max(ranked, key=lambda entry: entry[0])[2] if ranked else ""

    def evidence(self, text: str, limit: int = 5) -> list[str]:
        """Return the sentences that are most about the claim, in text order."""
        best = sorted(self._ranked(text), key=lambda entry: -entry[0])[:limit]
        return [sentence for _, _, sentence in sorted(best, key=lambda entry: entry[1])]

    def coverage(self, text: str) -> float:
        """Return the largest share of the claim's terms within a few sentences, 0 to 1."""
        if not self.terms:
            return 0.0
        matched = [self._terms_in(frozenset(stems(sentence))) for sentence in sentences_of(text)]
        starts = range(max(1, len(matched) - WINDOW + 1))
        windows = (frozenset[str]().union(*matched[at : at + WINDOW]) for at in starts)
        return max(map(len, windows), default=0) / len(self.terms)

    def _terms_in(self, words: frozenset[str]) -> frozenset[str]:
        """Return the terms among the words, in this form or a related one: nombre, nombreux."""
        prefixes = {word[:_STEM_PREFIX] for word in words if len(word) > _STEM_PREFIX}
        related = (
            term
            for term in self.terms
            if len(term) >= _STEM_PREFIX and term[:_STEM_PREFIX] in prefixes
        )
        return (self.terms & words).union(related)

    def is_contrasted_in(self, text: str) -> bool:
        """Tell whether the claim, or a sentence most about it, negates something."""
        counted = [
            (len(self.terms.intersection(stems(sentence))), sentence)
            for sentence in _long_sentences(text)
        ]
        best = max((count for count, _ in counted), default=0)
        if not best:
            return False
        closest = [sentence for count, sentence in counted if count >= _NEAR_BEST * best]
        return is_contrasting(self.text) or any(map(is_contrasting, closest))

    def _ranked(self, text: str) -> list[tuple[float, int, str]]:
        """Return score, index and text of each sentence that shares a term with the claim."""
        ranked: list[tuple[float, int, str]] = []
        for index, sentence in enumerate(_long_sentences(text)):
            matched = self.terms.intersection(stems(sentence))
            if matched:
                stance = 1.5 if _STANCE.search(sentence) else 0.0
                numbers = 1.5 if matched & self.numbers else 0.0
                ranked.append((len(matched) + stance + numbers, index, sentence))
        return ranked


def is_contrasting(sentence: str) -> bool:
    """Tell whether a sentence negates something and may not support a claim."""
    if _CONTRAST.search(sentence):
        return True
    is_spanish = len({word.lower() for word in _SPANISH_WORD.findall(sentence)}) >= 2
    return is_spanish and bool(_SPANISH_CONTRAST.search(sentence))


def _long_sentences(text: str) -> list[str]:
    """Return the sentences of a minimum length; a Chinese character counts as two."""
    return [
        sentence
        for sentence in sentences_of(text, min_length=MIN_SENTENCE_CHARS // 2)
        if len(sentence) + sum(map(len, _UNSPACED.findall(sentence))) >= MIN_SENTENCE_CHARS
    ]


def stems(text: str) -> Iterable[str]:
    """Yield the stems of the content words of a text."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    for run in _UNSPACED.findall(folded):
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
    for word in _WORD.findall(_UNSPACED.sub(" ", folded)):
        if word[0].isdecimal():
            yield word.replace(",", "") if _GROUPED.fullmatch(word) else word
            continue
        bare = _ELISION.sub("", word)  # l'effet, d'eau
        if len(bare) >= 3 and bare not in STOPWORDS:
            yield stem_word(bare)


@lru_cache(maxsize=1 << 14)
def stem_word(word: str) -> str:
    """Return the word without one suffix, in American spelling."""
    for british, american in _BRITISH:
        if _has_suffix(word, british):
            word = word.removesuffix(british) + american
            break
    suffix = next((suffix for suffix in _SUFFIXES if _has_suffix(word, suffix)), "")
    word = word.removesuffix(suffix)
    return word.removesuffix("e") if len(word) > 3 else word


def _has_suffix(word: str, suffix: str) -> bool:
    return word.endswith(suffix) and len(word) > len(suffix) + 2
