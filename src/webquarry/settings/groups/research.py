"""Research results: recommendations, components and captured pages."""

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import duration


class ResearchSettings(SettingsGroup):
    """Searching and reading in one step."""

    source_recommendations: bool = flag(
        "SOURCE_RECOMMENDATIONS", "Recommend the best sources of a result.", default=True
    )
    generative_ui_enabled: bool = flag(
        "GENERATIVE_UI_ENABLED",
        "Add cards and tables for clients that can display them; built by rules, without a model.",
        default=False,
    )
    capture_ttl: float = setting(
        "CAPTURE_TTL",
        "How long the text of a quoted page is kept for verifying the quotation.",
        duration("1h", "3650d"),
        default=30 * 86400.0,
    )
