"""The best open text of a paper, and what is said when there is none."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from tests.content.papers.samples import JATS, LATEXML
from tests.content.papers.test_jats import OWLS
from tests.services.scholarship.fakes import copies, keeps
from tests.support import ALICE
from webquarry.errors import (
    BlockedError,
    NotFoundError,
    PageError,
    ProviderError,
    WebquarryError,
)
from webquarry.models.caller import Caller
from webquarry.models.paper_text import (
    FullTextFile,
    OpenPlace,
    PaperFullText,
    PaperIds,
    PaperSection,
    PaperText,
)
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import OpenCopy, OpenLocation, Work
from webquarry.parsing.parsers import Parsers
from webquarry.providers.provider import ProviderInfo
from webquarry.reading.page_cache import PageCache
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.open_files import OpenFile
from webquarry.services.scholarship.paper_fulltexts import PaperFullTexts
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

DOI = "10.1000/owl.1"
DOWN = ProviderError("Unavailable (it): HTTP 503.", provider="it")
PAPER = PaperText(title="Owls in a file", sections=(PaperSection(title="A", text="Owls."),))
RECORD = Work(
    title="Owls hear well",
    url=f"https://doi.org/{DOI}",
    source="crossref",
    doi=DOI,
    abstract="Owls hear.",
    openAccess=False,
)


class Source:
    """Has one text, or fails."""

    about: ClassVar[ProviderInfo]
    full_text_ids: ClassVar[frozenset[str]]

    def __init__(self, answer: FullTextFile | WebquarryError | None) -> None:
        self.answer = answer
        self.asked: list[PaperIds] = []

    async def full_text(self, ids: PaperIds) -> FullTextFile | None:
        self.asked.append(ids)
        if isinstance(self.answer, WebquarryError):
            raise self.answer
        return self.answer


def source(name: str, answer: FullTextFile | WebquarryError | None, *kinds: str) -> Source:
    about = ProviderInfo(name=name, docs="https://example.org", base_url="https://example.org")
    made = type(name, (Source,), {"about": about, "full_text_ids": frozenset(kinds)})
    return made(answer)


def jats(content: bytes = JATS) -> FullTextFile:
    return FullTextFile(content=content, format="jats", url="https://pmc.example.org/PMC456")


class Registry:
    """Crossref with some works."""

    about: ClassVar = ProviderInfo(
        name="crossref", docs="https://example.org", base_url="https://example.org"
    )

    def __init__(self, *works: Work, fails: WebquarryError | None = None) -> None:
        self._works = works
        self._fails = fails

    async def work_by_doi(self, doi: str) -> Work | None:
        if self._fails:
            raise self._fails
        return next((work for work in self._works if work.doi == doi), None)

    async def works_by_title(self, title: str, count: int = 5) -> tuple[Work, ...]:
        if self._fails:
            raise self._fails
        return self._works

    async def is_registered(self, doi: str) -> bool:
        return any(work.doi == doi for work in self._works)


@dataclass
class Files:
    """Pages and files by URL."""

    known: dict[str, OpenFile | WebquarryError] = field(default_factory=dict[str, Any])
    asked: list[str] = field(default_factory=list[str])

    async def read(self, url: str, caller: Caller, *, is_pdf: bool) -> OpenFile:
        self.asked.append(url)
        found = self.known.get(url) or NotFoundError(f"{url} cannot be read: HTTP 404.")
        if isinstance(found, WebquarryError):
            raise found
        return found


def texts(*providers: Any, files: Files | None = None) -> PaperFullTexts:
    known: list[Any] = [type(each) for each in providers]
    choices = ProviderDirectory(providers, known)
    return PaperFullTexts(choices, files or Files(), Parsers(), PageCache(MemoryStore()))


async def test_an_article_of_europe_pmc_needs_no_other_source() -> None:
    europepmc = source("europepmc", jats(), "doi", "pmcid")
    arxiv = source("arxiv_html", None, "arxiv")

    found = await texts(arxiv, europepmc, Registry(RECORD)).read(DOI, ALICE)

    assert found == PaperFullText(
        paper=OWLS,
        ids=PaperIds(doi=DOI),
        available=True,
        source="europepmc",
        format="jats",
        url="https://pmc.example.org/PMC456",
    )
    assert (europepmc.asked, arxiv.asked) == ([PaperIds(doi=DOI)], [])


async def test_a_second_call_is_answered_from_the_cache() -> None:
    europepmc = source("europepmc", jats(), "doi")
    papers = texts(europepmc)

    assert await papers.read(DOI, ALICE) == await papers.read(f"doi:{DOI}", ALICE)
    assert len(europepmc.asked) == 1


async def test_a_retraction_is_told_with_the_text() -> None:
    notice = RetractionStatus(retracted=True, kind="retraction", source="publisher")

    found = await texts(source("europepmc", jats(), "doi"), keeps({DOI: notice})).read(DOI, ALICE)

    assert found.retraction == notice


async def test_a_source_without_the_body_is_followed_by_the_next() -> None:
    start, end = JATS.index(b"<body>"), JATS.index(b"</body>") + 7
    papers = texts(
        source("europepmc", None, "doi"),
        source("pubmed", jats(JATS[:start] + JATS[end:]), "pmcid"),
        source("biorxiv", jats(), "doi"),
        Registry(RECORD),
    )

    found = await papers.read(DOI, ALICE)

    assert (found.source, found.paper.title) == ("biorxiv", "Owls hear well")


async def test_a_number_that_a_registry_adds_is_tried() -> None:
    arxiv = source(
        "arxiv_html",
        FullTextFile(content=LATEXML, format="latexml", url="https://arxiv.org/html/2402.08954"),
        "arxiv",
    )
    record = RECORD.model_copy(update={"ids": {"arxiv": "2402.08954"}})

    found = await texts(arxiv, source("europepmc", None, "doi"), Registry(record)).read(DOI, ALICE)

    assert (found.source, found.format, found.paper.version) == ("arxiv_html", "latexml", "v1")
    assert found.ids == PaperIds(doi=DOI, arxiv="2402.08954", title="Owls hear well")
    assert found.abstract == "Owls hear."


async def test_an_open_pdf_has_the_licence_and_version_that_unpaywall_knows() -> None:
    place = OpenLocation(
        pdf="https://repo.example.org/owl.pdf", licence="cc-by", version="acceptedVersion"
    )
    free = copies({DOI: OpenCopy(open=True, locations=(place,))})
    files = Files({"https://repo.example.org/owl.pdf": OpenFile(PAPER, "pdf", "https://r.org/o")})

    found = await texts(Registry(RECORD), free, files=files).read(DOI, ALICE)

    assert found == PaperFullText(
        paper=PAPER.model_copy(
            update={"licence": "cc-by", "version": "acceptedVersion", "doi": DOI}
        ),
        ids=PaperIds(doi=DOI, title="Owls hear well"),
        available=True,
        source="open_copy",
        format="pdf",
        url="https://r.org/o",
        abstract="Owls hear.",
    )


async def test_a_closed_paper_is_not_available_and_it_is_said_where_it_is() -> None:
    free = copies({DOI: OpenCopy(open=False)})

    found = await texts(source("europepmc", None, "doi"), Registry(RECORD), free).read(DOI, ALICE)

    assert found == PaperFullText(
        paper=PaperText(title="Owls hear well", doi=DOI),
        ids=PaperIds(doi=DOI, title="Owls hear well"),
        available=False,
        abstract="Owls hear.",
        where=(OpenPlace(url=f"https://doi.org/{DOI}", what="the publisher's page"),),
    )


@pytest.mark.parametrize("failing", ["europepmc", "unpaywall"])
async def test_a_failing_source_never_means_not_available(failing: str) -> None:
    papers = texts(
        source("europepmc", DOWN if failing == "europepmc" else None, "doi"),
        Registry(RECORD),
        copies({DOI: DOWN if failing == "unpaywall" else OpenCopy(open=False)}),
    )

    with pytest.raises(ProviderError) as caught:
        await papers.read(DOI, ALICE)

    assert str(caught.value) == (
        "No open copy was found, but not all sources could be checked, so there may be one: "
        f"{failing}: Unavailable (it): HTTP 503. It is at https://doi.org/{DOI}. Retry later."
    )


async def test_an_open_copy_that_cannot_be_read_is_not_called_closed() -> None:
    place = OpenLocation(pdf="https://r.org/owl.pdf")
    files = Files({"https://r.org/owl.pdf": BlockedError("https://r.org/owl.pdf: HTTP 403.")})
    free = copies({DOI: OpenCopy(open=True, locations=(place,))})

    with pytest.raises(PageError, match=r"openly available but could not be read .* HTTP 403"):
        await texts(Registry(RECORD), free, files=files).read(DOI, ALICE)


async def test_a_text_that_is_no_article_is_a_failure_of_its_source() -> None:
    with pytest.raises(ProviderError, match=r"europepmc: The article is not XML"):
        await texts(source("europepmc", jats(b"{}"), "doi"), Registry(RECORD)).read(DOI, ALICE)


async def test_a_doi_that_nobody_registered_is_not_found() -> None:
    with pytest.raises(NotFoundError, match=r"10\.1000/unknown\.1 is not a registered DOI"):
        await texts(Registry(RECORD)).read("10.1000/unknown.1", ALICE)


async def test_a_title_is_looked_up() -> None:
    found = await texts(Registry(RECORD), source("europepmc", jats(), "doi")).read(
        "Owls hear WELL", ALICE
    )

    assert (found.source, found.ids.doi) == ("europepmc", DOI)


async def test_a_title_that_no_work_has_names_the_closest() -> None:
    with pytest.raises(NotFoundError, match="The closest is 'Owls hear well'"):
        await texts(Registry(RECORD)).read("Submarines of the Baltic", ALICE)


async def test_a_title_that_could_not_be_looked_up_is_not_called_unknown() -> None:
    with pytest.raises(ProviderError, match="could not be looked up: crossref: Unavailable"):
        await texts(Registry(fails=DOWN)).read("Submarines of the Baltic", ALICE)


async def test_an_article_at_a_url_is_read_there() -> None:
    url = "https://journal.example.org/owls"
    files = Files({url: OpenFile(PAPER, "html", url)})

    found = await texts(files=files).read(url, ALICE)

    assert (found.source, found.format, found.url) == ("open_copy", "html", url)


async def test_a_page_with_an_abstract_leads_to_the_text_by_its_doi() -> None:
    url = "https://journal.example.org/owls"
    page = OpenFile(PAPER.model_copy(update={"doi": DOI}), "html", url, complete=False)
    papers = texts(source("europepmc", jats(), "doi"), files=Files({url: page}))

    found = await papers.read(url, ALICE)

    assert (found.source, found.paper) == ("europepmc", OWLS)


async def test_a_page_without_a_text_and_without_a_doi_has_no_full_text() -> None:
    url = "https://journal.example.org/owls"
    files = Files({url: OpenFile(PAPER, "html", url, complete=False)})

    found = await texts(files=files).read(url, ALICE)

    assert found == PaperFullText(
        paper=PaperText(title="Owls in a file"),
        ids=PaperIds(url=url),
        available=False,
        where=(OpenPlace(url=url, what="the given page"),),
    )


async def test_a_paper_named_by_its_arxiv_number_is_read_at_arxiv() -> None:
    europepmc = source("europepmc", jats(), "doi", "pmid")
    arxiv = source("arxiv_html", None, "arxiv")
    files = Files({"https://arxiv.org/pdf/2402.08954v2": OpenFile(PAPER, "pdf", "https://a.org")})

    found = await texts(europepmc, arxiv, files=files).read("arXiv:2402.08954v2", ALICE)

    assert (found.source, found.paper.version) == ("open_copy", "submittedVersion")
    assert (europepmc.asked, len(arxiv.asked)) == ([], 1)
