"""Names of stored things that cannot be mistaken for another's."""

from urllib.parse import quote, unquote


def name_of(kind: str, *parts: str) -> str:
    """Return `kind:part:part…`; end with an empty part for the prefix of everything below."""
    # quoted, or the user "b:c" of tenant "a" would be the user "c" of tenant "a:b"
    return ":".join((kind, *(quote(part, safe="", errors="surrogatepass") for part in parts)))


def parts_of(name: str) -> tuple[str, ...]:
    """Return the kind and the parts a name was made of."""
    return tuple(unquote(part, errors="surrogatepass") for part in name.split(":"))
