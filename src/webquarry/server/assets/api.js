// Requests to this server, as whoever is signed in.
import { find, h } from "./dom.js";

const KEY = "webquarry.credential";
const ADMIN = "webquarry.admin";

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `The server answered ${status}.`);
    Object.assign(this, { status, kind: body.kind, code: body.code, body });
  }
}

export const signedIn = () => sessionStorage.getItem(KEY) !== null;
export const keepAdminKey = (key) => sessionStorage.setItem(ADMIN, key);
export function signOut() {
  sessionStorage.removeItem(KEY);
  sessionStorage.removeItem(ADMIN);
  location.reload();
}

function headers(extra) {
  const credential = sessionStorage.getItem(KEY);
  return { ...(credential ? { Authorization: `Bearer ${credential}` } : {}), ...extra };
}

let asking = null;

function login(why) {
  asking ??= ask(why).finally(() => { asking = null; });
  return asking;
}

function ask(why) {
  const dialog = find("login");
  const field = find("credential");
  find("login-why").textContent = why;
  field.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  field.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const given = field.value.trim();
      field.value = "";
      const signed = dialog.returnValue === "in" && given !== "";
      if (signed) sessionStorage.setItem(KEY, given);
      find("sign-out").hidden = !signedIn();
      resolve(signed);
    }, { once: true });
  });
}

async function problemOf(answer) {
  const text = await answer.text();
  try {
    return new Problem(answer.status, JSON.parse(text));
  } catch {
    return new Problem(answer.status, { detail: text.slice(0, 300) });
  }
}

// The answer, once the server accepts who asks; every other failure is thrown.
export async function send(path, { method = "GET", body, extra = {}, signal } = {}) {
  for (;;) {
    const options = { method, signal, headers: headers(extra) };
    if (body !== undefined) {
      options.body = JSON.stringify(body);
      options.headers["Content-Type"] = "application/json";
    }
    let answer;
    try {
      answer = await fetch(path, options);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem(0, { detail: "The server does not answer. Is it still running?" });
    }
    if (answer.ok) return answer;
    const problem = await problemOf(answer);
    if (answer.status !== 401 || !(await login(problem.message))) throw problem;
  }
}

export const get = async (path, options) => (await send(path, options)).json();
export const call = async (tool, body, signal) =>
  (await send(`/v1/tools/${encodeURIComponent(tool)}`, { method: "POST", body, signal })).json();
export const resource = (uri) => get(`/v1/console/resource?uri=${encodeURIComponent(uri)}`);
export const asAdmin = () => ({ extra: { "X-Admin-Key": sessionStorage.getItem(ADMIN) ?? "" } });

// A whole artifact: text, or bytes for anything that is not text.
export async function artifact(uri, { offset, length } = {}) {
  const range = length ? `?offset=${offset ?? 0}&length=${length}` : "";
  const asked = encodeURIComponent(uri + range);
  const answer = await send(`/v1/console/resource?uri=${asked}`);
  const type = answer.headers.get("X-Resource-Type") ?? "";
  const meta = JSON.parse(answer.headers.get("X-Resource-Meta") ?? "{}");
  return { type, meta, blob: await answer.blob() };
}

// Server-sent events; not EventSource, which cannot send a credential.
export async function events(path, hear, signal) {
  const answer = await send(path, { extra: { Accept: "text/event-stream" }, signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = Object.fromEntries(text.slice(0, end).split("\n").map((line) => {
        const at = line.indexOf(": ");
        return [line.slice(0, at), line.slice(at + 2)];
      }));
      text = text.slice(end + 2);
      if (fields.event) hear(fields.event, JSON.parse(fields.data));
    }
  }
}

const ACTIONS = {
  retry_after_delay: "Try again in a moment.",
  try_different_provider: "Try another provider.",
  check_api_key: "Check the provider's API key in the settings.",
  inform_user: "",
};

export function problemView(problem) {
  const action = ACTIONS[problem.body?.suggestedAction];
  const wait = problem.body?.retryAfterSeconds;
  return h("div", { class: "note bad", role: "alert" },
    h("strong", {}, problem.kind ? `${String(problem.kind).replaceAll("_", " ")}: ` : ""), problem.message,
    action && h("span", { class: "hint" }, ` ${action}`),
    wait && h("span", { class: "hint" }, ` Wait ${wait} s.`));
}
