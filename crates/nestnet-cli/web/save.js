// What can be taken away? Pictures, plots and tables as files, the command line that makes the same, and the link.

import { make } from "/ask.js";

/** Hands a file to the browser. */
export function download(name, content, kind = "") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: kind }));
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A name that every system takes. */
export const fileName = (text) =>
  text
    .replace(/[^a-z0-9]+/gi, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase()
    .slice(0, 60) || "nestnet";

/** Rows of texts as CSV. */
export function toCsv(rows) {
  const cell = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  return `${rows.map((row) => row.map((value) => cell(value ?? "")).join(",")).join("\n")}\n`;
}

/** An SVG element that needs no other file: what style sheets say is written into it. */
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const [all, copies] = [
    [svg, ...svg.querySelectorAll("*")],
    [copy, ...copy.querySelectorAll("*")],
  ];
  all.forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const name of [
      "fill",
      "fill-opacity",
      "stroke",
      "stroke-width",
      "stroke-opacity",
      "stroke-dasharray",
      "font-size",
      "font-family",
    ]) {
      copies[index].style.setProperty(name, style.getPropertyValue(name));
    }
  });
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--paper"));
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

/** SVG text as PNG, twice as fine. */
function rasterized(text) {
  return new Promise((done, fail) => {
    const image = new Image();
    image.onload = () => {
      const canvas = make("canvas", { width: String(2 * image.width), height: String(2 * image.height) });
      const pen = canvas.getContext("2d");
      pen.scale(2, 2);
      pen.drawImage(image, 0, 0);
      canvas.toBlob(done, "image/png");
    };
    image.onerror = fail;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
}

async function copied(button, text) {
  await navigator.clipboard.writeText(text).catch(() => {});
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = before;
  }, 1200);
}

/**
 * The row of buttons under what can be saved. `svg` and `png` make a picture, `rows` a table; `command` says which command
 * line makes the same.
 * @param {{ name: string, svg?: () => string, png?: () => Promise<Blob>, rows?: () => unknown[][], command?: () => string }} what
 */
export function saving({ name, svg, png, rows, command }) {
  const file = fileName(name);
  const button = (label, onclick) => make("button", { type: "button", onclick }, label);
  const line = command?.() ?? "";
  return make(
    "div",
    { class: "saving", role: "group", "aria-label": "Save and cite" },
    svg ? button("SVG", () => download(`${file}.svg`, svg(), "image/svg+xml")) : null,
    svg || png
      ? button("PNG", async () => download(`${file}.png`, await (png ? png() : rasterized(svg())), "image/png"))
      : null,
    rows ? button("CSV", () => download(`${file}.csv`, toCsv(rows()), "text/csv")) : null,
    button("Link", (event) => copied(event.target, location.href)),
    line ? button("Command", (event) => copied(event.target, line)) : null,
    line ? make("code", { class: "command" }, line) : null,
  );
}
