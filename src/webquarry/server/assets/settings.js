import "./shell.js";
import { adminGate, asAdmin, get } from "./api.js";
import { badge, find, h, number, show } from "./dom.js";
import { inline } from "./markdown.js";
import { words } from "./items.js";

// headings of the groups whose name is an abbreviation or too short
const TITLES = {
  auth: "Authentication",
  base_urls: "Base URLs",
  clients: "MCP clients",
  compat: "Drop-in APIs",
  http: "HTTP",
  keys: "API keys",
  llm: "Language model",
  web_search: "SearXNG",
};
let settings = [];

function setting(each) {
  return h("div", { class: "setting" }, h("dt", {}, h("code", {}, each.name.split("_").flatMap((part, n) => (n ? ["_", h("wbr"), part] : [part])))),
    h("dd", {}, h("p", {}, inline(each.description)), h("p", { class: "setting-value" }, h("strong", { class: "words" }, each.value || "not set"), " ", each.is_default ? h("span", { class: "hint" }, "default") : badge(each.source)),
      h("p", { class: "hint" }, `Accepts ${each.accepts}.`)));
}

function group(name, members, open) {
  return h("details", { class: "panel settings-group", open },
    h("summary", {}, h("h2", {}, TITLES[name] ?? words(name)), h("span", { class: "hint" }, number(members.length))),
    h("dl", { class: "settings" }, members.map(setting)));
}

function draw() {
  const text = find("filter").value.trim().toLowerCase();
  const matching = settings.filter((each) => `${each.name} ${each.group} ${each.value} ${each.description}`.toLowerCase().includes(text) && (!find("changed").checked || !each.is_default));
  // all settings at once are a very long page
  const open = Boolean(text) || find("changed").checked;
  const groups = [...new Set(matching.map((each) => each.group))];
  show(find("settings"), h("p", { class: "hint", role: "status" }, `${number(matching.length)} of ${number(settings.length)} settings.`),
    groups.map((name) => group(name, matching.filter((each) => each.group === name), open)),
    !matching.length && h("p", { class: "empty" }, "No setting matches."));
}

find("filter").addEventListener("input", draw);
find("changed").addEventListener("change", draw);
find("filter").value = new URLSearchParams(location.search).get("q") ?? "";
await adminGate(async () => {
  ({ settings } = await get("/v1/console/settings", asAdmin()));
  find("filters").hidden = false;
  draw();
}, find("settings"));
