"""Small pages written for the tests, each with one trap."""

from tests.content.traps import charsets, content, hidden, shapes, statements
from tests.content.traps.base import Trap

TRAPS: tuple[Trap, ...] = (
    *charsets.TRAPS,
    *content.TRAPS,
    *hidden.TRAPS,
    *shapes.TRAPS,
    *statements.TRAPS,
)
