"""Unusual ways to write a declaration."""

from tests.hidden_text.technique import ruled, styled

WRITING = (
    *styled(
        "writing",
        {
            "comment in the value": "display:/**/none",
            "comment in the name": "display/* a */:none",
            "comment around": "/*;*/display:none/*;*/",
            "escape in the name": "d\\69splay:none",
            "escape in the value": "display:n\\6f ne",
            "escaped letter": "d\\isplay:non\\65",
            "line breaks": "display\n:\n\tnone\n",
            "after a string with a semicolon": "font-family:';display:block';display:none",
            "before a string with a declaration": "display:none;font-family:';display:block'",
            "before a broken declaration": "display:none;display",
            "after a broken declaration": "color:;;display:none",
            "before an unknown value": "display:none;display:nonsense",
            "after a brace": "{};display:none",
            "entities": "display&colon;none",
            "var in a style": "--d:none;display:var(--d)",
            "min": "font-size:min(0px,5px)",
            "clamp": "opacity:clamp(0,-3,1)",
            "plus sign": "opacity:+0",
            "inherit from nothing": "display:none;display:revert-nonsense",
            "parenthesis": "background:url(a;display:block);display:none",
        },
    ),
    *ruled(
        "writing",
        {
            "comment in the selector": ".x/**/{display:none}",
            "comment between": "/* } */.x{/* { */display:none}",
            "rule in upper case": ".x{DISPLAY:None}",
            "HTML comment": "<!-- .x{display:none} -->",
            "var of the root": ":root{--d:none}.x{display:var(--d)}",
            "var of the parent": "article{--o:0}.x{opacity:var(--o)}",
            "inherited var with a fallback": ".x{visibility:var(--v,hidden)}",
            "var in upper case": ":root{--D:none}.x{display:VAR(--D)}",
            "unclosed rule": ".x{display:none",
            "unclosed media": "@media screen{.x{display:none}",
        },
    ),
)
