"""Text in the colour of its background."""

from tests.hidden_text.technique import Technique, ruled, styled, written

COLOURS: tuple[Technique, ...] = (
    *styled(
        "colours",
        {
            "white on white": "color:#fff;background:#fff",
            "white on the page": "color:white",
            "almost white": "color:#fefefe",
            "rgb": "color:rgb(255,255,255)",
            "rgb with spaces": "color:rgb(255 255 255 / 1)",
            "rgb in percent": "color:rgb(100%,100%,100%)",
            "rgb with fractions": "color:rgb(254.9, 254.9, 254.9)",
            "hsl": "color:hsl(0,0%,100%)",
            "hsl with spaces": "color:hsl(120deg 0% 100%)",
            "hwb": "color:hwb(0 100% 0%)",
            "long name": "color:floralwhite;background:floralwhite",
            "hex with alpha": "color:#ffffffff",
            "black on black": "color:#000;background-color:black",
            "colour of its background, other forms": "color:rgb(18,52,86);background:#123456",
            "background shorthand": "color:#abc;background:#aabbcc none repeat",
            "transparent": "color:transparent",
            "transparent by hex": "color:#0000",
            "transparent by long hex": "color:#12345600",
            "transparent by rgba": "color:rgba(0,0,0,0)",
            "transparent by percent": "color:rgb(0 0 0 / 0%)",
            "transparent by hsla": "color:hsla(0,0%,0%,0)",
            "almost transparent": "color:rgba(0,0,0,.01)",
            "fill colour": "-webkit-text-fill-color:transparent",
            "fill colour like the page": "-webkit-text-fill-color:#fff",
        },
    ),
    *ruled(
        "colours",
        {
            "dark page": "body{background:#111;color:#eee}.x{color:#121212}",
            "var": ":root{--paper:#fff}.x{color:var(--paper)}",
            "var with a fallback": ".x{color:var(--none,#fff)}",
            "var of a var": ":root{--a:transparent;--b:var(--a)}.x{color:var(--b)}",
            "colour of the article": "article{background:#246}.x{color:#224466}",
            "currentcolor background": ".x{color:#345;background:currentcolor}",
            "light-dark": ".x{color:light-dark(#fff,#000)}",
            "color-mix": ".x{color:color-mix(in srgb,white 100%,black 0%)}",
            "oklch": ".x{color:oklch(1 0 0)}",
        },
    ),
    *written(
        "colours",
        {
            "font element": "<p><font color='white'>MARKER</font></p>",
            "table cell": "<table bgcolor='#eeeeee'><tr><td><font color='#eeeeee'>MARKER</font>"
            "</td><td>seen</td></tr></table>",
            "colour of the parent": "<div style='color:#fff'><p>MARKER</p></div>",
        },
    ),
)
