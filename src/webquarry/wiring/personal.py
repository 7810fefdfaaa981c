"""Everything that keeps something about people, in one place.

A new kind of stored thing that is about people gets a line in `storage/kinds.py` and one here; a
test holds the two together.
"""

from webquarry.auth.api_keys import ApiKeys
from webquarry.services.crawling.rights import CrawledSites
from webquarry.services.crawling.service import Crawling
from webquarry.services.people.consent import Consents
from webquarry.services.people.members import Members
from webquarry.services.people.subjects import Subjects
from webquarry.services.people.workspaces import Workspaces
from webquarry.services.sessions.service import Sessions
from webquarry.storage.base import Store
from webquarry.storage.captures import Captures
from webquarry.storage.index import PageIndex
from webquarry.storage.index_rights import IndexedPages
from webquarry.storage.owned import OwnedResults
from webquarry.storage.personal import KeepsPersonalData, OwnedValues
from webquarry.tools.limits import CountsOfPeople


def build_subjects(
    store: Store, index: PageIndex | None, sessions: Sessions, crawling: Crawling | None
) -> Subjects:
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
        CountsOfPeople(store),
    ]
    if index:
        keepers.append(IndexedPages(index))
    if crawling:
        keepers.append(CrawledSites(crawling))
    return Subjects(keepers, store)
