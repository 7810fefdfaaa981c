"""Which part of the page is the content, and pages that are no content at all."""

import json

from tests.content.traps.base import SAMPLES, Trap, article, prose

_TEASERS = "".join(
    f"<article class='teaser'><h3><a href='/n/{n}'>Other story number {n}</a></h3>"
    f"<p>Short teaser text of story {n} that leads away.</p></article>"
    for n in range(6)
)
_COMMENTS = "".join(
    f"<li class='comment'><div class='comment-author'>Reader {n}</div><div class='comment-body'>"
    f"<p>I visited it in {1990 + n} and COMMENTWORD what I saw there was quite different from "
    "what you describe, though the path was already in a bad state then.</p></div></li>"
    for n in range(25)
)
_CHINESE = "".join(
    f"<p>{SAMPLES['chinese_paragraph'].replace('{n}', str(n))}</p>" for n in range(8)
)
_POSTS = [{"cooked": f"<p>Forum post {n}: the fence is {prose(1)[3:-5]}</p>"} for n in range(4)]
_PRELOADED = json.dumps({"topic_7": json.dumps({"post_stream": {"posts": _POSTS}})})

TRAPS = (
    Trap(
        "teaser articles before the story",
        f"<html><head><title>The quarry</title></head><body><div class='teasers'>{_TEASERS}</div>"
        f"<article class='main'><h1>The quarry</h1>{prose(8)}</article></body></html>",
        has=("The old quarry above the village", "a view over the valley"),
        lacks=("Short teaser text",),
    ),
    Trap(
        "long comment thread under an article",
        article(
            "", around=f"<section id='comments'><h2>25 comments</h2><ol>{_COMMENTS}</ol></section>"
        ),
        has=("swallows came back",),
        lacks=("COMMENTWORD",),
    ),
    Trap(
        "Chinese article",
        "<html lang='zh'><head><title>采石场</title></head><body><div class='nav'>"
        "<a href='/'>首页</a> <a href='/n'>新闻</a></div>"
        f"<div class='article'><h1>采石场</h1>{_CHINESE}</div>"
        "<div class='footer'>版权所有 备案号 12345</div></body></html>",
        has=("第0周以来", "第7周以来"),
        lacks=("备案号",),
        facts={"metadata.language": "zh"},
    ),
    Trap(
        "content inside a form, as ASP.NET pages have it",
        f"<body><form id='aspnetForm'><div id='content'><h1>The quarry</h1>{prose(6)}</div>"
        "</form></body>",
        has=("The old quarry above", "a view over the valley"),
    ),
    Trap(
        "page of layout tables",
        f"<body><table><tr><td><a href='/'>Home</a></td><td>{prose(6)}</td></tr></table></body>",
        has=("The old quarry above",),
        lacks=("| The old",),
    ),
    Trap(
        "forum page whose posts are in noscript",
        f"<body><div id='app'></div><noscript><div class='post'>{prose(6)}</div></noscript></body>",
        has=("The old quarry above",),
    ),
    Trap(
        "forum page whose posts are in its data",
        "<body>"
        f"<div id='data-preloaded' data-preloaded='{_PRELOADED.replace(chr(39), '&#39;')}'>"
        "</div></body>",
        has=("Forum post 0", "Forum post 3"),
    ),
    Trap(
        "article whose text is in JSON-LD only",
        "<body><div id='root'></div><script type='application/ld+json'>"
        + json.dumps(
            {
                "@type": "NewsArticle",
                "headline": "Pit",
                "articleBody": "\n\n".join(["The pit was closed. Nobody knew why it was."] * 12),
            }
        )
        + "</script></body>",
        has=("The pit was closed.",),
        facts={"classification.sourceType": "news_publication"},
    ),
    Trap(
        "newer elements right after the title, without head and body",
        f"<title>The quarry</title><main><h1>The quarry</h1>{prose(5)}</main>",
        has=("The old quarry above", "a view over the valley"),
    ),
    Trap(
        "a short page of newer elements right after the title",
        b"<title>x</title><main><p>Short words here.</p></main><p>And after.</p>",
        has=("Short words here.\n\nAnd after.",),
    ),
    Trap(
        "main heading in the header, with other words than the title",
        "<html><head><title>Quarry notes</title></head><body><header><h1>Who pays the fence</h1>"
        f"</header><main>{prose(8)}</main></body></html>",
        has=("# Who pays the fence", "The old quarry above"),
    ),
    Trap(
        "story in plain elements among other stories",
        f"<html><body><article><h1>The quarry</h1>{prose(6)}<h2>Related stories</h2><ul>"
        + "".join(f"<li><a href='/r{n}'>Another story {n}</a></li>" for n in range(5))
        + "</ul></article></body></html>",
        has=("The old quarry above",),
        lacks=("Another story 3",),
    ),
    Trap(
        "text said twice for two screen sizes",
        f"<body><article class='desktop'>{prose(5)}</article>"
        f"<article class='mobile'>{prose(5)}</article></body>",
        has=("The old quarry above",),
        facts={"word_count": 154},
    ),
    Trap(
        "a very small page",
        "<html><body><h1>Hi</h1><p>Just this.</p></body></html>",
        has=("# Hi", "Just this."),
    ),
    Trap("text without any element", "just some words", has=("just some words",)),
    Trap(
        "unclosed elements",
        "<body><div><p>One<p>Two<ul><li>a<li>b</body>",
        has=("One\n\nTwo", "- a\n- b"),
    ),
    Trap(
        "very many nested elements",
        "<div>" * 1500 + "deep words" + "</div>" * 1500,
        has=("deep words",),
    ),
    Trap("empty page", b"", facts={"markdown": ""}),
    Trap("page of white space", "  \n ", facts={"markdown": ""}),
    Trap(
        "soft 404",
        "<html><head><title>Page not found</title></head><body><h1>Oops!</h1>"
        "<p>The page you are looking for does not exist.</p></body></html>",
        facts={"wall.kind": "not_found"},
    ),
    Trap(
        "article about 404 pages",
        article("<p>A server answers 404 when a page does not exist.</p>" + prose(10)),
        facts={"wall": None},
    ),
    Trap(
        "captcha page",
        "<html><head><title>Just a moment...</title></head><body><h1>quarry.example</h1>"
        "<p>Verify you are human by completing the action below.</p></body></html>",
        facts={"wall.kind": "captcha"},
    ),
    Trap(
        "captcha page in another language, known by its maker's mark",
        "<html><head><title>Einen Augenblick</title></head><body><p>Gleich geht es weiter.</p>"
        "<script src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl'></script></body></html>",
        facts={"wall.kind": "captcha"},
    ),
    Trap(
        "blocked page",
        "<title>Access denied</title><p>You don't have permission. Reference #18.2d3b.</p>",
        facts={"wall.kind": "blocked"},
    ),
    Trap(
        "consent page",
        "<title>Before you continue to Quarry</title>"
        "<p>We use cookies. Accept all or reject all.</p>",
        facts={"wall.kind": "consent"},
    ),
    Trap(
        "login page",
        "<title>Quarry</title><p>Please log in to see this.</p><form><input type=password></form>",
        facts={"wall.kind": "login"},
    ),
    Trap(
        "login page that says nothing but its form",
        "<title>Quarry</title><form><input name=user><input type='password'></form><p>Welcome</p>",
        facts={"wall.kind": "login"},
    ),
    Trap(
        "contact form with a captcha of its own",
        "<title>Contact</title><main><h1>Contact</h1><p>Write to us about the quarry.</p><form>"
        "<textarea name=m></textarea><div class='g-recaptcha'></div></form></main>",
        facts={"wall": None},
        has=("Write to us about the quarry.",),
    ),
    Trap(
        "consent page in French",
        "<title>Carri\u00e8re</title><p>Nous utilisons des cookies. Tout accepter</p>",
        facts={"wall.kind": "consent"},
    ),
    Trap(
        "page that needs a script",
        "<body><noscript>You need to enable JavaScript to run this app.</noscript>"
        "<div id=root></div></body>",
        facts={"wall.kind": "script_shell"},
    ),
    Trap(
        "meta refresh",
        "<meta http-equiv='Refresh' content=\"0; URL='/new/place'\"><p>Moved.</p>",
        facts={"refresh": "https://quarry.example/new/place"},
    ),
    Trap(
        "page that reloads itself now and then",
        "<meta http-equiv='refresh' content='300'><p>Live.</p>",
        facts={"refresh": ""},
    ),
    Trap(
        "frameset",
        "<frameset cols='20%,*'><frame src='menu.html'><frame src='/body.html'></frameset>",
        facts={
            "frames": ("https://quarry.example/notes/menu.html", "https://quarry.example/body.html")
        },
    ),
    Trap(
        "article with an advertisement's frame",
        article("<iframe src='https://ads.example/x'></iframe>"),
        facts={"frames": ()},
    ),
)
