"""Metadata of a page: title, authors, dates, site, language, canonical URL, DOI, keywords."""

import re
from collections.abc import Iterable
from itertools import chain, product
from typing import Any
from urllib.parse import urljoin, urlsplit

from webquarry.content.citations.doi_reader import doi_in, doi_in_url
from webquarry.content.html.bylines import author_names, visible_authors, visible_date
from webquarry.content.html.dom import Element, text_of
from webquarry.content.html.json_ld import (
    Node,
    as_list,
    as_node,
    json_ld_blocks,
    json_ld_nodes,
    types_of,
    within_size_limits,
)
from webquarry.content.text.dates import iso_date
from webquarry.content.text.word_list import words
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.models.page import PageMetadata, StructuredData

_MAX_PROPERTIES = 64
_MAX_VALUE = 2048
_TITLE_SEPARATORS = " |·»•\u2013—-:\t"
_TITLE_SEPARATOR = re.compile(r"(?<!\s)\s+(?:[|·»•\u2013—]|-|::)\s+")
_PAGE_TYPES = frozenset(
    words(
        "article newsarticle blogposting scholarlyarticle medicalscholarlyarticle techarticle "
        "report reportagenewsarticle analysisnewsarticle opinionnewsarticle webpage itempage "
        "qapage faqpage discussionforumposting socialmediaposting product recipe howto book "
        "dataset event course softwareapplication videoobject podcastepisode apireference "
        "jobposting review creativework question liveblogposting medicalwebpage aboutpage "
        "collectionpage profilepage"
    )
)


class MetadataReader:
    """Parses the meta tags and the JSON-LD of one page once, and reads its metadata from them."""

    def __init__(self, root: Element, url: str, index: ElementIndex) -> None:
        self._root = root
        self._index = index
        self._url = url
        self._metas = _meta_values(index.by_tag["meta"])
        self._blocks = json_ld_blocks(index.by_tag["script"])
        self._nodes = json_ld_nodes(self._blocks)
        self._page_nodes = [node for node in self._nodes if _describes_page(node)]
        # a plain WebPage has fewer properties than the article on it
        self._page_nodes.sort(key=lambda node: "WebPage" in types_of(node))

    def structured(self) -> StructuredData:
        """Return the page's machine-readable statements, bounded in size."""
        metas = self._metas.items()
        open_graph = {k: v[0] for k, v in metas if k.startswith(("og:", "article:"))}
        citation = {k: "; ".join(v) for k, v in metas if k.startswith("citation_")}
        return StructuredData(
            jsonLd=within_size_limits(self._blocks),
            openGraph=_limited(open_graph),
            citation=_limited(citation),
        )

    def metadata(self) -> PageMetadata:
        """Return what is known about the page."""
        authors = self._authors()
        declared = self._organizations() if authors else frozenset[str]()
        return PageMetadata(
            title=_clean(self._title()),
            authors=authors,
            organizations=tuple(name for name in authors if name.casefold() in declared),
            site=_clean(self._site()),
            published=self._date(_PUBLISHED, "datePublished", "dateCreated", "uploadDate")
            or visible_date(self._root, self._index),
            modified=self._date(_MODIFIED, "dateModified"),
            language=self._language(),
            canonical=self._canonical(),
            description=_clean(self._meta("og:description", "description", "dc.description")),
            doi=self._doi(),
            kinds=tuple(dict.fromkeys(chain.from_iterable(map(types_of, self._page_nodes)))),
            keywords=self._keywords(),
        )

    def _meta(self, *names: str) -> str:
        return next((self._metas[name][0] for name in names if name in self._metas), "")

    def _title(self) -> str:
        declared = self._meta("citation_title", "dc.title", "dcterms.title")
        return declared or self._headline() or self._page_title()

    def _headline(self) -> str:
        shared, heading = self._meta("og:title", "twitter:title"), self._only_heading()
        if heading and (not shared or heading.lower() in shared.lower()):
            return heading
        if shared:
            return _without_site(shared, self._site())
        headlines = (node.get("headline") for node in self._page_nodes)
        return next((text for text in headlines if isinstance(text, str) and text.strip()), "")

    def _only_heading(self) -> str:
        """Return the text of the page's h1 if there is exactly one of a usual length."""
        texts = [text_of(heading) for heading in self._root.iter("h1")]
        usual = [text for text in texts if 3 < len(text) < 300]
        return usual[0] if len(usual) == 1 else ""

    def _page_title(self) -> str:
        title = self._root.find(".//title")
        return _without_site(text_of(title), self._site()) if title is not None else ""

    def _site(self) -> str:
        declared = self._meta("og:site_name", "citation_journal_title", "application-name")
        if declared:
            return declared
        owners = [node.get("publisher") for node in self._page_nodes]
        owners += [node for node in self._nodes if "WebSite" in types_of(node)]
        for owner in chain.from_iterable(map(as_list, owners)):
            name = as_node(owner).get("name")
            if isinstance(name, str):
                return name
        return (urlsplit(self._url).hostname or "").removeprefix("www.")

    def _authors(self) -> tuple[str, ...]:
        for tag in ("citation_author", "dc.creator", "dcterms.creator"):
            if tag in self._metas:
                return author_names(self._metas[tag])
        declared = [_names(node.get("author") or node.get("creator")) for node in self._page_nodes]
        declared += [self._metas.get(tag, []) for tag in _AUTHOR_TAGS]
        authors = (author_names(names) for names in declared)
        found = next((names for names in authors if names), ())
        return found or visible_authors(self._root, self._index)

    def _organizations(self) -> frozenset[str]:
        """Return the names of the organisations that the page declares, in lower case."""
        stated = chain.from_iterable(
            as_list(node.get("author") or node.get("creator")) for node in self._page_nodes
        )
        nodes = [*self._nodes, *(as_node(item) for item in stated if isinstance(item, dict))]
        organizations = [node for node in nodes if _is_organization(node)]
        return frozenset(_clean(name).casefold() for name in _names(organizations))

    def _keywords(self) -> tuple[str, ...]:
        values: list[Any] = [value for tag in _KEYWORD_TAGS for value in self._metas.get(tag, ())]
        for node in self._page_nodes:
            values += as_list(node.get("keywords"))
        lists = (re.split(r"[,;]", value) for value in values if isinstance(value, str))
        keywords = (_clean(keyword) for keyword in chain.from_iterable(lists))
        return tuple(dict.fromkeys(each for each in keywords if each))[:_MAX_PROPERTIES]

    def _date(self, tags: Iterable[str], *properties: str) -> str:
        values: list[Any] = [self._metas[tag][0] for tag in tags if tag in self._metas]
        for node, name in product(self._page_nodes, properties):
            values += as_list(node.get(name))
        dates = (iso_date(value) for value in values if isinstance(value, str))
        return next(filter(None, dates), "")

    def _language(self) -> str:
        declared = (
            self._root.get("lang"),
            self._root.get("{http://www.w3.org/XML/1998/namespace}lang"),
            self._meta("content-language", "og:locale", "dc.language", "inlanguage"),
            *(node.get("inLanguage") for node in self._page_nodes),
        )
        language = next(filter(None, declared), "")
        tag = language.strip().replace("_", "-") if isinstance(language, str) else ""
        return tag if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", tag) else ""

    def _canonical(self) -> str:
        links = (e for e in self._root.iter("link") if e.get("rel", "").lower() == "canonical")
        link = next(links, None)
        href = (link.get("href") if link is not None else "") or self._meta("og:url")
        try:
            url = urljoin(self._url, href.strip()) if href else ""
            return url if urlsplit(url).scheme in ("http", "https") else ""
        except ValueError:
            return ""

    def _doi(self) -> str:
        metas = (value for name in _DOI_TAGS for value in self._metas.get(name, ()))
        articles = [node for node in self._page_nodes if "ScholarlyArticle" in types_of(node)]
        ids = (str(node.get(key)) for node in articles for key in ("@id", "sameAs", "identifier"))
        declared = next(filter(None, map(doi_in, chain(metas, ids))), None)
        return declared or doi_in_url(self._url) or ""


_AUTHOR_TAGS = ("author", "article:author", "parsely-author", "sailthru.author", "byl")
_ORGANIZATION_TYPES = frozenset(
    words("Corporation CollegeOrUniversity Hospital MedicalClinic LocalBusiness Library Consortium")
)
_DOI_TAGS = words(
    "citation_doi bepress_citation_doi prism.doi dc.identifier.doi doi dc.identifier "
    "dcterms.identifier eprints.id_number"
)
_KEYWORD_TAGS = ("keywords", "news_keywords", "article:tag", "citation_keywords")
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


def _meta_values(metas: Iterable[Element]) -> dict[str, list[str]]:
    """Return the contents of meta tags by lower-case name."""
    values: dict[str, list[str]] = {}
    for meta in metas:
        name = meta.get("property") or meta.get("name") or meta.get("itemprop", "")
        value = " ".join(meta.get("content", "").split())
        if name and value:
            values.setdefault(name.lower(), []).append(value)
    return values


def _describes_page(node: Node) -> bool:
    return not _PAGE_TYPES.isdisjoint(map(str.lower, types_of(node)))


def _is_organization(node: Node) -> bool:
    return any(
        kind.endswith("Organization") or kind in _ORGANIZATION_TYPES for kind in types_of(node)
    )


def _names(author: Any) -> list[str]:
    """Return the names in an author statement: text, a person, or several of either."""
    names: list[str] = []
    for item in as_list(author):
        name = as_node(item).get("name") if isinstance(item, dict) else item
        names += [part for part in as_list(name) if isinstance(part, str)]
    return names


def _limited(values: dict[str, str]) -> dict[str, str]:
    return {key: value[:_MAX_VALUE] for key, value in list(values.items())[:_MAX_PROPERTIES]}


def _clean(text: str) -> str:
    return without_invisible(" ".join(text.split()))[:1000]


def _without_site(title: str, site: str) -> str:
    """Return the title without the site's name at its end or start."""
    parts = _TITLE_SEPARATOR.split(title)
    if len(parts) < 2 or not site:
        return title
    first, last = parts[0], parts[-1]
    if _is_site_name(last, site, title):
        return title[: title.rfind(last)].strip(_TITLE_SEPARATORS)
    if _is_site_name(first, site, title):
        return title[len(first) :].strip(_TITLE_SEPARATORS)
    return title


def _is_site_name(part: str, site: str, title: str) -> bool:
    """Tell whether a part of a title is the site's name, or a short form of it."""
    name, known = _letters(part), _letters(site)
    if not name or name == known:
        return bool(name)
    return len(part) < len(title) / 2 and (name in known or known in name)


def _letters(text: str) -> str:
    return re.sub(r"\W", "", text).lower()
