// Plots, drawn by the library of the program, with points that can be read, pointed at and picked.

import { fill, isStopped, make, post } from "/ask.js";

/** Plots as they were drawn last, by name: they are shown until the next ones are there. */
const drawn = new Map();

/** How wide a plot is, in pixels, about as there is room for it: letters stay as large as they are. */
const wide = () => (innerWidth < 640 ? 350 : innerWidth < 1200 ? 720 : 940);

/** The plot of a name as the program draws it; `form` is how. */
const asked = ({ title, plot }, form) => post(`/api/plot/${form}`, { wide: wide(), title, plot });

/**
 * A plot in an element of its own, which is filled when it is drawn. `plot` is what the program draws, under `front` or
 * `latency`; its points are known by their ids. `tell` gets the id of a point that is looked at, `pick` that of one that is
 * chosen.
 * @param {{ name: string, title: string, plot: any, tell: (id: string) => void, pick?: (id: string) => void }} what
 */
export function plot(what) {
  const place = make("div", { class: "plot" }, drawn.get(what.name)?.cloneNode(true));
  asked(what, "page")
    .then(async (answer) => {
      const parsed = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
      /** @type {any} */
      const svg = document.importNode(parsed.documentElement, true);
      drawn.set(what.name, svg.cloneNode(true));
      prepare(svg, what);
      fill(place, svg);
    })
    .catch((error) => {
      if (!isStopped(error)) fill(place, make("p", { class: "wrong" }, error.message));
    });
  return place;
}

/**
 * Makes the points of a plot listen.
 * @param {SVGElement} svg
 * @param {{ title: string, tell: (id: string) => void, pick?: (id: string) => void }} what
 */
function prepare(svg, { title, tell, pick }) {
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", title);
  for (const dot of /** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll("[data-id]"))) {
    const { id } = dot.dataset;
    dot.classList.add("dot");
    dot.setAttribute("tabindex", "0");
    dot.setAttribute("role", pick ? "button" : "img");
    dot.setAttribute("aria-label", dot.querySelector("title")?.textContent ?? "");
    for (const kind of ["pointerenter", "focus"]) dot.addEventListener(kind, () => tell(id));
    if (!pick) continue;
    dot.addEventListener("click", () => pick(id));
    dot.addEventListener("keydown", (event) => {
      if (event.key === "Enter") pick(id);
    });
  }
}

/**
 * The files of a plot: the ending of each, and what makes it. `forms` are those that the program writes.
 * @param {{ title: string, plot: any }} what
 * @param {string[]} forms
 * @returns {[string, () => Promise<Blob>][]}
 */
export const files = (what, forms) =>
  forms.map((form) => [form, () => asked(what, form).then((answer) => answer.blob())]);
