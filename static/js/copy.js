// Copy buttons and "copy a link to this page".
import { on, word } from "./dom.js";
import { toast } from "./toasts.js";

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast({ text: word("copied"), level: "ok" });
  } catch {
    // Without a secure context there is no clipboard: show the text, so that it can be copied by hand.
    toast({ text, level: "warning" });
  }
}

on("click", "[data-copy], [data-copy-from]", (button) => {
  const source = button.dataset.copyFrom && document.querySelector(button.dataset.copyFrom);
  copyText(source ? (source.value ?? source.textContent) : button.dataset.copy);
});
