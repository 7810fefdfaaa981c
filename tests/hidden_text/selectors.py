"""Selectors that find the element."""

from tests.hidden_text.technique import Technique, ruled

_SELECTORS = {
    "class": ".x", "two classes": ".x.note", "id": "#y", "element": "article p.x",
    "list": "h6,.x,h5", "descendant": "main article .x", "child": "article>.x",
    "child with spaces": "article > p.x", "sibling": "h2+p", "later sibling": "h2 ~ p.x",
    "attribute": "[data-kind]", "attribute with a value": "p[data-kind=aside]",
    "attribute in quotes": "[data-kind='aside']", "attribute that starts": "[data-kind^=as]",
    "attribute that ends": "[data-kind$='ide']", "attribute that contains": "[data-kind*=sid]",
    "class as an attribute": "[class~=note]", "class that contains": "p[class*='not']",
    "id as an attribute": "[id='y']", "value in any case": "[data-kind='ASIDE' i]",
    "is": ":is(.x,.z)", "is with a parent": ":is(article,section) .x", "where": ":where(#y)",
    "not": "p.x:not(.other)", "not a list": ".x:not(h1,h2)", "has": "p.x:not(:has(img))",
    "parent has": "article:has(.x) .x",
    "nth child": "article>:nth-child(5)", "nth of type": "article p:nth-of-type(3)",
    "first of type after": "h2 + p:not(:first-child)", "universal": "article>*.x",
    "root": ":root .x", "escaped class": ".\\78", "escaped id": "#\\000079",
    "upper-case element": "P.x", "deep": "html body main article p.x",
}  # fmt: skip
SELECTORS: tuple[Technique, ...] = ruled(
    "selectors", {name: f"{selector}{{display:none}}" for name, selector in _SELECTORS.items()}
)
