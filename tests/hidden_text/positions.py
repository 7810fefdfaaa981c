"""Text outside the page or outside its box."""

from tests.hidden_text.technique import styled, written

POSITIONS = styled(
    "positions",
    {
        "left": "position:absolute;left:-9999px",
        "fixed, left": "position:fixed;left:-2000px",
        "right of the page": "position:absolute;left:9999px",
        "right of the page, fixed": "position:fixed;left:200vw",
        "below the window": "position:fixed;top:200vh",
        "top": "position:absolute;top:-9999px",
        "top in em": "position:absolute;top:-999em",
        "right": "position:absolute;right:-9999px",
        "bottom, fixed": "position:fixed;bottom:-5000px",
        "inset": "position:absolute;inset:0 auto auto -9999px",
        "inset at the start": "position:absolute;inset-inline-start:-9999px",
        "left by calc": "position:absolute;left:calc(-100vw - 9999px)",
        "relative": "position:relative;left:-9999px",
        "margin": "margin-left:-9999px",
        "margin shorthand": "margin:0 0 0 -9999px",
        "margin to the right": "margin-left:9999px",
        "margin above": "position:absolute;margin-top:-9999px",
        "indent": "text-indent:-9999px",
        "indent to the right": "text-indent:9999px;white-space:nowrap;overflow:hidden",
        "translate": "transform:translate(-9999px)",
        "translateX in percent": "transform:translateX(-5000%)",
        "translateY": "transform:translateY(-9999px)",
        "translate to the right": "transform:translateX(9999px)",
        "translate3d": "transform:translate3d(-9999px,0,0)",
        "translate, second value": "transform:translate(0,-9999px)",
        "translate property": "translate:-9999px 0",
        "matrix": "transform:matrix(1,0,0,1,-9999,0)",
        "offset path": "offset-path:path('M -9999 -9999 l 1 0')",
    },
) + written(
    "positions",
    {
        "pushed out of its box": "<div style='height:20px;overflow:hidden;position:relative'>"
        "<p style='position:absolute;top:400px'>MARKER</p></div>",
        "parent off screen": "<div style='position:absolute;left:-9999px'><p>MARKER</p></div>",
    },
)
