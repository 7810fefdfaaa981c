"""Patent publication numbers: `US 10,165,245 B2`, `EP.2400812.A1`, `patent/US10165245B2/en`."""

import re

_NUMBER = re.compile(r"([A-Z]{2})((?:RE|PP|D|H|T|P)?\d{4,14})([A-Z]\d?)?")
_SURE_DIGITS = 6
# codes of WIPO ST.3 of the offices whose documents are searched by number
_OFFICES = frozenset(
    {"AR", "AT", "AU", "BE", "BG", "BR", "CA", "CH", "CL", "CN", "CO", "CZ", "DD", "DE",
     "DK", "EA", "EE", "EP", "ES", "FI", "FR", "GB", "GR", "HK", "HR", "HU", "IE", "IL",
     "IN", "IT", "JP", "KR", "LT", "LU", "LV", "MC", "MX", "MY", "NL", "NO", "NZ", "PE",
     "PL", "PT", "RO", "RS", "RU", "SE", "SG", "SI", "SK", "SU", "TH", "TR", "TW", "UA",
     "US", "VN", "WO", "ZA"}
)  # fmt: skip
_PATH = re.compile(r"/patent/([A-Za-z]{2}[A-Za-z0-9]{4,20})(?=[/?#]|$)")


def patent_number(text: str) -> str | None:
    """Return the normalised number, or None when the text is not a patent number."""
    if "/" in text:
        match = _PATH.search(text if text.startswith(("/", "http")) else f"/{text}")
        text = match[1] if match else text.replace("/", "")  # WO 2017/123335
    number = re.sub(r"[\s.,-]", "", text).upper()
    return number if _NUMBER.fullmatch(number) else None


def is_full_number(number: str) -> bool:
    """Tell whether a normalised number is not just two letters and a year or a small number."""
    found = split_patent_number(number)
    return found is not None and found[0] in _OFFICES and len(found[1]) >= _SURE_DIGITS


def split_patent_number(number: str) -> tuple[str, str, str] | None:
    """Return office, digits and kind code of a normalised number."""
    match = _NUMBER.fullmatch(number)
    return (match[1], match[2], match[3] or "") if match else None


def same_patent(one: str, other: str) -> bool:
    """Tell whether two numbers denote one document; a missing kind code matches any."""
    first, second = split_patent_number(one), split_patent_number(other)
    if first is None or second is None:
        return one == other
    kinds = {first[2], second[2]} - {""}
    return first[:2] == second[:2] and len(kinds) < 2
