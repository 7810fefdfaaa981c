"""Parses and formats the values of settings: one `ValueType` for each syntax."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar, cast
from urllib.parse import urlsplit

T = TypeVar("T")
N = TypeVar("N", int, float)

FOREVER = 100 * 365 * 86_400.0  # seconds; the longest that storage takes
_TRUE = frozenset({"1", "t", "true", "yes", "on"})
_FALSE = frozenset({"0", "f", "false", "no", "off"})
_SECONDS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_DECIMAL = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}
_BINARY = {"kib": 2**10, "mib": 2**20, "gib": 2**30, "k": 2**10, "m": 2**20, "g": 2**30}
_BYTES = _DECIMAL | _BINARY
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?")
_DURATION_PART = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?)(ms|s|m|h|d)")
_DURATION = re.compile(rf"(?:{_DURATION_PART.pattern})+")
_SIZE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*([a-z]*)", re.IGNORECASE)
# control characters would split header and log lines; lone surrogates are undecodable bytes
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True)
class ValueType(Generic[T]):
    """A syntax: a description of what it accepts, a parser and a formatter."""

    accepts: str
    parse: Callable[[str], T]
    show: Callable[[T], str] = str
    native: tuple[type, ...] = ()

    def read(self, value: object) -> T:
        """Return the value of a text or TOML value; raise ValueError if it is not accepted."""
        text = self._as_text(value).strip()
        if _UNPRINTABLE.search(text):
            raise ValueError("control characters")
        return self.parse(text)

    def _as_text(self, value: object) -> str:
        if isinstance(value, str):
            return value
        # not isinstance: a bool is an int
        if type(value) not in self.native:
            raise ValueError("wrong type")
        if isinstance(value, list):
            return ",".join(_item_text(item) for item in cast("list[object]", value))
        return str(value).lower() if isinstance(value, bool) else str(value)


def _item_text(item: object) -> str:
    if isinstance(item, bool) or not isinstance(item, str | int | float) or "," in str(item):
        raise ValueError("not a list of plain values")
    return str(item)


def _between(
    low: N, high: N, parse: Callable[[str], N], accepts: str, native: tuple[type, ...]
) -> ValueType[N]:
    def parse_bounded(text: str) -> N:
        value = parse(text)
        if not low <= value <= high:
            raise ValueError("out of range")
        return value

    return ValueType(accepts, parse_bounded, native=native)


def whole(low: int, high: int) -> ValueType[int]:
    """Accept a whole number within bounds."""
    return _between(low, high, _whole, f"a whole number from {low} to {high}", (int,))


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError("not a whole number")
    return int(text)


def number(low: float, high: float) -> ValueType[float]:
    """Accept a decimal number within bounds."""
    return _between(low, high, _number, f"a number from {low:g} to {high:g}", (int, float))


def _number(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise ValueError("not a number")
    return float(text)


def duration(low: str, high: str) -> ValueType[float]:
    """Accept a duration within bounds, as seconds."""
    accepts = f"a duration from {low} to {high}, like 90, 90s, 30m, 1h30m, 250ms or 30d"
    kind = _between(_duration(low), _duration(high), _duration, accepts, (int, float))
    return replace(kind, show=_show_duration)


def retention(low: str, high: str) -> ValueType[float]:
    """Accept a duration within bounds, or `forever`."""
    kind = duration(low, high)

    def parse(text: str) -> float:
        return FOREVER if text.lower() == "forever" else kind.parse(text)

    def show(seconds: float) -> str:
        return "forever" if seconds == FOREVER else _show_duration(seconds)

    return replace(kind, parse=parse, show=show, accepts=f"forever, or {kind.accepts}")


def _duration(text: str) -> float:
    if _NUMBER.fullmatch(text):
        return float(text)
    if not _DURATION.fullmatch(text):
        raise ValueError("not a duration")
    return sum(float(count) * _SECONDS[unit] for count, unit in _DURATION_PART.findall(text))


def _show_duration(seconds: float) -> str:
    parts: list[str] = []
    rest = round(seconds * 1000)
    for unit, size in _SECONDS.items():
        count, rest = divmod(rest, round(size * 1000))
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"


def size(low: int, high: int) -> ValueType[int]:
    """Accept a number of bytes within bounds."""
    accepts = f"a size from {_show_size(low)} to {_show_size(high)}, like 24576, 24KiB or 8MiB"
    return replace(_between(low, high, _size, accepts, (int,)), show=_show_size)


def _size(text: str) -> int:
    match = _SIZE.fullmatch(text)
    if not match or match[2].lower() not in _BYTES:
        raise ValueError("not a size")
    return int(float(match[1]) * _BYTES[match[2].lower()]) if match[2] else int(match[1])


def _show_size(count: int) -> str:
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= factor and count % factor == 0:
            return f"{count // factor}{unit}"
    return str(count)


def _flag(text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError("neither true nor false")


FLAG: ValueType[bool] = ValueType("true or false", _flag, lambda value: str(value).lower(), (bool,))


def _flag_or_auto(text: str) -> str:
    return "auto" if text.lower() == "auto" else str(_flag(text)).lower()


FLAG_OR_AUTO: ValueType[str] = ValueType("true, false or auto", _flag_or_auto, native=(bool,))


def choice(*values: str, **synonyms: str) -> ValueType[str]:
    """Accept one of these words, in upper or lower case; `synonyms` are other words for them."""

    def parse(text: str) -> str:
        word = synonyms.get(text.lower(), text.lower())
        if word not in values:
            raise ValueError("not one of the words")
        return word

    return ValueType(" or ".join(values), parse)


TEXT: ValueType[str] = ValueType("one line of text", str)


def matching(pattern: str, accepts: str) -> ValueType[str]:
    """Accept text that fully matches a regular expression."""
    compiled = re.compile(pattern)

    def parse(text: str) -> str:
        if not compiled.fullmatch(text):
            raise ValueError("does not match")
        return text

    return ValueType(accepts, parse)


EMAIL: ValueType[str] = matching(r"[^@\s]+@[^@\s]+\.[^@\s]+", "an e-mail address")


def url(*schemes: str) -> ValueType[str]:
    """Accept an absolute URL with one of the schemes."""

    def parse(text: str) -> str:
        parts = urlsplit(text)
        target = parts.path if parts.scheme == "unix" else parts.hostname
        # reading `port` validates it
        if parts.scheme not in schemes or not target or parts.port == 0 or " " in text:
            raise ValueError("not a URL with one of these schemes")
        return text

    return ValueType("a URL starting with " + " or ".join(f"{name}://" for name in schemes), parse)


def _origin(text: str) -> str:
    parts = urlsplit(text)
    origin = f"{parts.scheme}://{parts.netloc}"
    invalid = parts.scheme not in ("http", "https") or not parts.hostname or "@" in text
    if invalid or text != origin or parts.port == 0 or " " in text:
        raise ValueError("not an origin")
    return text.lower()


ORIGIN: ValueType[str] = ValueType("scheme://host[:port] without a path", _origin)


def many(each: ValueType[T]) -> ValueType[tuple[T, ...]]:
    """Accept a comma-separated list, or a TOML array."""

    def parse(text: str) -> tuple[T, ...]:
        values = tuple(each.parse(part.strip()) for part in text.split(",") if part.strip())
        if not values:
            raise ValueError("an empty list")
        return values

    def show(values: Iterable[T]) -> str:
        return ",".join(each.show(value) for value in values)

    return ValueType(f"a comma-separated list, each {each.accepts}", parse, show, (list,))


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:  # "~nobody" names a user who does not exist
        raise ValueError("no such home directory") from error


PATH: ValueType[Path] = ValueType("a path", _path)
