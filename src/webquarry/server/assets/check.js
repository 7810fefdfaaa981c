import "./shell.js";
import { events, get, problemView, send } from "./api.js";
import { checkView } from "./check-view.js";
import { badge, find, h, moment, note, number, save, show, size, table } from "./dom.js";

const STATES = { completed: "good", failed: "bad", cancelled: "warn", running: "live" };
const REPORTS = [["html", "Report (HTML)"], ["md", "Report (Markdown)"], ["csv", "Table (CSV)"], ["json", "Data (JSON)"], ["noted", "Copy with notes"], ["bundle", "Evidence bundle"]];
const form = find("start");
const at = (id) => `?id=${encodeURIComponent(id)}`;
let dropped = null;
let watching = null;
let maxBytes = Infinity;

async function list() {
  const found = await get("/v1/console/checks");
  maxBytes = found.maxBytes;
  show(find("list"), table("List of checks", ["Started", "Document", "State", "Findings"], found.checks.map((each) => [
    moment(each.startedAt), h("a", { href: at(each.checkId), onclick: (event) => { event.preventDefault(); choose(each.checkId); } }, each.document),
    h("span", {}, badge(each.status, STATES[each.status]), each.canResume && each.status === "completed" && [" ", badge("incomplete", "warn")]), number(each.findings)]), "No checks yet. Checks are kept for 7 days."));
}

function choose(id) {
  history.pushState(null, "", at(id));
  return watch(id);
}

function panel(id) {
  const parts = {
    title: h("h2", { class: "file-name" }, "Check"), state: h("span"), bar: h("progress", { max: 1, value: 0, "aria-label": "Progress" }), counts: h("p", { class: "hint", role: "status" }),
    problem: h("div"), result: h("div"), cancel: h("button", { type: "button", class: "danger", id: "cancel", hidden: true }, "Cancel check"),
    resume: h("button", { type: "button", id: "resume", hidden: true }, "Go on"),
    saves: h("div", { class: "row", role: "group", "aria-label": "Downloads", hidden: true }),
  };
  const act = (action) => async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    show(parts.problem);
    try {
      await action();
    } catch (problem) {
      show(parts.problem, problemView(problem));
    }
    button.disabled = false;
  };
  parts.cancel.addEventListener("click", act(() => send(`/v1/check/${id}`, { method: "DELETE" })));
  parts.resume.addEventListener("click", act(async () => {
    await send("/v1/check", { method: "POST", body: { id, resume: true } });
    watch(id);
  }));
  show(parts.saves, h("span", { class: "hint" }, "Download"), REPORTS.map(([as, label]) => {
    const button = h("button", { type: "button", class: "quiet small" }, label);
    button.addEventListener("click", act(async () => {
      const response = await send(`/v1/check/${id}/${as === "bundle" ? as : `report?as=${as}`}`);
      const name = response.headers.get("Content-Disposition")?.match(/filename="([^"]+)"/)?.[1] ?? `check.${as}`;
      save(as === "noted" ? name.replace("check-", "noted-") : name, await response.blob());
    }));
    return button;
  }));
  show(find("check"), h("div", { class: "panel" }, h("div", { class: "result-head" }, parts.title, parts.state, h("span", { class: "grow" }), parts.cancel, parts.resume),
    parts.bar, parts.counts, parts.problem, parts.saves, parts.result));
  find("check").hidden = false;
  return parts;
}

function draw(parts, state) {
  const done = state.progress ?? {};
  const running = state.status === "running";
  parts.title.textContent = state.document;
  show(parts.state, badge(state.status, STATES[state.status]));
  parts.bar.hidden = !running;
  parts.bar.max = (done.referencesTotal ?? 0) + (done.claimsTotal ?? 0) || 1;
  parts.bar.value = (done.references ?? 0) + (done.claims ?? 0);
  parts.counts.textContent = state.status === "failed" ? "" : `${number(done.references)} of ${number(done.referencesTotal)} references and ${number(done.claims)} of ${number(done.claimsTotal)} claims are checked.`;
  parts.cancel.hidden = !running;
  parts.resume.hidden = !state.canResume;
  parts.saves.hidden = state.status === "failed";
  if (state.error) show(parts.problem, note(state.error, "bad"));
}

async function watch(id) {
  watching?.abort();
  const mine = new AbortController();
  watching = mine;
  const parts = panel(id);
  let last = null;
  try {
    await events(`/v1/check/${id}/events`, (name, state) => {
      if (name === "error") {
        show(parts.problem, note(state.detail, "bad"));
        return;
      }
      last = state;
      draw(parts, state);
    }, mine.signal);
    if (last && last.status !== "running" && last.status !== "failed") {
      const found = await get(`/v1/check/${id}/report?as=json`, { signal: mine.signal });
      show(parts.result, checkView(found));
    }
    await list();
  } catch (problem) {
    if (problem.name !== "AbortError") show(parts.problem, problemView(problem));
  }
}

function take(file) {
  dropped = file ?? null;
  if (!file) return;
  const large = file.size > maxBytes;
  if (large) dropped = null;
  find("file-note").textContent = large ? `${file.name} is too large (maximum: ${size(maxBytes)}).`
    : `${file.name} (${size(file.size)}). Nothing is sent until you click “Check document”.`;
}

// The arguments of a check: exactly one of file, URL and text.
function requested() {
  const url = form.elements.url.value.trim();
  const text = form.elements.text.value;
  const given = [dropped, url, text.trim()].filter(Boolean).length;
  if (given !== 1) return null;
  const options = { max_sources: Number(form.elements["max-sources"].value), deadline: 60 * Number(form.elements.minutes.value), all_sentences: form.elements["all-sentences"].checked };
  if (!dropped) return { ...(url ? { url } : { text, name: "text.md" }), ...options };
  const body = new FormData();
  for (const [name, value] of Object.entries(options)) body.append(name, String(value));
  body.append("file", dropped, dropped.name);
  return body;
}

find("file").addEventListener("change", (event) => take(event.currentTarget.files[0]));
for (const name of ["dragover", "dragenter"]) {
  form.addEventListener(name, (event) => { event.preventDefault(); form.classList.add("drop"); });
}
form.addEventListener("dragleave", (event) => { if (!form.contains(event.relatedTarget)) form.classList.remove("drop"); });
form.addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("drop");
  find("file").value = "";
  take(event.dataTransfer.files[0]);
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = requested();
  if (!body) {
    show(find("start-problem"), note("Give one document: a file, a URL or a text.", "warn"));
    return;
  }
  show(find("start-problem"));
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  try {
    const started = await (await send("/v1/check", { method: "POST", body })).json();
    form.reset();
    take(null);
    choose(started.checkId);
    find("check").scrollIntoView();
  } catch (problem) {
    show(find("start-problem"), problemView(problem));
  } finally {
    button.disabled = false;
  }
});

const chosen = () => new URLSearchParams(location.search).get("id");
addEventListener("popstate", () => (chosen() ? watch(chosen()) : location.reload()));
list().catch((problem) => show(find("list"), problemView(problem)));
if (chosen()) watch(chosen());
