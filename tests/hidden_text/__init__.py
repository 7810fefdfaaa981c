"""A corpus of ways to hide text on a web page, and of visible text that looks hidden."""

from tests.hidden_text.colours import COLOURS
from tests.hidden_text.conditions import CONDITIONS
from tests.hidden_text.cover_ups import COVER_UPS
from tests.hidden_text.elements import ELEMENTS
from tests.hidden_text.positions import POSITIONS
from tests.hidden_text.selectors import SELECTORS
from tests.hidden_text.sizes import SIZES
from tests.hidden_text.switches import SWITCHES
from tests.hidden_text.visible import VISIBLE
from tests.hidden_text.writing import WRITING

TECHNIQUES = (
    *SWITCHES, *SIZES, *POSITIONS, *COLOURS, *COVER_UPS, *SELECTORS, *CONDITIONS, *WRITING,
    *ELEMENTS,
)  # fmt: skip
__all__ = ["TECHNIQUES", "VISIBLE"]
