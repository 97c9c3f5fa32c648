// Where does one begin? Three entries, and a picture of every family.

import { ask, fill, grouped, isStopped, make } from "/ask.js";
import { themed } from "/palette.js";
import { link } from "/state.js";

const place = document.getElementById("start");
const SPACE = "http://www.w3.org/2000/svg";
/** A network that no list could hold. */
const LARGE = "rdn(torus(5, 5), 4)";
let made = false;
let queue = Promise.resolve();

/** The page on which one begins. */
export async function show() {
  if (made) return;
  const entry = (href, title, text) =>
    make("a", { class: "entry", href }, make("strong", {}, title), make("span", {}, text));
  const board = make("div", { id: "gallery" });
  fill(
    place,
    make("h2", {}, "Networks nested in networks"),
    make(
      "nav",
      { class: "entries", "aria-label": "Entries" },
      entry(
        link({ view: "explore", spec: LARGE }),
        "Show me a network",
        "Type one, walk into its clusters, watch messages. The first has 7.6·10²⁶ nodes.",
      ),
      entry(
        link({ view: "decide" }),
        "Choose one for me",
        "Say how many hosts; see which networks are worth their price, and why.",
      ),
      entry(link({ view: "check" }), "Check a paper", "What papers say, measured again, with what contradicts it."),
    ),
    board,
  );
  const { families } = await ask("families", {}, "gallery");
  made = true;
  const groups = new Map();
  for (const family of families.filter(({ alias, examples }) => !alias && examples.length)) {
    groups.set(family.title, [...(groups.get(family.title) ?? []), family]);
  }
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        // One after the other, so that what is asked for by a click does not wait.
        queue = queue.then(() => sketch(target));
      }
    },
    { rootMargin: "120px" },
  );
  const sections = [...groups].map(([title, members]) =>
    make(
      "section",
      { "aria-label": title },
      make("h3", {}, title),
      make(
        "ul",
        { class: "thumbs" },
        ...members.map((family) => {
          const spec = family.examples[0];
          const item = make(
            "a",
            { class: "thumb", href: link({ view: "explore", spec }), title: family.about, "data-spec": spec },
            make("span", { class: "sketch", "aria-hidden": "true" }),
            make("code", {}, spec),
          );
          watcher.observe(item);
          return make("li", {}, item);
        }),
      ),
    ),
  );
  fill(board, ...sections);
}

/** Draws a thumbnail, if the network can be drawn. */
async function sketch(item) {
  const frame = item.querySelector(".sketch");
  try {
    const view = await ask("view", { spec: item.dataset.spec, most: 120 }, "thumbnail");
    frame.append(thumbnail(view));
    item.title = `${item.title} ${grouped(view.nodes)} nodes, ${grouped(view.links)} links.`;
    item.dataset.drawn = "1";
  } catch (error) {
    // What needs a file of the reader, or too long, has no place here.
    if (!isStopped(error)) item.parentElement.remove();
  }
}

/** A view as a small picture. */
function thumbnail(view) {
  const points = view.spots.map((spot) => spot.at);
  const bend = (line) =>
    [0, 1].map((k) => (view.spots[line[0]].at[k] + view.spots[line[1]].at[k]) / 2 + (line[4 + k] ?? 0));
  const all = [...points, ...view.lines.map(bend)];
  const side = (k) => [Math.min(...all.map((at) => at[k])), Math.max(...all.map((at) => at[k]))];
  const [[left, right], [top, bottom]] = [side(0), side(1)];
  const size = Math.max(right - left, bottom - top, 1) * 1.12;
  const [x, y] = [(left + right) / 2 - size / 2, (top + bottom) / 2 - size / 2];
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("viewBox", `${x} ${y} ${size} ${size}`);
  const add = (name, attributes) => {
    const element = document.createElementNS(SPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    svg.append(element);
  };
  const levels = new Map();
  for (const line of view.lines) {
    const [a, b] = [points[line[0]], points[line[1]]];
    const [cx, cy] = [0, 1].map((k) => (a[k] + b[k]) / 2 + 2 * (line[4 + k] ?? 0));
    levels.set(line[2], `${levels.get(line[2]) ?? ""}M${a[0]} ${a[1]}Q${cx} ${cy} ${b[0]} ${b[1]}`);
  }
  for (const [level, path] of levels)
    add("path", {
      d: path,
      fill: "none",
      stroke: themed("level", level),
      "stroke-width": size / 190,
      "stroke-opacity": view.lines.length > 400 ? 0.35 : 0.9,
    });
  const r = Math.min(size / 26, (0.32 * size) / Math.sqrt(points.length + 3));
  const folded = view.layers.length !== view.shown;
  for (const [index, [cx, cy]] of points.entries()) {
    const host = view.spots[index].host;
    if (host === false) add("rect", { x: cx - r, y: cy - r, width: 2 * r, height: 2 * r, fill: "var(--dot)" });
    else
      add("circle", {
        cx,
        cy,
        r,
        fill: folded ? "var(--cell)" : "var(--dot)",
        stroke: folded ? "var(--quiet)" : "none",
        "stroke-width": size / 260,
      });
  }
  return svg;
}
