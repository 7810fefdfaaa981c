// Lists of results: pages, papers, patents, cases, places.
import { badge, h, host, link, moment, number, webUrl } from "./dom.js";

const TITLES = ["title", "name", "caseName", "briefTitle"];
const SNIPPETS = ["snippet", "description", "summary", "tldr", "abstract", "body", "reason"];
const URLS = ["url", "link", "pageUrl", "sourceUrl", "imageUrl", "contextUrl"];
const BADGES = ["provider", "source", "sourceType", "authorityTier", "site", "engine", "year", "journal",
  "publishedAt", "published", "date", "publishedDate", "status", "phase", "formType", "court", "assignee",
  "patentNumber", "contentType", "relevance", "score", "grade"];

export const titleOf = (item) => TITLES.map((name) => item[name]).find((each) => typeof each === "string" && each);
export const urlOf = (item) => URLS.map((name) => item[name]).find((each) => webUrl(each));
export const isItem = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value) && Boolean(titleOf(value) || urlOf(value));

// The URL of the playground with this tool and these arguments.
export function playground(tool, values) {
  return `/console/playground?${new URLSearchParams({ tool, ...values })}`;
}

function badges(item) {
  const shown = BADGES.filter((name) => ["string", "number"].includes(typeof item[name]) && item[name] !== "" && item[name] !== "unknown")
    .map((name) => badge(typeof item[name] === "number" && !Number.isInteger(item[name]) ? item[name].toFixed(2) : item[name]));
  if (item.retractionStatus?.retracted) shown.unshift(badge("retracted", "bad"));
  else if (item.retractionStatus) shown.unshift(badge(String(item.retractionStatus.kind).replaceAll("_", " "), "warn"));
  if (typeof item.citationCount === "number") shown.push(badge(`${number(item.citationCount)} citations`));
  if (item.openAccess) shown.push(badge("open access", "good"));
  return shown;
}

function people(item) {
  const names = item.authors ?? item.inventors ?? item.creators;
  if (!Array.isArray(names) || !names.length) return null;
  const shown = names.slice(0, 4).map((each) => (typeof each === "string" ? each : titleOf(each) ?? ""));
  return h("span", {}, shown.join(", "), names.length > 4 && ` and ${names.length - 4} more`);
}

function item(each) {
  const url = urlOf(each);
  const title = titleOf(each) ?? url;
  const words = SNIPPETS.map((name) => each[name]).find((text) => typeof text === "string" && text && text !== title);
  const rest = Object.fromEntries(Object.entries(each).filter(([name]) => ![...TITLES, ...SNIPPETS].includes(name)));
  return h("li", { class: "item" },
    h("div", { class: "item-title" }, url ? link(url, title) : title),
    h("div", { class: "item-about" }, url && h("span", { class: "host" }, host(url)), people(each), badges(each)),
    words && h("p", {}, words.length > 400 ? `${words.slice(0, 400)}…` : words),
    h("div", { class: "row small" },
      url && h("a", { href: playground("scrape_page", { url }) }, "Read"),
      each.doi && h("a", { href: playground("citation_graph", { paper: each.doi }) }, "Citations"),
      each.doi && h("a", { href: playground("verify_citation", { citation: each.doi }) }, "Verify"),
      each.pdfUrl && link(each.pdfUrl, "PDF"),
      h("details", {}, h("summary", {}, "All fields"), facts(rest))));
}

export const items = (list) => h("ol", { class: "items" }, list.map(item));

// Any JSON value as elements.
export function value(given, depth = 0) {
  if (given === null || given === undefined || given === "") return h("span", { class: "none" }, "–");
  if (typeof given === "boolean") return given ? "yes" : "no";
  if (typeof given === "number") return String(given);
  if (typeof given === "string") {
    if (webUrl(given)) return link(given);
    return /^\d{4}-\d\d-\d\dT\d\d:/.test(given) ? moment(given) : h("span", { class: "words" }, given);
  }
  if (Array.isArray(given)) {
    if (!given.length) return h("span", { class: "none" }, "none");
    if (given.every((each) => typeof each !== "object") && given.join("").length < 200) return h("span", { class: "chips" }, given.map((each) => badge(each)));
    return h("ul", {}, given.map((each) => h("li", {}, value(each, depth + 1))));
  }
  return facts(given, depth + 1);
}

export function facts(given, depth = 0) {
  if (depth > 6) return h("code", {}, JSON.stringify(given));
  const known = Object.entries(given).filter(([, each]) => each !== undefined && each !== null);
  if (!known.length) return h("span", { class: "none" }, "–");
  return h("dl", { class: "facts" }, known
    .map(([name, each]) => h("div", {}, h("dt", {}, words(name)), h("dd", {}, value(each, depth)))));
}

export const words = (name) => name.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
