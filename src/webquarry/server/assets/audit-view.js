// The result of a bibliography audit: problems are separate from what could not be checked.
import { badge, h, link, note, number, save } from "./dom.js";
import { playground, words } from "./items.js";

const GRAVE = new Set(["retracted", "not_found", "mischaracterized", "dead_link", "deadLink", "notFound"]);
const kind = (flag) => (flag === "total" ? "" : flag === "ok" ? "good" : GRAVE.has(flag) ? "bad" : "warn");

export function auditView(body) {
  const list = h("ol", { class: "items audit" });
  const fill = (only) => {
    const shown = body.entries.filter((each) => !only || (only === "ok" ? !each.flags.length : each.flags.includes(snake(only))));
    list.replaceChildren(...shown.map(entry));
  };
  const chips = Object.entries(body.summary).map(([name, count]) =>
    h("button", { type: "button", class: `chip ${count ? kind(name) : ""}`, "aria-pressed": "false", onclick: press }, `${words(name)} ${number(count)}`));
  function press(event) {
    const on = event.currentTarget.getAttribute("aria-pressed") === "true";
    for (const chip of chips) chip.setAttribute("aria-pressed", "false");
    event.currentTarget.setAttribute("aria-pressed", String(!on));
    const name = Object.keys(body.summary)[chips.indexOf(event.currentTarget)];
    fill(on || name === "total" ? "" : name);
  }
  fill("");
  return [h("div", { class: "row", role: "group", "aria-label": "Filter" }, chips),
    body.skippedNote && note(body.skippedNote, "warn"),
    (body.unreadable ?? []).map((each) => note(`Line ${each.line}: ${each.problem}`, "warn")),
    list, h("div", { class: "row" }, h("button", { type: "button", class: "quiet", onclick: () => save("audit.csv", csv(body.entries), "text/csv") }, "Download CSV"))];
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function entry(each) {
  const notice = each.retractionStatus;
  return h("li", { class: "item" },
    h("div", { class: "item-title" }, each.title ?? each.doi ?? each.url ?? `Reference ${each.index + 1}`),
    h("div", { class: "item-about" }, each.flags.length ? each.flags.map((flag) => badge(words(flag), kind(flag))) : badge("OK", "good"),
      each.doi && link(`https://doi.org/${each.doi}`, each.doi), each.url && link(each.url)),
    each.reason && h("p", {}, each.reason),
    notice?.noticeDoi && h("p", {}, "Notice: ", link(`https://doi.org/${notice.noticeDoi}`, notice.noticeDoi), notice.date && ` (${notice.date})`),
    each.mismatches?.length > 0 && h("p", {}, `Differs from the record: ${each.mismatches.join("; ")}`),
    each.archivedUrl && h("p", {}, link(each.archivedUrl, "Archived copy")),
    (each.doi ?? each.title) && h("p", { class: "small" }, h("a", { href: playground("verify_citation", { citation: each.doi ?? each.title }) }, "Verify this citation")));
}

function csv(entries) {
  const names = ["index", "title", "doi", "url", "exists", "linkLive", "flags", "reason"];
  // prevents formula injection: a spreadsheet would evaluate a cell with a leading sign
  const cell = (text) => `"${String(text ?? "").replace(/^([=+\-@\t\r])/, "'$1").replaceAll('"', '""')}"`;
  return [names, ...entries.map((each) => names.map((name) => [each[name]].flat().join(" ")))].map((row) => row.map(cell).join(",")).join("\r\n");
}
