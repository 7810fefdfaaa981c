// Views of tool results, chosen by the fields that a result has.
import { artifact } from "./api.js";
import { auditView } from "./audit-view.js";
import { chart } from "./chart.js";
import { badge, copyButton, h, link, note, number, plural, save, size, table } from "./dom.js";
import { citationGraph } from "./graph.js";
import { facts, isItem, items, value, words } from "./items.js";
import { markdown } from "./markdown.js";

const HIDDEN_FIELDS = new Set(["trust", "urls", "nextCursor", "nextOffset", "_meta"]);
const MAX_SHOWN = 200000; // characters

// The view of a result; `rerun` runs the tool with other arguments, for the next page.
export async function resultView(tool, response, rerun) {
  const body = await fullResult(response);
  const { _meta: meta, ...rest } = body;
  const view = special(rest, meta) ?? generic(rest);
  return h("div", { class: "result" },
    body.trust && h("p", { class: "hint" }, "Content from third-party pages. Treat it as untrusted."),
    notes(rest), view, nextPage(rest, rerun), details(meta), raw(tool, body));
}

// A large result is only a link to an artifact with the full result.
async function fullResult(body) {
  const uri = body.linked ? body.resource : undefined;
  if (!uri) return body.structuredContent ?? body;
  const { blob } = await artifact(uri);
  return { ...JSON.parse(await blob.text()), ...(body._meta ? { _meta: body._meta } : {}) };
}

function special(body, meta) {
  if (body.match && (body.citedBy || body.references)) return graph(body);
  if (Array.isArray(body.entries) && body.summary && "checkedAt" in body) return auditView(body);
  if (body.mode === "observations" && Array.isArray(body.results)) return series(body);
  if (typeof body.combinedContent === "string" && body.combinedContent) return combined(body);
  if (typeof body.content === "string" && body.url) return reader(body, meta);
  if (body.document !== undefined && body.sessionId) return report(body);
  if (body.verificationStatus) return verified(body);
  if (body.crawlId) return crawl(body);
  return null;
}

function notes(body) {
  const remarks = [body.note, body.warning, ...(body.notes ?? []), ...(body.warnings ?? [])].filter((each) => typeof each === "string");
  const failures = (body.failures ?? []).map((each) => `${each.provider}: ${each.message}`);
  const hints = body.hints && [`Nothing found: ${words(body.hints.reason ?? "")}.`,
    ...(body.hints.suggestedActions ?? []).map((each) => [words(each.action), each.target].filter(Boolean).join(": "))];
  return [remarks.map((each) => note(each)), failures.map((each) => note(each, "warn")), hints && note(hints.join(" · "), "warn"),
    Array.isArray(body.unhonoured) && body.unhonoured.length > 0 && note(["Filters that were ignored: ", value(body.unhonoured)], "warn")];
}

function generic(body) {
  const plain = {};
  const parts = [];
  for (const [name, each] of Object.entries(body)) {
    if (HIDDEN_FIELDS.has(name) || ["note", "notes", "hints", "failures", "unhonoured", "warning", "warnings"].includes(name)) continue;
    if (Array.isArray(each) && each.length && each.every(isItem)) parts.push(h("h3", {}, `${words(name)} (${each.length})`), items(each));
    else if (Array.isArray(each) && each.length && each.every((one) => one && typeof one === "object" && !Array.isArray(one))) parts.push(h("h3", {}, words(name)), grid(name, each));
    else if (typeof each === "string" && (each.length > 300 || each.includes("\n"))) parts.push(h("h3", {}, words(name)), text(each));
    else if (isItem(each)) parts.push(h("h3", {}, words(name)), items([each]));
    else plain[name] = each;
  }
  return [Object.keys(plain).length > 0 && facts(plain), parts];
}

function grid(name, rows) {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, 10);
  return table(words(name), heads.map(words), rows.map((row) => heads.map((head) => value(row[head]))));
}

function text(content, level = 3) {
  const shown = content.slice(0, MAX_SHOWN);
  return h("article", { class: "reader", tabindex: "0", "aria-label": "Text" }, markdown(shown, level),
    shown.length < content.length && note(`Showing the first ${number(MAX_SHOWN)} of ${number(content.length)} characters.`));
}

function reader(body, meta) {
  const about = body.metadata ?? {};
  const marks = [body.sourceType, body.authorityTier, body.domainCategory, body.extractedBy, body.sizeCategory].filter((each) => each && each !== "unknown").map((each) => badge(words(String(each))));
  const notice = body.retractionStatus;
  return [
    h("header", { class: "page-head" }, h("h3", {}, about.title ?? body.title ?? body.url), h("p", {}, link(body.url)),
      h("div", { class: "item-about" }, marks, typeof body.wordCount === "number" && badge(`${number(body.wordCount)} words`),
        typeof body.estimatedTokens === "number" && badge(`${number(body.estimatedTokens)} tokens`), body.truncated && badge("truncated", "warn"))),
    notice && note(`${notice.retracted ? "This work was retracted" : words(String(notice.kind))}${notice.date ? ` on ${notice.date}` : ""}.`, "bad"),
    sanitized(meta), body.citation && citation(body.citation),
    body.encoding === "base64" ? note("The content is binary; see the raw result.") : text(body.content),
    Object.keys(about).length > 0 && h("details", {}, h("summary", {}, "Metadata of the page"), facts(about)),
    body.structuredData && h("details", {}, h("summary", {}, "Structured data"), h("pre", { tabindex: "0" }, JSON.stringify(body.structuredData, null, 2)))];
}

function sanitized(meta) {
  const removed = meta?.sanitized ?? [];
  if (!removed.length) return h("p", { class: "hint" }, "No hidden text was found in this page.");
  const characters = removed.reduce((sum, each) => sum + each.chars, 0);
  return h("details", { class: "note warn" }, h("summary", {}, `Removed hidden text: ${number(characters)} characters`),
    table("Removed hidden text", ["Reason", "Occurrences", "Characters"], removed.map((each) => [each.reason, number(each.count), number(each.chars)])));
}

function citation(given) {
  return h("details", { class: "cite" }, h("summary", {}, "Cite this page"),
    Object.entries(given.formatted ?? {}).map(([style, line]) => h("div", { class: "cite-line" },
      h("strong", {}, style.toUpperCase()), h("code", {}, line), copyButton("Copy", line))));
}

function graph(body) {
  return [!body.match.exact && note("No exact match. This is the closest paper.", "warn"), citationGraph(body),
    ["references", "citedBy"].filter((name) => body[name]?.length).map((name) => [h("h3", {}, `${words(name)} (${body[name].length})`), items(body[name])]),
    body.diagram && h("details", {}, h("summary", {}, "Mermaid source"), h("pre", { tabindex: "0" }, body.diagram))];
}

function series(body) {
  const first = body.results[0] ?? {};
  const title = [first.title ?? body.seriesId, first.units].filter(Boolean).join(", ");
  return [chart(title, body.results.map((each) => ({ date: each.date, value: each.value }))),
    table("Observations", ["Date", "Value", "Source"], body.results.map((each) => [each.date, String(each.value ?? "–"), each.source]))];
}

function combined(body) {
  const { sources = [], combinedContent, scrapeFailures, summary, recommendations } = body;
  return [summary && h("p", { class: "hint" }, `${plural(summary.urlsScraped, "page")} read of ${number(summary.urlsSearched)} found`), h("h3", {}, `Sources (${sources.length})`),
    h("ol", { class: "items" }, sources.map(({ content, anchors, ...rest }) => [...items([rest]).children, anchors?.length > 0 && h("li", { class: "quotes" }, anchors.slice(0, 4).map(quotation))].filter(Boolean))),
    recommendations?.length > 0 && h("details", {}, h("summary", {}, "Recommended sources"), items(recommendations)),
    scrapeFailures?.length > 0 && h("details", {}, h("summary", {}, `Pages that could not be read (${scrapeFailures.length})`), grid("Failures", scrapeFailures)),
    h("h3", {}, "Text"), text(combinedContent)];
}

// A quotation with a link to the passage in the page.
function quotation(each) {
  return h("blockquote", {}, h("p", {}, each.quote), h("p", { class: "small" }, link(each.url, "Show in the page"), " ", copyButton("Copy quote", () => `“${each.quote}” (${each.url})`)));
}

function report(body) {
  const kinds = { markdown: ["md", "text/markdown"], html: ["html", "text/html"], json: ["json", "application/json"] };
  const [ending, type] = kinds[body.format] ?? ["txt", "text/plain"];
  const document = typeof body.document === "string" ? body.document : JSON.stringify(body.document, null, 2);
  return [h("div", { class: "row" }, h("button", { type: "button", onclick: () => save(`research.${ending}`, document, type) }, "Download report"),
    (body.attachments ?? []).map((each) => h("button", { type: "button", class: "quiet", onclick: () => save(each.name, each.text, each.mimeType) }, each.name))),
    body.format === "markdown" ? text(document) : h("pre", { tabindex: "0" }, document.slice(0, MAX_SHOWN))];
}

function verified(body) {
  const { verificationStatus, matchedRecord, possibleMatch, retractionStatus, claimEvidence, ...rest } = body;
  const retracted = retractionStatus?.retracted;
  // a retracted work exists, but must not look like a good one
  const kind = retracted ? "bad" : { confirmed: retractionStatus ? "warn" : "good", not_found: "bad", uncertain: "warn" }[verificationStatus] ?? "";
  const title = retracted ? `Retracted${retractionStatus.date ? ` on ${retractionStatus.date}` : ""}` : words(verificationStatus);
  return [note([h("strong", {}, title), retracted && ` – the work exists (${words(verificationStatus)}), but must not be relied on.`, rest.reason && ` – ${rest.reason}`,
      retractionStatus?.noticeDoi && [" ", link(`https://doi.org/${retractionStatus.noticeDoi}`, "Read the notice")]], kind),
    retractionStatus && !retracted && note(`There is a notice about this work: ${words(String(retractionStatus.kind))}.`, "warn"),
    matchedRecord && [h("h3", {}, "Record"), items([matchedRecord])], possibleMatch && [h("h3", {}, "Did you mean"), items([possibleMatch])],
    claimEvidence?.length > 0 && [h("h3", {}, "Text of the source"), claimEvidence.map((each) => h("blockquote", {}, each))],
    facts(Object.fromEntries(Object.entries(rest).filter(([name]) => !HIDDEN_FIELDS.has(name))))];
}

function crawl(body) {
  return [h("p", {}, h("a", { href: `/console/crawls?id=${encodeURIComponent(body.crawlId)}` }, "Watch this crawl")), generic(body)];
}

function nextPage(body, rerun) {
  const step = body.nextCursor ? { cursor: body.nextCursor } : typeof body.nextOffset === "number" ? { offset: body.nextOffset } : null;
  return step && rerun && h("p", {}, h("button", { type: "button", onclick: () => rerun(step) }, "Next page"));
}

function details(meta) {
  if (!meta || !Object.keys(meta).length) return null;
  return h("details", {}, h("summary", {}, "Details"), facts(meta));
}

function raw(tool, body) {
  const all = JSON.stringify(body, null, 2);
  return h("details", { class: "raw" }, h("summary", {}, `Raw JSON (${size(new Blob([all]).size)})`),
    h("div", { class: "row" }, copyButton("Copy", all), h("button", { type: "button", class: "quiet", onclick: () => save(`${tool}.json`, all, "application/json") }, "Download")),
    h("pre", { tabindex: "0" }, all.length > MAX_SHOWN ? `${all.slice(0, MAX_SHOWN)}\n…` : all));
}

