// Observations of a statistical series as a chart, and as a table.
import { chart } from "./chart.js";
import { h, link, note, table } from "./dom.js";
import { run } from "./host.js";

const rows = (items) => table("Observations", ["Date", "Value"], items.map((each) => [each.date, String(each.value ?? "–")]));

run("series", (body) => {
  const items = body.results ?? [];
  if (!items.length) return null;
  if (body.mode !== "observations") {
    return [h("h1", {}, "Series"), table("Series", ["Series", "Name", "Source"], items.map((each) => [each.seriesId, each.title, each.source]))];
  }
  const title = [items[0].title ?? body.seriesId, body.country, items[0].units].filter(Boolean).join(", ");
  return [h("h1", {}, title), chart(title, items), h("details", {}, h("summary", {}, "Values"), rows(items)),
    body.note && note(body.note), h("p", { class: "soft" }, "Source: ", link(items[0].url, items[0].source))];
});
