"""Parses the dates on web pages to ISO 8601 without changing their precision."""

import re
from datetime import date, datetime, time

_ISO = re.compile(
    r"(?P<y>\d{4})(?:-(?P<m>\d{1,2})(?:-(?P<d>\d{1,2})"
    r"(?:[T\s]+(?P<time>\d{1,2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?)?)?"
)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T\d{4,6}Z?)?$")
_SLASHED = re.compile(r"(\d{4})[/.](\d{1,2})(?:[/.](\d{1,2}))?$")
_EAST_ASIAN = re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*日)?")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b")  # 24.12.2020: day first
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero gennaio janeiro januari",
            "feb february februar février febrero febbraio fevereiro februari",
            "mar march märz mars marzo março maart",
            "apr april avril abril aprile",
            "may mai mayo maggio maio mei",
            "jun june juni juin junio giugno junho",
            "jul july juli juillet julio luglio julho",
            "aug august août agosto augustus",
            "sep sept september septembre septiembre settembre setembro",
            "oct october oktober octobre octubre ottobre outubro okt",
            "nov november novembre noviembre novembro",
            "dec december dezember décembre diciembre dicembre dezembro dez déc",
        ),
        1,
    )
    for name in names.split()
}
_MONTH_NAME = re.compile(
    r"(?:(?P<d1>\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s+(?:de\s+)?)?(?P<month>[^\W\d_]{3,10})\.?\s*(?:de\s+)?"
    r"(?:(?P<d2>\d{1,2})(?:st|nd|rd|th)?,?\s+)?(?P<y>(?:19|20)\d{2})\b"
)


def iso_date(text: str) -> str:
    """Return an ISO 8601 date of the same precision, or "" for an ambiguous or invalid date."""
    clean = " ".join(text.split())
    if len(clean) > 80:
        return ""
    iso = _ISO.match(clean)
    if iso and (iso.end() == len(clean) or iso["d"]):
        return _from_iso(iso)
    numbers = _COMPACT.match(clean) or _SLASHED.match(clean) or _EAST_ASIAN.search(clean)
    if numbers:
        return _valid_date(numbers[1], numbers[2], numbers[3])
    dotted = _DOTTED.search(clean)
    if dotted:
        return _valid_date(dotted[3], dotted[2], dotted[1])
    return _from_month_name(clean)


def _from_iso(match: re.Match[str]) -> str:
    day = _valid_date(match["y"], match["m"], match["d"])
    if not day or not match["time"]:
        return day
    zone = re.sub(r"UTC|GMT", "Z", match["zone"] or "")
    zone = re.sub(r"(?<=[+-]\d\d)(?=\d)", ":", zone)
    hour, _, rest = match["time"].partition(":")
    clock = f"{hour.zfill(2)}:{rest}"
    if clock == "00:00:00" and not zone:
        return day  # software writes a date without a time as midnight
    try:
        return f"{day}T{time.fromisoformat(clock).isoformat()}{zone}"
    except ValueError:
        return day


def _from_month_name(text: str) -> str:
    for match in _MONTH_NAME.finditer(text):
        month = MONTHS.get(match["month"].lower())
        if month:
            return _valid_date(match["y"], str(month), match["d1"] or match["d2"])
    try:
        return datetime.strptime(text, "%a, %d %b %Y %H:%M:%S %z").isoformat()
    except ValueError:
        return ""


def _valid_date(year: str, month: str | None, day: str | None) -> str:
    """Return the date if it exists in the calendar, else ""."""
    try:
        date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return ""
    if not 1500 < int(year) < 2200:
        return ""
    return "-".join(part.zfill(2) for part in (year, month, day) if part)
