// The only file that knows htmx event names: CSRF, sign-in, error blocks, polite polling, calm swaps.
import { word } from "./dom.js";
import { toast } from "./toasts.js";

const SAFE = new Set(["get", "head", "options"]);
const opened = new WeakMap();

// `detail.elt` is the target in some events; the element that asked is in the request.
const isPoll = ({ requestConfig }) =>
  !requestConfig?.triggeringEvent && /\bevery\b/.test(requestConfig?.elt.getAttribute("hx-trigger") ?? "");

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (SAFE.has(detail.verb)) return;
  detail.headers["X-CSRFToken"] = document.querySelector("meta[name=csrf-token]")?.content ?? "";
});

// A hidden tab asks for nothing; the next tick after it is shown again asks as usual.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && isPoll(event.detail)) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const status = detail.xhr.status;
  if (status === 401) return signIn(detail.xhr);
  if (status >= 400 && status !== 409 && status !== 422) return failed(detail, status);
  if (isPoll(detail) && readerIsIn(detail.target)) {
    detail.shouldSwap = false;
    return;
  }
  opened.set(
    detail.target.parentElement ?? detail.target,
    [...detail.target.querySelectorAll("details[id]")].map((one) => [one.id, one.open]),
  );
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  const root = detail.target?.isConnected ? detail.target : document.body;
  for (const [id, open] of opened.get(root.parentElement) ?? opened.get(root) ?? []) {
    const found = document.getElementById(id);
    if (found instanceof HTMLDetailsElement) found.open = open;
  }
  root.querySelector("[data-focus]")?.focus();
});

document.addEventListener("htmx:load", ({ detail }) => {
  document.dispatchEvent(new CustomEvent("cw:content", { detail: { root: detail.elt.parentElement ?? document } }));
});

document.addEventListener("htmx:sendError", ({ detail }) => {
  if (!isPoll(detail)) toast({ text: word("offline"), level: "error" });
});

function signIn(xhr) {
  const login = xhr.getResponseHeader("HX-Redirect") ?? document.documentElement.dataset.login;
  const here = encodeURIComponent(location.pathname + location.search);
  location.assign(login.includes("next=") ? login : `${login}?next=${here}`);
}

/** Put a compact block into the target. A poll keeps what is on the page: old data beats none. */
function failed(detail, status) {
  const sent = new DOMParser().parseFromString(detail.serverResponse || "", "text/html");
  const block = sent.querySelector("[data-error-block]") ?? ownBlock(status);
  const title = block.querySelector(".title")?.textContent ?? String(status);
  toast({ text: `${title} (${status})`, level: "error", once: true });
  detail.shouldSwap = !isPoll(detail);
  detail.serverResponse = block.outerHTML;
  detail.selectOverride = "unset";
}

function ownBlock(status) {
  const block = document.getElementById("error-template").content.firstElementChild.cloneNode(true);
  const note = document.createElement("p");
  note.className = "muted caption";
  note.textContent = String(status);
  block.querySelector(".body").append(note);
  return block;
}

/** Whether the reader has text selected inside `target`: a refresh would take it away. */
function readerIsIn(target) {
  const selection = getSelection();
  return Boolean(selection && !selection.isCollapsed && target.contains(selection.anchorNode));
}
