"""Finds near-duplicate pages among many, by the simhash of their text."""

from array import array
from threading import Lock

from webquarry.content.ranking.simhash import hamming_distance

_MAX_DISTANCE = 3  # bits
_BAND_MASK = 0xFFFF  # of four bands, simhashes that differ in three bits have at least one equal
_KEY_BYTES = 16


class NearDuplicateIndex:
    """Stores a page in some forty bytes.

    Pages with an equal band of their simhash form a chain, the oldest first; there are four bands,
    so each page is in four chains.
    """

    def __init__(self) -> None:
        self._simhashes = array("Q")
        self._keys = bytearray()
        self._bands = tuple(_Band(16 * number) for number in range(4))
        # large pages are processed in threads
        self._lock = Lock()

    def add(self, simhash: int, key: bytes) -> None:
        """Add a page; a text too short for a simhash is ignored."""
        if not simhash:
            return
        with self._lock:
            self._simhashes.append(simhash)
            self._keys += key
            for band in self._bands:
                band.append(simhash)

    def find(self, simhash: int) -> bytes | None:
        """Return the key of the first near-duplicate."""
        if not simhash:
            return None
        simhashes = self._simhashes
        for band in self._bands:
            page, following = band.first[simhash >> band.shift & _BAND_MASK], band.following
            while page:
                if hamming_distance(simhash, simhashes[page - 1]) <= _MAX_DISTANCE:
                    return bytes(self._keys[(page - 1) * _KEY_BYTES : page * _KEY_BYTES])
                page = following[page - 1]
        return None


class _Band:
    """For each value of one band, the chain of pages that have it; pages count from one."""

    def __init__(self, shift: int) -> None:
        self.shift = shift
        self.first = array("I", bytes(4 * (_BAND_MASK + 1)))
        self.following = array("I")  # the next page of the chain; 0 at its end
        self._last = array("I", self.first)

    def append(self, simhash: int) -> None:
        """Add the next page."""
        self.following.append(0)
        page, value = len(self.following), simhash >> self.shift & _BAND_MASK
        if last := self._last[value]:
            self.following[last - 1] = page
        else:
            self.first[value] = page
        self._last[value] = page
