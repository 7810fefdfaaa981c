"""Everything that keeps something about people, in one place.

A new kind of stored thing that is about people gets a line in `storage/kinds.py` and one here; a
test holds the two together.
"""

from webquarry.auth.api_keys import ApiKeys
from webquarry.calls.limits import CallCounterPersonalData
from webquarry.crawl.personal_data import CrawlPersonalData
from webquarry.crawl.service import CrawlService
from webquarry.services.people.consent import Consents
from webquarry.services.people.data_rights import DataRights
from webquarry.services.people.members import Members
from webquarry.services.people.workspaces import Workspaces
from webquarry.services.sessions.service import SessionService
from webquarry.storage.cached_result_owners import OwnedResults
from webquarry.storage.captures import Captures
from webquarry.storage.index_personal_data import IndexedPages
from webquarry.storage.page_index import PageIndex
from webquarry.storage.personal_data import KeepsPersonalData, OwnedValues
from webquarry.storage.store import Store


def build_subjects(
    store: Store, index: PageIndex | None, sessions: SessionService, crawling: CrawlService | None
) -> DataRights:
    """Return the rights of people over all that is stored; an index or crawls may be off."""
    keepers: list[KeepsPersonalData] = [
        OwnedResults(store),
        OwnedValues(store, "answer"),
        OwnedValues(store, "artifact"),
        Captures(store),
        sessions,
        Consents(store),
        Members(store),
        OwnedValues(store, "analytics"),
        OwnedValues(store, "memory"),
        Workspaces(store, Members(store)),
        ApiKeys(store),
        CallCounterPersonalData(store),
    ]
    if index:
        keepers.append(IndexedPages(index))
    if crawling:
        keepers.append(CrawlPersonalData(crawling))
    return DataRights(keepers, store)
