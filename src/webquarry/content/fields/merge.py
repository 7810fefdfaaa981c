"""Merges values filled by rules with those filled by a model."""

from typing import Any

from webquarry.content.fields.fill import NO_MATCH, FilledSchema, json_pointer
from webquarry.content.fields.grounding import INFERRED
from webquarry.content.html.json_ld import as_node

# structured data and the caller's selectors take precedence over a model
_EXACT_METHODS = frozenset(("selector", "json-ld", "microdata"))


def merge_filled(
    schema: dict[str, Any], by_rules: FilledSchema, by_model: FilledSchema
) -> FilledSchema:
    """Return for each field the exact value, else the model's, else that of the other rules."""
    result = FilledSchema()
    result.data = _value(schema, by_rules, by_model, ("", by_rules.data, by_model.data), result)
    return result


def _value(
    schema: dict[str, Any],
    by_rules: FilledSchema,
    by_model: FilledSchema,
    at: tuple[str, Any, Any],
    result: FilledSchema,
) -> Any:
    pointer, rule_value, model_value = at
    if schema["type"] == "object" and "x-selector" not in schema:
        data: dict[str, Any] = {}
        for name, inner in schema["properties"].items():
            values = as_node(rule_value).get(name), as_node(model_value).get(name)
            below = (json_pointer(pointer, name), *values)
            data[name] = _value(inner, by_rules, by_model, below, result)
        return data
    use_model = model_value is not None or rule_value is None
    use_model = use_model and not _is_exact(pointer, by_rules)
    if rule_value is not None and _is_inferred(pointer, by_model):
        use_model = False
    chosen = by_model if use_model else by_rules
    result.sources.update(_below(pointer, chosen.sources))
    result.missing.update(_below(pointer, chosen.missing))
    return model_value if use_model else rule_value


def _is_exact(pointer: str, by_rules: FilledSchema) -> bool:
    """Tell whether rules found the value exactly, or its selector matches nothing."""
    sources = _below(pointer, by_rules.sources).values()
    if any(source.method in _EXACT_METHODS for source in sources):
        return True
    return by_rules.missing.get(pointer, "").endswith(NO_MATCH)


def _is_inferred(pointer: str, by_model: FilledSchema) -> bool:
    """Tell whether no quote supports any part of the model's value."""
    sources = _below(pointer, by_model.sources).values()
    return all(source.method == INFERRED for source in sources)


def _below(pointer: str, table: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in table.items()
        if key == pointer or key.startswith(f"{pointer}/")
    }
