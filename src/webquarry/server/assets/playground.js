import "./shell.js";
import { call, get, problemView } from "./api.js";
import { find, h, note, show } from "./dom.js";
import { toolForm } from "./form.js";
import { copyAs } from "./snippets.js";
import { resultView } from "./views.js";

const menu = find("tools");
const filter = find("filter");
let tools = [];
let toolsets = {};
// headings of the toolsets whose name is spelled otherwise
const TITLES = { chatgpt: "ChatGPT", searxng: "SearXNG" };
let running = null;

function list() {
  const words = filter.value.trim().toLowerCase();
  const chosen = find("tool").querySelector("form")?.dataset.tool;
  const matching = tools.filter((each) => `${each.name} ${each.title ?? ""} ${each.description}`.toLowerCase().includes(words));
  const sets = Object.keys(toolsets).filter((name) => matching.some((each) => each.toolset === name));
  show(menu, sets.map((name) => [
    h("h2", { class: "set", title: toolsets[name] }, TITLES[name] ?? name),
    h("ul", {}, matching.filter((each) => each.toolset === name).map((each) =>
      h("li", {}, h("a", { href: `?tool=${encodeURIComponent(each.name)}`, "aria-current": each.name === chosen ? "page" : null, onclick: follow }, each.name))))]),
    !matching.length && h("p", { class: "empty" }, "No tool matches."));
}

function follow(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", event.currentTarget.href);
  open();
  find("tool").scrollIntoView({ block: "start" });
}

function open() {
  const query = new URLSearchParams(location.search);
  const chosen = query.get("tool") ?? (tools.some((each) => each.name === "web_search") ? "web_search" : tools[0]?.name);
  const definition = tools.find((each) => each.name === chosen);
  running?.abort();
  show(find("result"));
  if (!definition) {
    show(find("tool"), query.get("tool") ? note(`${query.get("tool")} is not available on this server, or not to you.`, "warn") : note("Choose a tool from the list."));
    list();
    return;
  }
  const form = toolForm(definition);
  form.fill(Object.fromEntries([...query].filter(([name]) => name !== "tool")));
  show(find("tool"), h("h2", { class: "tool-name" }, definition.name), h("p", {}, definition.description), form.node);
  list();
  form.node.addEventListener("submit", (event) => {
    event.preventDefault();
    run(definition, form);
  });
}

async function run(definition, form) {
  let values;
  try {
    values = form.values();
  } catch (error) {
    show(find("result"), note(error.message, "bad"));
    return;
  }
  form.mark([]);
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const began = performance.now();
  const spent = h("span", {}, "0 s");
  const clock = setInterval(() => { spent.textContent = `${Math.round((performance.now() - began) / 1000)} s`; }, 1000);
  show(find("result"), h("p", { class: "busy" }, "Running… ", spent, " ", h("button", { type: "button", class: "quiet", onclick: () => running.abort() }, "Stop")));
  try {
    const body = await call(definition.name, values, signal);
    const took = ((performance.now() - began) / 1000).toFixed(2);
    const view = await resultView(definition.name, body, (step) => { form.fill(step); run(definition, form); });
    if (signal.aborted) return;
    show(find("result"), h("div", { class: "result-head" }, h("h2", {}, "Result"), h("span", { class: "hint" }, `${took} s`), copyAs(definition.name, values)), view);
  } catch (problem) {
    if (problem.name === "AbortError") show(find("result"), note("Stopped."));
    else {
      show(find("result"), problemView(problem));
      form.mark([problem.body?.fields ?? problem.body?.details?.fields ?? []].flat().map((each) => String(each).split(".")[0]));
    }
  } finally {
    clearInterval(clock);
  }
}

filter.addEventListener("input", list);
filter.addEventListener("keydown", (event) => {
  if (event.key === "Enter") menu.querySelector("a")?.click();
});
addEventListener("popstate", open);
try {
  ({ tools, toolsets } = await get("/v1/console/tools"));
  open();
} catch (problem) {
  show(menu, problemView(problem));
}
