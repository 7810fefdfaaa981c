"""`paper_fulltext`: what a client sees."""

from typing import Any

import pytest

from tests.content.papers.test_jats import OWLS
from tests.support import CallHarness, override, services
from webquarry.models.caller import Caller
from webquarry.models.paper_text import OpenPlace, PaperFullText, PaperIds, PaperText
from webquarry.models.reading import RetractionStatus
from webquarry.models.result import Result, TextBlock
from webquarry.models.zero_results import TRUST
from webquarry.tools.paper_fulltext import paper_fulltext

pytestmark = pytest.mark.anyio

URL = "https://pmc.ncbi.nlm.nih.gov/articles/PMC456"
FOUND = PaperFullText(
    paper=OWLS,
    ids=PaperIds(doi="10.1000/owl.1", pmcid="PMC456"),
    available=True,
    source="europepmc",
    format="jats",
    url=URL,
)
OUTLINE = [
    {"title": "Abstract", "level": 1, "words": 0},
    {"title": "Aims", "level": 2, "words": 2},
    {"title": "Introduction", "level": 1, "words": 10},
    {"title": "Hearing", "level": 2, "words": 11},
    {"title": "Results", "level": 1, "words": 28},
    {"title": "Acknowledgements", "level": 1, "words": 1},
]


class Texts:
    def __init__(self, found: PaperFullText) -> None:
        self.found = found

    async def read(self, paper: str, caller: Caller) -> PaperFullText:
        return self.found


async def call(found: PaperFullText = FOUND, **arguments: Any) -> Result:
    built = override(services(), paper_texts=Texts(found))
    desk = CallHarness((paper_fulltext,), services=built)
    return await desk.call("paper_fulltext", {"paper": "PMC456"} | arguments)


def text_of(result: Result) -> str:
    assert isinstance(result.content[0], TextBlock)
    return result.content[0].text


async def body(found: PaperFullText = FOUND, **arguments: Any) -> dict[str, Any]:
    structured = (await call(found, **arguments)).structured
    assert structured is not None
    return structured


async def test_a_section_comes_with_its_subsections_and_what_it_cites() -> None:
    found = await body(section="introduction")

    assert found == {
        "title": "Owls hear well",
        "available": True,
        "url": URL,
        "doi": "10.1000/owl.1",
        "ids": {"pmcid": "PMC456"},
        "authors": ["Ada Strix", "Owl Group"],
        "journal": "Journal of Owls",
        "published": "2021-03-04",
        "format": "jats",
        "source": "europepmc",
        "licence": "https://creativecommons.org/licenses/by/4.0/",
        "version": "published version",
        "sections": OUTLINE,
        "content": "## Introduction\n\nOwls hunt at night [[1](#B1),[2](#B2)] with $x_1 = 2$ "
        "care.\n\n### Hearing\n\nSee Figure 1 and H<sub>2</sub>O.\n\n**Figure 1.** **An owl.**"
        "\n\nIt listens.",
        "figures": [{"label": "Figure 1", "caption": "An owl. It listens.", "section": "Hearing"}],
        "references": [
            {
                "id": "B1",
                "label": "1",
                "text": "Tyto B. (2001). Night hunting. J Owls, 3, 1\u20139",
                "title": "Night hunting",
                "year": "2001",
                "doi": "10.1000/n.1",
                "url": "https://doi.org/10.1000/n.1",
                "citedIn": ["Introduction"],
            },
            {
                "id": "B2",
                "label": "2",
                "text": "Bubo C. Ears. Owl Lett (1999).",
                "title": "Ears",
                "year": "1999",
                "citedIn": ["Introduction"],
            },
        ],
        "trust": TRUST,
    }


async def test_a_query_returns_passages_with_links_to_them() -> None:
    found = await body(query="owls hunt night")

    assert found["passages"][0] == {
        "text": "Owls hunt at night [1,2] with $x_1 = 2$ care.",
        "section": "Introduction",
        "score": 1.0,
        "url": f"{URL}#s1:~:text=Owls%20hunt%20at%20night%20%5B1%2C2%5D%20with",
    }
    assert "content" not in found


async def test_a_query_without_matches_says_so() -> None:
    found = await body(query="submarine")

    assert found["notes"] == ["No passage has words of 'submarine'."]


async def test_the_references_are_a_section_of_their_own() -> None:
    found = await body(section="References")

    assert [reference["id"] for reference in found["references"]] == ["B1", "B2"]
    assert "content" not in found


async def test_an_unknown_section_names_those_there_are() -> None:
    result = await call(section="Methods")

    assert result.problem is not None
    assert result.problem.message == (
        "section: the paper has none that is called 'Methods'. Its sections: 'Abstract', 'Aims', "
        "'Introduction', 'Hearing', 'Results', 'Acknowledgements'."
    )


async def test_the_text_says_licence_version_and_source_first() -> None:
    text = text_of(await call(section="Results"))

    assert text.startswith(
        "# Owls hear well\n"
        "Ada Strix, Owl Group. Journal of Owls. 2021-03-04. doi:10.1000/owl.1\n"
        f"Untrusted content of {URL} (published version, "
        "licence https://creativecommons.org/licenses/by/4.0/, read as jats).\n\n"
        "## Results\n\nSee table."
    )


async def test_a_long_paper_is_continued_by_its_cursor() -> None:
    sections = tuple(
        OWLS.sections[2].model_copy(update={"title": f"Part {n}", "text": "Owls hunt. " * 100})
        for n in range(20)
    )
    long = FOUND.model_copy(update={"paper": OWLS.model_copy(update={"sections": sections})})
    built = override(services(), paper_texts=Texts(long))
    desk = CallHarness((paper_fulltext,), services=built)
    read, cursor, calls = "", None, 0
    while cursor is not None or not calls:
        arguments = {"paper": "PMC456", "max_tokens": 1500, "cursor": cursor}
        found = (await desk.call("paper_fulltext", arguments)).structured or {}
        read += found.get("content") or ""
        cursor, calls = found.get("nextCursor"), calls + 1

    assert calls > 3
    assert [f"## Part {n}\n" in read for n in range(20)] == [True] * 20


async def test_a_paper_that_is_not_open_is_said_to_be_elsewhere() -> None:
    closed = PaperFullText(
        paper=PaperText(title="Owls", doi="10.1000/owl.1"),
        ids=PaperIds(doi="10.1000/owl.1"),
        available=False,
        abstract="Owls hear.",
        where=(OpenPlace(url="https://doi.org/10.1000/owl.1", what="the publisher's page"),),
        retraction=RetractionStatus(retracted=True, kind="retraction"),
    )

    assert text_of(await call(closed)) == (
        "# Owls\ndoi:10.1000/owl.1\nNot openly available.\n"
        "- the publisher's page: https://doi.org/10.1000/owl.1\n\nNOTICE: retraction.\n\n"
        "## Abstract\n\nOwls hear."
    )


async def test_citations_without_an_entry_are_counted() -> None:
    paper = OWLS.model_copy(update={"markers": 9, "unlinked": 2})

    found = await body(FOUND.model_copy(update={"paper": paper}))

    assert found["notes"] == ["2 of 9 citations could not be linked to the reference list."]
