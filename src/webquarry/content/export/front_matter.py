"""Front matter: the properties of a page, in YAML before its text."""

import json
import re
from collections.abc import Mapping

Property = str | int | float | bool | None

# characters that YAML allows only in escaped form
_NOT_PRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def with_front_matter(properties: Mapping[str, Property], text: str) -> str:
    """Return a text below its properties; those without a value are left out."""
    lines = [f"{name}: {_value(value)}" for name, value in properties.items() if value is not None]
    return "\n".join(("---", *lines, "---", "", text.strip("\n"), ""))


def _value(value: Property) -> str:
    if not isinstance(value, str):
        return json.dumps(value)
    # a double-quoted YAML text is written as in JSON
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
