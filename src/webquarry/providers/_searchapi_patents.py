"""Google Patents through SearchAPI.io (https://www.searchapi.io/docs/google-patents)."""

from webquarry.content.citations.patent_numbers import patent_number
from webquarry.content.text.snippets import plain_text
from webquarry.models.patents import Patent, PatentQuery
from webquarry.net.upstream.http_port import Scalar
from webquarry.providers.provider import Wire

MIN_ROWS = 10  # of a page; fewer cannot be requested


def patent_params(query: PatentQuery) -> dict[str, Scalar | None]:
    """Return the parameters of one search."""
    words = (query.number, query.text, f"CPC={query.cpc}/low" if query.cpc else None)
    return {
        "engine": "google_patents",
        "q": " ".join(word for word in words if word) or None,
        "assignee": query.assignee,
        "inventor": query.inventor,
        "country": query.office,
        "after": f"filing:{query.filed_from}0101" if query.filed_from else None,
        "before": f"filing:{query.filed_to + 1}0101" if query.filed_to else None,
        "num": max(MIN_ROWS, query.count),
    }


class PatentRow(Wire):
    """One row of the list."""

    patent_id: str | None = None
    publication_number: str | None = None
    title: str | None = None
    link: str | None = None
    patent_link: str | None = None
    snippet: str | None = None
    assignee: str | None = None
    inventor: str | None = None
    filing_date: str | None = None
    grant_date: str | None = None
    pdf: str | None = None

    @property
    def number(self) -> str | None:
        """The patent number, from whichever field has it."""
        texts = (self.publication_number, self.patent_id, self.link, self.patent_link)
        return next((number for text in texts if text and (number := patent_number(text))), None)

    def to_patent(self, number: str) -> Patent:
        page = self.link or self.patent_link
        return Patent(
            title=plain_text(self.title) or number,
            number=number,
            url=page or f"https://patents.google.com/patent/{number}/en",
            abstract=plain_text(self.snippet),
            assignee=plain_text(self.assignee),
            inventor=plain_text(self.inventor),
            filed=self.filing_date,
            granted=self.grant_date,
            pdf=self.pdf,
        )
