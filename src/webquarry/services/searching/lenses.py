"""Lenses: named sets of sites to search in, ours and the operator's."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationError, model_validator

from webquarry.content.ranking.result_urls import normalize_site
from webquarry.errors import BadInputError, SettingsError
from webquarry.models.model import Model

_SITE = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+(/[^\s?#]+)?")
_MAX_DOMAINS = 200  # more would take too many requests


def _site(text: str) -> str:
    site = normalize_site(text)
    if not _SITE.fullmatch(site):
        raise ValueError(f"{text!r} is not a host or host/path")
    return site


class Lens(Model):
    """A set of sites, a custom Google search engine (cx), a Brave goggle, or several of these."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,40}$")
    description: str = Field(min_length=1, max_length=300)
    domains: tuple[Annotated[str, AfterValidator(_site)], ...] = Field(
        default=(), max_length=_MAX_DOMAINS
    )
    cx: str = ""
    goggle: str = Field(default="", pattern=r"^(https://\S+)?$")

    @model_validator(mode="after")
    def _check_content(self) -> "Lens":
        if not (self.domains or self.cx or self.goggle):
            raise ValueError("needs domains, cx or goggle")
        return self


class Lenses:
    """All lenses; a custom one replaces the built-in one of the same name."""

    def __init__(self, custom: Path | None = None) -> None:
        """Read the custom lenses now, so that an error in them stops startup."""
        self._custom = _custom(custom) if custom else {}

    def all(self) -> Mapping[str, Lens]:
        """Return every lens by name."""
        return dict(sorted((_built_in() | self._custom).items()))

    def named(self, name: str) -> Lens:
        """Return the lens of this name."""
        known = self.all()
        if name not in known:
            raise BadInputError(f"lens: no lens is called {name!r}; choose from {', '.join(known)}")
        return known[name]


@cache
def _built_in() -> dict[str, Lens]:
    directory = files("webquarry").joinpath("lenses")
    entries = sorted(directory.iterdir(), key=lambda entry: entry.name)
    return _parse((e.name, e.read_text("utf-8")) for e in entries if e.name.endswith(".json"))


def _custom(path: Path) -> dict[str, Lens]:
    if not path.is_dir():
        raise SettingsError(f"CUSTOM_LENSES_PATH is {str(path)!r}, which is not a directory")
    try:
        return _parse((str(file), file.read_text("utf-8")) for file in sorted(path.glob("*.json")))
    except (OSError, UnicodeDecodeError) as exc:
        raise SettingsError(f"CUSTOM_LENSES_PATH cannot be read: {exc}") from exc


def _parse(texts: Iterable[tuple[str, str]]) -> dict[str, Lens]:
    lenses: dict[str, Lens] = {}
    for path, text in texts:
        try:
            lens = Lens.model_validate(json.loads(text))
        except ValidationError as exc:
            first = exc.errors(include_url=False)[0]
            field = ".".join(str(part) for part in first["loc"])
            raise SettingsError(f"the lens {path} is invalid: {field}: {first['msg']}") from exc
        except ValueError as exc:
            raise SettingsError(f"the lens {path} is not valid JSON: {exc}") from exc
        lenses[lens.name] = lens
    return lenses
