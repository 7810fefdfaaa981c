"""Keys of stored values: `namespace:part:part…`, with quoted parts."""

from urllib.parse import quote, unquote


def name_of(namespace: str, *parts: str) -> str:
    """Return `namespace:part:part…`; end with an empty part for the prefix of all keys below."""
    # quoted, or the user "b:c" of tenant "a" would be the user "c" of tenant "a:b"
    return ":".join((namespace, *(quote(part, safe="", errors="surrogatepass") for part in parts)))


def parts_of(name: str) -> tuple[str, ...]:
    """Return the namespace and the parts of a key."""
    return tuple(unquote(part, errors="surrogatepass") for part in name.split(":"))
