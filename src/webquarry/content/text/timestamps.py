"""Parses the dates of search results, absolute or relative, to RFC 3339 in UTC."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from webquarry.content.text.dates import MONTHS

SECONDS = {"hour": 3600, "day": 86400, "week": 604800, "month": 2629800, "year": 31557600}
_ISO = re.compile(
    r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})"
    r"(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?",
    re.IGNORECASE,
)
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")
# Google News; only with this suffix is the month certain to be first
_AMERICAN = re.compile(r"(\d{2})/(\d{2})/(\d{4}), (\d{2}):(\d{2}) (AM|PM), \+0000 UTC")
_MONTH_FIRST = re.compile(r"([^\W\d]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
_DAY_FIRST = re.compile(
    r"(\d{1,2})\.?(?:er|st|nd|rd|th)?\s+(?:de\s+)?([^\W\d]+)\.?,?\s+(?:de\s+)?(\d{4})"
)
_AGE = re.compile(r"(\d{1,4}|an?|une?|einer?|einem|uno?|una|um|uma|een)\s*([^\W\d]+)")
_AGE_WORDS = re.compile(
    r"^(?:vor|il y a|hace|há|about|over)\s+|(?<!\s)\s+(?:ago|fa|atrás|geleden)$"
)
# abbreviations that are too ambiguous to look for in the text of a page
_MONTHS = MONTHS | {
    "ene": 1, "gen": 1, "fév": 2, "fev": 2, "mär": 3, "mrt": 3, "avr": 4, "abr": 4, "mag": 5,
    "giu": 6, "juil": 7, "lug": 7, "ago": 8, "set": 9, "ott": 10, "out": 10, "dic": 12,
}  # fmt: skip
_UNITS = {
    name: seconds
    for seconds, names in (
        (1, "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondi"),
        (60, "m min mins minute minutes minuten minuto minutos minuti minuut"),
        (SECONDS["hour"], "h hr hrs hour hours std stunde stunden heure heures hora horas ora ore"
                          " uur"),
        (SECONDS["day"], "d day days tag tage tagen jour jours día días dia dias giorno giorni dag"
                         " dagen j"),
        (SECONDS["week"], "w wk wks week weeks woche wochen semaine semaines semana semanas"
                          " settimana settimane weken"),
        (SECONDS["month"], "mo mon month months monat monate monaten mois mes meses mese mesi mês"
                           " maand maanden"),
        (SECONDS["year"], "y yr yrs year years jahr jahre jahren an ans año años anno anni ano anos"
                          " jaar"),
    )
    for name in names.split()
}  # fmt: skip
_DAYS_AGO = {
    "now": 0, "just now": 0, "today": 0, "heute": 0, "aujourd'hui": 0, "hoy": 0, "oggi": 0,
    "hoje": 0, "vandaag": 0, "yesterday": 1, "gestern": 1, "hier": 1, "ayer": 1, "ieri": 1,
    "ontem": 1, "gisteren": 1,
}  # fmt: skip
_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):\d\d:\d\dZ?", re.ASCII)
_MAX_LENGTH = 80  # a longer text is not a date


def to_rfc3339(text: str | float | None, now: float) -> str | None:
    """Return a time like `2024-05-17T08:30:00Z`; None for text that is not a date.

    `now` is the Unix time that "3 days ago" counts from.
    """
    if text is None or isinstance(text, bool):
        return None
    try:
        if isinstance(text, str) and _RFC3339.fullmatch(text):
            datetime.fromisoformat(text[:19])  # raises for 31 February
            return f"{text[:10]}T{text[11:19]}Z"
        if isinstance(text, int | float):
            moment = datetime.fromtimestamp(text, UTC)
        else:
            moment = _parse(" ".join(text.split()), now)
        # strftime drops the leading zeros of early years
        return moment and moment.astimezone(UTC).isoformat(timespec="seconds")[:19] + "Z"
    except (ValueError, OverflowError, OSError):  # e.g. 31 February, the year 99999
        return None


def unix_time(moment: str) -> float:
    """Return the Unix time of a result of `to_rfc3339`."""
    return datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp()


def _parse(text: str, now: float) -> datetime | None:
    if not text or len(text) > _MAX_LENGTH:
        return None
    return (
        _numeric(text)
        or _rfc2822(text)
        or _relative(text.lower(), now)
        or _with_month_name(text.lower())
    )


def _numeric(text: str) -> datetime | None:
    if match := _ISO.fullmatch(text):
        year, month, day, hour, minute, second, zone = match.groups()
        moment = datetime(int(year), int(month), int(day), tzinfo=UTC)
        clock = timedelta(hours=int(hour or 0), minutes=int(minute or 0), seconds=int(second or 0))
        return moment + clock - _offset(zone)
    if match := _EAST_ASIAN.match(text):
        return datetime(*map(int, match.groups()), tzinfo=UTC)
    if match := _DOTTED.fullmatch(text):
        return datetime(*map(int, match.groups()[::-1]), tzinfo=UTC)
    if _AMERICAN.fullmatch(text):
        return datetime.strptime(text, "%m/%d/%Y, %I:%M %p, %z UTC")
    return None


def _offset(zone: str | None) -> timedelta:
    if not zone or zone[0] not in "+-":
        return timedelta()
    digits = zone[1:].replace(":", "")
    size = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return -size if zone[0] == "-" else size


def _rfc2822(text: str) -> datetime | None:
    """Parse `Tue, 31 Dec 2024 17:09:03 GMT`, as in RSS and HTTP."""
    if ":" not in text or "," not in text:
        return None
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _relative(text: str, now: float) -> datetime | None:
    today = datetime.fromtimestamp(now, UTC)
    if text in _DAYS_AGO:
        return today - timedelta(days=_DAYS_AGO[text])
    match = _AGE.fullmatch(_AGE_WORDS.sub("", text))
    if not match or match[2] not in _UNITS:
        return None
    count = int(match[1]) if match[1].isdecimal() else 1
    return today - timedelta(seconds=count * _UNITS[match[2]])


def _with_month_name(text: str) -> datetime | None:
    without_weekday = re.sub(r"^[^\W\d]+,\s*(?=[^\W\d]|\d)", "", text)
    for candidate in (text, without_weekday):
        if match := _MONTH_FIRST.match(candidate):
            name, day, year = match[1], match[2], match[3]
        elif match := _DAY_FIRST.match(candidate):
            day, name, year = match[1], match[2], match[3]
        else:
            continue
        if name in _MONTHS:
            return datetime(int(year), _MONTHS[name], int(day), tzinfo=UTC)
    return None
