"""A small site with all kinds of links, and a check of the links of an exported folder."""

import re
from pathlib import Path
from urllib.parse import unquote

from tests.crawl.site import MISSING, Reply

PROSE = "Heat pumps move heat from the air into the house, even in a cold winter. " * 4
_PAGES = {
    "/": """<h1>Heat</h1><p>{prose}</p><ul><li><a href="guide/">Guide</a></li>
        <li><a href="/guide/parts.html#valve">The valve</a></li>
        <li><a href="notes.txt">Notes</a></li><li><a href="/A">Upper</a></li>
        <li><a href="/a">Lower</a></li><li><a href="https://other.test/x#y">Other</a></li>
        <li><a href="/gone">Gone</a></li></ul>""",
    "/guide/": """<h1>Guide</h1><p>{prose} A guide. <a href="../">Home</a>,
        <a href="parts.html?utm_source=x">parts</a>, <a href="/index.html">start</a>,
        <a href="#end">the end</a></p><p id="end">Here it ends.</p>""",
    "/guide/parts.html": """<h1>Parts</h1><p>{prose} Parts.</p><h2 id="valve">Valve</h2>
        <p>{prose} See <a href="/guide">the guide</a> and <a href="/a#none">a</a>.</p>
        <pre><code>[not a link](/guide/)</code></pre>""",
    "/A": "<h1>Upper</h1><p>{prose} Upper case.</p>",
    "/a": "<h1>=Lower</h1><p>{prose} Lower case.</p>",
}
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def handle(path: str, headers: dict[str, str]) -> Reply:
    """Serve the site."""
    path = path.partition("?")[0]
    if path == "/robots.txt":
        return Reply(b"", headers=(("content-type", "text/plain"),))
    if path == "/notes.txt":
        text = b"Some *notes* about the house, as plain text without any markup at all."
        return Reply(text, headers=(("content-type", "text/plain"),))
    if path == "/guide":
        return Reply(b"", 301, (("location", "/guide/"),))
    if path == "/index.html":
        path = "/"
    if path not in _PAGES:
        return MISSING
    body = _PAGES[path].format(prose=PROSE)
    title = re.search("<h1>(.*?)</h1>", body)
    assert title
    html = f"<html><head><title>{title[1]}</title></head><body><main>{body}</main></body></html>"
    return Reply(html.encode())


def broken_links(folder: Path) -> list[str]:
    """Return the relative links without a file or without a place in it."""
    broken: list[str] = []
    for file in sorted(folder.rglob("*.md")):
        for target in _LINK.findall(_CODE.sub("", file.read_text("utf-8"))):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, fragment = unquote(target).partition("#")
            linked = (file.parent / path) if path else file
            if not linked.is_file():
                broken.append(f"{file.relative_to(folder)}: {target}")
            elif fragment and f'<a id="{fragment}"></a>' not in linked.read_text("utf-8"):
                broken.append(f"{file.relative_to(folder)}: {target} (no such place)")
    return broken
