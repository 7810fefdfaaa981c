import "./shell.js";
import { events, get, problemView, send } from "./api.js";
import { badge, find, h, link, moment, note, number, save, show, size, table, webUrl } from "./dom.js";
import { words } from "./items.js";

const STATES = { completed: "good", failed: "bad", cancelled: "warn", running: "live", queued: "" };
const BATCH = 50;
const REFRESH_PAGES = 5000; // milliseconds
const MAX_SHOWN = 500;
const ended = (state) => ["completed", "failed", "cancelled"].includes(state);
let watching = null;

async function list() {
  const { crawls } = await get("/v1/console/crawls");
  show(find("list"), table("List of crawls", ["Started", "URL", "State", "Pages", "Errors"], crawls.map((each) => [
    moment(each.createdAt), h("span", {}, each.kind === "batch" && badge("batch"), each.kind === "batch" && " ", h("a", { href: `?id=${encodeURIComponent(each.crawlId)}`, onclick: (event) => { event.preventDefault(); choose(each.crawlId); } }, each.url)),
    badge(each.status, STATES[each.status]), number(each.pagesCrawled), number(each.errors ?? 0)]), "No crawls yet."));
  return crawls;
}

// The list shows the same counts as the open crawl.
function updateRow(id, state) {
  const row = [...document.querySelectorAll("#list tbody tr")].find((each) => each.querySelector("a")?.search === `?id=${encodeURIComponent(id)}`);
  if (!row) return;
  show(row.cells[2], badge(state.status, STATES[state.status]));
  row.cells[3].textContent = number(state.pagesCrawled);
  row.cells[4].textContent = number(state.errors ?? 0);
}

function choose(id) {
  history.pushState(null, "", `?id=${encodeURIComponent(id)}`);
  watch(id);
}

function panel(id) {
  const parts = {
    state: h("span"), url: h("span"), bar: h("progress", { max: 100, value: 0, "aria-label": "Progress" }), numbers: h("ul", { class: "flow", "aria-label": "Statistics" }),
    problem: h("div"), tree: h("div"), pages: h("div"), errors: h("div"), errorsTitle: h("summary", {}, "Errors"), skipped: h("div"),
    cancel: h("button", { type: "button", class: "danger", id: "cancel" }, "Cancel crawl"), save: h("button", { type: "button", class: "quiet" }, "Download pages (JSONL)"),
  };
  parts.errorsPanel = h("details", {}, parts.errorsTitle, parts.errors);
  show(find("crawl"), h("div", { class: "panel" }, h("div", { class: "result-head" }, h("h2", {}, "Crawl"), parts.state, h("span", { class: "grow" }), parts.cancel, parts.save),
    h("p", {}, parts.url), parts.bar, parts.numbers, parts.problem,
    parts.errorsPanel, h("details", { open: true }, h("summary", {}, "Pages"), parts.pages), h("details", {}, h("summary", {}, "Site tree"), parts.tree), h("details", {}, h("summary", {}, "Skipped URLs"), parts.skipped)));
  find("crawl").hidden = false;
  const act = (action) => async (event) => {
    event.currentTarget.disabled = true;
    try {
      await action();
    } catch (problem) {
      show(parts.problem, problemView(problem));
      parts.cancel.disabled = false;
    }
    parts.save.disabled = false;
  };
  parts.cancel.addEventListener("click", act(() => send(`/v1/crawl/${id}`, { method: "DELETE" })));
  parts.save.addEventListener("click", act(async () => save(`crawl-${id}.jsonl`, await (await send(`/v1/crawl/${id}/export`)).blob())));
  return parts;
}

function numbers(state, began) {
  const rate = state.rate ?? (state.pagesCrawled / Math.max(1, (Date.now() - began) / 1000));
  const skipped = Object.values(state.skipped ?? {}).reduce((sum, each) => sum + each, 0);
  const shown = { "pages read": state.pagesCrawled, "URLs found": state.pagesFound, errors: state.errors ?? 0, skipped };
  return [...Object.entries(shown).map(([name, each]) => h("li", {}, h("strong", {}, number(each)), h("span", {}, name))),
    h("li", {}, h("strong", {}, rate.toFixed(1)), h("span", {}, "pages per second"))];
}

function tree(pages) {
  const root = { children: new Map(), page: null };
  for (const page of pages) {
    const url = webUrl(page.url);
    if (!url) continue;
    let at = root;
    for (const part of [url.host, ...url.pathname.split("/").filter(Boolean)]) {
      if (!at.children.has(part)) at.children.set(part, { children: new Map(), page: null });
      at = at.children.get(part);
    }
    at.page ??= page;
  }
  return branch(root, 0);
}

function branch(node, depth) {
  return h("ul", { class: "tree" }, [...node.children].sort(([a], [b]) => a.localeCompare(b)).map(([name, each]) => {
    const label = each.page ? link(each.page.url, name) : h("span", {}, name);
    const title = each.page?.title && h("span", { class: "hint" }, ` ${each.page.title}`);
    if (!each.children.size) return h("li", {}, label, title);
    return h("li", {}, h("details", { open: depth < 2 }, h("summary", {}, `${name}/ `, h("span", { class: "hint" }, String(each.children.size))),
      each.page && h("p", { class: "self" }, label, title), branch(each, depth + 1)));
  }));
}

async function more(id, pages, signal) {
  while (pages.length < MAX_SHOWN) {
    const found = await get(`/v1/crawl/${id}?offset=${pages.length}&limit=${BATCH}`, { signal });
    pages.push(...(found.pages ?? []));
    if ((found.pages ?? []).length < BATCH) return;
  }
}

function drawPages(parts, pages) {
  show(parts.pages, table("Pages", ["Page", "Status", "Size"], pages.slice(-MAX_SHOWN).reverse().map((each) => [
    h("div", {}, link(each.url, each.title || each.url), h("div", { class: "hint" }, each.url)), badge(each.statusCode, each.statusCode < 400 ? "good" : "bad"), size(each.contentLength)]), "No pages yet."),
    pages.length >= MAX_SHOWN && note(`Showing the first ${MAX_SHOWN} pages. Download the pages to see all of them.`));
  show(parts.tree, tree(pages));
}

function reasons(title, rows, empty) {
  return table(title, ["URL", "Reason", "Attempts"], rows.map((each) => [
    link(each.url), h("div", {}, each.message, h("div", { class: "hint" }, each.reason)), each.attempts ? number(each.attempts) : ""]), empty);
}

async function drawErrors(parts, id, state) {
  const { failures, skipped } = await get(`/v1/console/crawls/${id}/failures`);
  show(parts.errors, reasons("Errors", failures, "No errors."), (state.errors ?? 0) > failures.length && note(`Showing the first ${failures.length} errors.`));
  show(parts.skipped, state.skipped && h("div", { class: "chips" }, Object.entries(state.skipped).map(([name, count]) => badge(`${words(name)} ${count}`))),
    reasons("Skipped", skipped, "No skipped URLs."));
  parts.errorsTitle.textContent = `Errors (${number(state.errors ?? 0)})`;
  parts.errorsPanel.open = failures.length > 0;
}

async function watch(id) {
  watching?.abort();
  const mine = new AbortController();
  watching = mine;
  const parts = panel(id);
  const pages = [];
  let last = null;
  let reading = Promise.resolve();
  let lastFetch = 0;
  let began = Date.now();
  const draw = (state) => {
    last = { ...last, ...state };
    show(parts.state, badge(last.status, STATES[last.status]));
    parts.bar.value = last.status === "cancelled" || last.status === "failed" ? parts.bar.value : last.progress;
    show(parts.numbers, numbers(ended(last.status) ? last : { ...last, rate: undefined }, began));
    parts.cancel.hidden = ended(last.status);
    updateRow(id, last);
    if (last.error) show(parts.problem, note(last.error, "bad"));
  };
  try {
    const known = (await list()).find((each) => each.crawlId === id);
    if (known) {
      began = new Date(known.createdAt).getTime();
      show(parts.url, link(known.url), h("span", { class: "hint" }, ` maximum ${number(known.maxPages)} pages`));
      draw(known);
    }
    await events(`/v1/crawl/${id}/events`, (name, state) => {
      if (name === "error") {
        show(parts.problem, note(state.detail, "bad"));
        return;
      }
      draw(state);
      // fetching pages counts against the rate limit; events do not
      if (Date.now() - lastFetch < REFRESH_PAGES && !ended(state.status)) return;
      lastFetch = Date.now();
      reading = reading.then(() => more(id, pages, mine.signal)).then(() => drawPages(parts, pages)).catch(() => {});
    }, mine.signal);
    await reading;
    await more(id, pages, mine.signal);
    drawPages(parts, pages);
    await drawErrors(parts, id, last ?? {});
    const final = (await list()).find((each) => each.crawlId === id);
    if (final) draw(final);
  } catch (problem) {
    if (problem.name !== "AbortError") show(parts.problem, problemView(problem));
  }
}

const lines = (text) => text.split("\n").map((each) => each.trim()).filter(Boolean);

find("start").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const value = (name) => form.elements[name].value;
  const body = { url: value("url"), maxPages: Number(value("maxPages") || 100), maxDepth: Number(value("maxDepth") || 2), sitemap: form.elements.sitemap.checked, render: form.elements.render.checked };
  for (const name of ["includePatterns", "excludePatterns"]) if (lines(value(name)).length) body[name] = lines(value(name));
  show(find("start-problem"));
  try {
    const started = await (await send("/v1/crawl", { method: "POST", body })).json();
    choose(started.crawlId);
  } catch (problem) {
    show(find("start-problem"), problemView(problem));
  }
});

const chosen = () => new URLSearchParams(location.search).get("id");
addEventListener("popstate", () => (chosen() ? watch(chosen()) : location.reload()));
if (chosen()) watch(chosen());
else list().catch((problem) => show(find("list"), problemView(problem)));
