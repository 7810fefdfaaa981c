"""Personal data: the port through which it is exported and erased, wherever it is stored."""

import base64
import json
from collections.abc import Sequence
from typing import Any, Protocol

from webquarry.storage.key_names import name_of
from webquarry.storage.store import Store, StoredValue

Record = dict[str, Any]


class KeepsPersonalData(Protocol):
    """A part of the application that stores personal data.

    Implement it for whatever you store about people and add it to
    `server/personal_data_sources.py`; for values with keys `namespace:tenant:user:…`,
    `OwnedValues(store, namespace)` is enough.
    """

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the namespaces and files (`storage/key_namespaces.py`) it covers."""
        ...

    async def export(self, tenant: str, user: str) -> list[Record]:
        """Return everything stored about one person, as JSON."""
        ...

    async def erase(self, tenant: str, user: str) -> int:
        """Erase everything stored about one person; return how many items that were."""
        ...


class OwnedValues:
    """The values and logs of one namespace whose keys start with tenant and user."""

    def __init__(self, store: Store, namespace: str) -> None:
        self._store = store
        self._namespace = namespace

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self._namespace,)

    async def export(self, tenant: str, user: str) -> list[Record]:
        prefix = name_of(self._namespace, tenant, user, "")
        values = [(key, await self._store.get(key)) async for key in self._store.scan(prefix)]
        logs = [(key, await self._store.entries(key)) async for key in self._store.logs(prefix)]
        return [
            *(as_record(key, entry) for key, entry in values if entry is not None),
            *({"name": key, "log": [_json(e) for e in log]} for key, log in logs if log),
        ]

    async def erase(self, tenant: str, user: str) -> int:
        prefix = name_of(self._namespace, tenant, user, "")
        keys = {key async for key in self._store.scan(prefix)}
        keys |= {key async for key in self._store.logs(prefix)}
        return sum([await self._store.delete(key) for key in keys])


class JoinedPersonalData:
    """Several parts that keep personal data in the same place."""

    def __init__(self, parts: Sequence[KeepsPersonalData]) -> None:
        self._parts = parts

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(kind for part in self._parts for kind in part.kinds))

    async def export(self, tenant: str, user: str) -> list[Record]:
        return [record for part in self._parts for record in await part.export(tenant, user)]

    async def erase(self, tenant: str, user: str) -> int:
        return sum([await part.erase(tenant, user) for part in self._parts])


def as_record(name: str, entry: StoredValue) -> Record:
    """Return a stored value as JSON-ready data."""
    record: Record = {"name": name, "storedAt": entry.stored_at, "expiresAt": entry.expires_at}
    return record | {"value": _json(entry.value)}


def _json(value: bytes) -> Any:
    """Return decoded JSON, else the text, else base64."""
    try:
        return json.loads(value)
    except ValueError:
        pass
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}
