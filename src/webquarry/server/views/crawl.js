// The progress of a crawl or batch, asked for until it has ended, and its pages.
import { badge, h, link, note, number, plural, size, table } from "./dom.js";
import { call, can, isOver, run } from "./host.js";

const STATUS = "cinder_get_crawl_status";
const PAUSE = 2000;
const KINDS = { completed: "good", failed: "bad", cancelled: "warn" };
const ended = (body) => body.status in KINDS;

const pages = (body) => table("Pages", ["Page", "Status", "Size"],
  (body.pages ?? []).map((each) => [link(each.url, each.title || each.url), String(each.statusCode ?? ""), each.contentLength == null ? "" : size(each.contentLength)]),
  "No pages yet.");

const failures = (body) => body.failures?.length > 0 && [h("h2", {}, "Not read"),
  table("URLs that were not read", ["URL", "Why"], body.failures.map((each) => [link(each.url), each.message ?? each.reason]))];

function crawls(body) {
  return [h("h1", {}, "Crawls"), table("Crawls", ["Start", "Status", "Pages"],
    body.crawls.map((each) => [link(each.url), badge(each.status, KINDS[each.status]), number(each.pagesCrawled)]))];
}

function live(first) {
  const bar = h("progress", { max: 100, "aria-label": "Progress" });
  const status = h("div", { class: "row", role: "status" });
  const rest = h("div");
  const cancel = h("button", { type: "button", onclick: () => update({ cancel: true }) }, "Cancel");
  const fill = (body) => {
    const percent = body.progress ?? (body.status === "completed" ? 100 : 0);
    bar.value = percent;
    status.replaceChildren(badge(body.status, KINDS[body.status] ?? ""),
      h("span", {}, `${plural(body.pagesCrawled, "page")} read, ${plural(body.pagesFound, "URL")} found`),
      ...(ended(body) || !can("serverTools") ? [] : [cancel]));
    rest.replaceChildren(...[body.error && note(body.error, "bad"), body.stopReason && h("p", { class: "soft" }, `Ended: ${body.stopReason}`),
      body.pages && pages(body), failures(body)].flat().filter(Boolean));
  };
  async function update(values = {}) {
    try {
      const body = await call(STATUS, { id: first.crawlId, limit: 50, ...values });
      fill(body);
      if (!ended(body) && !values.cancel && !isOver()) setTimeout(update, PAUSE);
    } catch (error) {
      rest.append(note(error.message, "bad"));
    }
  }
  fill(first);
  if (can("serverTools") && !(ended(first) && first.pages)) update();
  return [h("h1", {}, first.url ? link(first.url) : "Crawl"), bar, status, rest];
}

run("crawl", (body) => {
  if (Array.isArray(body.crawls)) return crawls(body);
  if (!body.status && body.failures) return failures(body) || h("p", {}, "Every URL was read.");
  return body.crawlId ? live(body) : null;
});
