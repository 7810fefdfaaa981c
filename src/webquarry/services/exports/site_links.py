"""The links between the exported pages of a site."""

from collections.abc import Iterator, Mapping
from urllib.parse import unquote, urljoin, urlsplit

from webquarry.content.export.markdown_links import relative_link, retarget_links
from webquarry.crawl.urls import resolve

_INDEX_PAGES = ("index.html", "index.htm", "index.php")
_MAX_NAMES = 5_000  # anchors of one page; a whole book on one page has some hundred
_MAX_NAME = 200  # characters


class SiteLinks:
    """Points links at exported files, and collects the places that links point to."""

    def __init__(self, paths: Mapping[str, str], aliases: Mapping[str, str]) -> None:
        """Take the path of each exported URL, and other URLs of the same pages."""
        self._paths = paths
        self._aliases = aliases
        self._names: dict[str, dict[str, None]] = {}  # by URL

    def collect(self, url: str, markdown: str) -> None:
        """Remember the fragments in the links of a page."""

        def note(target: str) -> str:
            page, fragment = self._page(target, url)
            if page and fragment and len(fragment) <= _MAX_NAME:
                names = self._names.setdefault(page, {})
                if len(names) < _MAX_NAMES:
                    names[unquote(fragment)] = None
            return target

        if "#" in markdown:
            retarget_links(markdown, note)

    def names(self, url: str) -> tuple[str, ...]:
        """Return the places of a page that collected links point to."""
        return tuple(self._names.get(url, ()))

    def rewrite(self, url: str, markdown: str) -> str:
        """Return the text of a page with links to files; links to other pages are absolute."""

        def retarget(target: str) -> str:
            page, fragment = self._page(target, url)
            if page:
                return relative_link(self._paths[url], self._paths[page], fragment)
            return _absolute(target, url)

        return retarget_links(markdown, retarget)

    def _page(self, target: str, base: str) -> tuple[str, str]:
        """Return the exported URL that a link leads to, '' for another page; and its fragment."""
        written, _, fragment = target.partition("#")
        if fragment.startswith(":~:"):  # a text fragment is for browsers only
            fragment = ""
        if not written:
            return (base, fragment) if fragment else ("", "")
        found = resolve(written, base)
        for candidate in _spellings(found.href) if found else ():
            url = self._aliases.get(candidate, candidate)
            if url in self._paths:
                return url, fragment
        return "", fragment


def _spellings(url: str) -> Iterator[str]:
    """Yield a URL, then URLs that servers usually treat as the same page."""
    yield url
    head, mark, query = url.partition("?")
    tail = mark + query
    yield (head[:-1] if head.endswith("/") else f"{head}/") + tail
    folder, _, last = head.rpartition("/")
    if last in _INDEX_PAGES:
        yield f"{folder}/{tail}"
    elif not last:
        yield from (f"{head}{name}{tail}" for name in _INDEX_PAGES)
    scheme, _, rest = url.partition("://")
    yield f"{'http' if scheme == 'https' else 'https'}://{rest}"


def _absolute(target: str, base: str) -> str:
    try:
        is_relative = not urlsplit(target).scheme
        return urljoin(base, target) if is_relative and target else target
    except ValueError:
        return target
