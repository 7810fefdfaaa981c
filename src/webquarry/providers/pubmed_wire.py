"""PubMed's XML: articles and books with their abstracts."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import Field

from webquarry.content.citations.identifiers import clean_doi, doi_url, pmc_id
from webquarry.content.text.snippets import plain
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import Work
from webquarry.providers.provider import Wire
from webquarry.providers.works_wire import known, parse_xml, text_of, year_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Node  # pyright: ignore[reportPrivateUsage]

_PAGE = "https://pubmed.ncbi.nlm.nih.gov"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_RETRACTED = RetractionStatus(retracted=True, kind="retraction", source="pubmed")


def articles(content: bytes, provider: str) -> Iterator[Work]:
    """Yield the works of an answer; those without a number or a title are left out."""
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
        # the issue is what a citation names, even if the article came earlier
        year=year_of(dates[1]) or year_of(published),
        abstract=_abstract(article.find("Abstract")),
        type=next(iter(types), None),
        volume=_text(issue, "Volume"),
        issue=_text(issue, "Issue"),
        pages=article.findtext("Pagination/MedlinePgn"),
        retraction=_RETRACTED if "Retracted Publication" in types else None,
        doi=_located(article),
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
    told = {} if ids is None else {each.get("IdType"): text_of(each) for each in ids}
    doi = clean_doi(told.get("doi")) or more.pop("doi", None)
    more.pop("doi", None)
    values = {
        "title": title,
        "url": doi_url(str(doi)) if doi else f"{_PAGE}/{number}/",
        "source": "pubmed",
        "doi": doi,
        "ids": known(pmid=number, pmcid=pmc_id(told.get("pmc"))),
        **more,
    }
    return Work.model_validate(values)


def _located(article: "Node") -> str | None:
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
    said = (f"{label}: {text}" if label else text for label, text in parts if text)
    return " ".join(said) or None


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


class Summary(Wire):
    """An article without its abstract."""

    uid: str
    title: str | None = None
    authors: tuple[_Name, ...] | None = None
    journal: str | None = Field(default=None, alias="fulljournalname")
    date: str | None = Field(default=None, alias="sortpubdate")
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    ids: tuple[_Id, ...] | None = Field(default=None, alias="articleids")
    types: tuple[str, ...] | None = Field(default=None, alias="pubtype")

    def to_work(self) -> Work | None:
        """Return the work; None for a record without a title."""
        title = plain(self.title)
        told = {each.idtype: each.value for each in self.ids or ()}
        doi = clean_doi(told.get("doi"))
        date = (self.date or "")[:10].replace("/", "-") or None
        if not title:
            return None
        return Work(
            title=title,
            url=doi_url(doi) if doi else f"{_PAGE}/{self.uid}/",
            source="pubmed",
            doi=doi,
            authors=tuple(each.name for each in self.authors or () if each.name),
            journal=self.journal or None,
            year=year_of(date),
            published=date,
            ids=known(pmid=self.uid, pmcid=pmc_id(told.get("pmc"))),
            type=next(iter(self.types or ()), None),
            volume=self.volume or None,
            issue=self.issue or None,
            pages=self.pages or None,
            retraction=_RETRACTED if "Retracted Publication" in (self.types or ()) else None,
        )


class Summaries(Wire):
    """Articles by their numbers, among other things."""

    result: dict[str, Summary | tuple[str, ...]]


def _text(node: "Node | None", path: str) -> str | None:
    return None if node is None else node.findtext(path) or None
