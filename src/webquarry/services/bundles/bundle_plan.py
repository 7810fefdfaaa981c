"""What goes into a bundle: the exchanges, the quotes and the files of a piece of work."""

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field

from webquarry.content.claims.text_fragments import without_fragment
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.models.evidence_bundle import BundleSubject, BundleSummary
from webquarry.models.research import Anchor
from webquarry.storage.exchange_batch import StoredExchange
from webquarry.storage.exchange_store import CaptureGroup, ExchangeStore


@dataclass(frozen=True, kw_only=True)
class BundleContents:
    """A piece of work, before its exchanges are collected."""

    subject: BundleSubject
    id: str
    title: str
    group: CaptureGroup
    more_groups: tuple[CaptureGroup, ...] = ()
    during: tuple[float, float] | None = None  # also what else was captured between these times
    urls: tuple[str, ...] = ()  # of sources, which earlier calls may have captured
    quotes: tuple[Anchor, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])  # by path
    about: tuple[str, ...] = ()  # personal data in the files


@dataclass(frozen=True, kw_only=True)
class BundlePlan:
    """A bundle that can be written."""

    contents: BundleContents
    keys: tuple[str, ...]  # of the exchanges, in the order of their times
    summary: BundleSummary


async def plan_bundle(contents: BundleContents, exchanges: ExchangeStore) -> BundlePlan:
    """Collect the exchanges of a piece of work, and say what the bundle will carry."""
    inventory = _Inventory()
    for group in (contents.group, *contents.more_groups):
        inventory.add_all([each async for each in exchanges.heads(group)])
    missing = _missing(contents, inventory.urls)
    if missing or contents.during:
        inventory.add_all([each async for each in _others(contents, exchanges, missing)])
        missing = _missing(contents, inventory.urls)
    summary = BundleSummary(
        subject=contents.subject,
        id=contents.id,
        title=contents.title,
        exchanges=len(inventory.keys),
        bytes=sum(inventory.sizes.values()),
        quotes=len(contents.quotes),
        notCaptured=missing,
        personalData=[*contents.about, *inventory.personal_data()],
    )
    return BundlePlan(contents=contents, keys=tuple(inventory.keys), summary=summary)


async def _others(
    contents: BundleContents, exchanges: ExchangeStore, missing: list[str]
) -> AsyncIterator[StoredExchange]:
    """Yield what other calls captured in the same time, or of a page that came from the cache."""
    begin, end = contents.during or (0.0, 0.0)
    latest: dict[str, StoredExchange] = {}
    async for stored in exchanges.heads(contents.group._replace(name="")):
        if stored.group == contents.group.name:
            continue
        if begin <= stored.exchange.at <= end:
            latest.pop(stored.exchange.url, None)
            yield stored
        elif stored.exchange.url in missing:
            known = latest.setdefault(stored.exchange.url, stored)
            latest[stored.exchange.url] = max(known, stored, key=_time)
    for stored in latest.values():
        yield stored


def _time(stored: StoredExchange) -> float:
    return stored.exchange.at


@dataclass
class _Inventory:
    """Counts of the exchanges of a bundle."""

    keys: list[str] = field(default_factory=list[str])
    urls: set[str] = field(default_factory=set[str])
    sizes: dict[str, int] = field(default_factory=dict[str, int])  # by payload
    counts: dict[str, int] = field(default_factory=dict[str, int])  # by kind
    first: float = 0.0
    last: float = 0.0

    def add_all(self, listed: Iterable[StoredExchange]) -> None:
        for stored in sorted(listed, key=_time):
            self._add(stored)

    def _add(self, stored: StoredExchange) -> None:
        exchange = stored.exchange
        self.keys.append(stored.key)
        self.urls.add(exchange.url)
        self.sizes[stored.payload] = stored.size
        self.counts[exchange.kind] = self.counts.get(exchange.kind, 0) + 1
        self.first = min(self.first or exchange.at, exchange.at)
        self.last = max(self.last, exchange.at)

    def personal_data(self) -> Iterable[str]:
        if not self.keys:
            return
        begin, end = (to_rfc3339(at, self.last) or "" for at in (self.first, self.last))
        yield f"When you sent each of {len(self.keys)} requests, from {begin} to {end}."
        pages = self.counts.get("page", 0) + self.counts.get("dom", 0)
        if pages:
            yield (
                f"{pages} responses of websites as they were: whatever they say about anyone, and "
                "what they showed because of your network or language."
            )
        if api := self.counts.get("api"):
            yield f"{api} requests to search engines and registries, with your queries."
        if shots := self.counts.get("screenshot"):
            yield f"{shots} screenshots of pages."
        yield "The public key of this installation, which links all bundles that it signs."


def _missing(contents: BundleContents, urls: set[str]) -> list[str]:
    wanted = [*contents.urls, *(quote.url for quote in contents.quotes)]
    pages = dict.fromkeys(without_fragment(url) for url in wanted)
    return [url for url in pages if url not in urls]
