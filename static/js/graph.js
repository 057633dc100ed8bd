// Graph canvas: zoom by button, Ctrl and wheel, or + - 0; pan by dragging; distractors on and off.
import { each } from "./dom.js";

const STEPS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2];

each("[data-graph]", (canvas) => {
  const view = canvas.querySelector(".graph-view");
  const svg = view.querySelector("svg");
  if (!svg) return;
  const { width: natural, height: tall } = svg.viewBox.baseVal;

  const size = (width) => {
    svg.setAttribute("width", width);
    svg.setAttribute("height", (tall * width) / natural);
  };

  const current = () => svg.getBoundingClientRect().width / natural;

  const zoom = (how) => {
    if (how === "fit") {
      // Below seven tenths the words could not be read: rather scroll.
      const tight = view.clientWidth < natural * 0.7;
      view.classList.toggle("zoomed", tight);
      size(tight ? natural * 0.7 : natural);
      return;
    }
    const now = current();
    const wider = STEPS.find((step) => step > now + 0.01) ?? STEPS.at(-1);
    const narrower = STEPS.findLast((step) => step < now - 0.01) ?? STEPS[0];
    view.classList.add("zoomed");
    size(natural * (how === "in" ? wider : narrower));
  };

  zoom("fit");

  canvas.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.graphZoom) zoom(button.dataset.graphZoom);
    if (button && "graphDistractors" in button.dataset) {
      const hidden = canvas.classList.toggle("no-distractors");
      button.setAttribute("aria-pressed", String(!hidden));
    }
  });

  view.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? "in" : "out");
    },
    { passive: false },
  );

  view.addEventListener("keydown", (event) => {
    const how = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
    if (!how || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    zoom(how);
  });

  let from = null;
  view.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest("a")) return;
    from = { x: event.clientX + view.scrollLeft, y: event.clientY + view.scrollTop };
    view.setPointerCapture(event.pointerId);
    view.classList.add("dragging");
  });
  view.addEventListener("pointermove", (event) => {
    if (from) view.scrollTo(from.x - event.clientX, from.y - event.clientY);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    view.addEventListener(end, () => {
      from = null;
      view.classList.remove("dragging");
    });
  }
});
