"""How well the sources of a research cover its question, and what to search for next."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from webquarry.content.ranking.known_sites import host_of, registrable_domain
from webquarry.content.text.stopwords import STOPWORDS
from webquarry.models.session import TopicCoverage

MOST_QUERIES = 6
_DOMINANT = 0.6  # share of one site from which the sources lean on it
_FEW = 3
_TOPIC_WORDS = 8
_MARKS = ".,;:!?\"'()[]{}«»\u2018\u2019\u201c\u201d"
# what a body of sources of only one type lacks
_COMPLEMENTS = {
    "peer_reviewed": "latest news",
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
    """What coverage looks at of one source."""

    url: str
    kind: str


def coverage_of(sources: Sequence[SourceSummary]) -> TopicCoverage:
    """Describe how widely the sources are spread."""
    domains = Counter(_domain(source.url) for source in sources)
    kinds = Counter(source.kind for source in sources)
    dominant = _dominant(domains, len(sources))
    gaps: list[str] = []
    if len(sources) < _FEW:
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


def refinements(goal: str, open_questions: Sequence[str], coverage: TopicCoverage) -> list[str]:
    """Return what to search for next: the open questions first, then what coverage lacks."""
    topic = " ".join(_words(goal)[:_TOPIC_WORDS])
    queries = [_about(topic, question) for question in reversed(open_questions)]
    if coverage.dominantDomain:
        queries.append(f"{topic} -site:{coverage.dominantDomain}")
    if coverage.sourceCount > 1 and len(coverage.sourceTypes) == 1:
        kind = next(iter(coverage.sourceTypes))
        queries.append(f"{topic} {_COMPLEMENTS.get(kind, _COMPLEMENTS['unknown'])}")
    if coverage.sourceCount < _FEW:
        queries.append(f"{topic} overview")
    whole = (" ".join(query.split()) for query in queries)
    return list(dict.fromkeys(query for query in whole if query))[:MOST_QUERIES]


def _about(topic: str, question: str) -> str:
    known = {word.lower() for word in topic.split()}
    novel = [word for word in _words(question) if word.lower() not in known]
    return f"{topic} {' '.join(novel[:_TOPIC_WORDS])}"


def _words(text: str) -> list[str]:
    """Return the words that carry a topic, in their order, each once."""
    stripped = (word.strip(_MARKS) for word in text.split())
    return list(dict.fromkeys(word for word in stripped if word and word.lower() not in STOPWORDS))


def _domain(url: str) -> str:
    host = host_of(url)
    return registrable_domain(host) or host


def _dominant(domains: Counter[str], total: int) -> str | None:
    if total < 2:
        return None
    domain, count = domains.most_common(1)[0]
    return domain if count / total > _DOMINANT else None
