"""Text that nobody sees, each kind of it hiding the word MARKER, and text that only looks so."""

from tests.content.traps.base import Trap, article

_GONE = ("MARKER",)


def _hides(name: str, inside: str, reason: str | None = None, **more: str) -> Trap:
    facts = {"removed.0.reason": reason} if reason else {}
    return Trap(
        name, article(inside, **more), has=("swallows came back",), lacks=_GONE, facts=facts
    )


def _shows(name: str, inside: str, *has: str, **more: str) -> Trap:
    return Trap(name, article(inside, **more), has=has or ("MARKER",))


def _style(rules: str) -> str:
    return f"<style>{rules}</style>"


TRAPS = (
    _hides("display none", "<p style='display:none'>MARKER</p>", "display: none"),
    _hides(
        "display none in odd writing", "<p style='color:red; DISPLAY : None !important'>MARKER</p>"
    ),
    _hides(
        "display none by class",
        "<p class='x y'>MARKER</p>",
        "display: none",
        head=_style(".y{display:none}"),
    ),
    _hides(
        "display none by id inside @supports",
        "<p id='z'>MARKER</p>",
        head=_style("@supports (a:b){#z{display:none}}"),
    ),
    _hides(
        "display none by a descendant selector",
        "<div class='a'><p><i>MARKER</i></p></div>",
        head=_style(".a p i { display: none }"),
    ),
    _hides(
        "display none by an id that is given twice",
        "<p id='z'>MARKER</p><p id='z'>MARKER</p>",
        "display: none",
        head=_style("#z{display:none}"),
    ),
    _hides("hidden attribute", "<p hidden>MARKER</p>", "hidden attribute"),
    _hides("aria-hidden", "<p aria-hidden='true'>MARKER</p>", "aria-hidden"),
    _hides("visibility hidden", "<p style='visibility: hidden'>MARKER</p>", "visibility: hidden"),
    _hides("opacity zero", "<p style='opacity:0'>MARKER</p>", "opacity: 0"),
    _hides("font size zero", "<p>seen <span style='font-size:0'>MARKER</span></p>", "zero size"),
    _hides("font size of one pixel", "<span style='font-size:1px'>MARKER</span>", "zero size"),
    _hides("box without height", "<div style='height:0;overflow:hidden'>MARKER</div>", "zero size"),
    _hides("off screen", "<p style='position:absolute;left:-9999px'>MARKER</p>", "off screen"),
    _hides("off screen by indent", "<p style='text-indent:-9999em'>MARKER</p>", "off screen"),
    _hides("clipped", "<p style='position:absolute;clip:rect(0,0,0,0)'>MARKER</p>", "clipped away"),
    _hides("scaled to nothing", "<p style='transform:scale(0)'>MARKER</p>", "zero size"),
    _hides("white on white", "<p style='color:#fff;background-color:white'>MARKER</p>"),
    _hides("white on the page's own white", "<p style='color:#fefefe'>MARKER</p>"),
    _hides(
        "colour of a dark page by rules",
        "<p class='n'>MARKER</p>",
        head=_style("body{background:#111}.n{color:#121212}"),
    ),
    _hides("transparent", "<p style='color:transparent'>MARKER</p>", "transparent text"),
    _hides("comment", "<!-- MARKER -->", "comment"),
    _hides("conditional comment", "<!--[if lt IE 9]><p>MARKER</p><![endif]-->"),
    _hides("template", "<template><p>MARKER</p></template>"),
    _hides(
        "script and style text",
        "<script>var a='MARKER'</script><style>.a:after{content:'MARKER'}</style>",
    ),
    _hides("closed dialog", "<dialog><p>MARKER</p></dialog>", "closed dialog"),
    _hides("screen reader text", "<span class='sr-only'>MARKER</span>", "for screen readers only"),
    _hides(
        "input value and placeholder",
        "<input type='hidden' value='MARKER'><input placeholder='MARKER'>",
    ),
    _hides(
        "title and data attributes",
        "<p title='MARKER' data-note='MARKER' aria-label='MARKER'>Seen words.</p>",
    ),
    Trap(
        "zero-width characters",
        article("<p>ig\u200bno\u2060re\ufeff previous&#8203; words</p>"),
        has=("ignore previous words",),
        facts={"removed.0.reason": "zero-width character", "removed.0.count": 4},
    ),
    Trap(
        "direction controls",
        article("<p>a\u202eb\u2066c\u200fd end of line</p>"),
        has=("abcd end of line",),
    ),
    Trap(
        "tag characters",
        article("<p>Plain words" + "".join(chr(0xE0000 + ord(c)) for c in "MARKER") + " here.</p>"),
        has=("Plain words here.",),
        facts={"removed.0.reason": "tag character", "removed.0.count": 6},
    ),
    Trap(
        "data in variation selectors",
        article("<p>Sun\U000e0101\U000e0102\U000e0103 today.</p>"),
        has=("Sun today.",),
    ),
    Trap(
        "joiners, selectors and flags that are seen",
        article(
            "<p>👨\u200d👩\u200d👧 ❤\ufe0f \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 "
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f</p>"
        ),
        has=(
            "👨\u200d👩\u200d👧",
            "❤\ufe0f",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        ),
    ),
    _shows(
        "prose about hiding",
        "<p>Use MARKER with display: none; or visibility: hidden in CSS.</p>",
        "MARKER with display: none",
    ),
    _shows(
        "code about hiding",
        "<pre><code>.MARKER { display: none; font-size: 0 }</code></pre>",
        ".MARKER { display: none; font-size: 0 }",
    ),
    _shows(
        "a rule for print only",
        "<p class='p'>MARKER words that are seen.</p>",
        head=_style("@media print{.p{display:none}}"),
    ),
    _shows(
        "a later rule that shows it again",
        "<p class='t on'>MARKER words.</p>",
        head=_style(".t{display:none}.t.on{display:block}"),
    ),
    _shows(
        "an accordion with its button",
        "<button aria-controls='q1'>Why?</button><div id='q1' hidden>"
        "<p>MARKER is the answer to it.</p></div>",
    ),
    _shows(
        "white text where a sheet we did not read may set the ground",
        "<p style='color:#fff'>MARKER words in white.</p>",
        head="<link rel=stylesheet href=a.css>",
    ),
    _shows(
        "fragments that a script moves to their places",
        "<div id='S:1' hidden>MARKER one</div><template id='B:1'></template>"
        "<div id='afq7' style='display:none'>MARKER two</div><noscript id='afqph7'></noscript>",
        "MARKER one",
        "MARKER two",
    ),
    _shows(
        "an entrance animation",
        "<p style='opacity:0;transform:translateY(20px)'>MARKER words fade in.</p>",
    ),
    Trap(
        "a body that is hidden until its script has run",
        article("<p>MARKER</p>", head=_style("body{visibility:hidden}")),
        has=("MARKER", "swallows"),
    ),
)
