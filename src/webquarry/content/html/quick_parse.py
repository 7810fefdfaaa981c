"""A page at a glance: title, text and links from one cheap parse, a fraction of a millisecond.

This is what a crawl needs of every page. Markdown, metadata and the choice of the main content
cost twenty times as much; `content.extract` does that for the pages somebody reads.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webquarry.content.html.charset import decode_page

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST_LINKS = 5_000
_SILENT = ["script", "style", "noscript", "template", "svg", "iframe"]
_ANY_SILENT = ",".join(_SILENT)
_FURNITURE = ["nav", "header", "footer", "aside", "form"]


@dataclass(frozen=True, slots=True)
class QuickParse:
    """What a page says, where it points to and what it asks of robots."""

    title: str = ""
    text: str = ""
    links: tuple[str, ...] = ()  # as written, each once
    base: str = ""  # what they are relative to, if the page says so
    canonical: str = ""
    refresh: str = ""  # content of a meta refresh
    noindex: bool = False
    nofollow: bool = False


def glance(html: bytes | str, content_type: str | None = None) -> QuickParse:
    """Return what one look at a page tells."""
    # imported here: only crawls need it
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(_utf8(html, content_type))
    head = _head(tree)
    # before anything is taken out
    links = _links(tree)
    return QuickParse(
        title=head.get("title", "") or _late_title(tree),
        links=links,
        text=_text(tree),
        base=head.get("base", ""),
        canonical=head.get("canonical", ""),
        refresh=head.get("refresh", ""),
        noindex="noindex" in head.get("robots", ""),
        nofollow="nofollow" in head.get("robots", ""),
    )


def link_titles(html: bytes | str, content_type: str | None = None) -> dict[str, str]:
    """Return the words of every link of a page, by its address as written."""
    from selectolax.lexbor import LexborHTMLParser

    found: dict[str, str] = {}
    for node in LexborHTMLParser(_utf8(html, content_type)).css("a[href], area[href]"):
        href = (node.attributes.get("href") or "").strip()
        words = " ".join(node.text().split())[:200]
        if href and not found.get(href):
            found[href] = words
    return found


def _utf8(html: bytes | str, content_type: str | None) -> bytes | str:
    if isinstance(html, str):
        return html
    if not html.isascii():
        try:
            html.decode("utf-8")
        except UnicodeDecodeError:
            return decode_page(html, content_type).text
    # the parser reads UTF-8, so a second copy is made only where it must be
    plain = b"\0" not in html and (b"\x1b" not in html or b"\x1b$" not in html)
    return html if plain else decode_page(html, content_type).text


def _head(tree: "LexborHTMLParser") -> dict[str, str]:
    found: dict[str, str] = {}
    for node in tree.head.iter() if tree.head else ():
        if node.tag == "title":
            found.setdefault("title", " ".join(node.text().split()))
        elif node.tag == "meta":
            _meta(node.attributes, found)
        elif node.tag == "base":
            found.setdefault("base", (node.attributes.get("href") or "").strip())
        elif node.tag == "link":
            given = node.attributes
            if "canonical" in (given.get("rel") or "").lower().split():
                found.setdefault("canonical", (given.get("href") or "").strip())
    return found


def _meta(given: dict[str, str | None], found: dict[str, str]) -> None:
    name = (given.get("name") or given.get("http-equiv") or "").lower()
    content = given.get("content") or ""
    if name in {"robots", "webquarry"}:
        found["robots"] = f"{found.get('robots', '')},{content.lower()}"
    elif name == "refresh":
        found.setdefault("refresh", content)


def _late_title(tree: "LexborHTMLParser") -> str:
    """Return a title that is not in the head, where careless pages may have it."""
    title = tree.css_first("title")
    return " ".join(title.text().split()) if title else ""


def _links(tree: "LexborHTMLParser") -> tuple[str, ...]:
    # a third cheaper than a selector for both
    nodes = (tree.tags("a") + tree.tags("area"))[:MOST_LINKS]
    found = dict.fromkeys([node.attrs.sget("href", "") for node in nodes])
    return tuple([link for link in found if link])


def _text(tree: "LexborHTMLParser") -> str:
    mains = tree.tags("main")  # half as expensive as a selector
    main = mains[0] if mains else tree.css_first("[role=main]")
    if main is not None:
        return _words(main)
    articles = tree.tags("article")
    if len(articles) == 1:
        return _words(articles[0])
    if tree.body is None:
        return ""
    whole = _words(tree.body)
    tree.body.strip_tags(_FURNITURE)
    # some pages are all header
    return _words(tree.body) or whole


def _words(node: "LexborNode") -> str:
    if node.css_first(_ANY_SILENT) is not None:
        node.strip_tags(_SILENT)
    return node.text(separator=" ", strip=True, skip_empty=True)
