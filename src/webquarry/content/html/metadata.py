"""What a page says about itself: title, authors, dates, site, language, address, DOI."""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from webquarry.content.html.bylines import author_names, visible_authors, visible_dates
from webquarry.content.html.dom import Element, text_of
from webquarry.content.html.json_ld import as_list, as_node, blocks_in, bounded, nodes_of, types_of
from webquarry.content.text.dates import iso_date
from webquarry.content.text.word_list import words
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.models.page import PageMetadata, StructuredData

_MAX_PROPERTIES = 64
_MAX_VALUE = 2048
_DOI = re.compile(r"\b10\.\d{4,9}/[-._;()/:<>a-z0-9]+", re.IGNORECASE)
_VIEWER = re.compile(r"/(full|abstract|pdf|epdf|html|meta|references|figures|xml|summary)$", re.I)
_TITLE_BREAK = re.compile(r"\s+[|·»•\u2013—]\s+|\s+-\s+|\s+::\s+")
_PAGES = frozenset(
    words(
        "article newsarticle blogposting scholarlyarticle medicalscholarlyarticle techarticle "
        "report reportagenewsarticle analysisnewsarticle opinionnewsarticle webpage itempage "
        "qapage faqpage discussionforumposting socialmediaposting product recipe howto book "
        "dataset event course softwareapplication videoobject podcastepisode apireference "
        "jobposting review creativework question liveblogposting medicalwebpage aboutpage "
        "collectionpage profilepage"
    )
)


class Reader:
    """Reads the head of one page, once, for every question about it."""

    def __init__(self, root: Element, url: str, survey: ElementIndex) -> None:
        self._root = root
        self._survey = survey
        self._url = url
        self._metas: dict[str, list[str]] = {}
        for meta in survey.named["meta"]:
            name = meta.get("property") or meta.get("name") or meta.get("itemprop") or ""
            value = " ".join((meta.get("content") or "").split())
            if name and value:
                self._metas.setdefault(name.lower(), []).append(value)
        self._blocks = blocks_in(survey.named["script"])
        nodes = nodes_of(self._blocks)
        self._nodes = [n for n in nodes if not _PAGES.isdisjoint(k.lower() for k in types_of(n))]
        # a plain WebPage knows less than the article it carries
        self._nodes.sort(key=lambda node: "WebPage" in types_of(node))
        self._all = nodes

    def structured(self) -> StructuredData:
        """Return the page's machine-readable statements, bounded in size."""
        graph = {k: v[0] for k, v in self._metas.items() if k.startswith(("og:", "article:"))}
        cited = {k: "; ".join(v) for k, v in self._metas.items() if k.startswith("citation_")}
        return StructuredData(
            jsonLd=bounded(self._blocks), openGraph=_limited(graph), citation=_limited(cited)
        )

    def metadata(self) -> PageMetadata:
        """Return what is known about the page."""
        return PageMetadata(
            title=_clean(self._title()),
            authors=self._authors(),
            site=_clean(self._site()),
            published=self._date(_PUBLISHED, "datePublished", "dateCreated", "uploadDate")
            or visible_dates(self._root, self._survey),
            modified=self._date(_MODIFIED, "dateModified"),
            language=self._language(),
            canonical=self._canonical(),
            description=_clean(self._meta("og:description", "description", "dc.description")),
            doi=self._doi(),
            kinds=tuple(dict.fromkeys(kind for node in self._nodes for kind in types_of(node))),
            keywords=self._keywords(),
        )

    def _meta(self, *names: str) -> str:
        return next((self._metas[name][0] for name in names if name in self._metas), "")

    def _title(self) -> str:
        declared = self._meta("citation_title", "dc.title", "dcterms.title")
        return declared or self._headline() or self._page_title()

    def _headline(self) -> str:
        found = self._meta("og:title", "twitter:title")
        headings = [text_of(heading) for heading in self._root.iter("h1")]
        headings = [heading for heading in headings if 3 < len(heading) < 300]
        if len(headings) == 1 and (not found or headings[0].lower() in found.lower()):
            return headings[0]
        for node in self._nodes:
            said = node.get("headline")
            if isinstance(said, str) and said.strip() and not found:
                return said
        return _without_site(found, self._site())

    def _page_title(self) -> str:
        title = self._root.find(".//title")
        return _without_site(text_of(title), self._site()) if title is not None else ""

    def _site(self) -> str:
        declared = self._meta("og:site_name", "citation_journal_title", "application-name")
        if declared:
            return declared
        owners = [node.get("publisher") for node in self._nodes]
        owners += [node for node in self._all if "WebSite" in types_of(node)]
        for owner in map(as_node, _flat(owners)):
            if isinstance(owner.get("name"), str):
                return owner["name"]
        return (urlsplit(self._url).hostname or "").removeprefix("www.")

    def _authors(self) -> tuple[str, ...]:
        tags = ("citation_author", "dc.creator", "dcterms.creator")
        for tag in tags:
            if tag in self._metas:
                return author_names(self._metas[tag])
        for node in self._nodes:
            found = author_names(_names(node.get("author") or node.get("creator")))
            if found:
                return found
        for tag in ("author", "article:author", "parsely-author", "sailthru.author", "byl"):
            found = author_names(self._metas.get(tag, ()))
            if found:
                return found
        return visible_authors(self._root, self._survey)

    def _keywords(self) -> tuple[str, ...]:
        said = [value for tag in _KEYWORDS for value in self._metas.get(tag, ())]
        said += [v for n in self._nodes for v in as_list(n.get("keywords")) if isinstance(v, str)]
        words = (_clean(word) for value in said for word in re.split(r"[,;]", value))
        return tuple(dict.fromkeys(word for word in words if word))[:_MAX_PROPERTIES]

    def _date(self, tags: Iterable[str], *properties: str) -> str:
        said: list[Any] = [self._metas[tag][0] for tag in tags if tag in self._metas]
        said += [node.get(name) for node in self._nodes for name in properties]
        dates = (iso_date(value) for value in _flat(said) if isinstance(value, str))
        return next((date for date in dates if date), "")

    def _language(self) -> str:
        said = self._root.get("lang") or self._root.get(
            "{http://www.w3.org/XML/1998/namespace}lang"
        )
        said = said or self._meta("content-language", "og:locale", "dc.language", "inlanguage")
        for node in self._nodes:
            said = said or node.get("inLanguage")
        tag = said.strip().replace("_", "-") if isinstance(said, str) else ""
        return tag if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", tag) else ""

    def _canonical(self) -> str:
        links = (e for e in self._root.iter("link") if (e.get("rel") or "").lower() == "canonical")
        href = next((e.get("href") or "" for e in links), "") or self._meta("og:url")
        try:
            found = urljoin(self._url, href.strip()) if href else ""
            return found if urlsplit(found).scheme in ("http", "https") else ""
        except ValueError:
            return ""

    def _doi(self) -> str:
        said = [
            self._meta("citation_doi", "dc.identifier", "dc.identifier.doi", "prism.doi", "doi")
        ]
        said += [
            str(node.get("@id")) for node in self._nodes if "ScholarlyArticle" in types_of(node)
        ]
        said.append(unquote(urlsplit(self._url).path) if _looks_like_url(self._url) else "")
        return next((doi for doi in map(doi_in, said) if doi), "")


_KEYWORDS = ("keywords", "news_keywords", "article:tag", "citation_keywords")
_PUBLISHED = words(
    "article:published_time citation_publication_date citation_date citation_online_date "
    "dc.date dc.date.issued dcterms.date dcterms.issued dcterms.created datepublished "
    "og:published_time parsely-pub-date sailthru.date pubdate publish_date date "
    "article.published publication_date"
)
_MODIFIED = words(
    "article:modified_time og:updated_time dcterms.modified dc.date.modified datemodified "
    "last-modified revised"
)


def doi_in(text: str) -> str:
    """Return the first DOI in a text, without what a viewer's address adds to it."""
    found = _DOI.search(text)
    return _VIEWER.sub("", found[0].rstrip(".,;:)>")) if found else ""


def _looks_like_url(url: str) -> bool:
    try:
        return bool(urlsplit(url).netloc)
    except ValueError:
        return False


def _flat(values: Iterable[Any]) -> Iterable[Any]:
    for value in values:
        yield from as_list(value)


def _names(author: Any) -> list[str]:
    """Return the names in an author statement: text, a person, or several of either."""
    found: list[str] = []
    for item in as_list(author):
        name = as_node(item).get("name") if isinstance(item, dict) else item
        found += [part for part in as_list(name) if isinstance(part, str)]
    return found


def _limited(values: dict[str, str]) -> dict[str, str]:
    return {key: value[:_MAX_VALUE] for key, value in list(values.items())[:_MAX_PROPERTIES]}


def _clean(text: str) -> str:
    return without_invisible(" ".join(text.split()))[:1000]


def _without_site(title: str, site: str) -> str:
    """Return the title without the site's name at its end or start."""
    parts = _TITLE_BREAK.split(title)
    if len(parts) < 2 or not site:
        return title
    plain = re.sub(r"\W", "", site).lower()
    ends = (parts[-1], parts[0])
    for part in ends:
        word = re.sub(r"\W", "", part).lower()
        known = bool(word) and (word in plain or plain in word) and len(part) < len(title) / 2
        if known or (word and word == plain):
            start = title.find(part) if part is parts[-1] else len(part)
            kept = title[: title.rfind(part)] if part is parts[-1] else title[start:]
            return kept.strip(" |·»•\u2013—-:\t")
    return title
