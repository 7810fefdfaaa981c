"""Captured exchanges, stored encrypted for their owner; the same body is stored once."""

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from webquarry.models.exchange import Exchange
from webquarry.storage.exchange_batch import (
    BodyPlace,
    PackedExchanges,
    StoredExchange,
    batch_of,
    body_digests,
    pack_exchanges,
    read_body,
    read_heads,
)
from webquarry.storage.key_names import name_of, parts_of
from webquarry.storage.personal_data import Record
from webquarry.storage.store import Store, StoreWrite

_HEADS, _BODIES = "exchange", "payload"
_MAX_KNOWN = 20_000
_BODIES_GRACE = 3600.0  # bodies outlive the exchanges that share them
_NAME_DIGITS = 13  # of the time in a name: names sort by time
_INLINE_BYTES = 2**19  # of bodies; more are hashed and compressed in a thread
_MAX_READ_BATCHES, _MAX_READ_PACKS = 4, 2


class CaptureGroup(NamedTuple):
    """What exchanges were captured for, and whose they are."""

    tenant: str
    user: str
    name: str  # such as `crawl.ID`


class _KnownBody(NamedTuple):
    place: BodyPlace
    stored_at: float


@dataclass
class ExchangeStore:
    """Exchanges by owner and group."""

    store: Store
    ttl: float = 90 * 86_400.0
    kinds: tuple[str, ...] = (_HEADS, _BODIES)
    clock: Callable[[], float] = time.time
    # bodies this process has stored: they are not written again
    _known: OrderedDict[tuple[str, str, str], _KnownBody] = field(
        default_factory=OrderedDict[tuple[str, str, str], _KnownBody]
    )

    async def save(self, group: CaptureGroup, exchanges: Iterable[Exchange]) -> int:
        """Store exchanges of one group; return how many bytes that took."""
        listed = sorted(exchanges, key=lambda each: each.at)
        if not listed:
            return 0
        name = f"{int(listed[0].at * 1000):0{_NAME_DIGITS}d}-{os.urandom(8).hex()}"
        pack = name_of(_BODIES, group.tenant, group.user, name)
        packed = await self._packed(group, listed, pack)
        key = name_of(_HEADS, group.tenant, group.user, group.name, name)
        writes = [StoreWrite(key, packed.heads, self.ttl)]
        if packed.bodies:
            writes.insert(0, StoreWrite(pack, packed.bodies, self.ttl + 2 * _BODIES_GRACE))
        await self.store.set_all(writes)
        self._remember(group, pack, packed)
        return len(packed.heads) + len(packed.bodies)

    async def _packed(
        self, group: CaptureGroup, exchanges: Sequence[Exchange], pack: str
    ) -> PackedExchanges:
        if sum(len(each.body) for each in exchanges) <= _INLINE_BYTES:
            digests = body_digests(exchanges)
            return pack_exchanges(exchanges, digests, await self._stored(group, digests), pack)
        digests = await asyncio.to_thread(body_digests, exchanges)
        stored = await self._stored(group, digests)
        return await asyncio.to_thread(pack_exchanges, exchanges, digests, stored, pack)

    async def _stored(self, group: CaptureGroup, digests: Sequence[str]) -> dict[str, BodyPlace]:
        """Return where the bodies are that were stored shortly before and still are."""
        oldest = self.clock() - _BODIES_GRACE
        recent = {
            digest: known.place
            for digest in digests
            if (known := self._known.get((group.tenant, group.user, digest)))
            and known.stored_at > oldest
        }
        packs = {place.pack for place in recent.values()}
        # another process may have erased them
        kept = {pack for pack in packs if await self.store.ttl(pack) is not None}
        return {digest: place for digest, place in recent.items() if place.pack in kept}

    def _remember(self, group: CaptureGroup, pack: str, packed: PackedExchanges) -> None:
        now = self.clock()
        for digest, place in packed.places.items():
            if place.pack == pack:
                self._known[group.tenant, group.user, digest] = _KnownBody(place, now)
        while len(self._known) > _MAX_KNOWN:
            self._known.popitem(last=False)

    def reader(self) -> "ExchangeReader":
        """Return what reads many exchanges one by one."""
        return ExchangeReader(self.store)

    async def heads(self, group: CaptureGroup) -> AsyncIterator[StoredExchange]:
        """Yield the exchanges of a group without their bodies, about in the order of their times.

        A group without a name: all exchanges of its owner.
        """
        reader = self.reader()
        for key in await self._batches(group):
            for found in await reader.batch(key):
                yield found

    async def _batches(self, group: CaptureGroup) -> list[str]:
        parts = (group.tenant, group.user, *([group.name] if group.name else []), "")
        keys = [key async for key in self.store.scan(name_of(_HEADS, *parts))]
        return sorted(keys, key=lambda key: parts_of(key)[-1])

    async def used(self, tenant: str, user: str) -> int:
        """Return about how many bytes the exchanges of a person take."""
        places = {each.place async for each in self.heads(CaptureGroup(tenant, user, ""))}
        return sum(place.length for place in places)

    async def erase_group(self, group: CaptureGroup) -> int:
        """Erase the exchanges of a group, and the bodies that no other group uses."""
        count, packs = 0, set[str]()
        async for head in self.heads(group):
            count, packs = count + 1, packs | {head.place.pack}
        for key in await self._batches(group):
            await self.store.delete(key)
        left = {head.place.pack async for head in self.heads(group._replace(name=""))}
        for pack in packs - left - {""}:
            await self.store.delete(pack)
        return count

    async def export(self, tenant: str, user: str) -> list[Record]:
        """Return what is stored about one person; bodies as their hashes."""
        owner = CaptureGroup(tenant, user, "")
        return [_record(head) async for head in self.heads(owner)]

    async def erase(self, tenant: str, user: str) -> int:
        """Erase all exchanges of a person; return how many there were."""
        owner = CaptureGroup(tenant, user, "")
        count = len([head async for head in self.heads(owner)])
        for kind in self.kinds:
            keys = [key async for key in self.store.scan(name_of(kind, tenant, user, ""))]
            for key in keys:
                await self.store.delete(key)
        return count


@dataclass
class ExchangeReader:
    """Reads exchanges one by one; those that were stored together are read once."""

    store: Store
    _batches: OrderedDict[str, list[StoredExchange]] = field(
        default_factory=OrderedDict[str, list[StoredExchange]]
    )
    _packs: OrderedDict[str, bytes] = field(default_factory=OrderedDict[str, bytes])

    async def exchange(self, key: str) -> Exchange | None:
        """Return an exchange with its body; None if it has expired."""
        batch, number = batch_of(key)
        if not (heads := await self.batch(batch)):
            return None
        body = await self.body(heads[number])
        return None if body is None else replace(heads[number].exchange, body=body)

    async def batch(self, key: str) -> list[StoredExchange]:
        """Return the exchanges that were stored together; none if they have expired."""
        if key not in self._batches:
            entry = await self.store.get(key)
            self._batches[key] = read_heads(key, entry.value) if entry else []
            if len(self._batches) > _MAX_READ_BATCHES:
                self._batches.popitem(last=False)
        return self._batches[key]

    async def body(self, stored: StoredExchange) -> bytes | None:
        """Return the body of an exchange; None if it has expired."""
        if not stored.place.pack:
            return b""
        pack = stored.place.pack
        if pack not in self._packs:
            entry = await self.store.get(pack)
            if entry is None:
                return None
            self._packs[pack] = entry.value
            if len(self._packs) > _MAX_READ_PACKS:
                self._packs.popitem(last=False)
        return read_body(stored.place, self._packs[pack])


def _record(head: StoredExchange) -> Record:
    exchange = head.exchange
    return {
        "name": head.key,
        "capturedFor": head.group,
        "url": exchange.url,
        "at": exchange.at,
        "method": exchange.method,
        "requestBody": exchange.request_body.decode("utf-8", "replace"),
        "status": exchange.status,
        "headers": [list(each) for each in exchange.headers],
        "sha256": head.payload,
        "bytes": head.size,
    }
