"""Wikidata, facts about organisations and brands (https://www.wikidata.org/wiki/Wikidata:REST_API)."""

from typing import Any, ClassVar, cast

from pydantic import AliasPath, Field

from webquarry.content.ranking.known_sites import ascii_host
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import path_segment
from webquarry.providers.capabilities_owners import Owner
from webquarry.providers.provider import Keys, ProviderInfo, Wire

_OWNED_BY, _PART_OF, _WEBSITE = "P127", "P749", "P856"
_CANDIDATES = 3
_MAX_OWNERS = 4


class Wikidata:
    """Knows the owners of brands and companies. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="wikidata",
        docs="https://www.wikidata.org/w/api.php?action=help&modules=wbsearchentities",
        base_url="https://www.wikidata.org",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = ApiLimits(
            timeout=8, deadline=12, tries=2, per_second=5, burst=5, max_bytes=20 << 20
        )
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    async def owners(self, name: str) -> tuple[Owner, ...]:
        for item in await self._named(name):
            entity = await self._entity(item)
            owned = [*entity.items(_OWNED_BY), *entity.items(_PART_OF)]
            if owned:
                found = [await self._entity(each) for each in dict.fromkeys(owned[:_MAX_OWNERS])]
                return tuple(Owner(each.label, each.hosts()) for each in found)
        return ()

    async def _named(self, name: str) -> list[str]:
        """Return the items with exactly this label."""
        params = {
            "action": "wbsearchentities",
            "search": name,
            "language": "en",
            "limit": _CANDIDATES,
            "format": "json",
        }
        found = self._api.decode(_Results, await self._api.get("w/api.php", params=params))
        key = name.casefold()
        return [each.id for each in found.search if (each.label or "").casefold() == key]

    async def _entity(self, item: str) -> "_Entity":
        path = f"wiki/Special:EntityData/{path_segment(item)}.json"
        entities = self._api.decode(_Entities, await self._api.get(path)).entities
        # a merged item is returned under the id of the other
        return entities.get(item) or next(iter(entities.values()), _Entity())


class _Hit(Wire):
    id: str
    label: str | None = None


class _Results(Wire):
    search: tuple[_Hit, ...]


class _Statement(Wire):
    value: Any = Field(default=None, validation_alias=AliasPath("mainsnak", "datavalue", "value"))
    rank: str | None = None
    ended: Any = Field(default=None, validation_alias=AliasPath("qualifiers", "P582"))


class _Label(Wire):
    value: str


class _Entity(Wire):
    labels: dict[str, _Label] | list[Any] | None = None
    claims: dict[str, tuple[_Statement, ...]] | list[Any] | None = (
        None  # an empty object is sent as a list
    )

    @property
    def label(self) -> str:
        known = self.labels if isinstance(self.labels, dict) else {}
        best = known.get("en") or next(iter(known.values()), None)
        return best.value if best else ""

    def items(self, name: str) -> list[str]:
        """Return the current values of a property."""
        found = (cast("dict[str, Any]", v) for v in self._values(name) if isinstance(v, dict))
        return [str(value["id"]) for value in found if value.get("id")]

    def hosts(self) -> tuple[str, ...]:
        sites = (ascii_host(value) for value in self._values(_WEBSITE) if isinstance(value, str))
        return tuple(dict.fromkeys(host for host in sites if host))

    def _values(self, name: str) -> list[Any]:
        known = self.claims if isinstance(self.claims, dict) else {}
        current = (each for each in known.get(name, ()) if each.rank != "deprecated")
        return [each.value for each in current if not each.ended]


class _Entities(Wire):
    entities: dict[str, _Entity]
