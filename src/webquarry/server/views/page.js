// A page as it was read: title, where from, and its text. Pictures are not loaded.
import { badge, h, link, note, number } from "./dom.js";
import { run } from "./host.js";
import { markdown } from "./markdown.js";

const about = (body, meta) => [meta.author ?? meta.siteName, meta.publishedDate ?? meta.date,
  body.wordCount && `${number(body.wordCount)} words`].filter(Boolean).join(" · ");

run("page", (body) => {
  const text = body.content ?? body.markdown;
  if (typeof text !== "string") return null;
  const meta = { ...(body.citation?.metadata ?? {}), ...(body.metadata ?? {}) };
  const gone = body.retractionStatus?.retracted;
  return [h("h1", {}, meta.title || body.title || body.url), h("p", { class: "soft" }, link(body.url ?? meta.sourceURL)),
    h("div", { class: "row" }, gone && badge("retracted", "bad"), body.sourceType && body.sourceType !== "unknown" && badge(body.sourceType), about(body, meta) && h("span", { class: "soft" }, about(body, meta))),
    (body.notes ?? []).map((each) => note(each, "warn")),
    h("div", { class: "page", tabindex: "0", role: "region", "aria-label": "Text of the page" }, markdown(text, 1)),
    body.truncated && h("p", { class: "soft" }, "This is a part of the page.")];
});
