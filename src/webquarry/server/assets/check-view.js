// The result of a check: findings, the worst first, claims with their sources, and references.
import { badge, h, link, note, number, plural } from "./dom.js";
import { words } from "./items.js";

const CLASSES = { contradicted: "bad", not_found_in_source: "bad", could_not_check: "warn", partly: "warn", supported: "good" };
const RANKS = Object.keys(CLASSES);
const NOT_BAD = new Set(["corrected", "neverCited", "deadLink", "uncheckedReferences"]);
const TOTALS = new Set(["findings", "claims", "references"]);
const name = (text) => words(text).toLowerCase();
const place = (at) => [at.page ? `page ${at.page}` : `line ${at.line}`, at.section].filter(Boolean).join(", ");

export function checkView(check) {
  return [summary(check), (check.notes ?? []).map((each) => note(each, "warn")), findings(check), claims(check), references(check)];
}

function summary({ summary: counts, modelUse, complete, progress }) {
  const snake = (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const shown = Object.entries(counts).filter(([key, count]) => count && !TOTALS.has(key));
  const kind = (key) => CLASSES[snake(key)] ?? (NOT_BAD.has(key) ? "warn" : "bad");
  return [h("ul", { class: "flow", "aria-label": "Summary" }, [["findings", counts.findings], ["cited claims", counts.claims], ["references", counts.references]].map(([label, count]) =>
    h("li", {}, h("strong", {}, number(count)), h("span", {}, label)))),
  h("p", { class: "chips" }, shown.map(([key, count]) => badge(`${number(count)} ${name(key)}`, kind(key)))),
  modelUse && note(`Language model: ${plural(modelUse.verdicts, "verdict")}; ${number(modelUse.dropped)} dropped because their quotes are not in the source (${number(modelUse.tokens)} tokens).${modelUse.problem ? ` Verdicts are missing: ${modelUse.problem}` : ""}`, modelUse.problem ? "warn" : ""),
  !complete && note(`Incomplete: ${number(progress.references)} of ${number(progress.referencesTotal)} references and ${number(progress.claims)} of ${number(progress.claimsTotal)} claims were checked.`, "warn")];
}

function findings({ findings: found = [] }) {
  if (!found.length) return note("No finding.", "good");
  return [h("h3", {}, "Findings"), h("ol", { class: "items", id: "findings" }, found.map((each) => h("li", { class: "item" },
    h("div", { class: "item-about" }, badge(name(each.kind), ["corrected", "never_cited", "dead_link"].includes(each.kind) ? "warn" : "bad"), h("span", {}, place(each.place))),
    h("p", {}, each.message), h("blockquote", {}, each.text))))];
}

function claims({ claims: all = [], references: entries = [], modelUse }) {
  const labels = new Map(entries.map((each) => [each.id, each.label || each.title || each.text]));
  const rows = all.flatMap((claim) => (claim.sources?.length ? claim.sources : [{ claimClass: claim.claimClass, reason: claim.reason }]).map((source) => ({ claim, source, label: labels.get(source.reference) ?? "" })));
  if (!rows.length) return [];
  const columns = [
    ["Claim", ({ claim }) => claim.number, ({ claim }) => claim.claim],
    ["Place", ({ claim }) => claim.place.start, ({ claim }) => place(claim.place)],
    ["Reference", ({ label }) => label, ({ label }) => label],
    ["Class", ({ source }) => RANKS.indexOf(source.claimClass), ({ source }) => badge(name(source.claimClass), CLASSES[source.claimClass])],
    ...(modelUse ? [["Model", ({ source }) => (source.model ? RANKS.indexOf(source.model.verdict) : 9), ({ source }) => model(source.model)]] : []),
    ["Why", ({ source }) => source.reason ?? "", ({ source }) => source.reason ?? ""],
    ["Source says", ({ source }) => source.quote ?? "", ({ source }) => said(source)],
  ];
  const body = h("tbody");
  const heads = columns.map(([title, key]) => {
    const head = h("th", { scope: "col" }, h("button", { type: "button", class: "sort", onclick: () => sort(head, key) }, title));
    return head;
  });
  const lines = rows.map((row) => ({ row, line: h("tr", {}, columns.map(([, , cell]) => h("td", {}, cell(row)))) }));
  const text = h("input", { type: "search", id: "claim-filter" });
  const kind = h("select", { id: "claim-class" }, h("option", { value: "" }, "all"), RANKS.map((each) => h("option", { value: each }, name(each))));
  const count = h("output", { class: "hint", for: "claim-filter claim-class" });
  function filter() {
    const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, line } of lines) {
      const content = line.textContent.toLowerCase();
      line.hidden = !wanted.every((word) => content.includes(word)) || (kind.value !== "" && row.source.claimClass !== kind.value);
      shown += line.hidden ? 0 : 1;
    }
    count.textContent = `${number(shown)} of ${number(rows.length)} rows`;
  }
  const order = new Intl.Collator(undefined, { numeric: true });
  function sort(head, key) {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    lines.sort((a, b) => order.compare(key(a.row), key(b.row)) * (down ? -1 : 1));
    body.append(...lines.map(({ line }) => line));
  }
  text.addEventListener("input", filter);
  kind.addEventListener("change", filter);
  lines.sort((a, b) => RANKS.indexOf(a.row.source.claimClass) - RANKS.indexOf(b.row.source.claimClass));
  body.append(...lines.map(({ line }) => line));
  filter();
  return [h("h3", {}, "Claims"), h("div", { class: "fields" }, h("div", {}, h("label", { for: "claim-filter" }, "Filter"), text), h("div", {}, h("label", { for: "claim-class" }, "Class"), kind)), count,
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Claims" }, h("table", { id: "claims", class: "claims" }, h("caption", { class: "unseen" }, "Claims and their sources"), h("thead", {}, h("tr", {}, heads)), body))];
}

const model = (verdict) => verdict && h("div", {}, badge(name(verdict.verdict), CLASSES[verdict.verdict]), h("blockquote", {}, verdict.quote));

function said(source) {
  const url = source.anchor?.url ?? source.url;
  return [source.quote && h("blockquote", {}, source.quote), url && link(url, source.anchor ? "Show in the source" : "Source")];
}

function references({ references: all = [] }) {
  if (!all.length) return [];
  return h("details", {}, h("summary", {}, `References (${number(all.length)})`), h("ol", { class: "items" }, all.map((each) => h("li", { class: "item" },
    h("div", {}, each.label && `${each.label} `, each.text),
    h("div", { class: "item-about" }, each.flags?.length ? each.flags.map((flag) => badge(name(flag), flag === "unchecked" ? "warn" : "bad")) : badge(each.checked ? "OK" : "not checked", each.checked ? "good" : "warn"),
      h("span", {}, `cited by ${number(each.citedBy)}`), each.doi && link(`https://doi.org/${each.doi}`, each.doi), each.url && link(each.url), each.archivedUrl && link(each.archivedUrl, "Archived copy")),
    each.reason && h("p", {}, each.reason),
    each.source?.reason && h("p", { class: "hint" }, `The source was not read: ${each.source.reason}`)))));
}
