// Builds DOM elements. Text is always inserted as text; nothing parses HTML.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false || child === "") continue;
    node.append(child);
  }
  return node;
}

export const h = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);
export const find = (id) => document.getElementById(id);
export const show = (node, ...children) => {
  node.replaceChildren();
  return fill(node, {}, children);
};

// Only http(s) URLs become links; javascript: and others stay text.
export function webUrl(text) {
  try {
    const url = new URL(String(text));
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  } catch {
    return null;
  }
}

export function link(url, ...children) {
  const safe = webUrl(url);
  const content = children.length ? children : [String(url ?? "")];
  if (!safe) return h("span", {}, content);
  return h("a", { href: safe.href, rel: "noopener noreferrer", target: "_blank", class: children.length ? null : "url" }, content);
}

export const host = (url) => webUrl(url)?.host.replace(/^www\./, "") ?? "";
export const badge = (text, kind = "") => h("span", { class: `badge ${kind}`.trim() }, String(text));
export const note = (text, kind = "") => h("p", { class: `note ${kind}`.trim() }, text);
export const number = (value) => (typeof value === "number" ? value.toLocaleString("en") : "–");

export function size(bytes) {
  if (typeof bytes !== "number") return "–";
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(1)} MiB`;
}

// Seconds as the two largest units: 20522 is "5 h 42 min".
export function duration(seconds) {
  if (typeof seconds !== "number") return "–";
  const total = Math.round(seconds);
  const parts = [[Math.floor(total / 86400), "d"], [Math.floor(total / 3600) % 24, "h"], [Math.floor(total / 60) % 60, "min"], [total % 60, "s"]];
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return "0 s";
  return parts.slice(first, first + 2).filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`).join(" ");
}

export const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

export function moment(text) {
  const at = new Date(text ?? "");
  if (Number.isNaN(at.getTime())) return h("span", {}, text ? String(text) : "–");
  const today = at.toDateString() === new Date().toDateString();
  const words = today ? at.toLocaleTimeString("sv-SE") : at.toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "medium" });
  return h("time", { datetime: at.toISOString(), title: at.toISOString() }, words);
}

// How long ago: "3 min ago". Older than a week, the date.
export function ago(text) {
  const at = new Date(text ?? "");
  const seconds = (Date.now() - at.getTime()) / 1000;
  if (Number.isNaN(seconds)) return "";
  if (seconds < 60) return "just now";
  return seconds > 604800 ? at.toLocaleDateString("sv-SE") : `${duration(seconds).split(" ").slice(0, 2).join(" ")} ago`;
}

// A table that scrolls horizontally if it is too wide.
export function table(caption, heads, rows, empty = "Nothing yet.") {
  if (!rows.length) return h("p", { class: "empty" }, empty);
  const named = heads.map((head) => h("th", { scope: "col" }, head));
  const lines = rows.map((row) => h("tr", {}, row.map((cell) => h("td", { class: typeof cell === "string" && cell.length < 16 ? "short" : null }, cell ?? "–"))));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", {}, h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, named)), h("tbody", {}, lines)));
}

export function save(name, text, type = "text/plain") {
  const url = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export function copyButton(label, text) {
  const button = h("button", { type: "button", class: "quiet" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copy failed";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}
