"""Prepares an archived page for display: links into the archive, no scripts, marked quotations."""

import re
from html import escape
from urllib.parse import quote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from webquarry.content.html.charset import decode_page
from webquarry.errors import BadInputError
from webquarry.net.url import parse

_REMOVED = "script, noscript, iframe, frame, object, embed, base, template"
_URL_ATTRIBUTES = {
    "a": "href", "area": "href", "link": "href", "img": "src", "source": "src", "video": "poster",
    "input": "src", "form": "action", "body": "background",
}  # fmt: skip
_CSS_URL = re.compile(r"url\(\s{0,9}+(['\"]?+)([^'\")(]{1,2000}+)\1\s{0,9}+\)")
_REFRESH = 'meta[http-equiv="refresh" i], meta[http-equiv="content-security-policy" i]'
_SPACE = re.compile(r"\s+")
MARK = "webquarry-quote"
_STYLE = f"<style>mark.{MARK}{{background:#ffe066;color:#000;outline:2px solid #d4a500}}</style>"


def replay_path(stamp: str, url: str) -> str:
    """Return where a captured URL is shown."""
    return f"/replay/{stamp}/{quote(url, safe='')}"


def replay_html(
    content: bytes, *, content_type: str, url: str, stamp: str, quotes: tuple[str, ...]
) -> tuple[str, int]:
    """Return a page to show, and how many quotations are marked in it."""
    tree = LexborHTMLParser(decode_page(content, content_type))
    base = _base(tree, url)
    for node in tree.css(f"{_REMOVED}, {_REFRESH}"):
        node.decompose()
    for node in tree.css("*"):
        _rewrite(node, base, stamp)
    marked = sum(_mark(tree, each) for each in quotes)
    html = tree.html or ""
    return html.replace("</head>", f"{_STYLE}</head>", 1), marked


def replay_css(text: str, url: str, stamp: str) -> str:
    """Return a style sheet whose files come from the archive."""
    return _CSS_URL.sub(lambda match: f"url('{_target(match[2], url, stamp)}')", text)


def replay_style_sheet(content: bytes, *, url: str, stamp: str) -> str:
    """Return a captured style sheet to show."""
    return replay_css(content.decode("utf-8", "replace"), url, stamp)


def _base(tree: LexborHTMLParser, url: str) -> str:
    node = tree.css_first("base[href]")
    return _joined(node.attributes.get("href") or "", url) or url if node else url


def _rewrite(node: LexborNode, base: str, stamp: str) -> None:
    attributes = node.attributes
    for name in [name for name in attributes if name.startswith("on") or name == "srcset"]:
        del node.attrs[name]
    style = attributes.get("style")
    if style and "url(" in style:
        node.attrs["style"] = replay_css(style, base, stamp)
    name = _URL_ATTRIBUTES.get(node.tag or "")
    value = attributes.get(name) if name else None
    if name and value and not value.startswith("#"):
        node.attrs[name] = _target(value, base, stamp)


def _target(reference: str, base: str, stamp: str) -> str:
    """Return the path of a link in the replay; '' for links that lead to no page."""
    if reference.startswith("data:image/"):
        return reference
    url = _joined(reference, base)
    return replay_path(stamp, url) if url else ""


def _joined(reference: str, base: str) -> str | None:
    try:
        return parse(reference.strip(), base=base).href
    except BadInputError:  # mailto:, javascript: and the like
        return None


def _mark(tree: LexborHTMLParser, passage: str) -> bool:
    """Mark a passage, which may go over several elements; return whether it is on the page."""
    texts = [(node, node.text_content or "") for node in _text_nodes(tree)]
    # without any space: the page and its text differ in nothing else
    squeezed = "".join(_SPACE.sub("", text) for _, text in texts)
    wanted = _SPACE.sub("", passage)
    start = squeezed.find(wanted) if wanted else -1
    if start < 0:
        return False
    position, end = 0, start + len(wanted)
    anchor = f" id={MARK}" if tree.css_first(f"#{MARK}") is None else ""
    for node, text in texts:
        length = len(_SPACE.sub("", text))
        first, last = max(start - position, 0), min(end - position, length)
        if first < last:
            _wrap(node, text, (first, last), anchor)
            anchor = ""
        position += length
    return True


def _text_nodes(tree: LexborHTMLParser) -> list[LexborNode]:
    if tree.body is None:
        return []
    return [node for node in tree.body.traverse(include_text=True) if node.is_text_node]


def _wrap(node: LexborNode, text: str, span: tuple[int, int], anchor: str) -> None:
    """Put some characters, counted without spaces, into a mark element."""
    first, last = span
    places = [at for at, character in enumerate(text) if not character.isspace()]
    begin, end = places[first], places[last - 1] + 1
    pieces = f"{escape(text[:begin])}<mark class={MARK}{anchor}>{escape(text[begin:end])}</mark>"
    fragment = LexborHTMLParser(f"<body><span>{pieces}{escape(text[end:])}</span></body>")
    replacement = fragment.css_first("span")
    if replacement is not None:
        node.replace_with(replacement)
