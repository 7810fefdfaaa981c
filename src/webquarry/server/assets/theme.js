"use strict";
// runs before the page is shown; otherwise it would flash in the other theme
(() => {
  const chosen = localStorage.getItem("webquarry.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
