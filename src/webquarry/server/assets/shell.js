// Shared by all pages: theme, keyboard shortcuts, signing out.
import { signedIn, signOut } from "./api.js";
import { find } from "./dom.js";

const THEMES = ["system", "light", "dark"];
const root = document.documentElement;

function theme() {
  return root.dataset.theme ?? "system";
}

function setTheme(name) {
  if (name === "system") {
    delete root.dataset.theme;
    localStorage.removeItem("webquarry.theme");
  } else {
    root.dataset.theme = name;
    localStorage.setItem("webquarry.theme", name);
  }
  showTheme();
}

function showTheme() {
  const name = { system: "Auto", light: "Light", dark: "Dark" }[theme()];
  find("theme").textContent = name;
  find("theme").setAttribute("aria-label", `Theme: ${name}. Switch theme`);
}

const nextTheme = () => setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
const typing = (node) => node.closest("input, textarea, select, [contenteditable]") !== null;

let pressed = "";
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.target.closest("form")?.requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  const before = pressed;
  pressed = event.key === "g" ? "g" : "";
  if (before === "g") {
    document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`)?.click();
  } else if (event.key === "t") {
    nextTheme();
  } else if (event.key === "?") {
    find("help").showModal();
  } else if (event.key === "/") {
    event.preventDefault();
    document.querySelector("main input:not([type=hidden]), main textarea")?.focus();
  }
});

find("theme").addEventListener("click", nextTheme);
find("help-open").addEventListener("click", () => find("help").showModal());
find("sign-out").addEventListener("click", signOut);
find("sign-out").hidden = !signedIn();
showTheme();
// on a narrow screen the menu scrolls: show the current page
const current = document.querySelector(".top nav a[aria-current]");
const nav = document.querySelector(".top nav");
if (current && nav) nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.clientWidth) / 2;
