"""All sources of personal data, for export and erasure.

A new kind of personal data needs an entry in `storage/key_namespaces.py` and one here; a test
compares the two.
"""

from webquarry.auth.api_keys import ApiKeys
from webquarry.calls.limits import CallCounterPersonalData
from webquarry.crawl.personal_data import CrawlPersonalData
from webquarry.crawl.service import CrawlService
from webquarry.services.people.analytics import Analytics
from webquarry.services.people.consent import Consents
from webquarry.services.people.data_rights import DataRights
from webquarry.services.people.members import Members
from webquarry.services.people.workspaces import Workspaces
from webquarry.services.sessions.service import SessionService
from webquarry.storage.cached_result_owners import OwnedResults
from webquarry.storage.captures import Captures
from webquarry.storage.exchange_store import ExchangeStore
from webquarry.storage.index_personal_data import IndexedPages
from webquarry.storage.logins import Logins
from webquarry.storage.page_index import PageIndex
from webquarry.storage.personal_data import KeepsPersonalData, OwnedValues
from webquarry.storage.store import Store


def build_data_rights(
    store: Store, index: PageIndex | None, sessions: SessionService, crawling: CrawlService | None
) -> DataRights:
    """Return export and erasure over all personal data; index and crawls may be disabled."""
    sources: list[KeepsPersonalData] = [
        OwnedResults(store),
        OwnedValues(store, "answer"),
        OwnedValues(store, "artifact"),
        OwnedValues(store, "check"),
        OwnedValues(store, "ranked"),
        OwnedValues(store, "history"),
        OwnedValues(store, "task"),
        Captures(store),
        Logins(store),
        ExchangeStore(store),
        sessions,
        Consents(store),
        Members(store),
        Analytics(store),
        OwnedValues(store, "memory"),
        Workspaces(store, Members(store)),
        ApiKeys(store),
        CallCounterPersonalData(store),
    ]
    if index:
        sources.append(IndexedPages(index))
    if crawling:
        sources.append(CrawlPersonalData(crawling))
    return DataRights(sources, store)
