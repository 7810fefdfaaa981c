import "./shell.js";
import { get, problemView } from "./api.js";
import { badge, find, h, moment, note, number, show, table } from "./dom.js";

const EVERY = 15000;
const STATES = { closed: "good", open: "bad", "half-open": "warn", half_open: "warn" };
const HEALTH = { healthy: "good", degraded: "warn", unhealthy: "bad" };

const card = (title, main, about, kind = "") =>
  h("div", { class: `card ${kind}` }, h("div", { class: "card-title" }, title), h("div", { class: "card-main" }, main), h("div", { class: "hint" }, about));

function cards(seen) {
  const calls = Object.values(seen.tools.tools ?? {});
  const total = calls.reduce((sum, each) => sum + each.totalCalls, 0);
  const failed = calls.reduce((sum, each) => sum + each.errorCalls, 0);
  const health = seen.health.status ?? "unknown";
  const names = new Set((seen.providers.providers ?? []).map((each) => each.name));
  return [
    card("Server", seen.store.status, `Version ${seen.version}`, HEALTH[seen.store.status]),
    card("Search providers", health, `${names.size} providers ready`, HEALTH[health] ?? ""),
    card("Tools", number(seen.offered.tools), `${number(seen.offered.tokens)} tokens of context`),
    card("Calls", number(total), failed ? `${number(failed)} failed` : "none failed", failed ? "warn" : ""),
    card("Research sessions", number(seen.sessions.liveSessions), `${number(seen.sessions.activeSessions)} under way`),
    card("You", seen.caller.user, seen.caller.proved ? `of ${seen.caller.tenant}` : "nobody has to sign in here")];
}

function providers(seen) {
  const states = new Map((seen.health.providers ?? []).map((each) => [each.name, each]));
  const kinds = grouped(seen.providers.providers ?? []);
  const rows = [...kinds].map(([name, list]) => {
    const state = states.get(name);
    const told = state ? badge(state.state, STATES[state.state] ?? "") : badge("ready");
    return [h("strong", {}, name), h("span", { class: "chips" }, list.map((each) => badge(each.type))), told,
      state ? number(state.failures) : "–", state?.retryAfterSeconds ? `${state.retryAfterSeconds} s` : "–"];
  });
  return table("Providers", ["Provider", "Can do", "Breaker", "Failures", "Asked again in"], rows, "No provider is configured.");
}

function grouped(list) {
  const found = new Map();
  for (const each of list) found.set(each.name, [...(found.get(each.name) ?? []), each]);
  return found;
}

const took = (milliseconds) => `${number(Number(milliseconds.toPrecision(3)))} ms`;
const toolLink = (name) => h("a", { href: `/console/playground?tool=${encodeURIComponent(name)}` }, name);

function draw(seen) {
  show(find("cards"), cards(seen));
  show(find("providers"), providers(seen), seen.providers.problem && note(seen.providers.problem, "warn"));
  show(find("calls"), table("Recent calls", ["When", "Tool", "Outcome", "Took", "Cached"], seen.calls.slice(0, 12).map((each) => [
    moment(each.timestamp), toolLink(each.tool), badge(each.outcome.replaceAll("_", " "), each.outcome === "ok" ? "good" : "bad"), took(each.milliseconds), each.cached ? "yes" : "no"]), "No tool was called since the start."));
  show(find("errors"), table("Recent errors", ["When", "Tool", "Kind", "Message"], (seen.errors.errors ?? []).slice(0, 12).map((each) => [
    moment(each.timestamp), toolLink(each.tool), badge(each.kind.replaceAll("_", " "), "bad"), h("span", { class: "words" }, each.message)]), "No errors."));
  show(find("stats"), table("Tools", ["Tool", "Calls", "Errors", "From cache", "Mean", "95 %", "Last"], Object.entries(seen.tools.tools ?? {}).map(([name, each]) => [
    toolLink(name), number(each.totalCalls), number(each.errorCalls), number(each.cacheHits), took(each.avgLatencyMs), took(each.p95LatencyMs), moment(each.lastCalled)]), "No tool was called since the start."));
  show(find("limits"), table("Your limits", ["Limit", "Allowed", "Left", "Starts anew in"], (seen.limits.limits ?? []).map((each) => [
    each.name, number(each.limit), number(each.remaining), `${number(each.resetsInSeconds)} s`]), seen.limits.guidance ?? "None."));
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
  setInterval(() => { if (!document.hidden && !document.querySelector("dialog[open]")) refresh(); }, EVERY);
}
