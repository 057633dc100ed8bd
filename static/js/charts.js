// Line charts: a crosshair shared by charts with the same x, drag to zoom, double click to reset, click to open a step.
import { each } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const show = new Intl.NumberFormat(document.documentElement.lang || "en", { maximumSignificantDigits: 4 });

// Where each chart was zoomed to: a refresh draws it anew and must not take that away.
const zoomed = new Map();

class Chart {
  constructor(svg) {
    this.svg = svg;
    this.series = JSON.parse(svg.dataset.points);
    [this.left, this.top, this.width, this.height] = svg.dataset.plot.split(" ").map(Number);
    this.full = svg.dataset.x.split(" ").map(Number);
    this.range = this.full;
    this.xs = [...new Set(this.series.flatMap((one) => one.points.map(([x]) => x)))].sort((a, b) => a - b);
    this.lookup = this.series.map((one) => new Map(one.points));
    this.line = this.shape("path", "crosshair");
    this.box = this.shape("rect", "selection");
    this.tip = document.createElement("div");
    this.tip.className = "chart-tip";
    this.tip.hidden = true;
    (svg.closest(".chart") ?? svg.parentElement).append(this.tip);
    this.name = svg.querySelector(".chart-title")?.textContent ?? "";
    this.listen();
    const kept = zoomed.get(this.name);
    if (kept && kept[0] >= this.full[0] && kept[1] <= this.full[1]) this.zoom(kept);
  }

  shape(kind, name) {
    const made = document.createElementNS(SVG, kind);
    made.setAttribute("class", name);
    made.setAttribute("visibility", "hidden");
    this.svg.append(made);
    return made;
  }

  listen() {
    this.svg.setAttribute("tabindex", "0");
    this.svg.addEventListener("pointermove", (event) => this.move(event));
    this.svg.addEventListener("pointerleave", () => announce(this, null));
    this.svg.addEventListener("blur", () => announce(this, null));
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && event.pointerType === "mouse") this.start = this.place(event);
    });
    this.svg.addEventListener("pointerup", (event) => this.release(event));
    this.svg.addEventListener("dblclick", () => {
      clearTimeout(this.opening);
      this.zoom(this.full);
    });
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** The pointer in drawing units, held inside the plot. */
  place(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return Math.min(this.left + this.width, Math.max(this.left, at.x));
  }

  value(place) {
    return this.range[0] + ((place - this.left) / this.width) * (this.range[1] - this.range[0]);
  }

  position(x) {
    return this.left + ((x - this.range[0]) / (this.range[1] - this.range[0])) * this.width;
  }

  nearest(x) {
    const inside = this.xs.filter((one) => one >= this.range[0] && one <= this.range[1]);
    return inside.reduce((best, one) => (Math.abs(one - x) < Math.abs(best - x) ? one : best), inside[0]);
  }

  move(event) {
    const place = this.place(event);
    if (this.start !== undefined) {
      this.box.setAttribute("visibility", "visible");
      this.box.setAttribute("x", Math.min(place, this.start));
      this.box.setAttribute("width", Math.abs(place - this.start));
      this.box.setAttribute("y", this.top);
      this.box.setAttribute("height", this.height);
    }
    announce(this, this.nearest(this.value(place)));
  }

  release(event) {
    const end = this.place(event);
    if (this.start !== undefined && Math.abs(end - this.start) > 8) {
      this.zoom([this.value(Math.min(end, this.start)), this.value(Math.max(end, this.start))]);
    } else if (event.button === 0) {
      const x = this.nearest(this.value(end));
      this.opening = setTimeout(() => this.open(x), 250); // a double click resets the zoom instead
    }
    this.start = undefined;
    this.box.setAttribute("visibility", "hidden");
  }

  open(x) {
    if (this.svg.dataset.href && x !== undefined && x !== null) location.assign(this.svg.dataset.href + x);
  }

  key(event) {
    if (event.key === "Enter") return this.open(this.at);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") this.zoom(this.full);
    if (!step) return;
    event.preventDefault();
    const at = this.at === undefined || this.at === null ? -1 : this.xs.indexOf(this.at);
    announce(this, this.xs[Math.min(this.xs.length - 1, Math.max(0, at + step))]);
  }

  zoom(range) {
    this.range = range;
    if (range === this.full) zoomed.delete(this.name);
    else zoomed.set(this.name, range);
    const scale = (this.full[1] - this.full[0]) / (range[1] - range[0]);
    const from = this.left + ((range[0] - this.full[0]) / (this.full[1] - this.full[0])) * this.width;
    const lines = this.svg.querySelector("[data-lines]");
    lines.setAttribute("transform", `translate(${this.left - from * scale} 0) scale(${scale} 1)`);
    const ticks = this.svg.querySelectorAll("[data-x-ticks] text");
    ticks.forEach((tick, index) => {
      const x = range[0] + ((range[1] - range[0]) * index) / Math.max(1, ticks.length - 1);
      tick.textContent = show.format(x);
      tick.setAttribute("x", this.position(x));
    });
    for (const label of this.svg.querySelectorAll(".marker-label")) {
      const x = Number(label.dataset.at);
      label.setAttribute("x", this.position(x));
      label.setAttribute("visibility", x >= range[0] && x <= range[1] ? "visible" : "hidden");
    }
    announce(this, null);
  }

  cross(x, own) {
    this.at = x;
    const inside = x !== null && x !== undefined && x >= this.range[0] && x <= this.range[1];
    this.line.setAttribute("visibility", inside ? "visible" : "hidden");
    this.tip.hidden = !inside || !own;
    if (!inside) return;
    this.line.setAttribute("d", `M${this.position(x)} ${this.top}v${this.height}`);
    if (own) this.fill(x);
  }

  fill(x) {
    const list = document.createElement("dl");
    const add = (name, value) => {
      const [term, text] = [document.createElement("dt"), document.createElement("dd")];
      [term.textContent, text.textContent] = [name, value];
      list.append(term, text);
    };
    add(this.svg.dataset.xLabel || "x", show.format(x));
    this.series.forEach((one, index) => {
      const y = this.lookup[index].get(x);
      if (y !== undefined) add(one.name, y === null ? "–" : show.format(y));
    });
    this.tip.replaceChildren(list);
    const scale = this.svg.clientWidth / this.svg.viewBox.baseVal.width;
    const right = this.position(x) > this.left + this.width / 2;
    const offset = this.position(x) * scale + (right ? -12 - this.tip.offsetWidth : 12);
    this.tip.style.left = `${Math.max(0, offset)}px`;
    this.tip.style.top = `${this.top * scale}px`;
  }
}

const charts = new Set();

function announce(source, x) {
  for (const chart of charts) {
    if (!chart.svg.isConnected) charts.delete(chart);
    else if (chart.svg.dataset.xLabel === source.svg.dataset.xLabel) chart.cross(x, chart === source);
  }
}

each("svg[data-chart]", (svg) => charts.add(new Chart(svg)));
