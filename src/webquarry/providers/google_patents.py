"""Google Patents, the page of one patent (https://patents.google.com)."""

from typing import ClassVar

from webquarry.content.citations.patent_numbers import patent_number
from webquarry.content.html.google_patents_page import PatentPage, patent_page
from webquarry.errors import PayloadError
from webquarry.models.patents import Patent
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import segment
from webquarry.providers.provider import Keys, ProviderInfo

LIMITS = ApiLimits(timeout=12, deadline=20, tries=2, max_bytes=8 * 2**20)  # descriptions are long


class GooglePatents:
    """Knows a patent by its number. It has no search that programs may use."""

    about: ClassVar = ProviderInfo(
        name="google_patents",
        docs="https://support.google.com/faqs/answer/6390996",
        base_url="https://patents.google.com",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        self._api = upstreams.api(self.about.name, self.about.base_url, LIMITS)

    async def find_patent(self, number: str) -> Patent | None:
        from webquarry.content.html.dom import parse_html

        response = await self._api.get(f"patent/{segment(number)}/en", expect=(404,))
        if response.status == 404:
            return None
        root = parse_html(response.text)
        page = None if root is None else patent_page(root)
        if page is None:  # a page for robots looks like that too
            raise PayloadError(
                f"Unexpected answer ({self._api.name}): there is no patent on the page.",
                provider=self._api.name,
            )
        return _patent(number, page)


def _patent(asked: str, page: PatentPage) -> Patent:
    number = patent_number(page.first("publicationNumber") or "") or asked
    owners = tuple(
        dict.fromkeys(
            (*page.marks.get("assigneeOriginal", ()), *page.marks.get("assigneeCurrent", ()))
        )
    )
    people = page.marks.get("inventor", ())
    # "cpcs" marks one class each; the page repeats them with and without their parents
    classes = tuple(code for code in page.marks.get("Code", ()) if code[:1].isalpha())
    return Patent(
        title=page.title or number,
        number=number,
        url=f"https://patents.google.com/patent/{number}/en",
        abstract=page.abstract or None,
        assignee=owners[0] if owners else None,
        inventor=people[0] if people else None,
        filed=page.first("filingDate"),
        granted=page.first("publicationDate") if number[-2:-1] == "B" else None,
        pdf=page.pdf or None,
        status=page.first("ifiStatus", "legalStatusIfi"),
        assignees=owners or None,
        inventors=people or None,
        classes=classes or None,
    )
