"""How long research sessions live and how many steps they have."""

from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import duration, whole
from webquarry.settings.variable import Variable


class SessionSettings(SettingsGroup):
    """Research sessions."""

    ttl: Annotated[
        float,
        Variable(
            "SESSION_TTL", "How long a session lives after its last use.", duration("1m", "30d")
        ),
    ] = 4 * 3600.0
    max_steps: Annotated[
        int, Variable("SESSION_MAX_STEPS", "Steps of one session.", whole(1, 10_000))
    ] = 200
