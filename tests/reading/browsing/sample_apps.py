"""Small web applications on loopback that need hands."""

from urllib.parse import parse_qs

from tests.net.servers import ReceivedRequest

FORM_KEY = "csrf-7f3a"
PRIVATE_TITLE = "Ada's private owls"
_LOGIN = f"""<title>Sign in</title><h1>Sign in</h1><form method=post action=/login>
<input type=hidden name=token value={FORM_KEY}>
<label>Name <input name=name></label><input type=password name=password aria-label=Password>
<button>Enter</button></form>"""
_WIDGETS = """<title>Widgets</title>
<label for=c>Country</label><select id=c><option>Norway<option>Peru</select>
<label><input type=checkbox id=k>Remember me</label><input type=date aria-label=Day>
<button onclick="this.textContent = confirm('Sure?') ? 'yes' : 'no'">Delete</button>
<button disabled>Later</button>
<div role=button tabindex=0 onclick="document.title='pressed'">Custom</div>
<a href=/report.csv>Report</a> <a href=/paper.pdf>Paper</a> <a href=/popup target=_blank>More</a>
<my-card></my-card>
<p style="display:none">never shown</p>
<iframe src=/frame title=Inner></iframe>
<script>customElements.define('my-card', class extends HTMLElement { constructor() { super();
this.attachShadow({mode: 'open'}).innerHTML =
'<button onclick="this.textContent=1">Shadow</button>';
}})</script>"""
_ENDLESS = """<title>List</title><ul id=list></ul><script>let n = 0;
const more = () => { for (const last = n + 30; n < last; n++) list.insertAdjacentHTML('beforeend',
  `<li style="height:60px"><a href="/item/${n}">Item ${n}</a></li>`) };
more(); addEventListener('scroll', () => {
  if (n < 90 && scrollY + innerHeight > document.documentElement.scrollHeight - 100) more() });
</script>"""
_PAGES = {
    "/public": f"<title>Public</title><main><h1>Mice</h1>{'<p>They sleep by day.</p>' * 8}</main>",
    "/": _WIDGETS,
    "/login": _LOGIN,
    "/endless": _ENDLESS,
    "/frame": "<button onclick=\"this.textContent='framed'\">In frame</button>",
    "/popup": "<title>Popup</title><p>New.</p><button onclick=window.close()>Close</button>",
}


def large_page(rows: int) -> str:
    """Return a page with three elements per row."""
    row = "<div><span>Row {0}</span><button>Open {0}</button></div>"
    return "<title>Large</title>" + "".join(row.format(number) for number in range(rows))


async def sample_apps(request: ReceivedRequest) -> None:
    """Serve the applications."""
    path = request.target.partition("?")[0]
    if request.method == "POST":
        await _sign_in(request)
    elif path == "/private":
        await _private(request)
    elif path == "/report.csv":
        attachment = 'attachment; filename="report.csv"'
        body = b"name,age\nowl,3\n"
        await request.respond(200, body, content_type="text/csv", content_disposition=attachment)
    elif path == "/large":
        await request.respond(200, large_page(6700).encode(), content_type="text/html")
    elif path in _PAGES:
        await request.respond(200, _PAGES[path].encode(), content_type="text/html")
    else:
        await request.respond(404, b"not here", content_type="text/plain")


async def _sign_in(request: ReceivedRequest) -> None:
    fields = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
    if fields == {"token": FORM_KEY, "name": "ada", "password": "hunter2"}:
        cookie = "session=s3cr3t-cookie; HttpOnly; Path=/"
        await request.respond(303, location="/private", set_cookie=cookie)
    else:
        await request.respond(403, b"<title>Refused</title><p>Wrong.", content_type="text/html")


async def _private(request: ReceivedRequest) -> None:
    if "s3cr3t-cookie" not in request.headers.get("cookie", ""):
        await request.respond(302, location="/login")
        return
    prose = "<p>They hunt at night.</p>" * 8
    body = f"<title>Private</title><main><h1>{PRIVATE_TITLE}</h1>{prose}</main>"
    await request.respond(200, body.encode(), content_type="text/html")
