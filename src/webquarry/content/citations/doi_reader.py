"""Finds the DOI in a URL of a publisher, and in free text."""

import re
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from webquarry.content.citations.identifiers import clean_doi
from webquarry.content.citations.url_without_doi import doi_of_article_url
from webquarry.content.text.word_list import word_set

_START = re.compile(r"(?:(?<![0-9A-Za-z.])|(?<=doi))10\.\d{4,9}(?:\.\d+)*/", re.IGNORECASE)
# what ends a DOI in a text: space, quotes, markup, another DOI; `<` is part of a SICI
_END_IN_TEXT = re.compile(
    r"[\s\"\u201c\u201d\u00ab\u00bb{}|\u3000-\u303f\uff00-\uffef]|<(?=[A-Za-z/!])|\]\(|&(?:lt|gt|quot);"
    r"|[,;](?=(?:https?://|doi:|10\.\d{4}))"
)
_URL_OR_DOI = re.compile(rf"https?://[^\s\"<>|{{}}]+|{_START.pattern}", re.IGNORECASE)
_VIEWS = word_set(
    "abs abstract ampdf appendices article-info article-metrics asset assets citation citations "
    "citedby cite comments download email epdf epub export fig figure figures full full-text "
    "fullhtml fulltext html htm information mediaobjects meta metadata metrics page pdf "
    "pdfdirect pdfft pdfplus peer-review permissions print reader references related ris share "
    "standard summary suppinfo suppl suppl_file supplement supplemental supplementary "
    "supplementary-material table tables text tools transform xml"
)
_FILE_ENDING = re.compile(
    r"\.(?:pdf(?:\+html)?|epdf|epub|html?|xml|nxml|ris|bib|txt|full|full-text|abstract|short|long"
    r"|extract|summary|figures-only|supplementary-material|article-info|article-metrics|reprint)$",
    re.IGNORECASE,
)
_MATRIX_PARAMETER = re.compile(r";(?:jsessionid|pgwt\w*|sid)=?.*", re.IGNORECASE)
# Silverchair: /article/doi/<DOI>/<number>/<words of the title>
_SILVERCHAIR = re.compile(r"article[\w-]{0,40}/doi/$", re.IGNORECASE)
_SILVERCHAIR_NUMBER = re.compile(r"^(10\.[^/]+(?:/[^/]+)+?)/\d{5,}(?:/.*)?$")
# the registered DOI names the article; versions and parts of it are appended to it in URLs
_PARTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(10\.(?:1101|64898)/(?:\d{4}\.\d\d\.\d\d\.)?\d{5,8})v\d+.*",
        r"^(10\.1371/journal\.p\w{3}\.\d{7})\.[gtse]\d{3}$",
        r"^(10\.7554/elife\.\d+)\.\d{3}$",
        r"^(10\.1093/[\w:]+/\d{13}\.\d+\.\d+)/.*",
        r"^(10\.5061/dryad\.\w+)/\d+$",
    )
)
_DOI_KEYS = word_set("doi id persistentid articledoi article_doi rft_id identifier")
_URL_KEYS = word_set("url redirect_uri target destination returnurl")
_NESTED_URL = re.compile(r"(?<=/)https?:/{1,2}", re.IGNORECASE)
_MAX_DEPTH = 3


def doi_in(text: str) -> str | None:
    """Return the first DOI written in a text, also within a URL."""
    for match in _URL_OR_DOI.finditer(text):
        written = _END_IN_TEXT.split(text[match.start() :], maxsplit=1)[0]
        is_url = match[0][:4].lower() == "http"
        if doi := _written_in_url(written) if is_url else _article_doi(written):
            return doi
    return None


def doi_of(field: str | None) -> str | None:
    """Return the DOI in a field for a DOI, where some write a URL or append `.pdf`."""
    if not field or len(field.split()) > 2:  # two words: `doi: 10.1000/x`
        return None
    cleaned = clean_doi(field)
    return _article_doi(cleaned) if cleaned else doi_in_url(field)


def doi_in_url(url: str) -> str | None:
    """Return the DOI of the article at a URL, also where the URL has only a part of the DOI."""
    parts = _split(url)
    if parts is None:
        return None
    nested = _NESTED_URL.search(url, len(parts.scheme) + 3)  # a copy in a web archive
    target = url[nested.start() :] if nested else url
    written = _written_in_url(url) if "10." in url or "%" in url else None
    return written or doi_of_article_url((_split(target) if nested else None) or parts)


def _written_in_url(url: str, depth: int = 0) -> str | None:
    parts = _split(url)
    if parts is None or depth > _MAX_DEPTH:
        return None
    path = _unquoted(parts.path)
    if start := _START.search(path):
        written = path[start.start() :]
        if _SILVERCHAIR.search(path[: start.start()]):
            written = _SILVERCHAIR_NUMBER.sub(r"\1", written)
        if doi := _article_doi(written):
            return doi
    return _written_in_query(parts.query, depth)


def _written_in_query(query: str, depth: int) -> str | None:
    if _START.match(_unquoted(query)):  # the query is the DOI: /DOI/DOI?10.1055/…
        return _article_doi(_unquoted(query))
    for key, value in parse_qsl(query):
        name, text = key.lower(), _unquoted(value)
        if name in _URL_KEYS and (doi := _written_in_url(text, depth + 1)):
            return doi
        start = _START.search(text) if name in _DOI_KEYS else None
        if start and (doi := _article_doi(text[start.start() :])):
            return doi
    return None


def _article_doi(written: str) -> str | None:
    """Return the DOI of the article without what a URL or a file name appends to it."""
    bare = _MATRIX_PARAMETER.sub("", written.replace("\\_", "_")).split(" ", 1)[0]
    parts = bare.split("/")
    views = (i for i, name in enumerate(parts) if i > 1 and _view_name(name) in _VIEWS)
    bare = "/".join(parts[: next(views, None)]).rstrip("/")
    while (shorter := _FILE_ENDING.sub("", bare.rstrip("."))) != bare:
        bare = shorter
    for part in _PARTS:
        bare = part.sub(r"\1", bare)
    return clean_doi(bare)


def _view_name(segment: str) -> str:
    return _FILE_ENDING.sub("", segment.lower())


def _unquoted(text: str) -> str:
    """Return the text without percent-encoding, also where it was encoded twice."""
    for _ in range(_MAX_DEPTH):
        if "%" not in text:
            break
        text = unquote(text)
    return text


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return None
    return parts if parts.netloc else None
