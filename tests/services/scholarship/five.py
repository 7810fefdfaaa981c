"""The same 25 works, as the answers of five providers describe them."""

import json
from typing import Any
from xml.sax.saxutils import escape

from tests.replay import FakeClock
from webquarry.models.works import Work, WorkQuery
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.arxiv import Arxiv
from webquarry.providers.crossref import Crossref
from webquarry.providers.openalex import OpenAlex
from webquarry.providers.pubmed import PubMed
from webquarry.providers.semanticscholar import SemanticScholar

COUNT = 25
_FAMILIES = ("Strix", "Tyto", "Bubo", "García", "van den Uil")
_ATOM = (
    'xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom" '
    'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
)


class Fake:
    """`Http` that has one body for every address with a certain part in it."""

    def __init__(self, **bodies: str) -> None:
        self._bodies = bodies

    async def send(self, request: ApiRequest) -> FetchedResponse:
        for part, body in self._bodies.items():
            if part in request.full_url:
                return FetchedResponse(status=200, headers=Headers(), content=body.encode())
        raise AssertionError(request.full_url)


def upstreams(**bodies: str) -> Upstreams:
    return Upstreams(Fake(**bodies), clock=FakeClock().clock())


async def described() -> dict[str, tuple[Work, ...]]:
    """Return what each adapter makes of its provider's answer, each in an order of its own."""
    query, keys = WorkQuery(text="owls", count=COUNT), {"OPENALEX_EMAIL": "me@example.org"}
    numbers = list(range(COUNT))
    pubmed = upstreams(esearch=_esearch(numbers), efetch=_efetch(numbers[::-1]))
    found = {
        "openalex": OpenAlex(upstreams(works=_openalex(numbers)), keys),
        "crossref": Crossref(upstreams(works=_crossref(numbers[7:] + numbers[:7])), {}),
        "pubmed": PubMed(pubmed, {}),
        "semanticscholar": SemanticScholar(upstreams(search=_scholar(numbers[::-1])), {}),
        "arxiv": Arxiv(upstreams(query=_arxiv(numbers[::2] + numbers[1::2])), {}),
    }
    return {name: (await each.search_works(query)).items for name, each in found.items()}


def title(n: int) -> str:
    # two in a series, and two that share everything but their DOIs
    if n in (23, 24):
        return "Editorial"
    return f"Hearing of <i>owls</i> & mice, part {n}" if n else "Über Eulen\u2010Ohren"


def doi(n: int) -> str:
    return f"10.1000/Owl.({n})"


def year(n: int) -> int:
    return 2000 + n % 20


def arxiv_number(n: int) -> str:
    return f"2101.{n:05d}"


def _family(n: int) -> str:
    return _FAMILIES[n % 5]


def _plain(n: int) -> str:
    return title(n).replace("<i>", "").replace("</i>", "")


def _openalex(numbers: list[int]) -> str:
    return json.dumps({"meta": {"count": COUNT}, "results": [_openalex_work(n) for n in numbers]})


def _openalex_work(n: int) -> dict[str, Any]:
    return {
        "id": f"https://openalex.org/W{n}",
        "doi": f"https://doi.org/{doi(n).lower()}",
        "display_name": _plain(n).upper() if n % 6 == 5 else _plain(n),
        "publication_year": year(n),
        "publication_date": f"{year(n)}-02-03",
        "ids": {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{100 + n}"},
        "primary_location": {"source": {"display_name": "Journal of Owl Studies"}},
        "open_access": {"is_oa": True},
        "authorships": [{"author": {"display_name": f"Ada {_family(n)}"}},
                        {"author": {"display_name": "Bo Asio"}}],
        "cited_by_count": 10 + n,
        "abstract_inverted_index": {"Owls": [0], "hear.": [1]},
    }  # fmt: skip


def _crossref(numbers: list[int]) -> str:
    items = [_crossref_work(n) for n in numbers]
    return json.dumps({"message": {"total-results": COUNT, "items": items}})


def _crossref_work(n: int) -> dict[str, Any]:
    retracted = {"type": "retraction", "DOI": "10.1000/notice", "source": "retraction-watch"}
    return {
        "DOI": doi(n),
        "title": [("RETRACTED: " if n == 4 else "") + title(n).replace("&", "&amp;")],
        "author": [{"given": "A.", "family": _family(n)}, {"given": "Bo", "family": "Asio"}],
        "container-title": ["Journal of Owl Studies"],
        "published": {"date-parts": [[year(n), 2]]},
        "is-referenced-by-count": 5 + n,
        "publisher": "Owl Press",
        "volume": "3",
        "issue": "1",
        "page": "7-19",
        "updated-by": [retracted] if n == 4 else [],
    }


def _esearch(numbers: list[int]) -> str:
    listed = [str(100 + n) for n in numbers]
    return json.dumps({"esearchresult": {"count": str(COUNT), "idlist": listed}})


def _efetch(numbers: list[int]) -> str:
    return f"<PubmedArticleSet>{''.join(map(_pubmed_article, numbers))}</PubmedArticleSet>"


def _pubmed_article(n: int) -> str:
    named = "" if n % 4 == 0 else f'<ArticleId IdType="doi">{escape(doi(n))}</ArticleId>'
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{100 + n}</PMID><Article><Journal><JournalIssue>"
        f"<Volume>3</Volume><PubDate><Year>{year(n)}</Year></PubDate></JournalIssue>"
        "<Title>Journal of owl studies</Title></Journal>"
        f"<ArticleTitle>{title(n).replace('&', '&amp;')}.</ArticleTitle>"
        "<Pagination><MedlinePgn>7-19</MedlinePgn></Pagination>"
        "<Abstract><AbstractText>Owls hear, as we show at length.</AbstractText></Abstract>"
        f"<AuthorList><Author><LastName>{_family(n)}</LastName><ForeName>Ada</ForeName></Author>"
        "<Author><LastName>Asio</LastName><Initials>B</Initials></Author></AuthorList></Article>"
        f'</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pmc">PMC{900 + n}'
        f"</ArticleId>{named}</ArticleIdList></PubmedData></PubmedArticle>"
    )


def _scholar(numbers: list[int]) -> str:
    return json.dumps({"total": COUNT, "offset": 0, "data": [_scholar_paper(n) for n in numbers]})


def _scholar_paper(n: int) -> dict[str, Any]:
    ids = {"ArXiv": arxiv_number(n), "PubMed": str(100 + n), "CorpusId": n}
    return {
        "paperId": f"s{n}",
        "title": _plain(n),
        "year": year(n) - (1 if n == 5 else 0),
        "venue": "J. Owl Stud.",
        "citationCount": 20 + n,
        "influentialCitationCount": n,
        "isOpenAccess": n != 6,
        "openAccessPdf": {"url": f"https://example.org/{n}.pdf"},
        "externalIds": ids if n % 3 == 0 else ids | {"DOI": doi(n).upper()},
        "authors": [{"name": f"A. {_family(n)}"}, {"name": "B. Asio"}],
        "tldr": {"text": "Owls hear."},
        "publicationTypes": ["JournalArticle"],
    }


def _arxiv(numbers: list[int]) -> str:
    return f"<feed {_ATOM}>{''.join(map(_arxiv_entry, numbers))}</feed>"


def _arxiv_entry(n: int) -> str:
    # only the editorials and every second paper name the DOI of the journal
    named = f"<arxiv:doi>{escape(doi(n))}</arxiv:doi>" if n % 2 or n == 24 else ""
    number = arxiv_number(n)
    return (
        f"<entry><id>http://arxiv.org/abs/{number}v1</id><title>{escape(_plain(n))}</title>"
        f"<summary>Owls hear.</summary><published>{year(n)}-01-09T00:00:00Z</published>"
        f'<link href="https://arxiv.org/pdf/{number}v1" title="pdf"/>'
        f"<author><name>Ada {_family(n)}</name></author><author><name>Bo Asio</name></author>"
        f"{named}</entry>"
    )
