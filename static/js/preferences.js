// Theme, rail, density: kept in cookies, so that the server renders the page right from the first byte.
import { on } from "./dom.js";

const root = document.documentElement;
const THEMES = ["auto", "light", "dark"];

function remember(name, value) {
  root.dataset[name] = value;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `cw-${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

on("click", "[data-theme-toggle]", () => {
  const next = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
  remember("theme", next);
});

on("click", "[data-rail-toggle]", () => remember("rail", root.dataset.rail === "closed" ? "open" : "closed"));

// A form that sets a preference shows it at once; saving is the form's own business.
on("change", "[data-preference]", (field) => remember(field.dataset.preference, field.value));
