"""Every kind of thing we store, and whether it says something about a person.

A test fails when a name is stored whose kind is not in this table, and when a kind that is about
people is not exported and erased with them (`wiring/personal.py`).
"""

from collections.abc import Mapping
from types import MappingProxyType

# of people: their names have tenant and user in them, or their values do
PERSONAL: Mapping[str, str] = MappingProxyType(
    {
        "analytics": "how often a person used which tool",
        "answer": "answers made of what a person's calls read",
        "apikey": "keys a person calls with",
        "artifact": "long results, for their owner",
        "capture": "texts of pages a person quoted",
        "consent": "what a person agreed to",
        "contribution": "findings a person shared in a workspace",
        "limit": "how often a person called today",
        "member": "who belongs to a workspace",
        "session": "research sessions",
        "memory": "findings a person wants to recall",
        "owned": "which cached results a person's calls made",
    }
)
# of nobody: public pages, answers and the health of others
IMPERSONAL: Mapping[str, str] = MappingProxyType(
    {
        "brand": "brands of companies, from their public pages",
        "cache": "results of tools; whose calls made them is in `owned`",
        "catalogue": "lists of what a source has",
        "found": "results of searches; whose calls made them is in `owned`",
        "health": "the name that readiness asks for",
        "link": "whether links were alive",
        "llm": "how much of a language model a tenant used on a day",
        "pace": "when an upstream may be asked again",
        "page": "pages that were read; whose calls made them is in `owned`",
        "searxng": "health of SearXNG instances",
    }
)
# shared results that a person's call may have made: they are forgotten with the person
SHARED = frozenset({"cache", "found", "page"})
# files beside the store, in the data directory
FILES: Mapping[str, str] = MappingProxyType(
    {
        "store.sqlite3": "the store",
        "index.sqlite3": "pages a person read, in full text",
        "crawls.sqlite3": "crawls a person began, and their pages",
    }
)
