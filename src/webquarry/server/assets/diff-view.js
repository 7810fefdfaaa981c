// The changes between two versions: both passages with the words that differ, and what is ignored.
import { badge, h, link, number, webUrl } from "./dom.js";
import { words } from "./items.js";

const NAMES = { changed: "changed", added: "new", removed: "gone" };
const TONES = { changed: "warn", added: "good", removed: "bad" };

// One side of a change: the words that only the other side has are left out.
function passage(label, change, side, url) {
  const other = side === "del" ? "insert" : "delete";
  const parts = (change.diff ?? []).filter((part) => part.op !== other);
  const text = side === "del" ? change.before : change.after;
  const quoted = parts.map((part) => part.text).join("") === text;
  const shown = quoted ? parts.map((part) => (part.op === "equal" ? part.text : h(side, {}, part.text))) : [h(side, {}, text)];
  return h("div", { class: "passage" }, h("div", { class: "passage-name" }, label),
    h("blockquote", { class: "words" }, shown), url && webUrl(url) && h("p", { class: "small" }, link(url, "Show on the page")));
}

function amount(value, unit) {
  if (typeof value !== "number") return "–";
  return `${number(value)}${unit ? ` ${unit}` : ""}`;
}

function numberLine(change) {
  if (!change.number) return null;
  const { before, after, unit, percent } = change.number;
  const share = typeof percent === "number" ? ` (${percent > 0 ? "+" : ""}${percent.toFixed(1)} %)` : "";
  return h("p", { class: "small" }, `${amount(before, unit)} → ${amount(after, unit)}${share}`);
}

// `act` mutes or unmutes: it gets the action, what it is about, and its scope.
export function changeView(change, act) {
  const buttons = change.ignored
    ? [h("button", { type: "button", class: "quiet", onclick: (event) => act(event, "unmute", change.ignored.rule) }, "Unmute")]
    : [h("button", { type: "button", class: "quiet", onclick: (event) => act(event, "mute", change.id) }, "Mute this place"),
      change.where && h("button", { type: "button", class: "quiet", onclick: (event) => act(event, "mute", change.id, "section") }, "Mute the section")];
  return h("li", { class: "item change" },
    h("div", { class: "item-about" }, badge(words(change.kind)), badge(NAMES[change.action], TONES[change.action]),
      change.where && h("span", { class: "host" }, change.where)),
    change.ignored && h("p", { class: "small" }, change.ignored.note),
    h("div", { class: "sides" }, change.before && passage("Before", change, "del"), change.after && passage("After", change, "ins", change.url)),
    numberLine(change), h("div", { class: "row small" }, buttons));
}

export const changeList = (changes, act) => h("ol", { class: "items" }, changes.map((change) => changeView(change, act)));
