"""How good a source is for a question: relevance, freshness, authority and content, each 0 to 1."""

import math
import re
import zlib
from datetime import UTC, datetime

from webquarry.content.ranking.known_sites import host_of, public_suffix, registrable_domain
from webquarry.content.ranking.relevance import QueryTerms, TextWords
from webquarry.content.text.length import count_words
from webquarry.content.text.sentences import sentences_of
from webquarry.models.page import Classification
from webquarry.models.research import Scores

WEIGHTS = {"relevance": 0.35, "freshness": 0.20, "authority": 0.25, "contentQuality": 0.20}
RELEVANT = 0.3  # from here on a source is about the question
UNDATED = 0.45  # neither new nor old
_DAY = 86400.0
_FUTURE = 2 * _DAY  # clocks and time zones differ; a later date is a mistake
# days since a page was written, and what that is worth; in between, by the logarithm of the age
_AGES = ((1.0, 1.0), (7.0, 0.9), (30.0, 0.75), (365.0, 0.5), (1825.0, 0.3), (3650.0, 0.15))
_TIERS = {"high": 0.9, "medium": 0.55, "low": 0.25}
_OPEN = frozenset(("forum", "social_media", "blog"))
_OWN_SITE = 0.7  # of what the question is about, which a shop may call itself as well
_RETRACTED = 0.05
_SHORTEST_NAME = 3
_ENOUGH_WORDS = 700
_FULL_SENTENCE = 8  # words, below which it is an exclamation or a label
_WORD = re.compile(r"\w+")
_PARAGRAPH = re.compile(r"\n\s*\n")
_FIGURE = re.compile(r"\d")


def overall(scores: dict[str, float]) -> Scores:
    """Return the scores with their weighted sum, in two decimals."""
    total = sum(weight * scores[name] for name, weight in WEIGHTS.items())
    return Scores(overall=round(total, 2), **{name: round(scores[name], 2) for name in WEIGHTS})


def freshness(written: float | None, now: float) -> float:
    """Return how new a page is that was written at a moment, in seconds since 1970."""
    if written is None or written > now + _FUTURE:
        return UNDATED
    days = max((now - written) / _DAY, 0.0)
    before_age, before_worth = _AGES[0]
    if days <= before_age:
        return before_worth
    for age, worth in _AGES[1:]:
        if days <= age:
            share = math.log(days / before_age) / math.log(age / before_age)
            return before_worth + share * (worth - before_worth)
        before_age, before_worth = age, worth
    return before_worth


def moment_of(written: str) -> float | None:
    """Return the seconds since 1970 of a date as pages state it; the last day of a mere month."""
    text = written.strip().replace("Z", "+00:00")
    if re.fullmatch(r"\d{4}", text):
        text = f"{text}-12-28"  # a year is over at its end, not at its start
    elif re.fullmatch(r"\d{4}-\d{2}", text):
        text = f"{text}-28"
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def authority(url: str, kind: Classification, question: QueryTerms, *, retracted: bool) -> float:
    """Return how far a source answers for what it says, by whose domain it is on."""
    if retracted:
        return _RETRACTED
    worth = _TIERS[kind.authorityTier]
    if kind.authorityTier == "medium" and kind.sourceType in _OPEN:
        worth -= 0.1
    if kind.sourceType not in _OPEN and kind.reputation is None and _is_own(url, question):
        worth = max(worth, _OWN_SITE)
    return worth


def relevance(title: str, text: str, question: QueryTerms) -> float:
    """Return how much a page says about the question; repeating its words says little more."""
    return question.parts(title, TextWords(text)).total * (0.5 + 0.5 * variety(text))


def content_quality(text: str, words: int, *, complete: bool = True) -> float:
    """Return how much there is to read: length, shape, variety and figures."""
    if not words:
        return 0.0
    length = min(1.0, math.log1p(words) / math.log1p(_ENOUGH_WORDS)) ** 2
    paragraphs = sum(bool(part.strip()) for part in _PARAGRAPH.split(text))
    shape = min(1.0, paragraphs / 5)
    full = sum(count_words(sentence) >= _FULL_SENTENCE for sentence in sentences_of(text))
    prose = min(1.0, full / 6)
    figures = min(1.0, len(_FIGURE.findall(text)) / 12)
    worth = 0.45 * length + 0.15 * shape + 0.25 * prose + 0.15 * figures
    return worth * variety(text) * (1.0 if complete else 0.6)


def _is_own(url: str, question: QueryTerms) -> bool:
    """Tell whether the domain bears the name of what the question is about."""
    domain = registrable_domain(host_of(url))
    name = domain.removesuffix(public_suffix(domain)).rstrip(".")
    return len(name) >= _SHORTEST_NAME and question.share((name, name.rstrip("s"))) > 0


def variety(text: str) -> float:
    """Return 1 for prose, less for a text that says the same again and again."""
    sample = text[:20_000].encode("utf-8", "replace")
    words = _WORD.findall(text[:20_000].lower())
    if len(words) < 40:
        return 1.0
    # prose of any length shrinks to 0.35 or more; repeated phrases to a tenth
    squeezed = len(zlib.compress(sample, 6)) / len(sample)
    usual = 0.62 - 0.06 * math.log2(len(sample) / 400 + 1)
    return max(0.2, min(1.0, squeezed / max(usual, 0.3)))
