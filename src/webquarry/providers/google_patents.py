"""Google Patents, the page of one patent (https://patents.google.com)."""

from typing import ClassVar

from webquarry.content.citations.patent_numbers import patent_number
from webquarry.content.html.google_patents_page import PatentPage, read_patent_page
from webquarry.errors import PayloadError
from webquarry.models.patents import Patent
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import path_segment
from webquarry.providers.provider import Keys, ProviderInfo

LIMITS = ApiLimits(timeout=12, deadline=20, tries=2, max_bytes=8 * 2**20)  # descriptions are long


class GooglePatents:
    """Looks up a patent by its number. There is no search API."""

    about: ClassVar = ProviderInfo(
        name="google_patents",
        docs="https://support.google.com/faqs/answer/6390996",
        base_url="https://patents.google.com",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        self._api = upstreams.api(self.about.name, self.about.base_url, LIMITS)

    async def find_patent(self, number: str) -> Patent | None:
        response = await self._api.get(f"patent/{path_segment(number)}/en", expect=(404,))
        if response.status == 404:
            return None
        page = await self._api.parse_page(read_patent, response)
        if page is None:  # also a bot check
            raise PayloadError(
                f"Unexpected response ({self._api.name}): there is no patent on the page.",
                provider=self._api.name,
            )
        return _patent(number, page)


def read_patent(content: bytes) -> PatentPage | None:
    """Return the patent of a page, or None if it shows none."""
    from webquarry.content.html.dom import parse_html

    root = parse_html(content.decode())
    return None if root is None else read_patent_page(root)


def _patent(requested: str, page: PatentPage) -> Patent:
    number = patent_number(page.first("publicationNumber") or "") or requested
    properties = page.properties
    named = (*properties.get("assigneeOriginal", ()), *properties.get("assigneeCurrent", ()))
    assignees = tuple(dict.fromkeys(named))
    inventors = properties.get("inventor", ())
    # the page lists each class with and without its parents
    classes = tuple(code for code in properties.get("Code", ()) if code[:1].isalpha())
    return Patent(
        title=page.title or number,
        number=number,
        url=f"https://patents.google.com/patent/{number}/en",
        abstract=page.abstract,
        assignee=next(iter(assignees), None),
        inventor=next(iter(inventors), None),
        filed=page.first("filingDate"),
        granted=page.first("publicationDate") if number[-2:-1] == "B" else None,
        pdf=page.pdf,
        status=page.first("ifiStatus", "legalStatusIfi"),
        assignees=assignees,
        inventors=inventors,
        classes=classes,
    )
