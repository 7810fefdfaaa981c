"""Pages that try everything a page can to make its browser call somebody inside."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

# how the inside can be called; %s tells the attempts apart
INSIDE = (
    "http://127.0.0.1/%s", "http://127.0.0.1:8080/%s", "http://localhost/%s", "http://[::1]/%s",
    "http://169.254.169.254/%s", "http://10.0.0.5/%s", "http://100.64.0.5/%s",
    "http://[fd00::5]/%s", "http://[::ffff:127.0.0.1]/%s", "http://0x7f.1/%s",
    "http://2130706433/%s", "http://priv.test/%s", "http://meta.test/%s", "http://mixed.test/%s",
    "https://127.0.0.1/%s", "https://priv.test/%s", "http://127.0.0.1:6379/%s",
    "http://%s.rebind.test/again", "http://pub.test/redir?to=http://127.0.0.1/%s",
)  # fmt: skip
# elements that fetch by themselves
_ELEMENTS = MappingProxyType(
    {
        "img": "<img src={u}>",
        "srcset": "<img srcset='{u} 1x'>",
        "picture": "<picture><source srcset={u}><img src={u}></picture>",
        "script": "<script src={u}></script>",
        "module": "<script type=module src={u}></script>",
        "style": "<link rel=stylesheet href={u}>",
        "import": "<style>@import '{u}';</style>",
        "background": "<div style=\"background:url('{u}')\">x</div>",
        "font": "<style>@font-face{{font-family:f;src:url({u})}}p{{font-family:f}}</style><p>x</p>",
        "iframe": "<iframe src={u}></iframe>",
        "srcdoc": "<iframe srcdoc=\"<img src='{u}'><script src='{u}'></script>\"></iframe>",
        "object": "<object data={u}></object>",
        "embed": "<embed src={u}>",
        "video": "<video src={u} autoplay></video>",
        "poster": "<video poster={u}></video>",
        "audio": "<audio src={u} autoplay></audio>",
        "track": "<video><track default kind=captions src={u}></video>",
        "icon": "<link rel=icon href={u}>",
        "manifest": "<link rel=manifest href={u}>",
        "prefetch": "<link rel=prefetch href={u}>",
        "preload": "<link rel=preload as=script href={u}>",
        "modulepreload": "<link rel=modulepreload href={u}>",
        "prerender": "<link rel=prerender href={u}>",
        "preconnect": "<link rel=preconnect href={u}><link rel=dns-prefetch href={u}>",
        "svg": "<svg><image href={u} /><use href='{u}#a' /></svg>",
        "input": "<input type=image src={u}>",
        "frame": "<iframe src=\"data:text/html,<script src='{u}'></script>\"></iframe>",
        "form": "<form id=f{n} action={u} method=post target=t{n}></form>"
        "<iframe name=t{n}></iframe><script>f{n}.submit()</script>",
        "speculation": '<script type=speculationrules>{{"prefetch":[{{"urls":["{u}"]}}],'
        '"prerender":[{{"urls":["{u}"]}}]}}</script>',
    }
)
# calls that scripts make; each runs on its own, so that one that throws stops no other
_CALLS = MappingProxyType(
    {
        "fetch": "fetch(u, {mode: 'no-cors'}).catch(() => 0)",
        "fetch-keepalive": "fetch(u, {method: 'POST', keepalive: true, mode: 'no-cors'})"
        ".catch(() => 0)",
        "xhr": "let x = new XMLHttpRequest(); x.open('GET', u); x.send()",
        "beacon": "navigator.sendBeacon(u, 'x')",
        "eventsource": "new EventSource(u)",
        "websocket": "new WebSocket(u.replace('http', 'ws'))",
        "webtransport": "new WebTransport(u.replace('http:', 'https:'))",
        "worker": "new Worker(URL.createObjectURL(new Blob(["
        "`fetch('${u}', {mode: 'no-cors'}); importScripts('${u}')`])))",
        "sharedworker": "new SharedWorker(URL.createObjectURL(new Blob(["
        "`fetch('${u}', {mode: 'no-cors'})`])))",
        "serviceworker": "navigator.serviceWorker.register('/sw.js?' + encodeURIComponent(u))",
        "dynamic-import": "import(u).catch(() => 0)",
        "worklet": "CSS.paintWorklet.addModule(u)",
        "open": "window.open(u)",
        "ping": "let a = document.createElement('a'); a.href = '#'; a.ping = u;"
        " document.body.append(a); a.click()",
        "image": "new Image().src = u",
        "download": "let d = document.createElement('a'); d.href = u; d.download = 'x';"
        " document.body.append(d); d.click()",
        "frame-location": "let i = document.createElement('iframe'); document.body.append(i);"
        " i.contentWindow.location = u",
    }
)
_SINGLE = MappingProxyType(
    {
        "location": "<p>Owls.</p><script>location.href = '{u}'</script>",
        "refresh": "<meta http-equiv=refresh content='0;url={u}'><p>Owls.</p>",
        "form-top": "<form id=f action={u} method=post></form><script>f.submit()</script>",
    }
)
_RTC = """<script>for (const server of ['127.0.0.1', '10.0.0.5', 'priv.test', 'pub.test']) {
  const c = new RTCPeerConnection({iceServers: [{urls: `stun:${server}:3478`},
    {urls: `turn:${server}:3478?transport=tcp`, username: 'a', credential: 'b'}]});
  c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o));
  c.onicecandidate = e => {
    if (e.candidate && e.candidate.candidate)
      document.body.append('ICE:' + e.candidate.candidate + '\\n');
  };
}</script>"""
SERVICE_WORKER = (
    "const u = decodeURIComponent(location.search.slice(1));"
    "self.addEventListener('install', () => fetch(u, {mode: 'no-cors'}))"
)


def pages() -> Mapping[str, str]:
    """Return the hostile pages by path."""
    numbers = iter(range(10**6))
    found = {"/rtc": f"<title>rtc</title><p>Owls.</p>{_RTC}"}
    for at, inside in enumerate(INSIDE):
        parts = [_element(kind, inside, next(numbers)) for kind in _ELEMENTS]
        found[f"/elements/{at}"] = f"<title>e</title><p>Owls.</p>{''.join(parts)}"
        calls = "".join(_call(kind, inside, next(numbers)) for kind in _CALLS)
        found[f"/calls/{at}"] = f"<title>c</title><p>Owls.</p><script>{calls}</script>"
    for kind, text in _SINGLE.items():
        for at, inside in enumerate(INSIDE):
            found[f"/{kind}/{at}"] = text.format(u=inside % f"{kind}-{next(numbers)}")
    return MappingProxyType(found)


def attempts() -> int:
    """Return how many calls all pages try together."""
    return len(INSIDE) * (len(_ELEMENTS) + len(_CALLS) + len(_SINGLE)) + 8


def _element(kind: str, inside: str, number: int) -> str:
    return _ELEMENTS[kind].format(u=inside % f"{kind}-{number}", n=number)


def _call(kind: str, inside: str, number: int) -> str:
    return f"try {{ const u = '{inside % f'{kind}-{number}'}'; {_CALLS[kind]} }} catch (e) {{}}\n"


def batches(paths: Mapping[str, str], size: int) -> Iterator[list[str]]:
    """Return the paths in groups that are visited together."""
    names = list(paths)
    for start in range(0, len(names), size):
        yield names[start : start + size]
