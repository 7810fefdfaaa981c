"""Every namespace of stored keys, and whether it holds personal data.

A test fails when a key is stored whose namespace is not in this table, and when a personal
namespace is not exported and erased (`server/personal_data_sources.py`).
"""

from collections.abc import Mapping
from types import MappingProxyType

OWNED = "owned"
# personal data: the keys or the values name tenant and user
PERSONAL: Mapping[str, str] = MappingProxyType(
    {
        "analytics": "how often a person used which tool",
        "answer": "answers written from what a person's calls read",
        "apikey": "keys a person calls with",
        "artifact": "long results, for their owner",
        "capture": "texts of pages that a person quoted",
        "check": "documents that a person had checked, and what was found",
        "consent": "what a person agreed to",
        "contribution": "findings a person shared in a workspace",
        "exchange": "captured requests and responses of a person's calls",
        "history": "calls of the person whose machine it is: tool, subject and outcome",
        "limit": "how often a person called today",
        "login": "logins that a person stored for hosts: cookies and local storage",
        "member": "who belongs to a workspace",
        "payload": "bodies of captured responses",
        "ranked": "result lists of a person's searches, for paging",
        "session": "research sessions",
        "task": "calls that run as tasks: their arguments and results",
        "memory": "findings a person saved to recall later",
        OWNED: "which cached results a person's calls produced",
    }
)
# not personal: public pages, results and the health of upstreams
IMPERSONAL: Mapping[str, str] = MappingProxyType(
    {
        "brand": "brands of companies, from their public pages",
        "cache": "results of tools; whose calls produced them is in `owned`",
        "catalogue": "lists of what a source has",
        "found": "results of searches; whose calls produced them is in `owned`",
        "health": "the key that the readiness check reads",
        "link": "whether links were alive; whose calls checked them is in `owned`",
        "llm": "how much of a language model a tenant used on a day",
        "pace": "when the next request to an upstream is allowed",
        "page": "pages that were read; whose calls produced them is in `owned`",
        "searxng": "health of SearXNG instances",
    }
)
# caches: their values depend on the settings and on the program, so the store adds a digest of
# both to their keys; increase the number when what is stored changes its format or its meaning
CACHES: Mapping[str, int] = MappingProxyType(
    {
        "answer": 1,
        "brand": 1,
        "cache": 1,
        "catalogue": 1,
        "found": 1,
        "link": 1,
        "page": 1,
        "ranked": 1,
    }
)
# shared results: `Store.set` needs their owner, so that they can be erased with the person
SHARED = frozenset({"cache", "found", "link", "page"})
# files beside the store, in the data directory
FILES: Mapping[str, str] = MappingProxyType(
    {
        "store.sqlite3": "the store",
        "index.sqlite3": "full text of the pages that a person read",
        "crawls.sqlite3": "crawls that a person started, their pages, and monitors",
    }
)
