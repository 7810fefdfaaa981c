"""Text below something else, or blended away."""

from tests.hidden_text.technique import styled, written

COVER_UPS = (
    *written(
        "cover-ups",
        {
            "below a box": "<div style='position:relative'><p>MARKER</p><div style='position:"
            "absolute;inset:0;background:#fff'></div></div>",
            "behind its parent": "<div style='background:#fff;positi"
            "on:relative;z-index:0'><div style="
            "'background:#fff;position:relative;height:60px'></div><p style='position:absolute;"
            "top:0;z-index:-1;margin:0'>MARKER</p></div>",
            "below a pseudo-element": "<style>.c{position:relative}.c::after{content:'';position:"
            "absolute;inset:0;background:#fff}</style><div class='c'><p>MARKER</p></div>",
        },
    ),
    *styled(
        "cover-ups",
        {
            "blended away": "mix-blend-mode:lighten;color:#111",
            "brightened away": "filter:brightness(0) invert(1)",
            "no contrast": "filter:contrast(0) brightness(9)",
        },
    ),
)
