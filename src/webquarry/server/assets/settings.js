import "./shell.js";
import { asAdmin, get, keepAdminKey, problemView } from "./api.js";
import { badge, find, h, show, table } from "./dom.js";

let settings = [];

function draw() {
  const words = find("filter").value.trim().toLowerCase();
  const matching = settings.filter((each) => `${each.name} ${each.group} ${each.value}`.toLowerCase().includes(words) && (!find("changed").checked || !each.is_default));
  const groups = [...new Set(matching.map((each) => each.group))];
  show(find("settings"), groups.map((group) => [h("h2", {}, group), table(group, ["Setting", "Value", "Source"], matching.filter((each) => each.group === group).map((each) => [
    h("code", {}, each.name.split("_").flatMap((part, n) => (n ? ["_", h("wbr"), part] : [part]))), h("span", { class: "words" }, each.value || "–"), each.is_default ? h("span", { class: "hint" }, "default") : badge(each.source)]))]),
    !matching.length && h("p", { class: "empty" }, "No setting matches."));
}

async function load() {
  try {
    ({ settings } = await get("/v1/console/settings", asAdmin()));
    find("admin").hidden = true;
    find("filters").hidden = false;
    draw();
  } catch (problem) {
    if (problem.status === 403 && problem.code === "admin_key") {
      find("admin").hidden = false;
      find("admin-why").textContent = problem.message;
      show(find("settings"));
      return;
    }
    show(find("settings"), problemView(problem));
  }
}

find("admin").addEventListener("submit", (event) => {
  event.preventDefault();
  keepAdminKey(find("admin-key").value.trim());
  find("admin-key").value = "";
  load();
});
find("filter").addEventListener("input", draw);
find("changed").addEventListener("change", draw);
await load();
