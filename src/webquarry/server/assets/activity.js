import "./shell.js";
import { get, problemView } from "./api.js";
import { badge, duration, find, h, moment, number, plural, show, table } from "./dom.js";

const REFRESH = 15000; // milliseconds
const HEALTH = { healthy: "good", degraded: "warn", unhealthy: "bad" };

const card = (title, main, about, kind = "") =>
  h("div", { class: `card ${kind}` }, h("div", { class: "card-title" }, title), h("div", { class: "card-main" }, main), h("div", { class: "hint" }, about));

function cards(data) {
  const calls = Object.values(data.tools.tools ?? {});
  const total = calls.reduce((sum, each) => sum + each.totalCalls, 0);
  const failed = calls.reduce((sum, each) => sum + each.errorCalls, 0);
  const health = data.health.status ?? "unknown";
  const names = new Set((data.providers.providers ?? []).map((each) => each.name));
  return [
    card("Server", data.store.status, `Version ${data.version}`, HEALTH[data.store.status]),
    card("Search providers", health, `${plural(names.size, "provider")} ready`, HEALTH[health] ?? ""),
    card("Tools", number(data.offered.tools), `${number(data.offered.tokens)} tokens of context`),
    card("Calls", number(total), failed ? `${number(failed)} failed` : "No failures", failed ? "warn" : ""),
    card("Research sessions", number(data.sessions.liveSessions), `${number(data.sessions.activeSessions)} in progress`),
    card("You", data.caller.user, data.caller.proved ? `Tenant ${data.caller.tenant}` : "No sign-in needed")];
}

const took = (milliseconds) => `${number(Number(milliseconds.toPrecision(3)))} ms`;
const toolLink = (name) => h("a", { href: `/console/playground?tool=${encodeURIComponent(name)}` }, name);

function draw(data) {
  show(find("cards"), cards(data));
  show(find("calls"), table("Table: Recent calls", ["Time", "Tool", "Outcome", "Duration", "Cached"], data.calls.slice(0, 12).map((each) => [
    moment(each.timestamp), toolLink(each.tool), badge(each.outcome.replaceAll("_", " "), each.outcome === "ok" ? "good" : "bad"), took(each.milliseconds), each.cached ? "yes" : "no"]), "No calls since startup."));
  show(find("errors"), table("Table: Recent errors", ["Time", "Tool", "Kind", "Message"], (data.errors.errors ?? []).slice(0, 12).map((each) => [
    moment(each.timestamp), toolLink(each.tool), badge(each.kind.replaceAll("_", " "), "bad"), h("span", { class: "words" }, each.message)]), "No errors."));
  show(find("stats"), table("Tools", ["Tool", "Calls", "Errors", "Cache hits", "Mean", "95th percentile", "Last call"], Object.entries(data.tools.tools ?? {}).map(([name, each]) => [
    toolLink(name), number(each.totalCalls), number(each.errorCalls), number(each.cacheHits), took(each.avgLatencyMs), took(each.p95LatencyMs), moment(each.lastCalled)]), "No calls since startup."));
  show(find("limits"), table("Table: Your rate limits", ["Limit", "Allowed", "Left", "Resets in"], (data.limits.limits ?? []).map((each) => [
    each.name, number(each.limit), number(each.remaining), duration(each.resetsInSeconds)]), data.limits.guidance ?? "None."));
}

async function refresh() {
  try {
    draw(await get("/v1/console/overview"));
  } catch (problem) {
    show(find("cards"), problemView(problem));
    return false;
  }
  return true;
}

if (await refresh()) {
  setInterval(() => { if (!document.hidden && !document.querySelector("dialog[open]")) refresh(); }, REFRESH);
}
