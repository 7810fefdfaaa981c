import "./shell.js";
import { problemView, resource } from "./api.js";
import { badge, find, h, link, moment, note, number, show, table } from "./dom.js";
import { facts, playground, value } from "./items.js";

const GRADES = { "A+": "good", A: "good", B: "warn" };

function instance(each) {
  return [link(each.url), badge(each.grade ?? "configured", GRADES[each.grade] ?? ""),
    each.available ? badge("available", "good") : h("span", {}, badge("not asked", "warn"), h("div", { class: "hint" }, each.why_not)),
    typeof each.uptime === "number" ? `${each.uptime.toFixed(1)} %` : "–", typeof each.response_time === "number" ? `${number(each.response_time)} ms` : "–",
    `${number(each.answers)} / ${number(each.failures)}`, each.format, moment(each.last_checked)];
}

function choice(last) {
  if (!last) return h("p", { class: "empty" }, "No instance was asked yet. ", h("a", { href: playground("searxng_search", {}) }, "Search through the pool"));
  return [h("p", {}, "At ", moment(last.at), ", ", link(last.instance), " was asked: ", last.why),
    last.passed_over.length > 0 && table("Passed over", ["Instance", "Why"], last.passed_over.map((each) => [link(each.instance), each.why]))];
}

try {
  const pool = await resource("searxng://pool");
  const { instances = [], last_choice: last, engines, catalogue, health_checks: checks, preference } = pool;
  show(find("pool"), preference && h("p", {}, `Who is asked first: ${preference}.`),
    catalogue?.problem && note(catalogue.problem, "warn"),
    h("h2", {}, `Instances (${instances.length})`), table("Instances", ["Instance", "Grade", "State", "Uptime", "Response", "Answers / failures", "Format", "Checked"], instances.map(instance), "No instance is configured, and no list of public ones was read."),
    h("h2", {}, "The last choice"), choice(last),
    engines && Object.keys(engines).length > 0 && [h("h2", {}, "Engines"), value(engines)],
    h("h2", {}, "Upkeep"), facts({ catalogue: catalogue ?? {}, healthChecks: checks ?? {} }));
} catch (problem) {
  show(find("pool"), problemView(problem));
}
