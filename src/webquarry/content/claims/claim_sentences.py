"""Which sentences of a source speak about a claim. Evidence to read, never a verdict."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from webquarry.content.text.sentences import sentences_of
from webquarry.content.text.stopwords import STOPWORDS

SHORTEST_SENTENCE = 12
LONGEST_CLAIM = 2000
_HEAD = 6  # letters by which related words are known
_NEARLY = 0.75  # of the terms in the sentence with most of them
WINDOW = 4  # sentences that may address a claim together
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
# scripts written without spaces: pairs of characters stand in for words
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu)['\u2019](?=[^\W\d_]{2})")
_SUFFIXES = ("'s", "\u2019s", "ing", "ed", "es", "s", "en", "er", "e")
_BRITISH = (("isation", "ization"), ("ise", "ize"), ("yse", "yze"), ("our", "or"), ("tre", "ter"))
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
    r"|\bno \w+(?:ó|aron|ieron|aba|aban|ía|ían|a|e|an|en)\b"
    r"|否定|反駁|反驳|没有|沒有|并未|並未|并没|未能|不能|不会|不是|无关|証拠はない|ありません|なかった|誤情報"
    r"|謠言|谣言",
    re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """A statement to look for. Build it once, ask it about many texts."""

    text: str

    @cached_property
    def terms(self) -> frozenset[str]:
        """The words that carry it, in a form that ignores endings."""
        return frozenset(stems(self.text[:LONGEST_CLAIM]))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers in it."""
        return frozenset(term for term in self.terms if term[0].isdecimal())

    def signal(self, text: str) -> str:
        """Return the sentence that speaks most about the claim; empty when none does."""
        ranked = self._ranked(text)
        return max(ranked, key=lambda found: found[0])[2] if ranked else ""

    def evidence(self, text: str, most: int = 5) -> list[str]:
        """Return the sentences that speak most about the claim, in their order."""
        best = sorted(self._ranked(text), key=lambda found: -found[0])[:most]
        return [sentence for _, _, sentence in sorted(best, key=lambda found: found[1])]

    def coverage(self, text: str) -> float:
        """Return the greatest share of the claim's terms within a few sentences, 0 to 1."""
        if not self.terms:
            return 0.0
        found = [self._among(frozenset(stems(sentence))) for sentence in sentences_of(text)]
        windows = (found[at : at + WINDOW] for at in range(max(1, len(found) - WINDOW + 1)))
        shares = (len(frozenset[str]().union(*window)) for window in windows)
        return max(shares, default=0) / len(self.terms)

    def _among(self, said: frozenset[str]) -> frozenset[str]:
        """Return the terms that are said, in this form or a related one: nombre, nombreux."""
        heads = {word[:_HEAD] for word in said if len(word) > _HEAD}
        return frozenset(
            term for term in self.terms
            if term in said or (len(term) >= _HEAD and term[:_HEAD] in heads)
        )  # fmt: skip

    def contrast(self, text: str) -> bool:
        """Tell whether the claim, or what speaks most about it, says no to something."""
        shares = [
            (len(self.terms & frozenset(stems(sentence))), sentence) for sentence in _solid(text)
        ]
        most = max((share for share, _ in shares), default=0)
        if not most:
            return False
        near = [sentence for share, sentence in shares if share >= _NEARLY * most]
        return contrasts(self.text) or any(map(contrasts, near))

    def _ranked(self, text: str) -> list[tuple[float, int, str]]:
        ranked: list[tuple[float, int, str]] = []
        for place, sentence in enumerate(_solid(text)):
            matched = self.terms & frozenset(stems(sentence))
            if not matched:
                continue
            stance = 1.5 if _STANCE.search(sentence) else 0.0
            numbers = 1.5 if matched & self.numbers else 0.0
            ranked.append((len(matched) + stance + numbers, place, sentence))
        return ranked


def contrasts(sentence: str) -> bool:
    """Tell whether a sentence says no to something: worth reading before it is taken as support."""
    return bool(_CONTRAST.search(sentence))


def _solid(text: str) -> list[str]:
    """Return the sentences that say something; a character of Chinese says as much as two."""
    return [
        sentence
        for sentence in sentences_of(text, shortest=SHORTEST_SENTENCE // 2)
        if len(sentence) + sum(map(len, _UNSPACED.findall(sentence))) >= SHORTEST_SENTENCE
    ]


def stems(text: str) -> Iterable[str]:
    """Yield the words of a text that carry meaning, in a form that ignores endings."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    for run in _UNSPACED.findall(folded):
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
    for word in _WORD.findall(_UNSPACED.sub(" ", folded)):
        if word[0].isdecimal():
            yield word.replace(",", "") if _GROUPED.fullmatch(word) else word
            continue
        bare = _ELISION.sub("", word)  # l'effet, d'eau
        if len(bare) >= 3 and bare not in STOPWORDS:
            yield _stem(bare)


@lru_cache(maxsize=1 << 14)
def _stem(word: str) -> str:
    """Return the word without one ending, in American spelling."""
    for british, american in _BRITISH:
        if word.endswith(british) and len(word) > len(british) + 2:
            word = word.removesuffix(british) + american
            break
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) > 2:
            word = word.removesuffix(suffix)
            break
    return word.removesuffix("e") if len(word) > 3 else word
