"""Small web applications, the steps that operate each, and the text that they lead to."""

from dataclasses import dataclass

from webquarry.models.page_steps import PageStep

_P = "Owls hunt at night and sleep by day, in forests, in barns and in old towers."


@dataclass(frozen=True)
class PageApp:
    """One application: its page, what is done on it, and what is read of it."""

    html: str
    steps: tuple[PageStep, ...] = ()
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # words of the notes of the steps, in order
    consent: str = ""  # the button that was clicked before the steps


def do(kind: str, **fields: object) -> PageStep:
    """Return a step."""
    return PageStep.model_validate({"do": kind, **fields})


def _banner(text: str, accept: str, reject: str, *, kind: str = "div") -> str:
    """Return a page behind a banner; what is clicked becomes its text."""
    return (
        f"<title>News</title><main><h1>News</h1><p id=state>The question is open.</p><p>{_P}</p>"
        f"</main><{kind} role=dialog id=ask style='position:fixed;bottom:0;background:#fff'>"
        f"<p>{text}</p><button onclick=\"answer('Everything was accepted.')\">{accept}</button>"
        f"<button onclick=\"answer('All of it was rejected.')\">{reject}</button></{kind}>"
        "<script>function answer(t){state.textContent=t;ask.remove()}</script>"
    )


_REJECTED = ("All of it was rejected.",)
_ROW = "document.createElement('li')"
_SPA = """<title>App</title><nav><a href='/owls' onclick='go(event)'>Owls</a></nav>
<main id=view><p>Home of all birds of this country and of its islands.</p></main><script>
function go(e){e.preventDefault();history.pushState({},'',e.target.href);
view.innerHTML='<p>Loading</p>';fetch('/data/owls').then(r=>r.text()).then(t=>view.innerHTML=t)}
</script>"""

APPS: dict[str, PageApp] = {
    "a form that greets": PageApp(
        """<title>Form</title><form onsubmit="event.preventDefault();
        out.textContent='Hello '+who.value+' of '+city.selectedOptions[0].label">
        <label>Your name <input id=who></label>
        <label>City <select id=city><option value=b>Bern<option value=g>Geneva</select></label>
        <button>Send</button></form><p id=out>Nobody has written yet.</p>""",
        (
            do("fill", label="Your name", value="Ada Lovelace"),
            do("select", label="City", value="Geneva"),
            do("click", role="button", name="Send"),
        ),
        shows=("Hello Ada Lovelace of Geneva",),
        hides=("Nobody has written",),
    ),
    "a form that is sent to the server": PageApp(
        "<title>Search</title><form action=/echo><input name=q aria-label=Search></form>",
        (do("fill", label="Search", value="barn owls"), do("press", value="ENTER")),
        shows=("You asked for barn owls",),
    ),
    "check boxes and radio buttons": PageApp(
        """<title>Order</title><label><input type=checkbox id=c>Express</label>
        <label><input type=radio name=r id=r>By air</label>
        <button onclick="out.textContent=(c.checked?'Express':'Slow')+(r.checked?' by air':'')">
        Order</button><p id=out></p>""",
        (do("click", label="Express"), do("click", label="By air"), do("click", text="Order")),
        shows=("Express by air",),
    ),
    "suggestions while typing": PageApp(
        """<title>Find</title><input aria-label=Bird id=q><ul id=l></ul><p id=out></p><script>
        let n=0;q.addEventListener('keydown',()=>n++);q.addEventListener('input',()=>
        setTimeout(()=>{l.innerHTML='<li role=option onclick='+
        '"out.textContent=\\'Chosen after \\'+n">'+q.value+' eagle</li>'},80))</script>""",
        (do("type", label="Bird", value="sea"), do("click", role="option", name="sea eagle")),
        shows=("Chosen after 3",),
    ),
    "a menu for the keyboard": PageApp(
        """<title>Menu</title><div id=m tabindex=0 role=menu>Menu</div><p id=out></p><script>
        let at=0;m.onkeydown=e=>{if(e.key==='ArrowDown')at++;
        if(e.key==='Enter')out.textContent='Entry number '+at+' is open'}</script>""",
        (
            do("press", selector="#m", value="ArrowDown"),
            do("press", value="ArrowDown"),
            do("press", value="Enter"),
        ),
        shows=("Entry number 2 is open",),
    ),
    "a wizard of three pages": PageApp(
        """<title>Wizard</title><div id=w></div><script>const pages=['One','Two','Three'];let i=0;
        function draw(){w.innerHTML='<h1>Page '+pages[i]+'</h1>'+(i<2?'<button>Next</button>':
        '<p>All three pages are done now.</p>');const b=w.querySelector('button');
        if(b)b.onclick=()=>{i++;setTimeout(draw,50)}}draw()</script>""",
        (
            do("click", role="button", name="Next"),
            do("wait", text="Page Two"),
            do("click", role="button", name="Next"),
        ),
        shows=("All three pages are done now.",),
    ),
    "tabs": PageApp(
        """<title>Tabs</title><div role=tablist>
        <button role=tab onclick="show('a')">Summary</button>
        <button role=tab onclick="show('b')">Prices</button></div><section id=p></section><script>
        const t={a:'<p>The summary of the offer is short.</p>',
        b:'<table><tr><th>Item<th>Price<tr><td>Lamp<td>12 francs</table>'};
        function show(k){p.innerHTML=t[k]}show('a')</script>""",
        (do("click", role="tab", name="Prices"),),
        shows=("Lamp", "12 francs"),
        hides=("The summary of the offer",),
    ),
    "an accordion": PageApp(
        """<title>Questions</title><h2><button aria-expanded=false onclick="a.hidden=!a.hidden">
        How long does it take?</button></h2><div id=a hidden><p>It takes three days.</p></div>""",
        (do("click", role="button", name="How long"),),
        shows=("It takes three days.",),
    ),
    "a component with a shadow root": PageApp(
        """<title>Parts</title><bird-card></bird-card><script>customElements.define('bird-card',
        class extends HTMLElement{connectedCallback(){const r=this.attachShadow({mode:'open'});
        r.innerHTML='<button>More</button><p>Short text.</p>';r.querySelector('button').onclick=
        ()=>r.querySelector('p').textContent='The component shows its long text now.'}})
        </script>""",
        (do("click", role="button", name="More"),),
        shows=("The component shows its long text now.",),
    ),
    "a component inside a component": PageApp(
        """<title>Parts</title><outer-part></outer-part><script>
        const define=(n,f)=>customElements.define(n,class extends HTMLElement{connectedCallback(){
        f(this.attachShadow({mode:'open'}))}});
        define('outer-part',r=>{r.innerHTML='<section><inner-part></inner-part></section>'});
        define('inner-part',r=>{r.innerHTML='<label>Code<input></label><output></output>';
        r.querySelector('input').oninput=e=>r.querySelector('output').textContent=
        'The code was '+e.target.value})</script>""",
        (do("fill", label="Code", value="4711"),),
        shows=("The code was 4711",),
    ),
    "a frame": PageApp(
        "<title>Outer</title><p>This is the page around it.</p><iframe src=/frame></iframe>",
        (do("click", role="button", name="Open the frame"),),
        shows=("This is the page around it.", "The frame shows its text."),
    ),
    "a frame in a frame": PageApp(
        "<title>Outer</title><p>This is the page around it.</p><iframe src=/outer></iframe>",
        (do("wait", text="deep inside"), do("click", role="button", name="Open the frame")),
        shows=("The frame shows its text.",),
    ),
    "a dialog element": PageApp(
        """<title>Terms</title><button onclick="d.showModal()">Terms</button><dialog id=d>
        <p>These are the terms of use.</p><button onclick="d.close();out.textContent=
        'The terms were read.'">Close</button></dialog><p id=out></p>""",
        (do("click", role="button", name="Terms"), do("click", role="button", name="Close")),
        shows=("The terms were read.",),
    ),
    "a dialog of the browser": PageApp(
        """<title>Delete</title><button onclick="out.textContent=confirm('Delete all?')?
        'Everything is gone.':'Nothing was deleted.'">Delete</button><p id=out></p>""",
        (do("click", role="button", name="Delete"),),
        shows=("Nothing was deleted.",),
        notes=("a dialog, which was dismissed: 'Delete all?'",),
    ),
    "a link to a new window": PageApp(
        f"<title>Links</title><p>{_P}</p><a target=_blank href=/echo?q=new>Open</a>",
        (do("click", role="link", name="Open"),),
        shows=("Owls hunt at night",),
        notes=("a new window was not opened; read it by its URL: ",),
    ),
    "a list without an end": PageApp(
        f"""<title>List</title><ul id=u></ul><script>let n=0;function add(){{
        for(let i=0;i<10&&n<40;i++){{const l={_ROW};l.style.height='90px';
        l.textContent='Entry number '+(++n)+' of the list';u.append(l)}}}}add();
        addEventListener('scroll',()=>{{if(scrollY+innerHeight>document.body.scrollHeight-50)
        setTimeout(add,60)}})</script>""",
        (do("scroll", value="auto"),),
        shows=("Entry number 1 of", "Entry number 25 of", "Entry number 40 of"),
        notes=("nothing new after",),
    ),
    "a button that loads more": PageApp(
        f"""<title>List</title><ul id=u></ul><button id=b onclick="setTimeout(add,60)">
        Mehr laden</button><script>let n=0;function add(){{for(let i=0;i<5;i++){{const l={_ROW};
        l.textContent='Eintrag Nummer '+(++n)+' der Liste';u.append(l)}}if(n>=20)b.remove()}}add()
        </script>""",
        (do("scroll", value="auto"),),
        shows=("Eintrag Nummer 1 der", "Eintrag Nummer 20 der"),
        notes=("clicked to load more 3 times",),
    ),
    "a virtual table": PageApp(
        """<title>Table</title><div id=s style="height:240px;width:500px;overflow:auto">
        <div style="height:2000px;position:relative"><table><thead><tr><th>Item<th>Count</thead>
        <tbody id=b></tbody></table></div></div><script>function draw(){
        const f=Math.floor(s.scrollTop/40);b.innerHTML='';for(let i=f;i<Math.min(50,f+7);i++){
        const r=b.insertRow();r.style.cssText='position:absolute;height:40px;top:'+i*40+'px';
        r.insertCell().textContent='Item '+(i+1);r.insertCell().textContent=(i*7)+' pieces'}}
        s.onscroll=draw;draw()</script>""",
        (do("scroll", value="auto"),),
        shows=("Item 1 |", "Item 30", "343 pieces"),
        notes=("rows that the list had removed",),
    ),
    "a virtual list that uses its rows again": PageApp(
        """<title>Messages</title><div id=s style="height:300px;overflow:auto">
        <div style="height:3000px"><div id=l></div></div></div><script>
        for(let i=0;i<8;i++){const d=document.createElement('div');d.className='m';
        d.style.height='50px';l.append(d)}
        function draw(){const f=Math.min(52,Math.floor(s.scrollTop/50));
        l.style.paddingTop=f*50+'px';
        [...l.children].forEach((d,i)=>d.textContent='Message '+(f+i+1)+' says hello')}
        s.onscroll=draw;draw()</script>""",
        (do("scroll", value="auto"),),
        shows=("Message 1 says", "Message 31 says", "Message 60 says"),
    ),
    "content that loads when it is reached": PageApp(
        """<title>Lazy</title><p>The beginning of the page is here.</p><div style="height:3000px">
        </div><p id=e>Waiting to be seen by somebody.</p><script>new IntersectionObserver(es=>{
        if(es[0].isIntersecting)e.textContent='The end was loaded when it was seen.'}).observe(e)
        </script>""",
        (do("scroll", value="bottom"),),
        shows=("The end was loaded when it was seen.",),
    ),
    "a part that scrolls by itself": PageApp(
        """<title>Log</title><pre id=s style="height:100px;overflow:auto">
        <span style="display:block;height:900px">The log begins with this line.</span>
        </pre><script>s.onscroll=()=>{
        s.insertAdjacentHTML('afterend','<p>It was scrolled to '+s.scrollTop+'.</p>');
        s.onscroll=null}</script>""",
        (do("scroll", selector="#s", value="250"),),
        shows=("It was scrolled to 250.",),
    ),
    "a slow network": PageApp(
        """<title>Slow</title><button onclick="fetch('/slow').then(r=>r.text()).then(t=>
        document.body.insertAdjacentHTML('beforeend',t))">Load</button>""",
        (do("click", role="button", name="Load"),),
        shows=("The slow answer has arrived.",),
    ),
    "an application that changes its address": PageApp(
        _SPA,
        (do("click", role="link", name="Owls"),),
        shows=("Owls have large eyes.",),
        hides=("Home of all birds",),
    ),
    "a text that comes late": PageApp(
        """<title>Late</title><p>The page waits for the result.</p><script>
        setTimeout(()=>document.body.insertAdjacentHTML('beforeend',
        '<p>The result is 42.</p>'),1500)</script>""",
        (do("wait", text="The result is"),),
        shows=("The result is 42.",),
    ),
    "consent in English": PageApp(
        _banner("We use cookies.", "Accept all", "Reject all"),
        shows=_REJECTED,
        consent="Reject all",
    ),
    "consent in German": PageApp(
        _banner("Wir verwenden Cookies.", "Alle akzeptieren", "Nur notwendige Cookies"),
        shows=_REJECTED,
        consent="Nur notwendige Cookies",
    ),
    "consent in French": PageApp(
        _banner("Nous utilisons des cookies.", "Tout accepter", "Continuer sans accepter →"),
        shows=_REJECTED,
        consent="Continuer sans accepter →",
    ),
    "consent in Polish": PageApp(
        _banner("Używamy plików cookie.", "Akceptuj wszystkie", "Odrzuć wszystkie"),
        shows=_REJECTED,
        consent="Odrzuć wszystkie",
    ),
    "consent in Japanese": PageApp(
        _banner("当サイトはクッキーを使用します。", "すべて同意", "すべて拒否"),
        shows=_REJECTED,
        consent="すべて拒否",
    ),
    "consent in Greek": PageApp(
        _banner("Χρησιμοποιούμε cookies.", "Αποδοχή όλων", "Απόρριψη όλων"),
        shows=_REJECTED,
        consent="Απόρριψη όλων",
    ),
    "consent without a button that rejects": PageApp(
        _banner("We use cookies.", "Accept all", "Settings"),
        shows=("The question is open.",),
    ),
    "consent that the caller gives": PageApp(
        _banner("We use cookies.", "Accept all", "Reject all"),
        (do("accept_cookies"),),
        shows=("Everything was accepted.",),
        notes=("clicked 'Accept all'",),
    ),
    "consent in a frame": PageApp(
        f"<title>News</title><p id=state>The question is open.</p><p>{_P}</p>"
        "<iframe id=ask src=/consent-frame></iframe><script>onmessage=e=>{state.textContent="
        "e.data;ask.remove()}</script>",
        shows=_REJECTED,
        consent="Reject all",
    ),
    "a button that rejects something else": PageApp(
        f"""<title>Letter</title><p>{_P}</p><div role=dialog style="position:fixed"><p>Ada invites
        you to her house.</p><button onclick="document.body.textContent='You were impolite.'">
        Decline</button></div>""",
        shows=("Owls hunt at night",),
        hides=("impolite",),
    ),
}
FRAMES = {
    "/frame": "<title>F</title><button onclick=\"out.textContent='The frame shows its text.'\">"
    "Open the frame</button><p id=out></p>",
    "/outer": "<p>It is deep inside.</p><iframe src=/frame></iframe>",
    "/consent-frame": '<p>We use cookies.</p><button onclick="parent.postMessage('
    "'All of it was rejected.','*')\">Reject all</button>",
    "/data/owls": "<p>Owls have large eyes.</p>",
    "/slow": "<p>The slow answer has arrived.</p>",
}
