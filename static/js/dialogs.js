// Dialogs, confirmations, sheets and menus. Native <dialog> keeps the focus inside and gives it back.
import { on } from "./dom.js";

on("click", "[data-dialog]", (button, event) => {
  const dialog = document.querySelector(button.dataset.dialog);
  if (!(dialog instanceof HTMLDialogElement)) return;
  event.preventDefault();
  button.closest("[data-menu]")?.removeAttribute("open");
  dialog.showModal();
});

on("click", "dialog [data-close]", (button) => button.closest("dialog").close());

// A click on the veil closes; a click inside the box has a child as its target.
on("click", "dialog", (dialog, event) => {
  if (event.target === dialog) dialog.close();
});

let agreed = null;

function ask(text, then) {
  const dialog = document.getElementById("ask");
  dialog.querySelector("#ask-text").textContent = text;
  agreed = then;
  dialog.showModal();
}

on("click", "[data-ask-yes]", (button) => {
  button.closest("dialog").close();
  agreed?.();
  agreed = null;
});

on("click", "a[data-confirm]", (link, event) => {
  event.preventDefault();
  ask(link.dataset.confirm, () => location.assign(link.href));
});

// Capturing, so that the question comes before any request is made.
on(
  "submit",
  "form[data-confirm]",
  (form, event) => {
    if (form.dataset.agreed) {
      delete form.dataset.agreed;
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    ask(form.dataset.confirm, () => {
      form.dataset.agreed = "1";
      form.requestSubmit(event.submitter);
    });
  },
  { capture: true },
);

on("click", "[data-sheet]", (button, event) => {
  const sheet = document.querySelector(button.dataset.sheet);
  if (!sheet) return;
  event.preventDefault();
  sheet.classList.toggle("is-open");
  if (sheet.classList.contains("is-open")) sheet.querySelector("a, button, input")?.focus();
});

/** Close whatever lies over the page; false when nothing does. */
export function closeTop() {
  const open = [...document.querySelectorAll(".is-open.sheet, .rail.is-open, [data-menu][open], .toast.error")].at(-1);
  if (!open) return false;
  if (open.matches(".toast")) open.remove();
  open.classList.remove("is-open");
  if (open.matches("[data-menu]")) open.removeAttribute("open");
  return true;
}

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("[data-menu][open]")) {
    if (!menu.contains(event.target)) menu.removeAttribute("open");
  }
});
