"""At-rules, nesting, the cascade, and style sheets from elsewhere."""

import base64

from tests.content.traps.base import article
from tests.hidden_text.technique import TEXT, Technique, ruled

_RULE = ".x{display:none}"
_MARKED = f"<p class='x'>{TEXT}</p>"
_DATA = base64.b64encode(_RULE.encode()).decode()


def _page(name: str, head: str, **files: str) -> Technique:
    sheets = {f"/{path}.css": text for path, text in files.items()}
    return Technique("conditions", name, article(_MARKED, head=head), sheets)


CONDITIONS: tuple[Technique, ...] = (
    *ruled(
        "conditions",
        {
            "media screen": "@media screen{.x{display:none}}",
            "media with a width": "@media (min-width:300px){.x{display:none}}",
            "media, screen and width": "@media only screen and (max-w"
            "idth:9999px){.x{display:none}}",
            "media range": "@media (width >= 400px){.x{display:none}}",
            "media not print": "@media not print{.x{display:none}}",
            "media list": "@media print, screen{.x{display:none}}",
            "media all in upper case": "@MEDIA ALL{.x{display:none}}",
            "media of a mouse": "@media (hover:hover) and (pointer:fine){.x{display:none}}",
            "media inside media": "@media screen{@media (min-width:1px){.x{display:none}}}",
            "supports": "@supports (display:grid){.x{display:none}}",
            "supports not": "@supports not (display:nonsense){.x{display:none}}",
            "layer": "@layer a{.x{display:none}}",
            "later layer wins": "@layer a,b;@layer b{.x{display:none}}@layer a{.x{display:block}}",
            "no layer wins": ".x{display:none}@layer a{p.x#y{display:block}}",
            "scope": "@scope (article){.x{display:none}}",
            "container": "main{container-type:inline-size}@container (width>0){.x{display:none}}",
            "nested": "article{.x{display:none}}",
            "nested with &": "article{color:#222;& .x{display:none}}",
            "nested in itself": ".x{color:red;&.note{display:none}}",
            "nested media": ".x{@media screen{display:none}}",
            "specificity": "#y{display:none}.x.note{display:block}p{display:block}",
            "order": ".x{display:block}.x{display:none}",
            "important": ".x{display:none!important}#y{display:block}",
            "after an unclosed string": ".a{content:'abc\n}.x{display:none}",
            "after a brace in a string": ".a::after{content:'}'}.x{display:none}",
            "after an import": "@import url(none.css);.x{display:none}",
            "after a charset": "@charset 'utf-8';.x{display:none}",
        },
    ),
    _page("data sheet", f"<link rel=stylesheet href='data:text/css;base64,{_DATA}'>"),
    _page("data sheet, escaped", "<link rel=stylesheet href='data:text/css,.x%7Bdisplay:none%7D'>"),
    _page("imported data", f"<style>@import 'data:text/css;base64,{_DATA}';</style>"),
    _page("style for screens", f"<style media=screen>{_RULE}</style>"),
    _page("external sheet", "<link rel=stylesheet href=/a.css>", a=_RULE),
    _page("imported sheet", "<style>@import url(/a.css);</style>", a=_RULE),
    Technique("conditions", "style in the body", article(f"{_MARKED}<style>{_RULE}</style>")),
)
