"""Result pages as the themes write them, cut down to what is read."""

SIMPLE = """<!DOCTYPE html><html class="no-js" lang="en"><body>
<main id="main_results_page"><div id="results" class="only_template_default">
<div id="sidebar">
  <p id="result_count"><small>Number of results: 12,300</small></p>
  <div id="engines_msg"><table class="engine-stats" id="engines_msg-table">
    <tr><td class="engine-name"><a href="/stats?engine=brave">brave</a></td>
    <td class="response-error">Suspended: too many requests</td></tr></table></div>
</div>
<div id="urls" role="main">
<article class="result result-default category-general google duckduckgo">
  <a href="https://doc.example.org/async" class="url_header" rel="noreferrer">
    <div class="url_wrapper"><span class="url_o1">https://doc.example.org</span></div></a>
  <h3><a href="https://doc.example.org/async" rel="noreferrer">Async
    <span class="highlight">Rust</span></a></h3>
  <time class="published_date" datetime="2024-05-17 08:30:00+0000">May 17</time>
  <p class="content">Learn <span class="highlight">async</span> &amp; await.</p>
  <div class="engines"><span>google</span><span>duckduckgo</span>
    <a href="https://web.archive.org/web/https://doc.example.org/" class="cache_link">cached</a>
  </div><div class="break"></div>
</article>
<article class="result result-default category-general">
  <h3><a href="https://tokio.example/" rel="noreferrer">Tokio</a></h3>
  <p class="content"></p><div class="engines"><span>bing</span></div>
</article>
<article class="result result-torrent category-files">
  <h3><a href="magnet:?xt=urn:btih:1" rel="noreferrer">A magnet</a></h3>
</article>
</div></div></main></body></html>"""

SIMPLE_IMAGES = """<html><body><div id="results"><div id="urls">
<article class="result result-images category-images">
  <a rel="noreferrer" href="https://img.example/owl.png">
    <img class="image_thumbnail" src="https://img.example/small.png" alt="An owl">
    <span class="title">An owl</span><span class="source">img.example</span></a>
  <div class="detail"><a class="result-detail-close" href="#">x</a>
    <a class="result-images-source" href="https://img.example/owl.png"></a>
    <div class="result-images-labels"><h4>An owl</h4><p class="result-content">It looks.</p>
      <p class="result-engine"><span>Engine:</span>bing images</p>
      <p class="result-url"><span>View source:</span>
        <a href="https://page.example/owl">https://page.example/owl</a></p></div></div>
</article></div></div></body></html>"""

OSCAR = """<html><body><div class="row">
<div class="col-sm-4 col-sm-push-8" id="sidebar_results">
  <p><small>Number of results: 40</small></p>
  <div class="alert alert-danger fade in" role="alert"><p>Engines cannot retrieve results:</p>
  qwant (CAPTCHA required), mojeek (timeout)</div>
  <div class="panel panel-default infobox"><div class="panel-heading"><div class="infobox_part">
    <div class="pull-right"><span class="label label-default">wikidata</span></div>
    <h4 class="panel-title"><bdi>Owl</bdi></h4></div></div>
    <div class="panel-body infobox_body"><bdi><p class="infobox_part">Birds.</p></bdi>
    <table class="table infobox_part"><tr><td><bdi>Order</bdi></td><td><bdi>Strigiformes</bdi></td>
    </tr></table></div></div>
  <div class="panel"><div class="panel-body"><form class="form-inline suggestion_item">
    <input type="hidden" name="q" value="owl names"><button class="btn">owl names</button></form>
  </div></div></div>
<div class="col-sm-8 col-sm-pull-4" id="main_results">
  <div class="result"><div class="clearfix"><span class="result_header suggestion_item">Try
    searching for:</span><form class="form-inline pull-left suggestion_item">
    <input type="hidden" name="q" value="owls"><button class="btn">owls</button></form></div></div>
  <div class="result well"><span>42</span></div>
  <div class="result result-default wikipedia">
    <h4 class="result_header" id="result-1"><img class="favicon" src="/static/wikipedia.png">
      <a href="https://en.example.org/wiki/Owl" rel="noreferrer">Owl</a></h4>
    <time class="text-muted" datetime="2020-01-02 00:00:00">Jan 2</time>
    <p class="result-content">Birds of the night.</p>
    <div class="clearfix"></div><div class="pull-right">
      <span class="label label-default">wikipedia</span><span class="label label-default">ddg</span>
      <small><a href="https://web.archive.org/web/https://en.example.org/wiki/Owl">cached</a></small>
    </div><div class="external-link">https://en.example.org/wiki/Owl</div>
  </div></div></div></body></html>"""

NOTHING = """<html><body><div id="results"><div id="urls">
<div class="dialog-error" role="alert"><p><strong>Sorry!</strong></p>
<p>we didn't find any results.</p></div></div></div></body></html>"""

CHALLENGE = """<html><head><title>Just a moment...</title></head>
<body><h1>Checking your browser</h1></body></html>"""

INDEX = """<html><body><main id="main_index"><form id="search"><input name="q"></form></main>
</body></html>"""

# a healthy page: SearXNG lists how long each engine took in the table that also lists failures
TIMINGS = """<html><body><main id="main_results"><div id="results">
<div id="answers" role="complementary"><h4 class="title">Answers :</h4>
  <div class="answer"><span>6.2137 mi</span></div>
  <div class="answer"><span>A mile.</span>
    <a href="https://wiki.example/mile" class="answer-url">wiki.example</a></div></div>
<div id="sidebar">
  <div id="infoboxes"><details open><summary class="title">Info</summary>
    <aside class="infobox"><h2 class="title"><bdi>Owl</bdi></h2>
      <p><bdi>Owls are birds.</bdi></p>
      <div class="attributes"><dl><dt><bdi>Order :</bdi></dt><dd><bdi>Strigiformes</bdi></dd></dl>
        <dl><dt><bdi>Logo :</bdi></dt><dd><img src="/x.png" alt=""></dd></dl></div>
      <div class="urls"><ul><li class="url"><bdi>
        <a href="https://wiki.example/Owl">Wiki</a></bdi></li></ul></div></aside></details></div>
  <div id="suggestions"><details><summary class="title">Suggestions</summary>
    <ul class="wrapper"><li><form method="POST" action="/search">
      <input type="hidden" name="q" value="barn owl"><input type="hidden" name="theme" value="s">
      <input type="submit" class="suggestion" role="link" value="&bull; barn owl"></form></li>
    </ul></details></div>
  <div id="engines_msg"><details><summary class="title">Response time: 0.6 seconds</summary>
    <table class="engine-stats" id="engines_msg-table">
    <tr><td class="engine-name"><a href="/stats?engine=qwant">qwant</a></td>
      <td class="response-error">Suspended: access denied</td></tr>
    <tr><td class="engine-name"><a href="/stats?engine=bing">bing</a></td>
      <td class="response-time"><div class="bar-chart-value">0.6</div>
        <div class="bar-chart-graph"></div></td></tr>
    <tr><td class="engine-name"><a href="/stats?engine=ddg">ddg</a></td>
      <td class="response-time"><div class="bar-chart-value">0.3</div></td></tr>
    </table></details></div></div>
<div id="corrections" role="complementary"><h4>Try searching for:</h4>
  <div class="left"><form method="POST" action="/search"><input type="hidden" name="q" value="owls">
    <input type="submit" role="link" value="owls"></form></div></div>
<div id="urls" role="main"><article class="result result-default">
  <h3><a href="https://owl.example/">Owls</a></h3><p class="content">About owls.</p>
  <div class="engines"><span>bing</span></div></article></div>
</div></main></body></html>"""

# nothing was found, and every engine responded
EMPTY_WITH_TIMINGS = """<html><body><div id="results"><div id="sidebar">
  <div id="engines_msg"><details><summary class="title">Response time: 0.6 seconds</summary>
    <table id="engines_msg-table"><tr><td class="engine-name">bing</td>
    <td class="response-time"><div class="bar-chart-value">0.6</div></td></tr></table></details>
  </div></div>
<div id="urls"><div class="dialog-error" role="alert"><p><strong>Entschuldigung!</strong></p>
<p>Keine Ergebnisse gefunden (bitte andere Suchbegriffe nutzen).</p></div></div>
</div></body></html>"""

# earlier versions of SearXNG list failures in paragraphs
FAILED_PARAGRAPHS = """<html><body><div id="results"><div id="sidebar">
  <div id="engines_msg"><details><summary>Messages from the search engines</summary>
    <div class="dialog-error" role="alert"><svg></svg><div>
      <p><strong>Error!</strong> Engines cannot retrieve results:</p>
      <p>brave (<a href="/stats?engine=brave">Suspended: too many requests</a> )</p>
      <p>bing news (<a href="/stats?engine=x">timeout</a>)</p></div></div></details></div></div>
<div id="urls"><div class="dialog-error"><div><p><strong>Error!</strong> Engines cannot retrieve
results.</p><p>Please try another instance (<a href="/x">list</a>).</p></div></div></div>
</div></body></html>"""

# searx lists them in the message about missing results
FAILED_MESSAGE = """<html><body><div id="results"><div id="urls">
<div class="dialog-error" role="alert"><p><strong>Error!</strong> Engines cannot retrieve
  results.</p><p>our index (HTTP error: 500), bing (timeout)</p>
  <p><small>Please find another searx instance. (<a href="">Public instances</a>)</small></p>
</div></div></div></body></html>"""
