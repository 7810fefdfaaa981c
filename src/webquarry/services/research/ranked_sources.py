"""Sources that were read: scored, ranked, and without repeated text."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from webquarry.content.markdown.parse import MarkdownBlock, markdown_blocks, visible_text
from webquarry.content.ranking import source_quality
from webquarry.content.ranking.known_sites import site_of
from webquarry.content.ranking.near_duplicates import TextFingerprint, cluster_copies, djb2
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.ranking.result_urls import canonical_key
from webquarry.content.text.length_limits import cap_text
from webquarry.models.reading import Reading, ScrapePageOut
from webquarry.models.research import Scores
from webquarry.models.search import WebResult
from webquarry.reading.page_output import classification_of

_MAX_CHARS = 400_000  # of a page; ranking so much takes a quarter of a second


@dataclass(frozen=True, kw_only=True)
class ReadSource:
    """One page that was read for a query, as far as it is ranked and quoted."""

    position: int  # among the search results, from 0
    result: WebResult
    reading: Reading
    score: float = 0.0  # overall, not rounded
    scores: Scores | None = None
    copies: tuple[str, ...] = ()  # URLs of the same text
    content: str = ""  # the part of the page that is returned
    repeated_paragraphs: int = 0  # left out because a better source has them

    @property
    def url(self) -> str:
        """The URL of the search result."""
        return self.result.url

    @property
    def title(self) -> str:
        """The title of the page, or of the search result."""
        return self.reading.metadata.title or self.result.title

    @property
    def published(self) -> str | None:
        """The publication date of the page, or of the search result."""
        return self.reading.metadata.published or self.result.published or None

    @cached_property
    def last_changed(self) -> float | None:
        """The latest known date, in unix seconds."""
        metadata = self.reading.metadata
        dates = (metadata.modified, metadata.published, self.result.published)
        times = [source_quality.timestamp_of(date) for date in dates if date]
        return max((seconds for seconds in times if seconds is not None), default=None)

    @property
    def markdown(self) -> str:
        """The part of the page that is ranked and quoted."""
        return cap_text(self.reading.markdown, _MAX_CHARS)

    @cached_property
    def text(self) -> str:
        """The visible text."""
        return visible_text(self.markdown)

    @cached_property
    def fingerprint(self) -> TextFingerprint:
        """The fingerprint of its text."""
        return TextFingerprint(self.text)


@dataclass(frozen=True, kw_only=True)
class RankedSource(ReadSource):
    """One page that was read for a query, with its description for the result."""

    page: ScrapePageOut


def score_source(source: ReadSource, question: QueryTerms, now: float) -> ReadSource:
    """Return the source with its scores."""
    reading, kind = source.reading, classification_of(source.reading)
    retracted = bool(reading.retraction and reading.retraction.retracted)
    words = reading.word_count if reading.word_count is not None else len(source.text.split())
    values = {
        "relevance": source_quality.relevance(source.title, source.text, question),
        "freshness": source_quality.freshness(source.last_changed, now),
        "authority": source_quality.authority(
            reading.final_url, kind, question, retracted=retracted
        ),
        "contentQuality": source_quality.content_quality(
            reading.markdown, words, complete=reading.complete and not reading.wall
        ),
    }
    total = sum(weight * values[name] for name, weight in source_quality.WEIGHTS.items())
    return replace(source, score=total, scores=source_quality.combined_scores(values))


def rank_sources(sources: Iterable[ReadSource]) -> list[ReadSource]:
    """Return the sources by score; equal ones in the order of the search."""
    return sorted(sources, key=lambda source: (-source.score, source.position))


def merge_copies(sources: Sequence[ReadSource]) -> list[ReadSource]:
    """Return one source for each text: the likely original."""
    originals: list[ReadSource] = []
    for group in cluster_copies([source.fingerprint for source in sources]):
        members = [sources[position] for position in group]
        original = _original(members)
        copies = tuple(member.url for member in members if member is not original)
        originals.append(replace(original, copies=copies))
    return originals


def drop_repeated_paragraphs(sources: Iterable[ReadSource]) -> list[ReadSource]:
    """Return the sources without paragraphs that they or better ones already contain."""
    seen: set[int] = set()
    return [_without_seen(source, seen) for source in sources]


def _without_seen(source: ReadSource, seen: set[int]) -> ReadSource:
    kept: list[MarkdownBlock] = []
    dropped = 0
    for block in markdown_blocks(source.content):
        if block.is_heading:  # dropped only with its section
            kept.append(block)
            continue
        identity = djb2(block.text.strip())
        if identity in seen:
            dropped += 1
            continue
        seen.add(identity)
        kept.append(block)
    if not dropped:
        return source
    text = "\n\n".join(block.text for block in _without_empty_sections(kept))
    return replace(source, content=text, repeated_paragraphs=dropped)


def _without_empty_sections(blocks: list[MarkdownBlock]) -> list[MarkdownBlock]:
    """Return the blocks without the headings of empty sections."""
    kept: list[MarkdownBlock] = []
    for block in reversed(blocks):
        empty = block.is_heading and (not kept or _ends_section(block, kept[-1]))
        if not empty:
            kept.append(block)
    return kept[::-1]


def _ends_section(heading: MarkdownBlock, following: MarkdownBlock) -> bool:
    return following.is_heading and _level(following) <= _level(heading)


def _level(block: MarkdownBlock) -> int:
    text = block.text.lstrip()
    return len(text) - len(text.lstrip("#"))


def _original(members: list[ReadSource]) -> ReadSource:
    """Return the likely original of the copies."""
    if len(members) == 1:
        return members[0]
    if canonical := _canonical_target(members):
        return canonical
    sites = {site_of(member.reading.final_url) for member in members}
    if len(sites) == 1:  # versions of one page
        return min(members, key=lambda member: (_latest_first(member), member.position))
    trusted = _most_authoritative(members)
    same = all(member.fingerprint.is_same_as(trusted[0].fingerprint) for member in trusted)
    # the oldest of identical texts is the original; of different texts the latest is current
    key: Callable[[ReadSource], float] = _oldest_first if same else _latest_first
    return min(trusted, key=lambda member: (key(member), member.position))


def _most_authoritative(members: list[ReadSource]) -> list[ReadSource]:
    best = max(_authority(member) for member in members)
    return [member for member in members if _authority(member) == best]


def _oldest_first(member: ReadSource) -> float:
    return float("inf") if member.last_changed is None else member.last_changed


def _latest_first(member: ReadSource) -> float:
    return -(member.last_changed or 0.0)


def _authority(member: ReadSource) -> float:
    return member.scores.authority if member.scores else 0.0


def _canonical_target(members: list[ReadSource]) -> ReadSource | None:
    """Return the member that another one names as its canonical URL."""
    by_url = {canonical_key(member.reading.final_url): member for member in members}
    for member in members:
        target = member.reading.metadata.canonical
        other = by_url.get(canonical_key(target)) if target else None
        if other is not None and other is not member:
            return other
    return None
