// The citation graph of a paper: its references on the left, citing papers on the right.
import { h, s, webUrl } from "./dom.js";

const MAX_PER_SIDE = 14;
const WIDE = 880;
const ROW = 34;
const COLUMNS = { references: 290, seed: 440, citedBy: 590 };

const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

function label(paper) {
  const who = paper.authors?.[0]?.split(/[\s,]+/).filter(Boolean).at(-1);
  const when = paper.year ?? "";
  return cut([who && `${who} ${when}`.trim(), paper.title].filter(Boolean).join(": "), 38);
}

function side(papers, name, middle) {
  const top = middle - ((papers.length - 1) * ROW) / 2;
  return papers.map((paper, n) => {
    const at = { x: COLUMNS[name], y: top + n * ROW };
    const left = name === "references";
    const bend = (at.x + COLUMNS.seed) / 2;
    const gone = paper.retractionStatus?.retracted;
    const kind = gone ? "gone" : paper.isInfluential ? "strong" : name;
    const radius = 4 + Math.min(8, Math.log10(1 + (paper.citationCount ?? 0)) * 2);
    const words = s("text", { x: at.x + (left ? -16 : 16), y: at.y + 4, "text-anchor": left ? "end" : "start" },
      gone ? `RETRACTED ${label(paper)}` : label(paper));
    const dot = [s("circle", { class: `node ${kind}`, cx: at.x, cy: at.y, r: radius }), words,
      s("title", {}, `${paper.title} (${paper.citationCount ?? "?"} citations)`)];
    const url = webUrl(paper.url);
    return [s("path", { class: "edge", d: `M${COLUMNS.seed} ${middle} C${bend} ${middle} ${bend} ${at.y} ${at.x} ${at.y}` }),
      url ? s("a", { href: url.href, target: "_blank", rel: "noopener noreferrer" }, dot) : s("g", {}, dot)];
  });
}

export function citationGraph(body) {
  const references = (body.references ?? []).slice(0, MAX_PER_SIDE);
  const citedBy = (body.citedBy ?? []).slice(0, MAX_PER_SIDE);
  const high = Math.max(references.length, citedBy.length, 3) * ROW + 56;
  const middle = high / 2 + 10;
  const title = body.match?.title ?? body.match?.paper?.title ?? body.seed ?? "";
  const description = `${title}: ${references.length} references on the left, ${citedBy.length} citing papers on the right`;
  // role group, not img: each paper is a link that the keyboard can reach
  const picture = s("svg", { viewBox: `0 0 ${WIDE} ${high}`, class: "graph", role: "group", "aria-label": description },
    s("text", { class: "head", x: COLUMNS.references, y: 18, "text-anchor": "end" }, `References (${body.referencesCount ?? references.length})`),
    s("text", { class: "head", x: COLUMNS.citedBy, y: 18 }, `Cited by (${body.citedByCount ?? citedBy.length})`),
    side(references, "references", middle), side(citedBy, "citedBy", middle),
    s("circle", { class: "node seed", cx: COLUMNS.seed, cy: middle, r: 13 }, s("title", {}, title)));
  return h("figure", {}, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Citation graph" }, picture),
    h("figcaption", {}, h("strong", {}, title), " is in the middle. Larger dots have more citations; red means retracted."));
}
