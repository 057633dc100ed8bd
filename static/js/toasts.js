// Messages at the lower left: six seconds, paused while pointed at or focused; errors stay until closed.
import { each, on } from "./dom.js";

const SECONDS = 6;
const ICONS = { ok: "check-circle", success: "check-circle", warning: "warning", error: "x-circle", info: "info" };

/** Show a message. `undo` is an address that takes the last action back; `once` drops a repeated text. */
export function toast({ text, level = "info", undo = "", once = false }) {
  const region = document.getElementById("toasts");
  const repeated = [...region.querySelectorAll(".toast .text")].some((one) => one.textContent === text);
  if (once && repeated) return;
  const made = document.getElementById("toast-template").content.firstElementChild.cloneNode(true);
  made.classList.replace("info", level in ICONS ? level : "info");
  const use = made.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${ICONS[level] ?? "info"}`));
  made.querySelector(".text").textContent = text;
  if (undo) made.querySelector("[data-toast-close]").before(undoForm(undo));
  region.append(made);
  arm(made);
}

function undoForm(address) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = new URL(address, location.origin).pathname;
  const token = document.createElement("input");
  token.type = "hidden";
  token.name = "csrfmiddlewaretoken";
  token.value = document.querySelector("meta[name=csrf-token]")?.content ?? "";
  const button = document.createElement("button");
  button.className = "btn small";
  button.dataset.undo = "";
  button.textContent = document.getElementById("words")?.dataset.undo ?? "Undo";
  form.append(token, button);
  return form;
}

function arm(element) {
  if (element.dataset.armed || element.classList.contains("error")) return;
  element.dataset.armed = "1";
  let left = SECONDS * 1000;
  let since = 0;
  let timer = 0;
  const run = () => {
    since = performance.now();
    timer = setTimeout(() => close(element), left);
  };
  const hold = () => {
    clearTimeout(timer);
    left = Math.max(1500, left - (performance.now() - since));
  };
  element.addEventListener("pointerenter", hold);
  element.addEventListener("pointerleave", run);
  element.addEventListener("focusin", hold);
  element.addEventListener("focusout", run);
  run();
}

function close(element) {
  element.classList.add("leaving");
  setTimeout(() => element.remove(), 140);
}

each("[data-toast]", arm);
on("click", "[data-toast-close]", (button) => close(button.closest(".toast")));
document.addEventListener("cw:toast", ({ detail }) => toast(typeof detail === "string" ? { text: detail } : detail));
