"""Publication numbers of patents: `US 10,165,245 B2`, `EP.2400812.A1`, `patent/US10165245B2/en`."""

import re

_NUMBER = re.compile(r"([A-Z]{2})((?:RE|PP|D|H|T|P)?\d{4,14})([A-Z]\d?)?")
_PATH = re.compile(r"/patent/([A-Za-z]{2}[A-Za-z0-9]{4,20})(?=[/?#]|$)")


def patent_number(text: str) -> str | None:
    """Return the number in its usual form, or None when the text is something else."""
    if "/" in text:
        found = _PATH.search(text if text.startswith(("/", "http")) else f"/{text}")
        text = found[1] if found else text.replace("/", "")  # WO 2017/123335
    plain = re.sub(r"[\s.,-]", "", text).upper()
    return plain if _NUMBER.fullmatch(plain) else None


def parts_of(number: str) -> tuple[str, str, str] | None:
    """Return office, digits and kind of a number in its usual form."""
    found = _NUMBER.fullmatch(number)
    return (found[1], found[2], found[3] or "") if found else None


def is_same(one: str, other: str) -> bool:
    """Tell whether two numbers mean one document; a kind that is left out fits any."""
    first, second = parts_of(one), parts_of(other)
    if first is None or second is None:
        return one == other
    kinds = {first[2], second[2]} - {""}
    return first[:2] == second[:2] and len(kinds) < 2
