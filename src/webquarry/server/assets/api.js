// Requests to this server with the credential of the signed-in user.
import { duration, find, h, show } from "./dom.js";

const KEY = "webquarry.credential";
const ADMIN = "webquarry.admin";

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `The server responded with status ${status}.`);
    Object.assign(this, { status, kind: body.kind, code: body.code, body });
  }
}

export const signedIn = () => sessionStorage.getItem(KEY) !== null;
const keepAdminKey = (key) => sessionStorage.setItem(ADMIN, key);
export function signOut() {
  sessionStorage.removeItem(KEY);
  sessionStorage.removeItem(ADMIN);
  location.reload();
}

function headers(extra) {
  const credential = sessionStorage.getItem(KEY);
  return { ...(credential ? { Authorization: `Bearer ${credential}` } : {}), ...extra };
}

let loginPrompt = null;

function login(reason) {
  loginPrompt ??= promptForCredential(reason).finally(() => { loginPrompt = null; });
  return loginPrompt;
}

function promptForCredential(reason) {
  const dialog = find("login");
  const field = find("credential");
  find("login-why").textContent = reason;
  field.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  field.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const credential = field.value.trim();
      field.value = "";
      const entered = dialog.returnValue === "in" && credential !== "";
      if (entered) sessionStorage.setItem(KEY, credential);
      find("sign-out").hidden = !signedIn();
      resolve(entered);
    }, { once: true });
  });
}

async function problemOf(response) {
  const text = await response.text();
  try {
    return new Problem(response.status, JSON.parse(text));
  } catch {
    return new Problem(response.status, { detail: text.slice(0, 300) });
  }
}

// The response; asks for a credential if the server requires one, and throws all other failures.
export async function send(path, { method = "GET", body, extra = {}, signal } = {}) {
  for (;;) {
    const options = { method, signal, headers: headers(extra) };
    if (body instanceof FormData) {
      options.body = body;
    } else if (body !== undefined) {
      options.body = JSON.stringify(body);
      options.headers["Content-Type"] = "application/json";
    }
    let response;
    try {
      response = await fetch(path, options);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem(0, { detail: "The server does not respond. Is it still running?" });
    }
    if (response.ok) return response;
    const problem = await problemOf(response);
    if (response.status !== 401 || !(await login(problem.message))) throw problem;
  }
}

export const get = async (path, options) => (await send(path, options)).json();
export const call = async (tool, body, signal) =>
  (await send(`/v1/tools/${encodeURIComponent(tool)}`, { method: "POST", body, signal })).json();
export const resource = (uri) => get(`/v1/console/resource?uri=${encodeURIComponent(uri)}`);
export const asAdmin = () => ({ extra: { "X-Admin-Key": sessionStorage.getItem(ADMIN) ?? "" } });

// An artifact, or a part of it.
export async function artifact(uri, { offset, length } = {}) {
  const range = length ? `?offset=${offset ?? 0}&length=${length}` : "";
  const response = await send(`/v1/console/resource?uri=${encodeURIComponent(uri + range)}`);
  const type = response.headers.get("X-Resource-Type") ?? "";
  const meta = JSON.parse(response.headers.get("X-Resource-Meta") ?? "{}");
  return { type, meta, blob: await response.blob() };
}

// Server-sent events. EventSource is not used because it cannot send a credential.
export async function events(path, onEvent, signal) {
  const response = await send(path, { extra: { Accept: "text/event-stream" }, signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = Object.fromEntries(text.slice(0, end).split("\n").map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2)];
      }));
      text = text.slice(end + 2);
      if (fields.event) onEvent(fields.event, JSON.parse(fields.data));
    }
  }
}

// Runs `load`; asks for the admin key if the server shows this only to its operator.
export async function adminGate(load, output) {
  const attempt = async () => {
    try {
      await load();
      find("admin").hidden = true;
    } catch (problem) {
      const gated = problem.status === 403 && problem.code === "admin_key";
      find("admin").hidden = !gated;
      find("admin-why").textContent = gated ? problem.message : "";
      show(output, !gated && problemView(problem));
    }
  };
  find("admin").addEventListener("submit", (event) => {
    event.preventDefault();
    keepAdminKey(find("admin-key").value.trim());
    find("admin-key").value = "";
    attempt();
  });
  await attempt();
}

const ACTIONS = {
  retry_after_delay: "Try again in a moment.",
  try_different_provider: "Try another provider.",
  check_api_key: "Check the provider's API key in the settings.",
  fix_arguments: "",
  inform_user: "",
};

export function problemView(problem) {
  const action = ACTIONS[problem.body?.suggestedAction];
  const wait = problem.body?.retryAfterSeconds;
  return h("div", { class: "note bad", role: "alert" },
    h("strong", {}, problem.kind ? `${String(problem.kind).replaceAll("_", " ")}: ` : ""), problem.message,
    action && h("span", { class: "hint" }, ` ${action}`),
    wait && h("span", { class: "hint" }, ` Wait ${duration(wait)}.`));
}
