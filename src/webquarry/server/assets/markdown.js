// Renders the Markdown that pages are converted to as elements; HTML in it stays text.
import { h, link } from "./dom.js";

const INLINE = /(`+)([^`]+?)\1|!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)|\[((?:[^[\]]|\[[^\]]*\])*)\]\(\s*<?([^)\s>]+)>?[^)]*\)|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*)\*|(?<!\w)_([^_\s][^_]*)_(?!\w)|<(https?:[^>\s]+)>|\\([\\`*_{}[\]()#+.!|>~-])/g;

export function inline(text) {
  const parts = [];
  let last = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(last, found.index), piece(found));
    last = found.index + found[0].length;
  }
  parts.push(text.slice(last));
  return parts;
}

function piece(found) {
  const [, , code, alt, image, words, target, strong, stress, stress2, url, plain] = found;
  if (code !== undefined) return h("code", {}, code);
  // not shown: loading it would send a request to a third party
  if (image !== undefined) return h("span", { class: "picture" }, "image: ", link(image, alt || image));
  if (target !== undefined) return link(target, ...inline(words || target));
  if (strong !== undefined) return h("strong", {}, inline(strong));
  if (stress ?? stress2) return h("em", {}, inline(stress ?? stress2));
  if (url !== undefined) return link(url);
  return plain;
}

const FENCE = /^\s*(```+|~~~+)/;
const HEAD = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const ROW = /^\s*\|.*\|\s*$/;

// `level` is the level of the heading above; headings of the page are below it.
export function markdown(text, level = 2) {
  const lines = text.split(/\r?\n/);
  const out = h("div", { class: "prose" });
  let at = 0;
  let deepest = level;
  const block = (test) => {
    const from = at;
    while (at < lines.length && test(lines[at], at - from)) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at];
    if (!line.trim()) {
      at += 1;
    } else if (FENCE.test(line)) {
      const mark = line.match(FENCE)[1];
      at += 1;
      const code = block((each) => !each.trim().startsWith(mark));
      at += 1;
      out.append(h("pre", { tabindex: "0" }, h("code", {}, code.join("\n"))));
    } else if (HEAD.test(line)) {
      const [, marks, words] = line.match(HEAD);
      // no level is skipped: screen reader users navigate by headings
      deepest = Math.min(6, level + marks.length, deepest + 1);
      out.append(h(`h${deepest}`, {}, inline(words)));
      at += 1;
    } else if (RULE.test(line)) {
      out.append(h("hr"));
      at += 1;
    } else if (ROW.test(line)) {
      out.append(rows(block((each) => ROW.test(each))));
    } else if (/^\s*>/.test(line)) {
      const quoted = block((each) => /^\s*>/.test(each)).map((each) => each.replace(/^\s*>\s?/, ""));
      out.append(h("blockquote", {}, markdown(quoted.join("\n"), Math.min(deepest, 5))));
    } else if (ITEM.test(line)) {
      out.append(list(block((each) => ITEM.test(each) || /^\s{2,}\S/.test(each))));
    } else {
      const words = block((each, n) => each.trim() && (n === 0 || !starts(each)));
      out.append(h("p", {}, inline(words.join(" "))));
    }
  }
  return out;
}

const starts = (line) => [FENCE, HEAD, ITEM, ROW, /^\s*>/].some((test) => test.test(line));

function list(lines) {
  const root = { depth: -1, node: h("div") };
  const open = [root];
  for (const line of lines) {
    const found = line.match(ITEM);
    if (!found) {
      open.at(-1).last?.append(" ", ...inline(line.trim()).filter((each) => each !== ""));
      continue;
    }
    const depth = found[1].length;
    while (open.length > 1 && open.at(-1).depth > depth) open.pop();
    if (open.at(-1).depth < depth) {
      const node = h(/\d/.test(found[2]) ? "ol" : "ul");
      (open.at(-1).last ?? open.at(-1).node).append(node);
      open.push({ depth, node, last: null });
    }
    const item = h("li", {}, inline(found[3]));
    open.at(-1).node.append(item);
    open.at(-1).last = item;
  }
  return root.node.childNodes.length === 1 ? root.node.firstChild : root.node;
}

function rows(lines) {
  const cells = (line) => line.trim().slice(1, -1).split(/(?<!\\)\|/).map((each) => each.trim());
  const marked = lines.length > 1 && /^[\s|:-]+$/.test(lines[1]);
  const head = marked ? cells(lines[0]) : [];
  const body = lines.slice(marked ? 2 : 0).map(cells);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table from the page" },
    h("table", {},
      head.some((each) => each) && h("thead", {}, h("tr", {}, head.map((each) => h("th", { scope: "col" }, inline(each))))),
      h("tbody", {}, body.map((row) => h("tr", {}, row.map((each) => h("td", {}, inline(each))))))));
}
