"""Settings of the demo: independent of the environment, with no access to the network."""

import json
from collections.abc import Mapping
from pathlib import Path

from webquarry.settings.load import Settings, load
from webquarry.settings.tree import BASE_URLS, declarations
from webquarry.wiring.declared_settings import declared_variables
from webquarry_demo.sample_pages import DOMAIN, sample_web

# replace the lenses of the real web: the independent sites of the sample web
_LENSES = {"news": "parish-gazette", "tech": "field-notes"}


def clean_settings(data: Path, port: int, extra: Mapping[str, str]) -> Settings:
    """Return settings that allow only the sample web on this port.

    The base URLs of all providers point to the stand-ins, and only pages of the sample sites may
    be read: no request can leave this machine.
    """
    base = f"http://127.0.0.1:{port}"
    declared = declared_variables()
    bases = {
        name: f"{base}/{entry.key}"
        for name, entry in declarations(declared).items()
        if entry.group == BASE_URLS
    }
    flags = {
        **bases,
        "SEARXNG_URL": f"{base}/searxng",
        "SEARXNG_CATALOGUE": "off",
        "SEARCH_PROVIDER": "searxng",
        "OPENALEX_EMAIL": "demo@example.org",
        "WEBQUARRY_DATA_DIR": str(data),
        "CUSTOM_LENSES_PATH": str(_lenses(data / "lenses")),
        "ALLOW_PRIVATE_IPS": "true",
        "ALLOWED_DOMAINS": ",".join(f"{site}.{DOMAIN}" for site in sample_web().layouts),
        "CHROME_PATH": "disabled",
        "CRAWL_DELAY": "100ms",
        "WEB_SEARCH_REQUEST_DELAY_RANGE": "0,0",
        "TOOLSETS": "all",
        "LOG_LEVEL": "error",
        "LOG_FORMAT": "text",
        "AUDIT_OUTPUT_PATH": str(data / "audit.jsonl"),
        "HTTP_SHUTDOWN_TIMEOUT": "1s",
        **extra,
    }
    return load(environ={}, directory=data, flags=flags, declared=declared)


def _lenses(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, site in _LENSES.items():
        lens = {
            "name": name,
            "description": "The part of the sample web that sells nothing.",
            "domains": [f"{site}.{DOMAIN}"],
        }
        (folder / f"{name}.json").write_text(json.dumps(lens), encoding="utf-8")
    return folder
