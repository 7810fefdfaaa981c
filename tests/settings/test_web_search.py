"""The `[web_search]` table of seed 003, to the letter."""

from pathlib import Path

import pytest

from webquarry.errors import SettingsError
from webquarry.settings.groups.web_search import WebSearchSettings
from webquarry.settings.load import load

TABLE = """
[web_search]
default_results_count = 10
max_results_count = 50
max_concurrent_fetches = 5
default_timeout = 30          # seconds
content_fetch_timeout = 45    # seconds per URL
max_content_size = "2MB"      # per result

# Instance management
instance_health_check_interval = 300  # seconds
max_consecutive_failures = 3
rate_limit_backoff_base = 60         # seconds

# Privacy settings
rotate_user_agents = true
request_delay_range = [100, 500]     # milliseconds
use_random_instances = true

# Content processing
summarize_long_content = true
max_summary_length = 500             # characters
extract_code_blocks = true
"""


def test_the_defaults_are_the_table_of_the_seed(tmp_path: Path) -> None:
    (tmp_path / "webquarry.toml").write_text(TABLE)

    loaded = load(environ={}, directory=tmp_path)

    assert loaded.web_search == WebSearchSettings()
    named = {name for name in loaded.sources if name.startswith("WEB_SEARCH_")}
    assert len(named) == 15


def test_the_environment_wins(tmp_path: Path) -> None:
    (tmp_path / "webquarry.toml").write_text(TABLE)
    environ = {"WEB_SEARCH_REQUEST_DELAY_RANGE": "0,0", "WEB_SEARCH_ROTATE_USER_AGENTS": "off"}

    loaded = load(environ=environ, directory=tmp_path).web_search

    assert (loaded.request_delay_range, loaded.rotate_user_agents) == ((0, 0), False)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("request_delay_range = [500, 100]", "the shorter first"),
        ("request_delay_range = [100]", "must be two numbers"),
        ("request_delay_range = [1, 2, 3]", "must be two numbers"),
        ("default_results_count = 20\nmax_results_count = 10", "more than"),
        ("default_results_count = 51", "a whole number from 1 to 50"),
        ("max_content_size = 'huge'", "a size from"),
        ("use_random_instance = true", "did you mean"),
    ],
)
def test_a_wrong_value_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    (tmp_path / "webquarry.toml").write_text(f"[web_search]\n{line}\n")

    with pytest.raises(SettingsError, match=complaint):
        load(environ={}, directory=tmp_path)
