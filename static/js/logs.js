// Log viewer: level chips, first error, and a follow toggle that lets go when the reader scrolls up.
import { each } from "./dom.js";

each("[data-log]", (log) => {
  const list = log.querySelector("ol");
  const toggle = log.querySelector("[data-log-follow]");
  const count = log.querySelector("[data-log-count]");
  let follow = "follow" in log.dataset;

  const setFollow = (value) => {
    follow = value;
    toggle?.setAttribute("aria-pressed", String(value));
    if (value) list.scrollTop = list.scrollHeight;
  };

  const atEnd = () => list.scrollHeight - list.scrollTop - list.clientHeight < 24;

  log.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    if (button === toggle) setFollow(!follow);
    if ("logFirst" in button.dataset) list.querySelector("li.error")?.scrollIntoView({ block: "center" });
    if ("logLevel" in button.dataset) {
      log.dataset.level = button.dataset.logLevel;
      for (const one of log.querySelectorAll("[data-log-level]")) {
        one.setAttribute("aria-pressed", String(one === button));
      }
    }
  });

  // Only the reader's own movement counts; new lines also fire scroll events.
  for (const moved of ["wheel", "touchmove", "keydown"]) {
    list.addEventListener(moved, () => requestAnimationFrame(() => setFollow(atEnd() && follow)), { passive: true });
  }

  new MutationObserver(() => {
    if (count) count.textContent = list.children.length;
    if (follow) list.scrollTop = list.scrollHeight;
  }).observe(list, { childList: true });

  if (follow) setFollow(true);
});
