"""Text that people see, or open with one click, although it looks hidden."""

from tests.hidden_text.technique import Technique, ruled, styled, written

VISIBLE: tuple[Technique, ...] = (
    *styled(
        "visible",
        {
            "almost no opacity is still seen": "opacity:.5",
            "small print": "font-size:8px",
            "white on a dark box": "color:#fff;background:#123",
            "white on an image": "color:#fff;background:url(hero.jpg)",
            "white on a gradient": "color:#fff;background:linear-gradient(#000,#333)",
            "gradient text": "color:transparent;background:linear-gradient(red,blue);"
            "-webkit-background-clip:text;background-clip:text",
            "hanging indent": "text-indent:-20px;padding-left:20px",
            "pulled to the left": "margin-left:-15px",
            "no height, visible overflow": "height:0;margin-bottom:40px",
            "shifted by a little": "transform:translateX(-10px)",
            "turned around": "transform:rotate(180deg)",
            "display is set again": "display:none;display:block",
            "a rule in a string": "font-family:'display:none'",
            "a custom property": "--display:none",
            "visibility set again": "visibility:hidden;visibility:visible",
            "flex item without width": "width:0;flex:1;display:block;min-width:300px",
            "clip without a position": "clip:rect(0,0,0,0)",
            "inset with room": "clip-path:inset(0)",
            "left without a position": "left:-9999px",
            "content visibility auto": "content-visibility:auto",
        },
    ),
    *ruled(
        "visible",
        {
            "hidden in print": "@media print{.x{display:none}}",
            "hidden on phones": "@media (max-width:600px){.x{display:none}}",
            "hidden without scripts": "@media (scripting:none){.x{display:none}}",
            "hidden on another class": ".x.other{display:none}",
            "hidden elsewhere": "aside .x{display:none}",
            "hidden child of another": "section>.x{display:none}",
            "hidden after another": "table+.x{display:none}",
            "hidden with another attribute": "[data-kind=other]{display:none}",
            "hidden while hovered": ".x:hover{display:none}",
            "hidden when empty": ".x:empty{display:none}",
            "hidden pseudo-element": ".x::before{content:'a';display:none}",
            "hidden if not matching": ".x:not(.note){display:none}",
            "shown by specificity": ".x{display:none}#y{display:block}",
            "shown by order": ".x{display:none}.x{display:block}",
            "shown by importance": ".x{display:block!important}#y{display:none}",
            "shown by a wider rule": ".x{display:none}@media (min-width:768px){.x{display:block}}",
            "unsupported": "@supports (display:nonsense){.x{display:none}}",
            "after a stray brace": ".a{color:red;}}.x{display:none}",
            "in a comment": "/* .x{display:none} */",
            "keyframes": "@keyframes a{from{opacity:0}}.x{animation:a 1s}",
            "dark theme": "body{background:#111;color:#eee}.x{color:#fff}",
            "dark theme for dark systems": "@media (prefers-color-scheme:dark){.x{color:#fff}}",
            "white on the dark parent": "article{background:#012}.x{color:#fff}",
            "var with a visible value": ":root{--d:block}.x{display:var(--d,none)}",
            "unknown var": ".x{display:var(--missing)}",
            "starting style": "@starting-style{.x{opacity:0}}",
        },
    ),
    *written(
        "visible",
        {
            "inert": "<p inert>MARKER</p>",
            "closed details": "<details><summary>More</summary><p>MARKER</p></details>",
            "open dialog": "<dialog open style='position:static'><p>MARKER</p></dialog>",
            "accordion": "<button aria-controls=q aria-expanded=false>Why?</button>"
            "<div id=q hidden><p>MARKER</p></div>",
            "tab panel": "<div role=tablist><button role=tab id"
            "=t aria-controls=p>Two</button></div>"
            "<div role=tabpanel id=p aria-labelledby=t style='display:none'>MARKER</div>",
            "visible child of a hidden parent": "<div style='visibility:hid"
            "den'><p style='visibility:"
            "visible'>MARKER</p></div>",
            "larger child of small text": "<div style='font-size:0'><p st"
            "yle='font-size:16px'>MARKER</p>"
            "</div>",
            "colour of the child": "<div style='color:#fff'><p style='color:#222'>MARKER</p></div>",
            "fade-in": "<p style='opacity:0;transform:translateY(20px);transition:all 1s' "
            "class=reveal>MARKER</p><script>setTimeout(() => document.querySelector('.reveal')"
            ".style.opacity = 1)</script>",
            "until found": "<div hidden=until-found><p>MARKER</p></div>",
        },
    ),
)
