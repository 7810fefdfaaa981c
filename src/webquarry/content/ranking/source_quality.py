"""Quality scores of a source for a query: relevance, freshness, authority, content; 0 to 1."""

import math
import re
import zlib
from bisect import bisect_left
from datetime import UTC, datetime

from webquarry.content.ranking.known_sites import ascii_host, public_suffix, registrable_domain
from webquarry.content.ranking.relevance import QueryTerms, TextWords
from webquarry.content.text.length import count_words
from webquarry.content.text.length_limits import cap_text
from webquarry.content.text.sentences import sentences_of
from webquarry.models.page import Classification
from webquarry.models.research import Scores

WEIGHTS = {"relevance": 0.35, "freshness": 0.20, "authority": 0.25, "contentQuality": 0.20}
RELEVANT = 0.3  # minimum relevance of a source that is about the query
UNDATED = 0.45  # neither new nor old
_DAY = 86400.0
_CLOCK_TOLERANCE = 2 * _DAY  # for clock and time zone differences; a later date is an error
# scores for ages in days; in between, interpolated by the logarithm of the age
_AGES = (1.0, 7.0, 30.0, 365.0, 1825.0, 3650.0)
_AGE_SCORES = (1.0, 0.9, 0.75, 0.5, 0.3, 0.15)
_TIER_SCORES = {"high": 0.9, "medium": 0.55, "low": 0.25}
_SELF_PUBLISHED = frozenset(("forum", "social_media", "blog"))
_OWN_SITE_SCORE = 0.7  # below "high": any shop may register a domain with the name
_RETRACTED_SCORE = 0.05
_MIN_NAME_LENGTH = 3
_FULL_LENGTH_WORDS = 700
_SENTENCE_WORDS = 8  # shorter ones are labels or exclamations
_WORD = re.compile(r"\w+")
_PARAGRAPH = re.compile(r"\n\s*\n")
_DIGIT = re.compile(r"\d")


def combined_scores(scores: dict[str, float]) -> Scores:
    """Return the scores with their weighted sum, in two decimals."""
    total = sum(weight * scores[name] for name, weight in WEIGHTS.items())
    return Scores(overall=round(total, 2), **{name: round(scores[name], 2) for name in WEIGHTS})


def freshness(written: float | None, now: float) -> float:
    """Return how new a page is, given its and the current Unix time."""
    if written is None or written > now + _CLOCK_TOLERANCE:
        return UNDATED
    days = min(max((now - written) / _DAY, _AGES[0]), _AGES[-1])
    later = max(bisect_left(_AGES, days), 1)
    age, score = _AGES[later - 1], _AGE_SCORES[later - 1]
    share = math.log(days / age) / math.log(_AGES[later] / age)
    return score + share * (_AGE_SCORES[later] - score)


def timestamp_of(written: str) -> float | None:
    """Return the Unix time of an ISO date; of a year or month without a day, near its end."""
    text = written.strip().replace("Z", "+00:00")
    text = re.sub(r"^\d{4}$", r"\g<0>-12", text)
    text = re.sub(r"^\d{4}-\d{2}$", r"\g<0>-28", text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def authority(url: str, kind: Classification, query: QueryTerms, *, retracted: bool) -> float:
    """Return the authority of a source, by the site it is on."""
    if retracted:
        return _RETRACTED_SCORE
    score = _TIER_SCORES[kind.authorityTier]
    if kind.sourceType in _SELF_PUBLISHED:
        return score - 0.1 if kind.authorityTier == "medium" else score
    if kind.reputation is None and _is_own_site(url, query):
        return max(score, _OWN_SITE_SCORE)
    return score


def relevance(title: str, text: str, query: QueryTerms) -> float:
    """Return how relevant a page is to the query; repetitive text counts less."""
    return query.relevance_parts(title, TextWords(text)).total * (0.5 + 0.5 * variety(text))


def content_quality(text: str, words: int, *, complete: bool = True) -> float:
    """Return the quality of a text: length, paragraphs, prose, digits and variety."""
    if not words:
        return 0.0
    length = min(1.0, math.log1p(words) / math.log1p(_FULL_LENGTH_WORDS)) ** 2
    paragraphs = sum(bool(part.strip()) for part in _PARAGRAPH.split(text))
    structure = min(1.0, paragraphs / 5)
    sentences = sum(count_words(sentence) >= _SENTENCE_WORDS for sentence in sentences_of(text))
    prose = min(1.0, sentences / 6)
    digits = min(1.0, len(_DIGIT.findall(text)) / 12)
    score = 0.45 * length + 0.15 * structure + 0.25 * prose + 0.15 * digits
    return score * variety(text) * (1.0 if complete else 0.6)


def _is_own_site(url: str, query: QueryTerms) -> bool:
    """Tell whether the domain name is one of the query's terms."""
    domain = registrable_domain(ascii_host(url))
    name = domain.removesuffix(public_suffix(domain)).rstrip(".")
    return len(name) >= _MIN_NAME_LENGTH and query.coverage((name, name.rstrip("s"))) > 0


def variety(text: str) -> float:
    """Return 1 for prose, less for repetitive text."""
    sample = cap_text(text, 20_000).encode("utf-8", "replace")
    words = _WORD.findall(cap_text(text, 20_000).lower())
    if len(words) < 40:
        return 1.0
    # prose compresses to 0.35 of its size or more, repeated phrases to a tenth
    ratio = len(zlib.compress(sample, 6)) / len(sample)
    prose_ratio = 0.62 - 0.06 * math.log2(len(sample) / 400 + 1)
    return max(0.2, min(1.0, ratio / max(prose_ratio, 0.3)))
