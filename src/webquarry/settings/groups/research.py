"""What results of research offer beside their sources, and how long quotations can be checked."""

from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import FLAG, duration
from webquarry.settings.variable import Variable


class ResearchSettings(SettingsGroup):
    """Searching and reading in one step."""

    source_recommendations: Annotated[
        bool,
        Variable("SOURCE_RECOMMENDATIONS", "Point out the best sources of a result.", FLAG),
    ] = True
    generative_ui_enabled: Annotated[
        bool,
        Variable(
            "GENERATIVE_UI_ENABLED",
            "Add cards and tables that clients may draw; made by rules, without a model.",
            FLAG,
        ),
    ] = False
    capture_ttl: Annotated[
        float,
        Variable(
            "CAPTURE_TTL",
            "How long the text of a quoted page is kept to check the quotation.",
            duration("1h", "3650d"),
        ),
    ] = 30 * 86400.0
