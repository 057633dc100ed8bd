// Keyboard. The list of keys comes from shortcuts.json, which the server prints into the overlay.
import { copyText } from "./copy.js";
import { closeTop } from "./dialogs.js";
import { isVisible } from "./dom.js";
import { currentRow, moveRow, selectRow } from "./rows.js";

const bindings = new Map();
for (const item of document.querySelectorAll("#shortcuts [data-keys]")) {
  for (const key of item.dataset.keys.split("\t")) bindings.set(key, item.dataset);
}

const actions = {
  help: () => document.getElementById("shortcuts").showModal(),
  search: () => (visible("[data-list-search]") ?? visible("[data-global-search]"))?.focus(),
  undo: () => [...document.querySelectorAll("[data-undo]")].filter(isVisible).at(-1)?.click(),
  close: closeTop,
  "copy-link": () => copyText(location.href),
  "row-next": () => moveRow(1) || visible("a[rel=next]")?.click(),
  "row-previous": () => moveRow(-1) || visible("a[rel=prev]")?.click(),
  "row-open": () => currentRow()?.querySelector("[data-row-link]")?.click(),
  "row-select": () => selectRow(false),
  "row-range": () => selectRow(true),
};

let pending = "";
let forget = 0;

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (document.documentElement.dataset.keys === "off" && event.key !== "Escape") return;
  if (run(event)) event.preventDefault();
});

function run(event) {
  const dialog = document.querySelector("dialog[open]");
  if (press(event.key, dialog ?? document)) return true;
  if (dialog) return false;
  const sequence = pending ? `${pending} ${event.key}` : event.key;
  pending = "";
  const found = bindings.get(sequence);
  if (found?.go) {
    location.assign(found.go);
    return true;
  }
  if (found?.run && event.key !== "Enter") {
    const result = actions[found.run]?.();
    return result !== false && found.run !== "press";
  }
  return startsSequence(event.key);
}

/** `g` waits 1.2 s for the second key. */
function startsSequence(key) {
  if (![...bindings.keys()].some((one) => one.startsWith(`${key} `))) return false;
  pending = key;
  clearTimeout(forget);
  forget = setTimeout(() => (pending = ""), 1200);
  return true;
}

/** Press the button that carries the key. Shift with a decision key decides and stays on the item. */
function press(key, root) {
  if (pending || key.length !== 1) return false;
  const exact = button(key, root);
  if (exact) {
    exact.click();
    return true;
  }
  const lower = key.toLowerCase();
  const kept = lower !== key && !bindings.has(key) && button(lower, root);
  if (!kept?.form) return false;
  const stay = document.createElement("input");
  Object.assign(stay, { type: "hidden", name: "stay", value: "1" });
  kept.form.append(stay);
  kept.click();
  return true;
}

function button(key, root) {
  return [...root.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)].find((one) => isVisible(one) && !one.disabled);
}

function visible(selector) {
  return [...document.querySelectorAll(selector)].find(isVisible);
}

function isTyping(target) {
  if (target.isContentEditable || target.matches?.("textarea, select")) return true;
  return target.matches?.("input:not([type=checkbox], [type=radio], [type=button], [type=submit])");
}
