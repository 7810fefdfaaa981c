"""Dates as pages write them, kept as precise as they are written and never made more so."""

import re
from datetime import date, datetime

_ISO = re.compile(
    r"(?P<y>\d{4})(?:-(?P<m>\d{1,2})(?:-(?P<d>\d{1,2})"
    r"(?:[T\s]+(?P<time>\d{1,2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?)?)?"
)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T\d{4,6}Z?)?$")
_SLASHED = re.compile(r"(\d{4})[/.](\d{1,2})(?:[/.](\d{1,2}))?$")
_EAST = re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*日)?")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b")  # 24.12.2020: never month first
_MONTHS = {
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
_NAMED = re.compile(
    r"(?:(?P<d1>\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s+(?:de\s+)?)?(?P<month>[^\W\d_]{3,10})\.?\s*(?:de\s+)?"
    r"(?:(?P<d2>\d{1,2})(?:st|nd|rd|th)?,?\s+)?(?P<y>(?:19|20)\d{2})\b"
)


def iso_date(text: str) -> str:
    """Return an ISO 8601 date of the same precision, or "" for what is not surely one date."""
    clean = " ".join(text.split()).strip()
    if not clean or len(clean) > 80:
        return ""
    iso = _ISO.match(clean)
    if iso and (iso.end() == len(clean) or iso["d"]):
        return _from_iso(iso)
    numbers = _COMPACT.match(clean) or _SLASHED.match(clean) or _EAST.search(clean)
    if numbers:
        return _checked(numbers[1], numbers[2], numbers[3])
    dotted = _DOTTED.search(clean)
    if dotted:
        return _checked(dotted[3], dotted[2], dotted[1])
    return _from_words(clean)


def _from_iso(match: re.Match[str]) -> str:
    day = _checked(match["y"], match["m"], match["d"])
    if not day or not match["time"]:
        return day
    zone = (match["zone"] or "").replace("UTC", "Z").replace("GMT", "Z")
    if zone and zone != "Z" and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    hour, minute, *second = (int(part) for part in match["time"].split(":"))
    if hour > 23 or minute > 59 or any(value > 59 for value in second):
        return day
    if (hour, minute, *second) == (0, 0, 0) and not zone:
        return day  # midnight without a zone is a date written by a machine
    return f"{day}T{hour:02}:{minute:02}:{second[0] if second else 0:02}{zone}"


def _from_words(text: str) -> str:
    for match in _NAMED.finditer(text):
        month = _MONTHS.get(match["month"].lower())
        if month:
            return _checked(match["y"], str(month), match["d1"] or match["d2"])
    try:
        found = datetime.strptime(text, "%a, %d %b %Y %H:%M:%S %z")
    except ValueError:
        return ""
    return found.isoformat()


def _checked(year: str, month: str | None, day: str | None) -> str:
    """Return the date if the calendar has it."""
    try:
        date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return ""
    if not 1500 < int(year) < 2200:
        return ""
    return "-".join(part for part in (year, _two(month), _two(day)) if part)


def _two(part: str | None) -> str:
    return f"{int(part):02}" if part else ""
