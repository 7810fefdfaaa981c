// A bibliography audit as a table; problems are apart from what could not be checked.
import { badge, h, link, note, number, plural, table } from "./dom.js";
import { run } from "./host.js";

const GRAVE = new Set(["retracted", "not_found", "mischaracterized", "dead_link"]);
const words = (name) => name.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const kind = (flag) => (flag === "ok" ? "good" : GRAVE.has(flag) ? "bad" : "warn");

const about = (each) => [each.reason,
  each.mismatches?.length && `Differs from the record: ${each.mismatches.join("; ")}`].filter(Boolean).map((text) => h("div", {}, text));

function row(each) {
  const flags = each.flags.length ? each.flags : ["ok"];
  return [String(each.index + 1),
    [h("div", {}, each.title ?? ""), h("div", { class: "soft" }, each.doi ? link(`https://doi.org/${each.doi}`, each.doi) : each.url && link(each.url)),
      each.archivedUrl && h("div", { class: "soft" }, link(each.archivedUrl, "Archived copy"))],
    flags.map((flag) => [badge(words(flag), kind(flag)), " "]), about(each)];
}

run("audit", (body) => {
  if (!Array.isArray(body.entries)) return null;
  const list = h("div");
  const fill = (only) => {
    const some = body.entries.filter((each) => !only || (only === "ok" ? !each.flags.length : each.flags.includes(only)));
    list.replaceChildren(table("References", ["#", "Reference", "Finding", "Why"], some.map(row), "None."));
  };
  const counts = Object.entries(body.summary ?? {}).filter(([name, count]) => name !== "total" && count > 0);
  const chips = counts.map(([name, count]) => h("button", { type: "button", class: kind(snake(name)), "aria-pressed": "false",
    onclick: (event) => {
      const on = event.currentTarget.getAttribute("aria-pressed") === "true";
      for (const chip of chips) chip.setAttribute("aria-pressed", "false");
      event.currentTarget.setAttribute("aria-pressed", String(!on));
      fill(on ? "" : snake(name));
    } }, `${words(name)} ${number(count)}`));
  fill("");
  return [h("h1", {}, `${plural(body.entries.length, "reference")} checked`),
    h("div", { class: "row", role: "group", "aria-label": "Filter" }, chips),
    body.skippedNote && note(body.skippedNote, "warn"),
    (body.unreadable ?? []).map((each) => note(`Line ${each.line}: ${each.problem}`, "warn")), list];
});
