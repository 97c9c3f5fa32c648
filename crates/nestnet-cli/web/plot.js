// Points and curves over two axes, as SVG that can be read and pointed at.

const SPACE = "http://www.w3.org/2000/svg";

function node(name, attributes, text) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Round numbers between two ends. */
function ticks(low, high) {
  const rough = (high - low || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((by) => by * power).find((size) => size >= rough);
  const all = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-6; at += step) all.push(Number(at.toPrecision(12)));
  return all;
}

const written = (value) => (Math.abs(value) >= 1e5 ? value.toExponential(1) : String(Number(value.toPrecision(4))));

/**
 * A plot of `points` ({x, y, label, mine}) and `curves` ({color, points}). `axes` names both; `pick` receives which point
 * was chosen, `tell` which is pointed at.
 */
export function plot({ points = [], curves = [], axes, pick, tell, fromZero = false }) {
  const [width, height, left, bottom] = [640, 400, 62, 46];
  const all = [...points, ...curves.flatMap((curve) => curve.points)].filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  const svg = node("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `${axes[1]} over ${axes[0]}` });
  const range = (key) => {
    const values = all.map((point) => point[key]);
    let [low, high] = [Math.min(...values), Math.max(...values)];
    if (!values.length) [low, high] = [0, 1];
    if (fromZero) low = Math.min(0, low);
    const edge = (high - low || Math.abs(high) || 1) * 0.06;
    return [fromZero && low === 0 ? 0 : low - edge, high + edge];
  };
  const [[x0, x1], [y0, y1]] = [range("x"), range("y")];
  const across = (x) => left + ((x - x0) / (x1 - x0)) * (width - left - 16);
  const down = (y) => height - bottom - ((y - y0) / (y1 - y0)) * (height - bottom - 16);
  for (const x of ticks(x0, x1)) {
    svg.append(node("line", { class: "grid", x1: across(x), x2: across(x), y1: 16, y2: height - bottom }),
      node("text", { x: across(x), y: height - bottom + 17, "text-anchor": "middle" }, written(x)));
  }
  for (const y of ticks(y0, y1)) {
    svg.append(node("line", { class: "grid", x1: left, x2: width - 16, y1: down(y), y2: down(y) }),
      node("text", { x: left - 7, y: down(y) + 4, "text-anchor": "end" }, written(y)));
  }
  svg.append(node("path", { class: "axis", d: `M${left} 16V${height - bottom}H${width - 16}` }),
    node("text", { x: (left + width) / 2, y: height - 8, "text-anchor": "middle" }, axes[0]),
    node("text", { x: 14, y: 11 }, axes[1]));
  for (const { color, points: line } of curves) {
    const drawn = line.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
    const path = drawn.map(({ x, y }, index) => `${index ? "L" : "M"}${across(x)} ${down(y)}`).join("");
    if (path) svg.append(node("path", { class: "curve", d: path, stroke: color }));
    for (const { x, y } of drawn) svg.append(node("circle", { cx: across(x), cy: down(y), r: 3.5, fill: color }));
  }
  for (const point of all.filter((point) => point.label)) {
    const dot = node("circle", { class: `dot${point.mine ? " mine" : ""}`, cx: across(point.x), cy: down(point.y), r: 6, tabindex: 0, role: "button", "aria-label": point.label });
    dot.append(node("title", {}, point.label));
    dot.addEventListener("click", () => pick?.(point));
    dot.addEventListener("keydown", (event) => { if (event.key === "Enter") pick?.(point); });
    for (const kind of ["pointerenter", "focus"]) dot.addEventListener(kind, () => tell?.(point));
    svg.append(dot);
  }
  return svg;
}
