"""Properties that turn an element off."""

from tests.hidden_text.technique import styled, written

SWITCHES = styled(
    "switches",
    {
        "display none": "display:none",
        "display none in upper case": "DISPLAY:NONE",
        "display none, important": "display:block;display:none!important;display:block",
        "display none with a space before important": "display:none ! important",
        "visibility hidden": "visibility:hidden",
        "visibility collapse": "visibility:collapse",
        "opacity 0": "opacity:0",
        "opacity 0%": "opacity:0%",
        "opacity .00": "opacity:.00",
        "opacity 0.01": "opacity:0.01",
        "opacity as a power": "opacity:1e-9",
        "negative opacity": "opacity:-1",
        "opacity by calc": "opacity:calc(1 - 1)",
        "filter opacity": "filter:opacity(0)",
        "filter opacity in percent": "filter:blur(1px) opacity(0%)",
        "content-visibility": "content-visibility:hidden",
        "mask": "mask-image:linear-gradient(transparent,transparent)",
        "mask with prefix": "-webkit-mask:linear-gradient(#0000,#0000)",
    },
) + written(
    "switches",
    {
        "hidden parent": "<div style='display:none'><section><p>MARKER</p></section></div>",
        "visibility of the parent": "<div style='visibility:hidden'><p>MARKER</p></div>",
        "opacity of the parent": "<div style='opacity:0'><p><b>MARKER</b></p></div>",
        "a word in a paragraph": "<p>Seen <span style='display:none'>MARKER</span> words.</p>",
        "opacity with a transition": "<p style='opacity:0;transition:color 1s'>MARKER</p>",
        "two opacities": "<div style='opacity:.1'><p style='opacity:.1'>MARKER</p></div>",
    },
)
