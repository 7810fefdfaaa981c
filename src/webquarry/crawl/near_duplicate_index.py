"""Finds pages that say nearly the same, among many, by sketches of their text."""

from array import array
from threading import Lock

from webquarry.content.ranking.simhash import distance

_NEAR = 3  # bits
_QUARTER = 0xFFFF  # sketches that differ in three bits have at least one quarter in common
_KEY = 16  # bytes


class NearDuplicateIndex:
    """Remembers a page in some forty bytes.

    Pages that share a quarter of their sketch are a chain, the oldest first; there are four
    quarters, so each page is in four chains.
    """

    def __init__(self) -> None:
        self._numbers = array("Q")
        self._keys = bytearray()
        self._chains = tuple(_Chains(16 * place) for place in range(4))
        # pages that take long are digested beside the others
        self._adding = Lock()

    def add(self, number: int, key: bytes) -> None:
        """Remember a page; a text too short for a sketch has none to be found by."""
        if not number:
            return
        with self._adding:
            self._numbers.append(number)
            self._keys += key
            for chains in self._chains:
                chains.append(number)

    def find(self, number: int) -> bytes | None:
        """Return the first page that says nearly the same."""
        if not number:
            return None
        numbers = self._numbers
        for chains in self._chains:
            place, after = chains.first[number >> chains.shift & _QUARTER], chains.after
            while place:
                if distance(number, numbers[place - 1]) <= _NEAR:
                    return bytes(self._keys[(place - 1) * _KEY : place * _KEY])
                place = after[place - 1]
        return None


class _Chains:
    """The pages that have one quarter in common, for each of its values; they count from one."""

    def __init__(self, shift: int) -> None:
        self.shift = shift
        self.first = array("I", bytes(4 * (_QUARTER + 1)))
        self.after = array("I")  # the next page of the chain; 0: it is the last
        self._last = array("I", self.first)

    def append(self, number: int) -> None:
        """Take in the next page."""
        self.after.append(0)
        page, value = len(self.after), number >> self.shift & _QUARTER
        if last := self._last[value]:
            self.after[last - 1] = page
        else:
            self.first[value] = page
        self._last[value] = page
