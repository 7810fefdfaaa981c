"""Field types that reject dangerous text during validation."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema

from webquarry.content.ranking.result_urls import is_http_url, normalize_site

MAX_INPUT_LENGTH = 4096
# a top-level domain alone (edu), and a path (docs.python.org/3), are sites as well
_SITE = re.compile(r"[\w-]+(?:\.[\w-]+)*(?:/[^\s?#]*)?")
SHELL_METACHARACTERS = frozenset(";|&$`<>\\\n\r")


def validate_input(text: str) -> str:
    """Return `text` if it is free of NUL bytes, shell metacharacters and excess length."""
    _check_common(text)
    if found := sorted(SHELL_METACHARACTERS & set(text)):
        raise ValueError(f"contains {', '.join(map(repr, found))}; remove these characters")
    return text


def validate_path(path: str) -> str:
    """Return `path` if it stays below its root: no traversal, no NUL bytes, not too long."""
    _check_common(path)
    if ".." in path.replace("\\", "/").split("/"):
        raise ValueError("contains '..'; name the file without going up a directory")
    return path


def validate_site(text: str) -> str:
    """Return a domain, or a domain with a path, without scheme and `www.`."""
    site = normalize_site(text).removeprefix(".")
    if not _SITE.fullmatch(site):
        raise ValueError(f"must be one domain like github.com, got {text!r}")
    return site


def validate_web_url(text: str) -> str:
    """Return an http or https URL; other schemes (`javascript:`) run code or open files."""
    if not is_http_url(text):
        raise ValueError("must be an http or https URL")
    return text.strip()


SafeText = Annotated[str, AfterValidator(validate_input)]
SafePath = Annotated[str, AfterValidator(validate_path)]
WebUrl = Annotated[
    str,
    Field(max_length=2048),
    AfterValidator(validate_web_url),
    WithJsonSchema({"type": "string"}),
]
SiteText = Annotated[
    str,
    Field(max_length=2000),
    AfterValidator(validate_site),
    WithJsonSchema({"type": "string"}),
]


def _check_common(text: str) -> None:
    if "\0" in text:
        raise ValueError("contains a NUL byte; remove it")
    if len(text) > MAX_INPUT_LENGTH:
        raise ValueError(f"is {len(text)} characters long; at most {MAX_INPUT_LENGTH} are allowed")
