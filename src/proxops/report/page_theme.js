"use strict";
// Before anything is painted: what the reader chose, else what the system prefers
(() => {
  let theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  try { theme = localStorage.getItem("proxops-theme") || theme; } catch (error) { /* not allowed */ }
  document.documentElement.dataset.theme = theme === "dark" ? "dark" : "light";
})();
