"""Coverage of a research topic by its sources, and suggested follow-up queries."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from webquarry.content.ranking.known_sites import site_of
from webquarry.content.text.query_operators import literal
from webquarry.content.text.stopwords import STOPWORDS
from webquarry.models.session import TopicCoverage

MAX_QUERIES = 6
_DOMINANT_SHARE = 0.6  # share of the sources that are from one site
_MIN_SOURCES = 3
_TOPIC_WORDS = 8
_PUNCTUATION = ".,;:!?\"'()[]{}«»\u2018\u2019\u201c\u201d"
# search terms for the type that is missing when all sources have the same type
_COMPLEMENTS = {
    "peer_reviewed": "latest news",
    "preprint": "peer reviewed",
    "news_publication": "research paper",
    "blog": "peer-reviewed study",
    "forum": "official documentation",
    "social_media": "peer-reviewed study",
    "wiki": "primary source",
    "official_docs": "independent review",
    "government": "independent analysis",
    "unknown": "peer-reviewed study",
}


class SourceSummary(NamedTuple):
    """URL and type of one source."""

    url: str
    kind: str


def coverage_of(sources: Sequence[SourceSummary]) -> TopicCoverage:
    """Return how the sources are spread over sites and types."""
    domains = Counter(site_of(source.url) for source in sources)
    kinds = Counter(source.kind for source in sources)
    common = (d for d, count in domains.items() if count > _DOMINANT_SHARE * len(sources))
    dominant = next(common, None) if len(sources) > 1 else None
    gaps: list[str] = []
    if len(sources) < _MIN_SOURCES:
        gaps.append(f"thin coverage: only {len(sources)} sources")
    if dominant:
        gaps.append(f"over-reliance on {dominant}: {domains[dominant]} of {len(sources)} sources")
    if len(sources) > 1 and len(kinds) == 1:
        gaps.append(f"single source type: {next(iter(kinds))}")
    return TopicCoverage(
        sourceCount=len(sources),
        uniqueDomains=len(domains),
        domainSpread=round(len(domains) / len(sources), 2) if sources else 0.0,
        dominantDomain=dominant,
        sourceTypes=dict(sorted(kinds.items())),
        gaps=tuple(gaps),
    )


def suggest_queries(goal: str, open_questions: Sequence[str], coverage: TopicCoverage) -> list[str]:
    """Return follow-up queries: the open questions first, then what coverage lacks."""
    topic = " ".join(_content_words(goal)[:_TOPIC_WORDS])
    queries = [_follow_up(topic, question) for question in reversed(open_questions)]
    if coverage.dominantDomain:
        queries.append(f"{topic} -site:{coverage.dominantDomain}")
    if coverage.sourceCount > 1 and len(coverage.sourceTypes) == 1:
        kind = next(iter(coverage.sourceTypes))
        queries.append(f"{topic} {_COMPLEMENTS.get(kind, _COMPLEMENTS['unknown'])}")
    if coverage.sourceCount < _MIN_SOURCES:
        queries.append(f"{topic} overview")
    normalized = (" ".join(query.split()) for query in queries)
    return list(dict.fromkeys(filter(None, normalized)))[:MAX_QUERIES]


def _follow_up(topic: str, question: str) -> str:
    known = {word.lower() for word in topic.split()}
    novel = [word for word in _content_words(question) if word.lower() not in known]
    return f"{topic} {' '.join(novel[:_TOPIC_WORDS])}"


def _content_words(text: str) -> list[str]:
    """Return the content words in order, each once."""
    stripped = (word.strip(_PUNCTUATION) for word in text.split())
    words = dict.fromkeys(word for word in stripped if word and word.lower() not in STOPWORDS)
    return [literal(word) for word in words]
