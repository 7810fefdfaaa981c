import "./shell.js";
import { get, problemView, send } from "./api.js";
import { badge, find, h, link, moment, note, number, plural, show, table } from "./dom.js";
import { changeList } from "./diff-view.js";
import { words } from "./items.js";

const STATES = { active: "good", paused: "" };
const OUTCOMES = { first: "good", unchanged: "", changed: "warn", failed: "bad" };
const OUTCOME_NAMES = { first: "first version", unchanged: "no change", changed: "changed", failed: "failed" };
const EVENTS = { changed: "warn", unreachable: "bad", reachable: "good" };
const LABELS = { page: "URL to watch", feed: "URL of the feed", site: "Start URL of the site", search: "Query", references: "DOIs or BibTeX" };
const PAGE = 10;
const path = (id, action = "") => `/v1/monitors/${encodeURIComponent(id)}${action}`;
const lines = (text) => text.split("\n").map((each) => each.trim()).filter(Boolean);

function monitorLink(each) {
  const href = `?id=${encodeURIComponent(each.monitorId)}`;
  return h("a", { href, onclick: (event) => { event.preventDefault(); choose(each.monitorId); } }, each.name);
}

async function list() {
  const { monitors } = await get("/v1/monitors?limit=100");
  show(find("list"), table("List of monitors", ["Name", "State", "Last check", "Changes", "Next check"], monitors.map((each) => [
    h("div", {}, monitorLink(each), h("div", { class: "hint" }, `${words(each.kind)}, ${each.schedule}`)),
    badge(each.status, STATES[each.status]),
    h("div", {}, each.lastOutcome && badge(OUTCOME_NAMES[each.lastOutcome], OUTCOMES[each.lastOutcome]), each.lastRun && " ", each.lastRun && moment(each.lastRun)),
    number(each.changes), each.nextRun ? moment(each.nextRun) : "–"]), "No monitors yet."));
}

function choose(id) {
  history.pushState(null, "", id ? `?id=${encodeURIComponent(id)}` : location.pathname);
  return open(id).catch((problem) => show(find("start-problem"), problemView(problem)));
}

// One check: its changes, or that the page could not be reached.
function entry(row, act) {
  const changes = row.changes ?? [];
  return h("section", { class: "panel", "aria-label": `Check ${row.number}` },
    h("div", { class: "result-head" }, h("h3", {}, moment(row.at)), badge(words(row.event), EVENTS[row.event]), h("span", {}, row.summary)),
    row.reason && note(row.reason, "bad"), changes.length > 0 && changeList(changes, act),
    row.ignored?.length > 0 && ignoredPart(row.ignored, act));
}

function ignoredPart(ignored, act) {
  return h("details", {}, h("summary", {}, `${plural(ignored.length, "difference")} ignored`), changeList(ignored, act));
}

function mutedPart(rules, act) {
  return h("details", { open: true }, h("summary", {}, "Muted places"), table("Muted places", ["Place", "Text", "Origin", ""], rules.map((each) => [
    each.where || "–", each.text || "–", badge(each.origin),
    h("button", { type: "button", class: "quiet", onclick: (event) => act(event, "unmute", each.rule) }, "Unmute")]), "None."));
}

function facts(monitor) {
  const rows = { target: link(monitor.target), schedule: monitor.schedule, checks: number(monitor.runs), "last check": monitor.lastRun ? moment(monitor.lastRun) : "–",
    "next check": monitor.nextRun ? moment(monitor.nextRun) : "–", feed: monitor.feed && h("a", { href: monitor.feed }, "Atom feed") };
  return h("dl", { class: "facts" }, Object.entries(rows).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function buttons(monitor, act, remove) {
  const button = (label, action, kind = "quiet") => h("button", { type: "button", class: kind, onclick: action }, label);
  const paused = monitor.status === "paused";
  return [button("Run now", (event) => act(event, "run"), ""), button(paused ? "Resume" : "Pause", (event) => act(event, paused ? "resume" : "pause")),
    button("Delete", remove, "danger")];
}

async function open(id, message) {
  const section = find("monitor");
  section.hidden = !id;
  if (!id) return list();
  const [monitor, history] = await Promise.all([get(path(id)), get(`${path(id, "/changes")}?limit=${PAGE}`), list()]);
  const problem = h("div", { role: "status" }, message && note(message, "good"));
  const act = async (event, action, what, scope) => {
    event.currentTarget.disabled = true;
    show(problem, h("p", { class: "busy" }, action === "run" ? "Checking…" : "Saving…"));
    try {
      const result = await (await send(path(id, `/${action}`), { method: "POST", body: { ...(what && { what }), ...(scope && { scope }) } })).json();
      await open(id, done(action, result));
    } catch (failure) {
      show(problem, problemView(failure));
      event.target.disabled = false;
    }
  };
  const remove = async (event) => {
    if (!confirm(`Delete the monitor "${monitor.name}" with its history?`)) return;
    event.target.disabled = true;
    try {
      await send(path(id), { method: "DELETE" });
      await choose("");
      find("target").focus();
    } catch (failure) {
      show(problem, problemView(failure));
      event.target.disabled = false;
    }
  };
  const older = h("div");
  show(section, h("div", { class: "panel" },
    h("div", { class: "result-head" }, h("h2", {}, monitor.name), badge(monitor.status, STATES[monitor.status]), h("span", { class: "grow" }), buttons(monitor, act, remove)),
    problem, monitor.error && note(`The last check failed: ${monitor.error}`, "bad"), facts(monitor),
    monitor.muted?.length > 0 && mutedPart(monitor.muted, act), monitor.ignored?.length > 0 && ignoredPart(monitor.ignored, act)),
  h("h2", {}, "History"), h("div", { id: "history" }, history.changes.length ? history.changes.map((row) => entry(row, act)) : h("p", { class: "empty" }, "No changes yet.")), older);
  showOlder(id, history.nextBefore, older, act);
}

function done(action, result) {
  if (action === "run") return { changed: "The page changed.", unchanged: "No change.", first: "The first version is stored.", failed: "The check failed." }[result.lastOutcome] ?? "Checked.";
  return { pause: "Paused.", resume: "Resumed.", mute: "Changes in this place are ignored from now on.", unmute: "Changes in this place are reported again." }[action];
}

function showOlder(id, before, node, act) {
  if (!before) return show(node);
  return show(node, h("button", { type: "button", class: "quiet", onclick: async (event) => {
    event.currentTarget.disabled = true;
    try {
      const found = await get(`${path(id, "/changes")}?limit=${PAGE}&before=${before}`);
      find("history").append(...found.changes.map((row) => entry(row, act)));
      showOlder(id, found.nextBefore, node, act);
    } catch (failure) {
      show(node, problemView(failure));
    }
  } }, "Show older changes"));
}

function definition(form) {
  const value = (name) => form.elements[name].value.trim();
  const body = { target: value("target"), kind: value("kind"), schedule: value("schedule"), render: form.elements.render.checked, capture: form.elements.capture.checked };
  for (const name of ["name", "selector", "fields", "timezone", "quiet", "digest"]) if (value(name)) body[name] = value(name);
  for (const name of ["words", "notify"]) if (value(name)) body[name] = lines(value(name));
  if (value("when")) body.when = value("when").split(";").map((each) => each.trim()).filter(Boolean);
  return body;
}

find("kind").addEventListener("change", (event) => {
  find("target-label").textContent = LABELS[event.target.value];
  find("target").rows = event.target.value === "references" ? 6 : 1;
});
find("start").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  show(find("start-problem"));
  try {
    const created = await (await send("/v1/monitors", { method: "POST", body: definition(form) })).json();
    form.reset();
    await choose(created.monitorId);
  } catch (problem) {
    show(find("start-problem"), problemView(problem));
  }
  button.disabled = false;
});

// The toolset is not among the default ones.
async function isOffered() {
  const { tools } = await get("/v1/console/tools");
  return tools.some((each) => each.name === "monitor_list");
}

async function begin() {
  if (await isOffered()) return open(chosen());
  find("start").hidden = true;
  return show(find("list"), note("This server offers no monitors. Add watch to TOOLSETS, for example TOOLSETS=default,watch, and restart it.", "warn"));
}

const chosen = () => new URLSearchParams(location.search).get("id") ?? "";
const start = () => begin().catch((problem) => show(find("list"), problemView(problem)));
addEventListener("popstate", start);
start();
