import "./shell.js";
import { call, get, problemView, send } from "./api.js";
import { bars } from "./bars.js";
import { ago, badge, find, h, note, number, plural, show } from "./dom.js";
import { playground, words } from "./items.js";
import { copyAs } from "./snippets.js";
import { resultView } from "./views.js";

const REFRESH = 15000; // milliseconds
const DOI = /^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)?(10\.\d{4,9}\/\S+)$/i;
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?([/?#]\S*)?$/i;
const STATES = { completed: "good", failed: "bad", cancelled: "warn", running: "live", queued: "" };
const VIA = { stdio: "assistant", http: "assistant", rest: "console or REST", cli: "command line", library: "Python" };
const field = find("subject");
let running = null;

// The tool for what was typed: a check for a DOI, a page for a URL, else a search.
export function toolFor(text) {
  const doi = text.match(DOI);
  if (doi) return { tool: "verify_citation", values: { citation: doi[1] } };
  if (/^https?:\/\//i.test(text)) return { tool: "scrape_page", values: { url: text } };
  if (HOST.test(text)) return { tool: "scrape_page", values: { url: `https://${text}` } };
  return { tool: "web_search", values: { query: text } };
}

const BUSY = { verify_citation: "Checking the reference…", scrape_page: "Reading the page…", web_search: "Searching…", search_and_scrape: "Reading the best sources…" };

// A document is read by the server and not stored.
async function parse(file, signal) {
  const body = new FormData();
  body.append("file", file, file.name);
  return (await send("/v1/parse", { method: "POST", body, signal })).json();
}

async function run({ tool, values, file }) {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  find("recent").hidden = true;
  const began = performance.now();
  show(find("result"), h("p", { class: "busy" }, BUSY[tool], " ", h("button", { type: "button", class: "quiet small", onclick: () => mine.abort() }, "Stop")));
  try {
    const body = file ? await parse(file, mine.signal) : await call(tool, values, mine.signal);
    const view = await resultView(tool, body, (step) => run({ tool, values: { ...values, ...step } }));
    if (mine.signal.aborted) return;
    const quote = tool === "web_search" && h("button", { type: "button", onclick: () => run({ tool: "search_and_scrape", values: { query: values.query, anchors: true, num_results: 3 } }) }, "Read and quote the best");
    show(find("result"), h("div", { class: "result-head" }, h("h2", {}, "Result"), h("span", { class: "hint" }, `${((performance.now() - began) / 1000).toFixed(1)} s`), h("span", { class: "grow" }), quote,
      !file && h("a", { class: "button quiet", href: playground(tool, values) }, "Open in playground"), h("button", { type: "button", class: "quiet", onclick: clear }, "Close")), !file && copyAs(tool, values), view);
  } catch (problem) {
    if (problem.name === "AbortError") clear();
    else show(find("result"), problemView(problem));
  }
}

function clear() {
  running?.abort();
  show(find("result"));
  find("recent").hidden = false;
  if (location.search) history.pushState(null, "", location.pathname);
}

function health(data) {
  const states = data.health.providers ?? [];
  const problem = data.sessions.problem ?? data.health.problem;
  const paused = states.filter((each) => each.state === "open").map((each) => each.name);
  const [kind, text] = problem ? ["bad", problem] : paused.length
    ? ["warn", `${paused.join(", ")} paused after failures; other providers are used.`] : ["good", "Storage and search providers work."];
  show(find("health"), h("span", { class: `dot ${kind}` }), ` ${text} `, h("span", { class: "hint" },
    `Webquarry ${data.version} · you are ${data.caller.user}${data.caller.proved ? ` of ${data.caller.tenant}` : ", no sign-in needed"}`));
}

const line = (href, title, about, ...marks) => h("li", {}, h(href ? "a" : "span", href ? { href } : {}, title), h("span", { class: "line-about" }, marks, h("span", { class: "hint" }, about)));
const lines = (list, empty) => (list.length ? h("ul", { class: "lines" }, list) : h("p", { class: "empty" }, empty));

function session(each) {
  return line(`/console/sessions?id=${encodeURIComponent(each.sessionId)}`, each.researchGoal || "Untitled",
    `${plural(each.stepCount, "step")} · ${plural(each.sourceCount, "source")} · ${ago(each.startedAt)}`,
    badge(each.isComplete ? "complete" : "in progress", each.isComplete ? "good" : "live"));
}

function crawl(each) {
  return line(`/console/crawls?id=${encodeURIComponent(each.crawlId)}`, each.url, `${plural(each.pagesCrawled, "page")} · ${ago(each.createdAt)}`, badge(each.status, STATES[each.status]));
}

// Problems first: a retracted paper is never only "confirmed".
function verdict(each) {
  const given = each.verdict;
  if (!given) return badge(each.outcome === "ok" ? "checked" : words(each.outcome), each.outcome === "ok" ? "" : "bad");
  if (given.retracted) return badge("retracted", "bad");
  if (given.status) return badge(words(given.status), { confirmed: "good", not_found: "bad" }[given.status] ?? "warn");
  const grave = ["retracted", "notFound", "mischaracterized", "deadLink"].filter((name) => given.summary[name]);
  return grave.length ? grave.map((name) => badge(`${number(given.summary[name])} ${words(name)}`, "bad")) : badge(`${plural(given.summary.total ?? 0, "reference")}, no problem found`, "good");
}

function check(each) {
  const repeat = each.tool === "verify_citation" && each.subject ? playground(each.tool, { citation: each.subject }) : null;
  const title = each.tool === "audit_bibliography" ? "Bibliography" : each.subject || words(each.tool);
  return line(repeat, title, [VIA[each.via], ago(each.at)].filter(Boolean).join(" · "), verdict(each));
}

function tool(each) {
  return line(playground(each.tool, {}), [h("code", {}, each.tool), each.subject && ` ${each.subject}`], [VIA[each.via], ago(each.at)].filter(Boolean).join(" · "),
    each.outcome !== "ok" && badge(words(each.outcome), "bad"));
}

async function refresh() {
  const data = await get("/v1/console/home");
  const { crawls } = await get("/v1/console/crawls").catch(() => ({ crawls: [] }));
  health(data);
  show(find("sessions-title"), `Sessions (${number(data.sessions.total)})`);
  show(find("crawls-title"), `Crawls (${number(crawls.length)})`);
  show(find("sessions"), lines(data.sessions.latest.map(session), "No sessions yet. An assistant starts one, or you do in the playground."));
  show(find("crawls"), lines(crawls.slice(0, 5).map(crawl), "No crawls yet."));
  show(find("checks"), lines(data.checks.map(check), "No checks yet."));
  show(find("calls"), lines(data.calls.slice(0, 6).map(tool), "No calls yet."));
  show(find("activity"), data.activity.length ? bars(data.activity) : note("The call history is off on this server."));
}

function ask(text) {
  field.value = text;
  run(toolFor(text));
}

find("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = field.value.trim();
  if (!text) return;
  history.pushState(null, "", `?q=${encodeURIComponent(text)}`);
  ask(text);
});
function read(file) {
  if (file) run({ tool: "scrape_page", values: { url: file.name }, file });
}

find("file").addEventListener("change", (event) => read(event.currentTarget.files[0]));
for (const name of ["dragover", "dragenter"]) {
  find("ask").addEventListener(name, (event) => { event.preventDefault(); find("ask").classList.add("drop"); });
}
find("ask").addEventListener("dragleave", (event) => { if (!find("ask").contains(event.relatedTarget)) find("ask").classList.remove("drop"); });
find("ask").addEventListener("drop", (event) => {
  event.preventDefault();
  find("ask").classList.remove("drop");
  find("file").value = "";
  read(event.dataTransfer.files[0]);
});
addEventListener("popstate", () => {
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  clear();
});
// a link fills the box; nothing is sent until someone presses Go
field.value = new URLSearchParams(location.search).get("q") ?? "";
try {
  await refresh();
  setInterval(() => { if (!document.hidden && !find("recent").hidden) refresh().catch(() => {}); }, REFRESH);
} catch (problem) {
  show(find("health"), problemView(problem));
  show(find("activity"));
}
