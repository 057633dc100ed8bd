// Tables: j/k moves over rows, x selects, and the bar says what an action will touch.
import { each, isVisible, on } from "./dom.js";

const rows = () => [...document.querySelectorAll("[data-rows] [data-row]")].filter(isVisible);

export const currentRow = () => document.querySelector("[data-row].is-current");

/** Move by `step` rows; false when there are none. */
export function moveRow(step) {
  const all = rows();
  if (!all.length) return false;
  const from = all.indexOf(currentRow());
  const to = from < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, from + step));
  mark(all[to]);
  (all[to].querySelector("[data-row-link]") ?? all[to]).focus({ preventScroll: true });
  all[to].scrollIntoView({ block: "nearest" });
  return true;
}

function mark(row) {
  currentRow()?.classList.remove("is-current");
  row?.classList.add("is-current");
}

let last = null;

export function selectRow(range) {
  const row = currentRow();
  const box = row?.querySelector("[data-select]");
  if (!box) return;
  const all = rows();
  const [a, b] = [all.indexOf(last), all.indexOf(row)].sort((x, y) => x - y);
  if (range && a >= 0) {
    for (const one of all.slice(a, b + 1)) setBox(one.querySelector("[data-select]"), true);
  } else {
    setBox(box, !box.checked);
  }
  last = row;
}

function setBox(box, checked) {
  if (!box || box.checked === checked) return;
  box.checked = checked;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}

on("focusin", "[data-row]", mark);

on("change", "[data-select-all]", (box) => {
  // Each row's change redraws this box, so its value is read once.
  const checked = box.checked;
  for (const one of box.closest("[data-rows]").querySelectorAll("[data-select]")) setBox(one, checked);
});

on("change", "[data-select]", (box) => {
  box.closest("[data-row]")?.classList.toggle("is-selected", box.checked);
  for (const bar of document.querySelectorAll("[data-selection-bar]")) update(bar);
});

const scopeOf = (bar) => bar.closest("form, .card, main") ?? document;

function update(bar, everything = false) {
  const boxes = [...scopeOf(bar).querySelectorAll("[data-select]")];
  const chosen = boxes.filter((box) => box.checked).length;
  const count = everything ? Number(bar.dataset.total) : chosen;
  bar.hidden = count === 0;
  bar.querySelector("[data-selection-count]").textContent = count.toLocaleString(document.documentElement.lang);
  // "All that match" means the filter, and the server gets told so; any later change falls back to the ids.
  bar.querySelector("[data-selection-scope]").value = everything ? "filter" : "selected";
  const all = bar.querySelector("[data-selection-all]");
  if (all) all.hidden = everything || chosen < boxes.length || Number(bar.dataset.total) <= chosen;
  const head = scopeOf(bar).querySelector("[data-select-all]");
  if (head) {
    head.checked = chosen > 0 && chosen === boxes.length;
    head.indeterminate = chosen > 0 && chosen < boxes.length;
  }
}

on("click", "[data-selection-all]", (button) => update(button.closest("[data-selection-bar]"), true));

on("click", "[data-selection-clear]", (button) => {
  for (const box of scopeOf(button).querySelectorAll("[data-select]")) setBox(box, false);
});

// Back brings ticked boxes with it.
each("[data-selection-bar]", (bar) => update(bar));
