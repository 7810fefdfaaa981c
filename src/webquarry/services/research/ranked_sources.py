"""Sources that were read: judged, ranked, and each text only once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from webquarry.content.markdown.parse import MarkdownBlock, blocks_of, visible_text
from webquarry.content.ranking import source_quality
from webquarry.content.ranking.known_sites import host_of, registrable_domain
from webquarry.content.ranking.near_duplicates import TextFingerprint, clusters, djb2
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.ranking.result_urls import canonical
from webquarry.models.reading import Reading, ScrapedPage
from webquarry.models.research import Scores
from webquarry.models.search import WebResult
from webquarry.reading.page_output import classified


@dataclass(frozen=True, kw_only=True)
class RankedSource:
    """One page that was read for a question."""

    place: int  # among the results of the search, from 0
    result: WebResult
    page: ScrapedPage
    reading: Reading
    score: float = 0.0  # overall, not rounded
    scores: Scores | None = None
    copies: tuple[str, ...] = ()  # where else the same text is
    content: str = ""  # what of the page is handed out
    repeated: int = 0  # paragraphs left out because a better source has them

    @property
    def url(self) -> str:
        """The address it was found at."""
        return self.result.url

    @property
    def title(self) -> str:
        """What the page calls itself, else what the search does."""
        return self.reading.metadata.title or self.result.title

    @property
    def published(self) -> str | None:
        """When it was published, as precisely as anybody says."""
        return self.reading.metadata.published or self.result.published or None

    @cached_property
    def written(self) -> float | None:
        """The moment of its last change that is known."""
        about = self.reading.metadata
        stated = (about.modified, about.published, self.result.published)
        moments = [source_quality.moment_of(date) for date in stated if date]
        return max((moment for moment in moments if moment is not None), default=None)

    @cached_property
    def text(self) -> str:
        """The words a reader of the page sees."""
        return visible_text(self.reading.markdown)

    @cached_property
    def imprint(self) -> TextFingerprint:
        """What identifies its text."""
        return TextFingerprint(self.text)


def judged(source: RankedSource, question: QueryTerms, now: float) -> RankedSource:
    """Return the source with its scores."""
    reading, kind = source.reading, classified(source.reading)
    retracted = bool(reading.retraction and reading.retraction.retracted)
    words = reading.words if reading.words is not None else len(source.text.split())
    values = {
        "relevance": source_quality.relevance(source.title, source.text, question),
        "freshness": source_quality.freshness(source.written, now),
        "authority": source_quality.authority(reading.address, kind, question, retracted=retracted),
        "contentQuality": source_quality.content_quality(
            reading.markdown, words, complete=reading.complete and not reading.wall
        ),
    }
    total = sum(weight * values[name] for name, weight in source_quality.WEIGHTS.items())
    return replace(source, score=total, scores=source_quality.overall(values))


def ranked(sources: Iterable[RankedSource]) -> list[RankedSource]:
    """Return the best first; the order of the search decides between equals."""
    return sorted(sources, key=lambda source: (-source.score, source.place))


def merged(sources: Sequence[RankedSource]) -> list[RankedSource]:
    """Return one source for each text: its original, as far as that can be told."""
    kept: list[RankedSource] = []
    for group in clusters([source.imprint for source in sources]):
        members = [sources[place] for place in group]
        original = _original(members)
        copies = tuple(member.url for member in members if member is not original)
        kept.append(replace(original, copies=copies))
    return kept


def without_repetition(sources: Iterable[RankedSource]) -> list[RankedSource]:
    """Return the sources without paragraphs that they, or better ones, have already given."""
    seen: set[int] = set()
    return [_unrepeated(source, seen) for source in sources]


def _unrepeated(source: RankedSource, seen: set[int]) -> RankedSource:
    kept: list[MarkdownBlock] = []
    dropped = 0
    for block in blocks_of(source.content):
        if block.is_heading:  # it goes with what it heads, not with other pages' headings
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
    return replace(source, content=text, repeated=dropped)


def _without_empty_sections(blocks: list[MarkdownBlock]) -> list[MarkdownBlock]:
    """Return the blocks without headings under which nothing is left."""
    kept: list[MarkdownBlock] = []
    for block in reversed(blocks):
        empty = block.is_heading and (not kept or _closes(block, kept[-1]))
        if not empty:
            kept.append(block)
    return kept[::-1]


def _closes(heading: MarkdownBlock, following: MarkdownBlock) -> bool:
    return following.is_heading and _level(following) <= _level(heading)


def _level(block: MarkdownBlock) -> int:
    text = block.text.lstrip()
    return len(text) - len(text.lstrip("#"))


def _original(members: list[RankedSource]) -> RankedSource:
    """Return the source that the others copied."""
    if len(members) == 1:
        return members[0]
    named = _pointed_at(members)
    if named:
        return named
    if len({_site(member) for member in members}) == 1:  # versions of one page: the latest
        return min(members, key=lambda member: (-(member.written or 0.0), member.place))
    best = max(_authority(member) for member in members)
    trusted = [member for member in members if _authority(member) == best]
    same = all(member.imprint.is_same_as(trusted[0].imprint) for member in trusted)
    # of equal texts the first is the original; of texts that differ the last is up to date
    key: Callable[[RankedSource], float] = _first if same else _last
    return min(trusted, key=lambda member: (key(member), member.place))


def _first(member: RankedSource) -> float:
    return float("inf") if member.written is None else member.written


def _last(member: RankedSource) -> float:
    return -(member.written or 0.0)


def _authority(member: RankedSource) -> float:
    return member.scores.authority if member.scores else 0.0


def _pointed_at(members: list[RankedSource]) -> RankedSource | None:
    """Return the member that another one names as the place of its text."""
    addresses = {canonical(member.reading.address): member for member in members}
    for member in members:
        target = member.reading.metadata.canonical
        other = addresses.get(canonical(target)) if target else None
        if other is not None and other is not member:
            return other
    return None


def _site(member: RankedSource) -> str:
    host = host_of(member.reading.address)
    return registrable_domain(host) or host
