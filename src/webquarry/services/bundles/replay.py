"""What a reader of a bundle sees: its pages as they were, beside the report and the quotations."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from urllib.parse import unquote

from webquarry.content.claims.text_fragments import without_fragment
from webquarry.errors import WebquarryError
from webquarry.models.evidence_bundle import BundleCheck
from webquarry.models.exchange import Exchange
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.services.bundles.bundle_archive import REPORT, BundleArchive, IndexedRecord
from webquarry.services.bundles.bundle_reading import fetched_response
from webquarry.services.bundles.replay_html import (
    MARK,
    replay_html,
    replay_path,
    replay_style_sheet,
)
from webquarry.webarchive.warc_writing import URN_OF_KIND

_HTML = frozenset({"text/html", "application/xhtml+xml"})
# shown as they are; anything else is downloaded
_SHOWN = ("image/", "font/", "text/plain", "text/markdown", "application/pdf", "application/json")
# nothing but this server can be asked, scripts do not run, and forms go nowhere
PAGE_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' "
    "data:; media-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox"
)
SHELL_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; img-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_MAX_LISTED = 5000


@dataclass(frozen=True, kw_only=True)
class ReplayResponse:
    """One response of the replay server."""

    status: int = 200
    media_type: str = "text/html; charset=utf-8"
    body: bytes
    policy: str = PAGE_POLICY


@dataclass
class Replay:
    """Answers the requests of a browser from one bundle."""

    archive: BundleArchive
    check: BundleCheck
    parsers: Parsers
    _quotes: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def __post_init__(self) -> None:
        for quote in self.check.quotes:
            self._quotes.setdefault(without_fragment(quote.url), []).append(quote.quote)

    async def respond(self, path: str) -> ReplayResponse:
        """Return what is shown at a path."""
        head, _, rest = path.lstrip("/").partition("/")
        if not head:
            return self._index()
        if head == "report":
            return self._report()
        if head == "view":
            return self._view(*_stamp_and_url(rest))
        if head == "replay":
            return await self._replayed(*_stamp_and_url(rest))
        return _message(404, "There is no such page in this replay.")

    def _index(self) -> ReplayResponse:
        check = self.check
        signed = check.signature
        facts = f"{check.verdict}; {check.records} records, {check.pages} pages"
        if signed:
            facts += f"; signed with {signed.fingerprint}, {signed.created}"
        problems = _list(f"{each.where}: {each.what}" for each in check.problems)
        quotes = "".join(
            f"<li>{escape(each.status)}: {_link(self._capture(each.url), each.url)}"
            f"<blockquote>{escape(each.quote)}</blockquote></li>"
            for each in check.quotes
        )
        pages = "".join(f"<li>{_link(record, record.url)}</li>" for record in self._pages())
        body = (
            f"<h1>{escape(check.file)}</h1><p class={check.verdict}>{escape(facts)}</p>{problems}"
            f"<p><a href=/report>Report</a></p><h2>Quotations</h2><ul>{quotes or '<li>None.'}</ul>"
            f"<h2>Pages</h2><ol>{pages}</ol>"
        )
        return _shell(check.file, body)

    def _report(self) -> ReplayResponse:
        content = self.archive.read_file(REPORT)
        if content is None:
            return _message(404, "This bundle has no report.")
        return ReplayResponse(body=content)

    def _view(self, stamp: str, url: str) -> ReplayResponse:
        """Return a page in a frame, with where it is from above it and the report beside it."""
        records = self._records(url)
        if not records:
            return _message(404, f"{url} is not in the bundle.")
        record = _at(records, stamp)
        others = "".join(
            f" <a href='{_view_path(each)}'>{escape(each.date)}</a>"
            for each in records
            if each is not record
        )
        others = f" · other captures:{others}" if others else ""
        report = "<iframe sandbox src=/report></iframe>" if self.archive.read_file(REPORT) else ""
        shot = self.archive.find(URN_OF_KIND["screenshot"] + url)
        picture = f" · <a href='{_path(shot[0])}'>screenshot</a>" if shot else ""
        body = (
            f"<p><a href=/>All pages</a> · captured {escape(record.date)}{picture}{others}<br>"
            f"<code>{escape(url)}</code></p><div class=both>"
            f"<iframe sandbox src='{_path(record)}#{MARK}'></iframe>{report}</div>"
        )
        return _shell(url, body)

    async def _replayed(self, stamp: str, url: str) -> ReplayResponse:
        records = self.archive.find(url) or self._records(url)
        if not records:
            return _message(404, f"{url} is not in the bundle. Nothing is loaded from the network.")
        try:
            exchange = self.archive.exchange(_at(records, stamp))
            return await self._shown(exchange, stamp)
        except WebquarryError as error:
            return _message(500, f"{url} cannot be shown: {error}")

    async def _shown(self, exchange: Exchange, stamp: str) -> ReplayResponse:
        location = exchange.header("location")
        if 300 <= exchange.status < 400 and location:
            return _message(200, f"{exchange.url} redirected to {location}.")
        content = fetched_response(exchange).content
        declared = exchange.header("content-type")
        media_type = declared.partition(";")[0].strip().lower()
        if media_type in _HTML:
            quotes = tuple(self._quotes.get(exchange.url, ()))
            task = ParseTask(replay_html, f"The page {exchange.url}")
            html, _ = await self.parsers.run(
                task, content, content_type=declared, url=exchange.url, stamp=stamp, quotes=quotes
            )
            return ReplayResponse(status=exchange.status, body=html.encode("utf-8", "replace"))
        if media_type == "text/css":
            sheet = ParseTask(replay_style_sheet, f"The style sheet {exchange.url}")
            css = await self.parsers.run(sheet, content, url=exchange.url, stamp=stamp)
            return ReplayResponse(media_type="text/css; charset=utf-8", body=css.encode())
        shown = media_type if media_type.startswith(_SHOWN) else "application/octet-stream"
        return ReplayResponse(status=exchange.status, media_type=shown, body=content)

    def _records(self, url: str) -> list[IndexedRecord]:
        return [*self.archive.find(URN_OF_KIND["dom"] + url), *self.archive.find(url)]

    def _capture(self, url: str) -> IndexedRecord | None:
        records = self._records(without_fragment(url))
        return records[0] if records else None

    def _pages(self) -> list[IndexedRecord]:
        """Return what the bundle lists as pages, else all responses."""
        listed = [self._capture(entry["url"]) for entry in self.archive.pages()]
        found = [record for record in listed if record]
        if not found:
            found = [each for each in self.archive.records if each.type in {"response", "resource"}]
        return list({record.url: record for record in found}.values())[:_MAX_LISTED]


def _stamp_and_url(rest: str) -> tuple[str, str]:
    stamp, _, url = rest.partition("/")
    return stamp, unquote(url)


def _at(records: list[IndexedRecord], stamp: str) -> IndexedRecord:
    """Return the capture nearest to a time."""
    wanted = int(stamp) if stamp.isdigit() else 0
    return min(records, key=lambda record: abs(int(_stamp(record) or 0) - wanted))


def _stamp(record: IndexedRecord) -> str:
    return "".join(filter(str.isdigit, record.date))[:14]


def _path(record: IndexedRecord) -> str:
    return replay_path(_stamp(record), record.url)


def _view_path(record: IndexedRecord) -> str:
    url = record.url.removeprefix(URN_OF_KIND["dom"])
    return replay_path(_stamp(record), url).replace("/replay/", "/view/", 1)


def _link(record: IndexedRecord | None, text: str) -> str:
    if record is None:
        return escape(text)
    return f"<a href='{_view_path(record)}'>{escape(text)}</a> <small>{escape(record.date)}</small>"


def _list(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul class=altered>{items}</ul>" if items else ""


def _message(status: int, text: str) -> ReplayResponse:
    return ReplayResponse(status=status, body=f"<!doctype html><p>{escape(text)}</p>".encode())


def _shell(title: str, body: str) -> ReplayResponse:
    html = (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        f"<style>{_STYLE}</style>{body}"
    )
    return ReplayResponse(body=html.encode("utf-8", "replace"), policy=SHELL_POLICY)


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:1rem;color:#1c1c1c;background:#fff}"
    "code,a,li{overflow-wrap:anywhere}.both{display:flex;gap:.5rem;height:80vh}"
    "iframe{flex:1;border:1px solid #999;background:#fff}blockquote{color:#444;margin:.2rem 1rem}"
    ".intact{color:#0a6b2b}.altered{color:#a30000;font-weight:600}"
)
