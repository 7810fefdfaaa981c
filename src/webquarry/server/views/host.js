// Talks to the host of the view by messages (MCP Apps, revision 2026-01-26).
import { find, h, note, show, webUrl } from "./dom.js";
import { markdown } from "./markdown.js";

const VERSION = "2026-01-26";
const waiting = new Map();
let lastId = 0;
let abilities = {};
let torn = false;

const post = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

export function ask(method, params) {
  lastId += 1;
  post({ id: lastId, method, params });
  return new Promise((resolve, reject) => waiting.set(lastId, { resolve, reject }));
}

export const can = (ability) => ability in abilities;
export const isOver = () => torn;

// Shows results with `view(body, result)`: it returns elements, or null to show the text.
export function run(name, view) {
  const root = find("view");
  const receivers = {
    "ui/notifications/tool-result": async (result) => show(root, await shown(view, result)),
    "ui/notifications/tool-cancelled": () => show(root, note("The call was cancelled.", "warn")),
    "ui/notifications/host-context-changed": adopt,
  };
  window.addEventListener("message", (event) => {
    const message = event.data;
    if (event.source !== window.parent || message?.jsonrpc !== "2.0") return;
    if (message.method === undefined) settle(message);
    else if (message.id === undefined) receivers[message.method]?.(message.params ?? {});
    else respond(message);
  });
  document.addEventListener("click", openLink);
  new ResizeObserver(() => post({
    method: "ui/notifications/size-changed",
    params: { width: document.documentElement.clientWidth, height: Math.ceil(document.documentElement.getBoundingClientRect().height) },
  })).observe(document.documentElement);
  open(name);
}

async function open(name) {
  const opened = await ask("ui/initialize", {
    protocolVersion: VERSION,
    appInfo: { name: `webquarry-${name}`, version: "1" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  });
  abilities = opened.hostCapabilities ?? {};
  adopt(opened.hostContext ?? {});
  post({ method: "ui/notifications/initialized", params: {} });
}

function settle(message) {
  const promise = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.error) promise?.reject(new Error(message.error.message));
  else promise?.resolve(message.result);
}

function respond(message) {
  if (message.method === "ui/resource-teardown") torn = true;
  const known = ["ping", "ui/resource-teardown"].includes(message.method);
  post({ id: message.id, ...(known ? { result: {} } : { error: { code: -32601, message: "Method not found" } }) });
}

function adopt(context) {
  const root = document.documentElement;
  if (context.theme) root.dataset.theme = context.theme;
  for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
    if (name.startsWith("--") && value) root.style.setProperty(name, value);
  }
}

function openLink(event) {
  const target = event.target.closest?.("a[href]");
  const url = target && webUrl(target.getAttribute("href"));
  if (!url || !can("openLinks")) return;
  event.preventDefault();
  ask("ui/open-link", { url: url.href });
}

async function shown(view, result) {
  const text = (result.content ?? []).filter((each) => each.type === "text").map((each) => each.text).join("\n\n");
  if (result.isError) return note(sentence(text), "bad");
  const body = await whole(result.structuredContent);
  return (body && view(body, result)) ?? h("div", { class: "page" }, markdown(text));
}

// Errors are a sentence for people and a block for programs.
const sentence = (text) => text?.split("\n\n")[0] || "The call failed.";

// A large result is a link; the host reads it for the view.
async function whole(body) {
  if (!body?.linked) return body;
  if (!can("serverResources")) return null;
  const read = await ask("resources/read", { uri: body.resource });
  return JSON.parse(read.contents[0].text);
}

export async function call(tool, values) {
  const result = await ask("tools/call", { name: tool, arguments: values });
  if (result.isError) throw new Error(sentence(result.content?.[0]?.text));
  return result.structuredContent;
}
