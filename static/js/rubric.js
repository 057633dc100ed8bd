// The rubric editor: paths are completed while they are typed, Ctrl and Enter tries the draft.
import { each, on } from "./dom.js";

const WAIT = 120;

each("textarea[data-completes]", (field) => {
  const form = field.closest("[data-rubric]");
  const list = document.createElement("ul");
  const said = document.createElement("p");
  const box = document.createElement("div");
  list.id = `${field.id}-completions`;
  list.className = "completions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", form.querySelector(`label[for="${field.id}"]`)?.textContent.trim() ?? "CEL");
  list.hidden = true;
  said.className = "visually-hidden";
  said.setAttribute("aria-live", "polite");
  box.className = "completing";
  field.after(box);
  box.append(list, said);
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);

  let timer = 0;
  let asked = 0;
  let chosen = -1;

  const options = () => [...list.children];
  const close = () => {
    clearTimeout(timer);
    asked += 1;
    list.hidden = true;
    list.replaceChildren();
    field.removeAttribute("aria-activedescendant");
  };

  const choose = (place) => {
    const all = options();
    chosen = (place + all.length) % all.length;
    all.forEach((one, number) => one.setAttribute("aria-selected", String(number === chosen)));
    field.setAttribute("aria-activedescendant", all[chosen].id);
    all[chosen].scrollIntoView({ block: "nearest" });
  };

  const take = (option) => {
    const end = field.selectionStart;
    field.setRangeText(option.dataset.text, end - Number(option.dataset.replaces), end, "end");
    close();
    field.focus();
    if (/^\w+$/.test(option.dataset.text)) return;
    ask();
  };

  const show = (found, loud) => {
    list.replaceChildren(
      ...found.map((one, number) => {
        const option = document.createElement("li");
        const label = document.createElement("span");
        const detail = document.createElement("span");
        option.id = `${list.id}-${number}`;
        option.setAttribute("role", "option");
        option.dataset.text = one.text;
        option.dataset.replaces = one.replaces;
        label.textContent = one.label;
        detail.textContent = one.detail;
        option.append(label, " ", detail);
        return option;
      }),
    );
    list.hidden = found.length === 0;
    if (found.length) choose(0);
    else close();
    if (!found.length) said.textContent = loud ? form.dataset.none : "";
    else said.textContent = found.length === 1 ? form.dataset.one : `${found.length} ${form.dataset.many}`;
  };

  const ask = async (loud = false) => {
    const mine = ++asked;
    const query = new URLSearchParams({ expression: field.value, caret: field.selectionStart });
    const answer = await fetch(`${form.dataset.completions}?${query}`, { headers: { Accept: "application/json" } });
    if (mine !== asked || document.activeElement !== field || !answer.ok) return;
    show((await answer.json()).data, loud);
  };

  field.addEventListener("input", () => {
    close(); // what it offers belongs to the text as it was
    const before = field.value.slice(0, field.selectionStart);
    if (/[\w.]$/.test(before) || /[=!]=\s*["'][^"']*$/.test(before)) timer = setTimeout(ask, WAIT);
  });

  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      ask(true);
      return;
    }
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const taken = (event.key === "Enter" && !event.ctrlKey) || (event.key === "Tab" && !event.shiftKey);
    if (step) choose(chosen + step);
    else if (taken) take(options()[chosen]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  // Not "click": the field would lose the focus first.
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const option = event.target.closest("li");
    if (option) take(option);
  });

  field.addEventListener("blur", close);
});

on("keydown", "[data-rubric]", (form, event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.querySelector("button[name=try]").click();
});
