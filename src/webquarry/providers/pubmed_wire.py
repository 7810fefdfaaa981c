"""PubMed's XML: articles and books with their abstracts."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import Field

from webquarry.content.citations.identifiers import clean_doi, pmc_id
from webquarry.content.text.snippets import plain_text
from webquarry.models.model import Items
from webquarry.models.retraction import RetractionStatus
from webquarry.models.works import Work
from webquarry.providers.provider import Wire
from webquarry.providers.works_wire import (
    names_of,
    parse_xml,
    present_ids,
    text_of,
    work_url,
    year_of,
)

if TYPE_CHECKING:
    from lxml.etree import _Element as Node  # pyright: ignore[reportPrivateUsage]

_PAGE = "https://pubmed.ncbi.nlm.nih.gov"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_RETRACTED = RetractionStatus(retracted=True, kind="retraction", source="pubmed")


def parse_articles(content: bytes, provider: str) -> Iterator[Work]:
    """Yield the works of a response that have a PMID and a title."""
    root = parse_xml(content, "PubmedArticleSet", provider)
    for each in root:
        work = _article(each) if each.tag == "PubmedArticle" else _book(each)
        if work:
            yield work


def _article(node: "Node") -> Work | None:
    article = node.find("MedlineCitation/Article")
    number = node.findtext("MedlineCitation/PMID")
    if article is None or not number:
        return None
    title = text_of(article.find("ArticleTitle")) or text_of(article.find("VernacularTitle"))
    issue = article.find("Journal/JournalIssue")
    dates = (
        _date(article.find("ArticleDate")),
        _date(article.find("Journal/JournalIssue/PubDate")),
    )
    published = next((date for date in dates if date), None)
    types = [text_of(each) for each in article.iterfind("PublicationTypeList/PublicationType")]
    ids = node.find("PubmedData/ArticleIdList")
    return _work(
        number,
        title,
        ids,
        authors=tuple(_names(article.find("AuthorList"))),
        journal=article.findtext("Journal/Title"),
        published=published,
        # citations name the year of the issue, even if the article appeared earlier
        year=year_of(dates[1]) or year_of(published),
        abstract=_abstract(article.find("Abstract")),
        type=next(iter(types), None),
        volume=_text(issue, "Volume"),
        issue=_text(issue, "Issue"),
        pages=article.findtext("Pagination/MedlinePgn"),
        retraction=_RETRACTED if "Retracted Publication" in types else None,
        doi=_doi_of(article),
    )


def _book(node: "Node") -> Work | None:
    document = node.find("BookDocument")
    number = None if document is None else document.findtext("PMID")
    if document is None or not number:
        return None
    title = text_of(document.find("ArticleTitle")) or text_of(document.find("Book/BookTitle"))
    published = _date(document.find("Book/PubDate"))
    return _work(
        number,
        title,
        document.find("ArticleIdList"),
        authors=tuple(_names(document.find("AuthorList"))),
        journal=text_of(document.find("Book/BookTitle")) or None,
        published=published,
        year=year_of(published),
        abstract=_abstract(document.find("Abstract")),
        publisher=document.findtext("Book/Publisher/PublisherName"),
        type="Book",
    )


def _work(number: str, title: str, ids: "Node | None", **more: object) -> Work | None:
    if not title:
        return None
    by_type = {} if ids is None else {each.get("IdType"): text_of(each) for each in ids}
    doi = clean_doi(by_type.get("doi")) or more.pop("doi", None)
    more.pop("doi", None)
    values = {
        "title": title,
        "url": work_url(str(doi) if doi else None, f"{_PAGE}/{number}/"),
        "source": "pubmed",
        "doi": doi,
        "ids": present_ids(pmid=number, pmcid=pmc_id(by_type.get("pmc"))),
        **more,
    }
    return Work.model_validate(values)


def _doi_of(article: "Node") -> str | None:
    for each in article.iterfind("ELocationID"):
        if each.get("EIdType") == "doi" and each.get("ValidYN") != "N":
            return clean_doi(text_of(each))
    return None


def _names(people: "Node | None") -> Iterator[str]:
    for each in () if people is None else people:
        given = each.findtext("ForeName") or each.findtext("Initials")
        parts = (given, each.findtext("LastName"), each.findtext("Suffix"))
        name = " ".join(part for part in parts if part) or text_of(each.find("CollectiveName"))
        if name:
            yield name


def _abstract(node: "Node | None") -> str | None:
    if node is None:
        return None
    parts = ((each.get("Label"), text_of(each)) for each in node.iterfind("AbstractText"))
    texts = (f"{label}: {text}" if label else text for label, text in parts if text)
    return " ".join(texts) or None


def _date(node: "Node | None") -> str | None:
    if node is None:
        return None
    year = node.findtext("Year") or (node.findtext("MedlineDate") or "")[:4]
    if not year.isdecimal():
        return None
    month = (node.findtext("Month") or "").lower()
    number = int(month) if month.isdecimal() else _month(month)
    if not number:
        return year
    day = node.findtext("Day") or ""
    return f"{year}-{number:02d}" + (f"-{int(day):02d}" if day.isdecimal() else "")


def _month(name: str) -> int:
    return _MONTHS.index(name[:3]) + 1 if name[:3] in _MONTHS else 0


class _Id(Wire):
    idtype: str | None = None
    value: str | None = None


class _Name(Wire):
    name: str | None = None


class PubmedSummary(Wire):
    """An article without its abstract."""

    uid: str
    title: str | None = None
    authors: Items[_Name] = ()
    journal: str | None = Field(default=None, alias="fulljournalname")
    date: str | None = Field(default=None, alias="sortpubdate")
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    ids: Items[_Id] = Field(default=(), alias="articleids")
    types: Items[str] = Field(default=(), alias="pubtype")

    def to_work(self) -> Work | None:
        """Return the work; None for a record without a title."""
        title = plain_text(self.title)
        if not title:
            return None
        ids = {each.idtype: each.value for each in self.ids}
        doi = clean_doi(ids.get("doi"))
        date = (self.date or "")[:10].replace("/", "-") or None
        types = self.types
        return Work(
            title=title,
            url=work_url(doi, f"{_PAGE}/{self.uid}/"),
            source="pubmed",
            doi=doi,
            authors=names_of(self.authors),
            journal=self.journal,
            year=year_of(date),
            published=date,
            ids=present_ids(pmid=self.uid, pmcid=pmc_id(ids.get("pmc"))),
            type=next(iter(types), None),
            volume=self.volume,
            issue=self.issue,
            pages=self.pages,
            retraction=_RETRACTED if "Retracted Publication" in types else None,
        )


class PubmedSummaries(Wire):
    """Summaries by PMID, and the list of PMIDs."""

    result: dict[str, PubmedSummary | tuple[str, ...]]


def _text(node: "Node | None", path: str) -> str | None:
    return None if node is None else node.findtext(path) or None
