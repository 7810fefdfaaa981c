"""Title, text and links of a page from one fast parse, in a fraction of a millisecond.

This is what a crawl needs of every page. Markdown, metadata and the choice of the main content
(`content.html.read_html`) take twenty times as long.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webquarry.content.html.attribute_limit import limit_attributes, limit_attributes_of_text
from webquarry.content.html.charset import decode_page

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_LINKS = 5_000
_SIMPLE_TAGS = 6_000
_SIMPLE_BYTES = 40_000  # even if they are nothing but nested tags, they take 0.1 s
_MAX_LINK_TEXT = 200  # characters
_NON_TEXT_TAGS = ["script", "style", "noscript", "template", "svg", "iframe"]
_NON_TEXT_SELECTOR = ",".join(_NON_TEXT_TAGS)
_FRAME_TAGS = ["nav", "header", "footer", "aside", "form"]


@dataclass(frozen=True, slots=True)
class QuickParse:
    """The text and links of a page, and its robots directives."""

    title: str = ""
    text: str = ""
    links: tuple[str, ...] = ()  # as written, each once
    base: str = ""  # href of the base element
    canonical: str = ""
    refresh: str = ""  # content of a meta refresh
    noindex: bool = False
    nofollow: bool = False


def quick_parse(html: bytes | str, content_type: str | None = None) -> QuickParse:
    """Parse a page with Lexbor and read what a crawl needs."""
    tree = lexbor_tree(html, content_type)
    head = _head(tree)
    links = _links(tree)  # before `_text` strips elements
    return QuickParse(
        title=head.get("title", "") or _misplaced_title(tree),
        links=links,
        text=_text(tree),
        base=head.get("base", ""),
        canonical=head.get("canonical", ""),
        refresh=head.get("refresh", ""),
        noindex="noindex" in head.get("robots", ""),
        nofollow="nofollow" in head.get("robots", ""),
    )


def is_simple(html: bytes) -> bool:
    """Return whether the page is short or has few tags.

    Lexbor takes time quadratic in the depth of a page.
    """
    return len(html) <= _SIMPLE_BYTES or html.count(b"<") <= _SIMPLE_TAGS


def link_texts(html: bytes | str, content_type: str | None = None) -> dict[str, str]:
    """Return the text of every link of a page, by its href as written."""
    texts: dict[str, str] = {}
    for node in lexbor_tree(html, content_type).css("a[href], area[href]"):
        href = (node.attributes.get("href") or "").strip()
        if href and not texts.get(href):
            texts[href] = " ".join(node.text().split())[:_MAX_LINK_TEXT]
    return texts


def lexbor_tree(html: bytes | str, content_type: str | None) -> "LexborHTMLParser":
    """Return the page as a Lexbor tree."""
    # imported here: only crawls need it
    from selectolax.lexbor import LexborHTMLParser

    source = _utf8(html, content_type)
    limited = (
        limit_attributes(source) if isinstance(source, bytes) else limit_attributes_of_text(source)
    )
    return LexborHTMLParser(limited)


def _utf8(html: bytes | str, content_type: str | None) -> bytes | str:
    if isinstance(html, str):
        return html
    if not html.isascii():
        try:
            html.decode("utf-8")
        except UnicodeDecodeError:
            return decode_page(html, content_type)
    # valid UTF-8 is passed to the parser as it is, unless it may be UTF-16 or ISO-2022-JP
    is_utf8 = b"\0" not in html and (b"\x1b" not in html or b"\x1b$" not in html)
    return html if is_utf8 else decode_page(html, content_type)


def _head(tree: "LexborHTMLParser") -> dict[str, str]:
    """Return the first title, base, canonical link and refresh, and all robots directives."""
    head: dict[str, str] = {}
    for node in tree.head.iter() if tree.head else ():
        if node.tag == "title":
            head.setdefault("title", " ".join(node.text().split()))
        elif node.tag == "meta":
            _read_meta(node.attributes, head)
        elif node.tag == "base":
            head.setdefault("base", (node.attributes.get("href") or "").strip())
        elif node.tag == "link" and _is_canonical(node.attributes.get("rel")):
            head.setdefault("canonical", (node.attributes.get("href") or "").strip())
    return head


def _is_canonical(rel: str | None) -> bool:
    return "canonical" in (rel or "").lower().split()


def _read_meta(attributes: dict[str, str | None], head: dict[str, str]) -> None:
    name = (attributes.get("name") or attributes.get("http-equiv") or "").lower()
    content = attributes.get("content") or ""
    if name in {"robots", "webquarry"}:
        head["robots"] = f"{head.get('robots', '')},{content.lower()}"
    elif name == "refresh":
        head.setdefault("refresh", content)


def _misplaced_title(tree: "LexborHTMLParser") -> str:
    """Return a title outside of the head."""
    title = tree.css_first("title")
    return " ".join(title.text().split()) if title else ""


def _links(tree: "LexborHTMLParser") -> tuple[str, ...]:
    # a third cheaper than a selector for both
    nodes = (tree.tags("a") + tree.tags("area"))[:MAX_LINKS]
    links = dict.fromkeys([node.attrs.sget("href", "") for node in nodes])
    return tuple([link for link in links if link])


def _text(tree: "LexborHTMLParser") -> str:
    main = tree.css_first("main") or tree.css_first("[role=main]")
    if main is not None:
        return _node_text(main)
    articles = tree.tags("article")
    if len(articles) == 1:
        return _node_text(articles[0])
    if tree.body is None:
        return ""
    all_text = _node_text(tree.body)
    tree.body.strip_tags(_FRAME_TAGS)
    # some pages have all of their text in a header
    return _node_text(tree.body) or all_text


def _node_text(node: "LexborNode") -> str:
    if node.css_first(_NON_TEXT_SELECTOR) is not None:
        node.strip_tags(_NON_TEXT_TAGS)
    return node.text(separator=" ", strip=True, skip_empty=True)
