"""arXiv's HTML versions of papers, converted by LaTeXML (https://info.arxiv.org/about/accessible_HTML.html)."""

from typing import ClassVar

from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.providers.works_wire import identifier_path

# the terms of use allow one request every three seconds
_LIMITS = ApiLimits(
    timeout=15, deadline=20, tries=2, per_second=1 / 3, burst=2, max_bytes=24 * 2**20
)


class ArxivHtml:
    """Has the HTML of papers since December 2023, and of some older ones. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="arxiv_html",
        docs="https://info.arxiv.org/about/accessible_HTML.html",
        base_url="https://arxiv.org",
    )
    full_text_ids: ClassVar = frozenset({"arxiv"})

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, _LIMITS)

    async def full_text(self, ids: PaperIds) -> FullTextFile | None:
        number = f"{ids.arxiv}{ids.arxiv_version or ''}"
        response = await self._api.get(f"html/{identifier_path(number)}", expect=(404,))
        if response.status != 200:
            return None
        return FullTextFile(
            content=response.content, format="latexml", url=f"https://arxiv.org/html/{number}"
        )
