// A bar for each day: calls, and the failed ones among them. Attributes only, no inline styles.
import { h, number, plural, s } from "./dom.js";

const WIDE = 720;
const HIGH = 150;
const EDGE = { left: 40, right: 4, top: 18, bottom: 24 };
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

export function bars(days) {
  const most = Math.max(4, ...days.map((each) => each.calls));
  const total = days.reduce((sum, each) => sum + each.calls, 0);
  const failed = days.reduce((sum, each) => sum + each.failed, 0);
  const step = (WIDE - EDGE.left - EDGE.right) / days.length;
  const y = (count) => HIGH - EDGE.bottom - (count / most) * (HIGH - EDGE.top - EDGE.bottom);
  const bar = (kind, n, from, to) => to > from && s("rect", { class: kind, x: EDGE.left + n * step + step * 0.15, width: step * 0.7, y: y(to), height: y(from) - y(to), rx: 2 });
  const ticks = [0, Math.round(most / 2), most];
  const label = `${plural(total, "call")} in ${days.length} days, ${number(failed)} failed`;
  return h("figure", { class: "bars" }, s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart flat", role: "img", "aria-label": label },
    ticks.map((tick) => [s("line", { class: "grid", x1: EDGE.left, x2: WIDE - EDGE.right, y1: y(tick), y2: y(tick) }), s("text", { x: EDGE.left - 6, y: y(tick) + 4, "text-anchor": "end" }, number(tick))]),
    days.map((each, n) => s("g", {}, s("title", {}, `${each.day}: ${plural(each.calls, "call")}, ${number(each.failed)} failed`),
      bar("bar", n, each.failed, each.calls), bar("bar failed", n, 0, each.failed))),
    days.map((each, n) => (n % 4 === 1 ? s("text", { x: n === days.length - 1 ? WIDE - EDGE.right : EDGE.left + (n + 0.5) * step, y: HIGH - 5, "text-anchor": n === days.length - 1 ? "end" : "middle" }, day.format(new Date(each.day))) : null))),
  h("figcaption", {}, `${label}.`));
}
