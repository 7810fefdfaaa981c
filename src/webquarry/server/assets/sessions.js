import "./shell.js";
import { artifact, call, problemView, resource, send } from "./api.js";
import { badge, find, h, link, moment, note, number, plural, save, show, table } from "./dom.js";
import { playground, words } from "./items.js";

const DOCUMENTS = { markdown: ["Markdown", "md", "text/markdown"], html: ["HTML", "html", "text/html"], json: ["JSON", "json", "application/json"] };
const ATTACHED = { bibtex: "BibTeX", ris: "RIS", "csl-json": "CSL-JSON", "prisma-s": "PRISMA-S log" };

async function list() {
  const { sessions } = await resource("stats://sessions");
  const chosen = new URLSearchParams(location.search).get("id");
  const entry = (each) => h("li", {}, h("a", { href: `?id=${encodeURIComponent(each.sessionId)}`, "aria-current": each.sessionId === chosen ? "page" : null },
    h("span", {}, each.researchGoal || "Untitled"),
    h("span", { class: "hint" }, `${plural(each.stepCount, "step")} · ${plural(each.sourceCount, "source")} · ${each.isComplete ? "complete" : "in progress"}`)));
  show(find("list"), h("h2", { class: "set" }, `Sessions (${sessions.length})`), sessions.length ? h("ul", {}, sessions.map(entry)) : h("p", { class: "empty" }, "No sessions yet."),
    h("p", { class: "hint" }, "Sessions are kept until you delete them, unless ", h("a", { href: "/console/settings?q=SESSION_" }, "SESSION_TTL"), " is set."),
    h("p", {}, h("a", { class: "button", href: playground("sequential_search", { stepNumber: "1", nextStepNeeded: "true" }) }, "Start a session")));
  return chosen ?? sessions[0]?.sessionId;
}

// A date without a time is stored as midnight.
const day = (moment) => (moment ?? "").replace(/T00:00:00(\.0+)?Z$/, "");

// Steps, searches and sources in chronological order.
function timeline(session) {
  const found = new Map();
  for (const source of session.sources) {
    const key = `${source.foundAt ?? ""} ${source.tool ?? ""}`;
    found.set(key, [...(found.get(key) ?? []), source]);
  }
  const events = [
    ...session.steps.map((each) => ({ at: each.timestamp, rank: 0, node: step(each) })),
    ...session.searchLog.searches.map((each) => ({ at: each.searchedAt, rank: 1, node: search(each) })),
    ...[...found.values()].map((list) => ({ at: list[0].foundAt ?? "", rank: 2, node: sources(list) }))];
  events.sort((a, b) => a.at.localeCompare(b.at) || a.rank - b.rank);
  return h("ol", { class: "timeline" }, events.map((each) => h("li", {}, h("div", { class: "when" }, moment(each.at)), each.node)));
}

function step(each) {
  return h("div", { class: "event step" }, h("h3", {}, `Step ${each.stepNumber}`, each.branchId && ` · branch ${each.branchId}`),
    h("div", { class: "item-about" }, each.confidence && badge(`confidence ${each.confidence}`, { high: "good", low: "warn" }[each.confidence] ?? ""),
      each.revisesStep && badge(`revises step ${each.revisesStep}`), each.supersededBy && badge(`superseded by step ${each.supersededBy}`, "warn")),
    h("p", {}, each.description), each.reasoning && h("p", { class: "hint" }, each.reasoning),
    each.rejectedApproaches?.length > 0 && h("p", { class: "hint" }, `Rejected: ${each.rejectedApproaches.join("; ")}`),
    each.knowledgeGap && note(`Still unknown: ${each.knowledgeGap}`, "warn"));
}

function search(each) {
  return h("div", { class: "event" }, h("h3", {}, each.tool, " ", h("span", { class: "hint" }, `by ${each.provider}`)),
    h("p", {}, h("q", {}, each.query)),
    h("p", { class: "hint" }, each.error ? badge(words(each.error), "bad") : `${plural(each.hits, "hit")} · ${plural(each.duplicatesRemoved, "duplicate")} · ${number(each.excluded)} excluded · ${number(each.screened)} new`));
}

function sources(list) {
  return h("div", { class: "event" }, h("h3", {}, list[0].tool ? `${list[0].tool}: ${plural(list.length, "source")}` : plural(list.length, "source")), h("ul", {}, list.map(source)));
}

function source(each) {
  return h("li", {}, link(each.url, each.title || each.url), " ", each.read && badge("read", "good"), each.sourceType && each.sourceType !== "unknown" && badge(words(each.sourceType)),
    h("span", { class: "hint" }, [each.authors?.join(", "), each.site, day(each.published)].filter(Boolean).map((text) => ` · ${text}`).join("")));
}

async function exportSession(id, format, attach) {
  const found = await call("research_export", { sessionId: id, format, ...(attach ? { attach: [attach] } : {}) });
  if (!found.linked) return found;
  return JSON.parse(await (await artifact(found.resource)).blob.text());
}

function exportButtons(id) {
  const problem = h("div", { role: "alert" });
  const run = (format, attach) => async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    show(problem);
    try {
      const found = await exportSession(id, format, attach);
      if (attach) {
        const file = found.attachments[0];
        save(file.name, file.text, file.mimeType);
      } else {
        const [, ending, type] = DOCUMENTS[format];
        save(`research.${ending}`, typeof found.document === "string" ? found.document : JSON.stringify(found.document, null, 2), type);
      }
    } catch (error) {
      show(problem, problemView(error));
    } finally {
      button.disabled = false;
    }
  };
  const bundle = async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    show(problem);
    try {
      const response = await send(`/v1/session/${encodeURIComponent(id)}/bundle`);
      save("evidence.wacz", await response.blob());
    } catch (error) {
      show(problem, problemView(error));
    } finally {
      button.disabled = false;
    }
  };
  return [h("div", { class: "row", role: "group", "aria-label": "Export" }, h("span", { class: "hint" }, "Export as"),
    Object.entries(DOCUMENTS).map(([format, [title]]) => h("button", { type: "button", class: "quiet", onclick: run(format) }, title)),
    Object.entries(ATTACHED).map(([kind, title]) => h("button", { type: "button", class: "quiet", onclick: run("markdown", kind) }, title)),
    h("button", { type: "button", class: "quiet", onclick: bundle }, "Evidence bundle")), problem];
}

function deleteButton(id, title) {
  const button = h("button", { type: "button", class: "danger" }, "Delete");
  button.addEventListener("click", async () => {
    if (!confirm(`Delete the session “${title}” and its sources? This cannot be undone.`)) return;
    try {
      await send(`/v1/console/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
      location.assign("/console/sessions");
    } catch (problem) {
      button.after(problemView(problem));
    }
  });
  return button;
}

function flow(given) {
  const names = ["identified", "duplicatesRemoved", "excluded", "screened", "read", "notRetrieved"];
  return h("ul", { class: "flow", "aria-label": "Records" }, names.map((name) => h("li", {}, h("strong", {}, number(given[name])), h("span", {}, words(name)))));
}

async function open(id) {
  const session = await resource(`research://session/${id}`);
  show(find("session"),
    h("h2", {}, session.researchGoal || "Untitled"),
    h("div", { class: "item-about" }, badge(session.isComplete ? "complete" : "in progress", session.isComplete ? "good" : "warn"), h("span", {}, "started ", moment(session.createdAt)), h("code", {}, session.id), deleteButton(id, session.researchGoal || "Untitled")),
    session.summary && h("p", {}, session.summary), exportButtons(id), flow(session.searchLog.flow),
    (session.errorPatterns ?? []).map((each) => note(`${words(each.kind)} ${plural(each.count, "time")}: ${each.suggestion}`, "warn")),
    session.gaps.length > 0 && [h("h3", {}, "Open questions"), h("ul", {}, session.gaps.map((each) => h("li", {}, each.description)))],
    h("h3", {}, "Timeline"), timeline(session),
    h("h3", {}, `Sources (${session.sources.length})`),
    table("Sources", ["Source", "Type", "Published", "Read", "Found by"], session.sources.map((each) => [
      [link(each.url, each.title || each.url), each.retracted && [" ", badge("retracted", "bad")]], each.sourceType && each.sourceType !== "unknown" ? words(each.sourceType) : "–", day(each.published) || "–", each.read ? "yes" : "no", each.tool ?? "–"])));
}

try {
  const id = await list();
  if (id) await open(id);
  else show(find("session"), note("A session records the steps and sources of a research task. Start one here, or let an assistant do it over MCP."));
} catch (problem) {
  show(find("session"), problemView(problem));
}
