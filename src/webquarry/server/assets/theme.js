"use strict";
// before the page is shown, or it would flash in the other theme
(() => {
  const chosen = localStorage.getItem("webquarry.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
