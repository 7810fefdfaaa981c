import "./shell.js";
import { problemView, resource } from "./api.js";
import { badge, duration, find, h, link, moment, note, number, show, table } from "./dom.js";
import { facts, playground } from "./items.js";

const GRADES = { "A+": "good", A: "good", B: "warn" };

function instance(each) {
  return [link(each.url), badge(each.grade ?? "yours", GRADES[each.grade] ?? ""),
    each.available ? badge("available", "good") : h("span", {}, badge("not used", "warn"), h("div", { class: "hint" }, each.why_not)),
    typeof each.uptime === "number" ? `${each.uptime.toFixed(1)} %` : "–", typeof each.response_time === "number" ? `${number(each.response_time)} ms` : "–",
    `${number(each.answers)} / ${number(each.failures)}`, each.format, moment(each.last_checked)];
}

const engine = (each) => [each.engine, number(each.results), number(each.searches), number(each.failures), each.last_error ?? "–"];

function choice(last) {
  if (!last) return h("p", { class: "empty" }, "No instance was used yet. ", h("a", { href: playground("searxng_search", {}) }, "Search with the pool"));
  return [h("p", {}, moment(last.at), " ", link(last.instance), `: ${last.why}`),
    last.passed_over.length > 0 && table("Skipped", ["Instance", "Reason"], last.passed_over.map((each) => [link(each.instance), each.why]))];
}

function maintenance(catalogue, checks) {
  return {
    "public instances from": catalogue.source, "list read": catalogue.read_at,
    "checked every": duration(checks.every_seconds), "last check": checks.last_at,
  };
}

try {
  const pool = await resource("searxng://pool");
  const { instances = [], last_choice: last, engines, catalogue, health_checks: checks, preference } = pool;
  show(find("pool"), preference && h("p", {}, `Order: ${preference}.`),
    catalogue?.problem && note(catalogue.problem, "warn"),
    h("h2", {}, `Instances (${instances.length})`), table("Instances", ["Instance", "Grade", "State", "Uptime", "Response time", "Successes / failures", "Format", "Checked"], instances.map(instance), "No SearXNG instance yet. Set SEARXNG_URL to add yours."),
    h("h2", {}, "Last choice"), choice(last),
    engines?.length > 0 && [h("h2", {}, "Engines"), table("Engines", ["Engine", "Results", "Searches", "Failures", "Last error"], engines.map(engine))],
    h("h2", {}, "Maintenance"), facts(maintenance(catalogue ?? {}, checks ?? {})));
} catch (problem) {
  show(find("pool"), problemView(problem));
}
