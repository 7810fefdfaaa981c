"""Elements and attributes that show nothing."""

from tests.hidden_text.technique import written

ELEMENTS = written(
    "elements",
    {
        "hidden": "<p hidden>MARKER</p>",
        "hidden with a value": "<p hidden='false'>MARKER</p>",
        "hidden in upper case": "<P HIDDEN=HIDDEN>MARKER</P>",
        "popover": "<div popover>MARKER</div>",
        "popover, manual": "<div popover='manual'><p>MARKER</p></div>",
        "dialog": "<dialog>MARKER</dialog>",
        "template": "<template><p>MARKER</p></template>",
        "shadow template": "<div><template shadowrootmode='open'><p style='display:none'>MARKER</p>"
        "</template></div>",
        "comment": "<!-- MARKER -->",
        "processing instruction": "<?php MARKER ?>",
        "script text": "<script type='text/plain'>MARKER</script>",
        "style text": "<style>/* MARKER */ .q{content:'MARKER'}</style>",
        "content of a pseudo-element": "<style>.q::after{content:'MARKER';dis"
        "play:none}</style><p class=q>Seen.</p>",
        "title attribute": "<p title='MARKER'>Seen.</p>",
        "data attribute": "<p data-text='MARKER'>Seen.</p>",
        "aria-label": "<p aria-label='MARKER'>Seen.</p>",
        "aria-description": "<p aria-description='MARKER'>Seen.</p>",
        "hidden input": "<input type=hidden value='MARKER'>",
        "placeholder": "<input placeholder='MARKER'>",
        "alt of a hidden image": "<img hidden src=a.png alt='MARKER'>",
        "alt of an image without display": "<img style='display:none' src=a.png alt='MARKER'>",
        "alt of an image in a hidden box": "<div style='display:none'><img"
        " src=a.png alt='MARKER'></div>",
        "alt of a pixel": "<img src=p.gif width=1 height=1 alt='MARKER'>",
        "alt of an image off screen": "<img style='position:absolute;lef"
        "t:-9999px' src=a.png alt='MARKER'>",
        "alt of a transparent image": "<img style='opacity:0' src=a.png alt='MARKER'>",
        "image title": "<img src=a.png alt='A quarry' title='MARKER'>",
        "object fallback": "<object data=a.svg>MARKER</object>",
        "video fallback": "<video src=a.mp4>MARKER</video>",
        "canvas fallback": "<canvas>MARKER</canvas>",
        "iframe fallback": "<iframe src=about:blank>MARKER</iframe>",
        "iframe document": "<iframe hidden srcdoc='<p>MARKER</p>'></iframe>",
        "noframes": "<noframes>MARKER</noframes>",
        "noembed": "<noembed>MARKER</noembed>",
        "datalist": "<datalist id=l><option>MARKER</option></datalist>",
        "option": "<select><option>Seen</option><option hidden>MARKER</option></select>",
        "area alt": "<map name=m><area alt='MARKER' href=a></map>",
        "svg title": "<svg width=9 height=9><title>MARKER</title><desc>MARKER</desc></svg>",
        "svg text": "<svg width=9 height=9><text opacity=0>MARKER</text></svg>",
        "svg definitions": "<svg width=9 height=9><defs><text>MARKER</text></defs></svg>",
        "math phantom": "<math><mphantom><mtext>MARKER</mtext></mphantom><mi>x</mi></math>",
        "ruby parenthesis": "<ruby>字<rp>MARKER</rp><rt>ji</rt></ruby>",
        "screen-reader class": "<span class='visually-hidden'>MARKER</span>",
        "skip link": "<a href='#m' class='sr-only'>MARKER</a>",
        "table column": "<table><tr><td>a</td><td style='display:none'>MARKER</td></tr></table>",
        "table row": "<table><tr><td>a</td></tr><tr style='visibi"
        "lity:collapse'><td>MARKER</td></tr></table>",
        "collapsed list": "<ul><li>seen</li><li hidden>MARKER</li></ul>",
        "link text": "<p><a href=/x style='font-size:0'>MARKER</a> seen</p>",
        "heading": "<h2 style='display:none'>MARKER</h2>",
    },
)
