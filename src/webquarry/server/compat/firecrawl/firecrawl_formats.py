"""The formats that a Firecrawl client asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from webquarry.errors import BadInputError
from webquarry.models.page_formats import Format

Json = dict[str, Any]
# Firecrawl's name → ours
PLAIN: dict[str, Format] = {
    "markdown": "markdown",
    "html": "html",
    "rawHtml": "rawHtml",
    "links": "links",
    "images": "images",
    "summary": "summary",
    "screenshot": "screenshot",
}
_OTHERS = frozenset({"json", "changeTracking", "branding", "attributes"})
_OPTIONS: dict[str, frozenset[str]] = {
    "json": frozenset({"prompt", "schema"}),
    "changeTracking": frozenset({"modes", "schema", "prompt", "tag"}),
    "screenshot": frozenset({"fullPage", "quality", "viewport"}),
    "attributes": frozenset({"selectors"}),
}
_OLD_NAMES: dict[str, tuple[str, Json]] = {
    "screenshot@fullPage": ("screenshot", {"fullPage": True}),
    "extract": ("json", {}),
}


@dataclass(frozen=True)
class WantedFormats:
    """Formats by Firecrawl's names, with their options."""

    options: dict[str, Json]

    def __contains__(self, name: str) -> bool:
        return name in self.options

    @property
    def plain(self) -> list[Format]:
        """Those that the readers of this server make."""
        return [PLAIN[name] for name in self.options if name in PLAIN]

    @property
    def schema(self) -> Json | None:
        """The JSON Schema of the format json."""
        return self.options.get("json", {}).get("schema")

    @property
    def prompt(self) -> str:
        """The prompt of the format json."""
        return str(self.options.get("json", {}).get("prompt") or "")

    @property
    def full_page(self) -> bool:
        """Whether screenshots show the entire page."""
        return bool(self.options.get("screenshot", {}).get("fullPage"))

    @property
    def attributes(self) -> list[tuple[str, str]]:
        """Selectors with the attributes whose values are wanted."""
        pairs = cast("list[Json]", self.options.get("attributes", {}).get("selectors") or [])
        return [(str(pair["selector"]), str(pair["attribute"])) for pair in pairs]

    def warnings(self) -> list[str]:
        """Say what of the options is not honoured."""
        shot = self.options.get("screenshot", {})
        found: list[str] = []
        if shot.get("viewport"):
            found.append("screenshot.viewport: the browser has its usual window")
        if shot.get("quality"):
            found.append("screenshot.quality: images are PNG, without loss")
        return found


def wanted_formats(given: Sequence[str | Json] | None) -> WantedFormats:
    """Return the formats of a request; `BadInputError` for one that is not available."""
    options: dict[str, Json] = {}
    for entry in given or ("markdown",):
        name, chosen = _format(entry)
        options[name] = options.get(name, {}) | chosen
    if "json" in options and not (options["json"].get("schema") or options["json"].get("prompt")):
        raise BadInputError("formats: json needs a schema or a prompt")
    return WantedFormats(options)


def _format(entry: str | Json) -> tuple[str, Json]:
    chosen = {} if isinstance(entry, str) else {k: v for k, v in entry.items() if v is not None}
    name = entry if isinstance(entry, str) else str(chosen.pop("type", ""))
    if name in _OLD_NAMES:
        name, defaults = _OLD_NAMES[name]
        chosen = defaults | chosen
    if name not in PLAIN and name not in _OTHERS:
        known = ", ".join((*PLAIN, *sorted(_OTHERS)))
        raise BadInputError(f"formats: {name!r} is not available here; available: {known}")
    if unknown := sorted(chosen.keys() - _OPTIONS.get(name, frozenset())):
        raise BadInputError(f"formats.{name}.{unknown[0]}: this server has no such option")
    _check_options(name, chosen)
    return name, chosen


def _check_options(name: str, chosen: Json) -> None:
    if name != "attributes":
        return
    selectors: Any = chosen.get("selectors")
    for pair in cast("list[Any]", selectors) if isinstance(selectors, list) else [None]:
        if not isinstance(pair, dict) or not {"selector", "attribute"} <= pair.keys():
            raise BadInputError("formats.attributes: selectors are {selector, attribute}")
