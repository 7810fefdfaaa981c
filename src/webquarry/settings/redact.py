"""Show values to people without showing what is secret in them."""

from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from webquarry.settings.tree import KEYS, Declaration, Settings, declarations

_LONG_ENOUGH = 12  # characters; the last four of a shorter secret would give too much away
_SECRET_PARAMETERS = ("key", "password", "secret", "token")


def value_of(settings: Settings, entry: Declaration) -> object:
    """Return the value of one declared setting; None when it has none."""
    if entry.group == KEYS:
        return settings.keys.get(entry.name)
    owner = getattr(settings, entry.group)
    return getattr(owner, entry.key) if hasattr(owner, entry.key) else owner.get(entry.key)


def shown(entry: Declaration, value: object) -> str:
    """Return a value as text, without its secret parts."""
    if value in (None, ""):
        return ""
    text = entry.variable.kind.show(value)
    if "://" in text and "," not in text:
        return without_password(text)
    if not entry.variable.secret:
        return text
    return f"set (…{text[-4:]})" if len(text) > _LONG_ENOUGH else "set"


def without_password(address: str) -> str:
    """Return a URL with the credentials in it replaced by ***."""
    try:
        parts = urlsplit(address)
    except ValueError:  # half a URL may still hold a whole password
        return "***"
    user, at, place = parts.netloc.rpartition("@")
    if at:
        name, colon, _ = user.partition(":")
        # a lone word before the @ is as likely a token as a name
        parts = parts._replace(netloc=f"{name}:***@{place}" if colon else f"***@{place}")
    if parts.query:
        hidden = [
            (name, "***" if name.lower().endswith(_SECRET_PARAMETERS) else value)
            for name, value in parse_qsl(parts.query, keep_blank_values=True)
        ]
        parts = parts._replace(query=urlencode(hidden, safe="*"))
    return parts.geturl()


def secret_values(settings: Settings) -> tuple[str, ...]:
    """Return every text that must never reach a log: secrets, and the passwords within URLs."""
    found: set[str] = set()
    for entry in declarations(settings.declared).values():
        value = value_of(settings, entry)
        if not value:
            continue
        text = entry.variable.kind.show(value)
        if entry.variable.secret:
            found.add(text)
        if "://" in text:
            found |= _passwords(text)
    return tuple(sorted(found - {""}))


def _passwords(address: str) -> set[str]:
    user, _, _ = urlsplit(address).netloc.rpartition("@")
    password = user.partition(":")[2]
    return {password, unquote(password)}
