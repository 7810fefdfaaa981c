"""ar5iv, HTML versions of arXiv's papers, converted by LaTeXML (https://ar5iv.labs.arxiv.org)."""

from typing import ClassVar

from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.providers.works_wire import identifier_path

_LIMITS = ApiLimits(timeout=15, deadline=20, tries=2, max_bytes=24 * 2**20)


class Ar5iv:
    """Has the HTML of arXiv's papers, but not of the last weeks. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="ar5iv",
        docs="https://ar5iv.labs.arxiv.org",
        base_url="https://ar5iv.labs.arxiv.org",
    )
    full_text_ids: ClassVar = frozenset({"arxiv"})

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, _LIMITS)

    async def full_text(self, ids: PaperIds) -> FullTextFile | None:
        if ids.arxiv_version:  # there is only the last version
            return None
        # a paper that is not there is redirected to its abstract, which has no text by section
        response = await self._api.get(f"html/{identifier_path(ids.arxiv or '')}", expect=(404,))
        if response.status != 200:
            return None
        return FullTextFile(
            content=response.content,
            format="latexml",
            url=f"https://ar5iv.labs.arxiv.org/html/{ids.arxiv}",
        )
