"""Parses a fetched page or document for a crawl: text, links and fingerprints."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar

from webquarry.content.html.quick_parse import QuickParse, is_simple, quick_parse
from webquarry.content.ranking.simhash import simhash_of
from webquarry.crawl.visit_results import VisitedPage
from webquarry.parsing.task import INLINE_BYTES, WORKER_ONLY, ParseTask

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedContent:
    """What a crawl needs of a page, computed without knowledge of the crawl."""

    parsed: QuickParse
    text_hash: str
    simhash: int
    words: int


def parse_task(visited: VisitedPage, parse: Callable[Concatenate[bytes, P], T]) -> ParseTask[P, T]:
    """Return the task that parses a page."""
    return ParseTask(
        parse,
        subject=f"The page {visited.url.href}",
        inline_bytes=INLINE_BYTES if is_simple(visited.content) else WORKER_ONLY,
    )


def parse_page(
    content: bytes, *, content_type: str, url: str, document_title: str = ""
) -> ParsedContent:
    """Return the text and links of a page, and the fingerprints of its text."""
    is_html = "html" in content_type or not content_type
    if is_html:
        parsed = quick_parse(content, content_type)
    else:
        parsed = _parse_text(content, document_title or url.rsplit("/", 1)[-1])
    text = parsed.text.encode("utf-8", "replace")
    simhash, words = simhash_of(text)
    return ParsedContent(
        parsed=parsed, text_hash=hashlib.sha256(text).hexdigest(), simhash=simhash, words=words
    )


def _parse_text(content: bytes, title: str) -> QuickParse:
    return QuickParse(title=title, text=" ".join(content.decode("utf-8", "replace").split()))
