// Small views: tabs by arrow keys, JSON trees, wrapped code, arguments that are sent once typed.
import { on } from "./dom.js";

on("keydown", "[data-tabs] a", (link, event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const all = [...link.closest("[data-tabs]").querySelectorAll("a")];
  event.preventDefault();
  all.at((all.indexOf(link) + step) % all.length).focus();
});

on("click", "[data-json-all]", (button) => {
  const branches = [...button.closest("[data-json]").querySelectorAll(".json-body details:not(.fold)")];
  const open = branches.some((one) => !one.open);
  for (const one of branches) one.open = open;
});

// Alt and click opens or closes everything below a branch.
on("click", ".json-body summary", (summary, event) => {
  if (!event.altKey) return;
  event.preventDefault();
  const branch = summary.parentElement;
  const open = !branch.open;
  for (const one of [branch, ...branch.querySelectorAll("details:not(.fold)")]) one.open = open;
});

on("click", "[data-toggle-class]", (button) => {
  const on = button.closest(button.dataset.toggleOn).classList.toggle(button.dataset.toggleClass);
  button.setAttribute("aria-pressed", String(on));
});

// Typing into an argument means to send it.
on("input", ".setter input, .setter textarea, .setter select:not([data-mode])", (field) => {
  const mode = field.closest(".setter").querySelector("[data-mode]");
  if (mode) mode.value = "value";
});

// A filter form that is sent whole leaves its empty fields out of the address.
on("submit", "form.filter-bar", (form) => {
  const empty = [...form.elements].filter((field) => field.name && field.value === "" && !field.disabled);
  for (const field of empty) field.disabled = true;
  setTimeout(() => {
    for (const field of empty) field.disabled = false;
  });
});

// A slider that moves the number beside it, and follows it.
on("input", "[data-mirror]", (slider) => {
  document.querySelector(slider.dataset.mirror).value = slider.value;
});
