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
from webquarry.services.watching.personal_data import MonitorPersonalData
from webquarry.services.watching.service import MonitorService
from webquarry.storage.cached_result_owners import OwnedResults
from webquarry.storage.captures import Captures
from webquarry.storage.exchange_store import ExchangeStore
from webquarry.storage.index_personal_data import IndexedPages
from webquarry.storage.logins import Logins
from webquarry.storage.page_index import PageIndex
from webquarry.storage.personal_data import JoinedPersonalData, KeepsPersonalData, OwnedValues
from webquarry.storage.store import Store


def build_data_rights(
    store: Store,
    index: PageIndex | None,
    sessions: SessionService,
    crawling: CrawlService | None,
    watching: MonitorService | None = None,
) -> DataRights:
    """Return export and erasure over all personal data; index, crawls, monitors may be disabled."""
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
    in_crawl_database: list[KeepsPersonalData] = []
    if watching:
        in_crawl_database.append(MonitorPersonalData(watching))
    if crawling:
        in_crawl_database.append(CrawlPersonalData(crawling))
    if in_crawl_database:
        sources.append(JoinedPersonalData(in_crawl_database))
    return DataRights(sources, store)
