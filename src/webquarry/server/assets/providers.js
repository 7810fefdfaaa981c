import "./shell.js";
import { adminGate, asAdmin, get, problemView, resource, send } from "./api.js";
import { badge, duration, find, h, link, note, number, show } from "./dom.js";

// states of the circuit breaker, in words
const STATUS = { closed: ["ready", "good"], open: ["paused", "bad"], "half-open": ["retrying", "warn"], half_open: ["retrying", "warn"] };
let providers = [];
let offers = new Map();
let states = new Map();
let saved = null;

function status(each) {
  const state = states.get(each.name);
  if (!each.ready) return badge("needs a key", "warn");
  const [text, kind] = STATUS[state?.state] ?? ["ready", "good"];
  return [badge(text, kind), state?.failures > 0 && h("span", { class: "hint" }, ` ${number(state.failures)} failures`),
    state?.retryAfterSeconds > 0 && h("span", { class: "hint" }, ` retry in ${duration(state.retryAfterSeconds)}`)];
}

function card(each) {
  const keys = each.variables;
  const label = keys.some((key) => key.set) ? "Change key" : "Add a key";
  const button = keys.length > 0 && h("button", { type: "button", class: "quiet", "aria-label": `${label} for ${each.name}`, onclick: () => ask(each) }, label);
  return h("li", { class: "item provider" }, h("div", { class: "panel-head" }, h("h2", { class: "item-title" }, each.name), h("span", { class: "item-about" }, status(each))),
    h("p", { class: "chips" }, (offers.get(each.name) ?? []).map((kind) => badge(kind))),
    keys.length ? h("ul", { class: "plain" }, keys.map((key) => h("li", {}, h("code", {}, key.name), " ", key.set ? badge("set", "good") : badge(key.required ? "not set" : "optional", key.required ? "warn" : ""), h("div", { class: "hint" }, key.description)))) : h("p", { class: "hint" }, "Needs no key."),
    h("div", { class: "row" }, button, link(each.docs, "Documentation")));
}

function draw() {
  const words = find("filter").value.trim().toLowerCase();
  const about = (each) => [each.name, ...(offers.get(each.name) ?? []), ...each.variables.map((key) => key.name)].join(" ").toLowerCase();
  const matching = providers.filter((each) => about(each).includes(words) && (!find("missing").checked || !each.ready));
  const ready = providers.filter((each) => each.ready).length;
  show(find("providers"), saved && note(saved, "good"), h("p", { class: "hint", role: "status" }, `${number(ready)} of ${number(providers.length)} providers are ready.`),
    h("ul", { class: "items tiles" }, matching.map(card)), !matching.length && h("p", { class: "empty" }, "No provider matches."));
}

function ask(each) {
  show(find("key-problem"));
  find("key-title").textContent = `Add a key for ${each.name}`;
  show(find("key-about"), "Get one from ", link(each.docs, "its documentation"), ".");
  show(find("key-name"), each.variables.map((key) => h("option", { value: key.name }, key.name)));
  find("key-value").value = "";
  find("key").showModal();
  find("key-value").focus();
}

find("key-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.currentTarget.querySelector("button[type=submit]");
  button.disabled = true;
  show(find("key-problem"), h("p", { class: "busy" }, "Testing the key…"));
  try {
    const body = { name: find("key-name").value, value: find("key-value").value };
    const answer = await (await send("/v1/console/keys", { method: "POST", body, ...asAdmin() })).json();
    if (!answer.saved) {
      show(find("key-problem"), note(`The provider rejected this key, so it was not saved. ${answer.reason}`, "bad"));
      return;
    }
    find("key-value").value = "";
    find("key").close();
    saved = `${body.name} is saved in ${answer.file}. ${answer.state === "accepted" ? "The provider accepted it." : `It could not be tested: ${answer.reason}`} Restart Webquarry to use it.`;
    draw();
  } catch (problem) {
    show(find("key-problem"), problemView(problem));
  } finally {
    button.disabled = false;
  }
});
find("key-cancel").addEventListener("click", () => find("key").close());
find("filter").addEventListener("input", draw);
find("missing").addEventListener("change", draw);

await adminGate(async () => {
  const [listed, kinds, health] = await Promise.all([get("/v1/console/providers", asAdmin()), resource("stats://providers"), resource("diagnostics://health")]);
  providers = listed.providers;
  find("key-file").textContent = listed.file;
  offers = new Map();
  for (const { name, type } of kinds.providers ?? []) offers.set(name, [...(offers.get(name) ?? []), type]);
  states = new Map((health.providers ?? []).map((each) => [each.name, each]));
  find("filters").hidden = false;
  draw();
}, find("providers"));
