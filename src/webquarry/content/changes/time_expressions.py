"""Times in the text of a page: dates, times of day, and times that count from now."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from webquarry.content.text.dates import MONTHS, iso_date

_MONTH_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_WEEKDAY = (
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun|tues|wednes|thurs|satur)(?:day)?|"
    r"montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|"
    r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|"
    r"lunes|martes|miércoles|jueves|viernes|sábado|domingo)"
)
_TIME_OF_DAY = (
    r"(?<![\d:.])[0-2]?\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?![\d:])"
    r"(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:z|utc|gmt|bst|cet|cest|est|edt|cst|cdt|pst|pdt|uhr)\b)?"
)
DATE = re.compile(
    rf"(?:(?<!\w){_WEEKDAY}\.?,?\s)?(?:"
    r"(?<![\w-])\d{4}-[01]\d-[0-3]\d(?![\w-]*\w-)(?:[t\s][0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?"
    r"(?:\s?(?:z|utc|gmt|[+-]\d\d:?\d\d))?)?"
    r"|(?<![\w./])[0-3]?\d[./][01]?\d[./](?:19|20)?\d\d(?![\w/]|\.\d)"
    r"|(?<![\w./])[01]?\d/[0-3]?\d/(?:19|20)\d\d(?![\w/])"
    rf"|(?<!\w)[0-3]?\d(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?(?:{_MONTH_NAMES})\b\.?"
    r"(?:,?\s(?:de\s)?(?:19|20)\d\d\b)?"
    rf"|(?<!\w)(?:{_MONTH_NAMES})\b\.?\s[0-3]?\d(?:st|nd|rd|th)?\b(?![.:]\d)(?:,?\s(?:19|20)\d\d\b)?"
    rf"|(?<!\w)(?:{_MONTH_NAMES})\b\.?\s(?:de\s)?(?:19|20)\d\d\b"
    r"|(?<!\d)(?:19|20)\d\d\s?年\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?日)?"
    rf")(?:,?\s(?:at\s|um\s|à\s|a\slas\s)?{_TIME_OF_DAY})?",
    re.IGNORECASE,
)
CLOCK = re.compile(_TIME_OF_DAY, re.IGNORECASE)
WEEKDAY = re.compile(rf"(?<!\w){_WEEKDAY}(?!\w)", re.IGNORECASE)
_AMOUNT = r"(?:\d{1,4}|an?|one|two|three|a\sfew|few|several|less\sthan\sa|about\san?)"
_AGO = (
    rf"{_AMOUNT}\s?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|"
    r"months?|y|yrs?|years?)"
    r"(?:,?\s(?:and\s)?\d{1,3}\s?(?:secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|months?))?\sago",
    r"just\snow|moments?\sago|a\smoment\sago|gerade\seben|à\sl'instant|ahora\smismo",
    r"vor\s(?:etwa\s)?(?:\d{1,4}|einer|einem|wenigen|ein\spaar)\s(?:sekunden?|minuten?|stunden?|"
    r"tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?|std\.?|min\.?)",
    r"il\sy\sa\s(?:environ\s)?(?:\d{1,4}|une?|quelques)\s(?:secondes?|minutes?|min|heures?|h|"
    r"jours?|semaines?|mois|ans?)",
    r"hace\s(?:\d{1,4}|una?|unos|unas)\s(?:segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|"
    r"años?)",
    r"(?:\d{1,4}|una?|un')\s?(?:second[io]|minut[io]|or[ae]|giorn[io]|settiman[ae]|mes[ei]|"
    r"ann[io])\sfa",
    r"há\s(?:\d{1,4}|uma?)\s(?:segundos?|minutos?|horas?|dias?|semanas?|m[eê]s(?:es)?|anos?)",
    r"(?:\d{1,4}|een)\s(?:seconden?|minu(?:ut|ten)|uur|uren|dag(?:en)?|we(?:ek|ken)|"
    r"maand(?:en)?|jaar)\sgeleden",
)
_EAST_ASIAN_AGO = (
    r"\d{1,4}\s?(?:秒|分钟|分鐘|分|小时|小時|時間|天|日|周|週間|个月|個月|か月|ヶ月|年)\s?前"
)
RELATIVE = re.compile(
    rf"(?<!\w)(?:about\s|over\s|almost\s)?(?:{'|'.join(_AGO)})(?!\w)|(?<!\d){_EAST_ASIAN_AGO}",
    re.IGNORECASE,
)
# the time that is left: 2h 13m 45s; ends in 3 hours; noch 2 Tage
COUNTDOWN = re.compile(
    r"(?<!\w)(?:\d{1,3}\s?d(?:ays?)?,?\s)?(?:\d{1,2}\s?h(?:ours?|rs?)?,?\s)?"
    r"\d{1,2}\s?m(?:in(?:ute)?s?)?,?\s(?:and\s)?\d{1,2}\s?s(?:ec(?:ond)?s?)?(?!\w)"
    r"|(?<!\w)(?:ends?|ending|expires?|closes|endet|noch|termine|termina)\s(?:(?:in|dans|en)\s)?"
    r"\d{1,3}\s?(?:seconds?|minutes?|hours?|days?|sekunden|minuten|stunden|tagen?|jours?|heures?|"
    r"días|horas)(?!\w)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


class FoundDate(NamedTuple):
    """A date in a text, and its place."""

    start: int
    end: int
    day: date | None  # None: the text does not say which day


def dates_in(text: str, at: float = 0.0) -> Iterator[FoundDate]:
    """Yield the dates of a text; one without a year is of the year that is closest to `at`."""
    for match in DATE.finditer(text):
        yield FoundDate(match.start(), match.end(), _day(match[0], at))


def _day(text: str, at: float) -> date | None:
    plain = CLOCK.sub("", WEEKDAY.sub("", text)).strip(" ,.")
    if day := _parsed(plain):
        return day
    if not at or _YEAR.search(plain):
        return None
    now = day_of(at)
    days = (_parsed(f"{plain} {now.year + shift}") for shift in (-1, 0, 1))
    found = [day for day in days if day]
    return min(found, key=lambda day: abs((day - now).days), default=None)


def _parsed(text: str) -> date | None:
    try:
        return date.fromisoformat(iso_date(text)[:10])
    except ValueError:
        return None


def day_of(at: float) -> date:
    """Return the day (UTC) of a time in unix seconds."""
    return date(1970, 1, 1) + timedelta(days=int(at // 86_400))
