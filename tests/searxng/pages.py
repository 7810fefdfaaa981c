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
  qwant (CAPTCHA required), mojeek (timeout)</div></div>
<div class="col-sm-8 col-sm-pull-4" id="main_results">
  <div class="result"><span class="result_header text-muted">Try searching for:</span></div>
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
