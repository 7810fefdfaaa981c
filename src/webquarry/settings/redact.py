"""Redacts secrets in settings that are shown or logged."""

from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from webquarry.settings.tree import KEYS, Declaration, Settings, declarations

_MIN_SHOWN_LENGTH = 12  # of shorter secrets not even the last four characters are shown
_SECRET_PARAMETERS = ("key", "password", "secret", "token")


def value_of(settings: Settings, entry: Declaration) -> object:
    """Return the value of one declared setting; None if it is not set."""
    if entry.group == KEYS:
        return settings.keys.get(entry.name)
    owner = getattr(settings, entry.group)
    return getattr(owner, entry.key) if hasattr(owner, entry.key) else owner.get(entry.key)


def shown(entry: Declaration, value: object) -> str:
    """Return a value as text, with secrets redacted."""
    if value in (None, ""):
        return ""
    text = entry.variable.kind.show(value)
    if "://" in text and "," not in text:
        return without_password(text)
    if not entry.variable.secret:
        return text
    return f"set (…{text[-4:]})" if len(text) > _MIN_SHOWN_LENGTH else "set"


def without_password(url: str) -> str:
    """Return a URL with the credentials in it replaced by ***."""
    try:
        parts = urlsplit(url)
    except ValueError:  # an invalid URL may still contain a password
        return "***"
    user, at, host = parts.netloc.rpartition("@")
    if at:
        name, colon, _ = user.partition(":")
        # without a colon it may be a token instead of a user name
        parts = parts._replace(netloc=f"{name}:***@{host}" if colon else f"***@{host}")
    if parts.query:
        redacted = [
            (name, "***" if name.lower().endswith(_SECRET_PARAMETERS) else value)
            for name, value in parse_qsl(parts.query, keep_blank_values=True)
        ]
        parts = parts._replace(query=urlencode(redacted, safe="*"))
    return parts.geturl()


def secret_values(settings: Settings) -> tuple[str, ...]:
    """Return every text that must not be logged: secrets, and the passwords in URLs."""
    secrets: set[str] = set()
    for entry in declarations(settings.declared).values():
        value = value_of(settings, entry)
        if not value:
            continue
        text = entry.variable.kind.show(value)
        if entry.variable.secret:
            secrets.add(text)
        if "://" in text:
            secrets |= _passwords(text)
    return tuple(sorted(secrets - {""}))


def _passwords(url: str) -> set[str]:
    user, _, _ = urlsplit(url).netloc.rpartition("@")
    password = user.partition(":")[2]
    return {password, unquote(password)}
