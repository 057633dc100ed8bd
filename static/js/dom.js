// Two helpers that every other module uses.

/** Listen once on the document for events on elements that match `selector`, also ones that come later. */
export function on(event, selector, handler, options) {
  document.addEventListener(
    event,
    (happened) => {
      const found = happened.target instanceof Element && happened.target.closest(selector);
      if (found) handler(found, happened);
    },
    options,
  );
}

/** Run `setup` for each present match and for matches in content that arrives later, once per element. */
export function each(selector, setup) {
  const seen = new WeakSet();
  const visit = (root) => {
    for (const element of root.querySelectorAll(selector)) {
      if (seen.has(element)) continue;
      seen.add(element);
      setup(element);
    }
  };
  visit(document);
  document.addEventListener("cw:content", (event) => visit(event.detail.root));
}

/** A translated sentence that the server put on the page. */
export function word(name) {
  return document.getElementById("words")?.dataset[name] ?? "";
}

export function isVisible(element) {
  return element.getClientRects().length > 0;
}
