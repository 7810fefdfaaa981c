// A line chart. Attributes only, because the content security policy forbids inline styles.
import { h, s } from "./dom.js";

const WIDE = 720;
const HIGH = 260;
const EDGE = { left: 64, right: 16, top: 16, bottom: 32 };

function steps(low, high, about = 4) {
  const rough = (high - low) / about || 1;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * unit).find((each) => each >= rough);
  const ticks = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) ticks.push(Number(at.toPrecision(12)));
  return ticks;
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

export function chart(title, points) {
  const known = points.filter((each) => typeof each.value === "number" && Number.isFinite(each.value));
  const ordered = known.sort((a, b) => (a.date < b.date ? -1 : 1));
  if (ordered.length < 2) return null;
  const values = ordered.map((each) => each.value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const pad = (most - least || Math.abs(most) || 1) * 0.06;
  const [low, high] = [least - pad, most + pad];
  const x = (n) => EDGE.left + (n / (ordered.length - 1)) * (WIDE - EDGE.left - EDGE.right);
  const y = (value) => HIGH - EDGE.bottom - ((value - low) / (high - low)) * (HIGH - EDGE.top - EDGE.bottom);
  const every = Math.max(1, Math.ceil(ordered.length / 6));
  const line = ordered.map((each, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(each.value).toFixed(1)}`).join(" ");
  const label = `${title}: ${ordered.length} values from ${ordered[0].date} to ${ordered.at(-1).date}, between ${least} and ${most}`;
  const picture = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": label },
    steps(low, high).map((tick) => [
      s("line", { class: "grid", x1: EDGE.left, x2: WIDE - EDGE.right, y1: y(tick), y2: y(tick) }),
      s("text", { x: EDGE.left - 8, y: y(tick) + 4, "text-anchor": "end" }, short.format(tick))]),
    ordered.map((each, n) => (n % every === 0
      ? s("text", { x: x(n), y: HIGH - 10, "text-anchor": n === 0 ? "start" : "middle" }, each.date) : null)),
    s("path", { class: "line", d: line }),
    ordered.length <= 60 && ordered.map((each, n) => s("circle", { class: "dot", cx: x(n), cy: y(each.value), r: 3 },
      s("title", {}, `${each.date}: ${each.value}`))));
  return h("figure", {}, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, picture),
    h("figcaption", {}, title));
}
