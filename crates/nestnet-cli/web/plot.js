// Points and curves over two axes, as SVG that can be read, pointed at and saved.

const SPACE = "http://www.w3.org/2000/svg";

/** Colors and shapes of series, so that no reader depends on one of them. */
const COLORS = ["#2a7ab0", "#c8553d", "#3f8f4a", "#9457b0", "#b97a14", "#0f8a86", "#a8466f", "#6b7a8f"];
const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "plus"];

/** The color of a series by its number. */
export const colorOf = (index) => COLORS[index % COLORS.length];

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function node(name, attributes, text) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Ends and steps of an axis: steps are 1, 2 or 5 times a power of ten, and ends are steps. */
export function scale(low, high, most = 6) {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((by) => by * power).find((size) => size >= rough * 0.999999);
  const [from, to] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
  const end = to > from ? to : from + step;
  const ticks = [];
  for (let at = from; at <= end + step * 1e-6; at += step) ticks.push(Number(at.toPrecision(12)));
  return { low: from, high: end, ticks };
}

/** A number at a tick: short, and with thin spaces between thousands. */
function written(value) {
  if (value !== 0 && (Math.abs(value) >= 1e7 || Math.abs(value) < 1e-4))
    return value.toExponential(0).replace("e+", "e");
  const text = String(Number(value.toPrecision(6)));
  const [whole, part] = text.split(".");
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return part ? `${spaced}.${part}` : spaced;
}

/** The outline of a marker of a shape around the middle. */
function outline(shape, r) {
  const polygon = (points) => `M${points.map(([x, y]) => `${(x * r).toFixed(2)} ${(y * r).toFixed(2)}`).join("L")}Z`;
  if (shape === "star") {
    return polygon(
      Array.from({ length: 10 }, (_, i) => {
        const [turn, far] = [(i * Math.PI) / 5, i % 2 ? 0.75 : 1.8];
        return [far * Math.sin(turn), -far * Math.cos(turn)];
      }),
    );
  }
  if (shape === "square")
    return polygon([
      [-0.9, -0.9],
      [0.9, -0.9],
      [0.9, 0.9],
      [-0.9, 0.9],
    ]);
  if (shape === "triangle")
    return polygon([
      [0, -1.2],
      [1.1, 0.8],
      [-1.1, 0.8],
    ]);
  if (shape === "diamond")
    return polygon([
      [0, -1.3],
      [1.3, 0],
      [0, 1.3],
      [-1.3, 0],
    ]);
  if (shape === "cross")
    return polygon([
      [-1, -0.6],
      [-0.6, -1],
      [0, -0.4],
      [0.6, -1],
      [1, -0.6],
      [0.4, 0],
      [1, 0.6],
      [0.6, 1],
      [0, 0.4],
      [-0.6, 1],
      [-1, 0.6],
      [-0.4, 0],
    ]);
  if (shape === "plus")
    return polygon([
      [-0.3, -1.1],
      [0.3, -1.1],
      [0.3, -0.3],
      [1.1, -0.3],
      [1.1, 0.3],
      [0.3, 0.3],
      [0.3, 1.1],
      [-0.3, 1.1],
      [-0.3, 0.3],
      [-1.1, 0.3],
      [-1.1, -0.3],
      [-0.3, -0.3],
    ]);
  return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

const finite = ({ x, y }) => Number.isFinite(x) && Number.isFinite(y);

/**
 * A plot of series. Each has a `name` and `points` ({x, y, low, high, label, star, tag}): `low` and `high` are drawn as a
 * bar, `label` is what is said of the point, `tag` is written beside it. A series with `line` is joined; `end` is where a
 * vertical line stands, with its text. `axes` has both titles, with units.
 * @param {{ series: any[], axes: [string, string], pick?: (point: any) => void, tell?: (point: any) => void, fromZero?: boolean, most?: number, logarithmic?: boolean }} what
 */
export function plot({ series, axes, pick, tell, fromZero = false, most, logarithmic = false }) {
  // On a phone the letters stay as large as they are.
  const narrow = innerWidth < 640;
  const [width, left, right, top, bottom] = narrow ? [350, 52, 14, 34, 54] : [720, 74, 24, 34, 54];
  const columns = narrow ? 1 : 2;
  const shown = series.filter((one) => one.points.some(finite) || one.end);
  const legend = series.length > 1 || series.some((one) => one.always) ? series : [];
  const rows = Math.ceil(legend.length / columns);
  const height = (narrow ? 330 : 430) + rows * 20;
  const ground = height - bottom - rows * 20;
  const all = series.flatMap((one) => one.points).filter(finite);
  const svg = node("svg", {
    class: "plot",
    viewBox: `0 0 ${width} ${height}`,
    role: "group",
    "aria-label": `${axes[1]} over ${axes[0]}`,
  });
  const ends = (key) => {
    // What leaves the picture does not stretch it, and a bar below zero is cut where nothing can be below zero.
    const read = all.filter((point) => key === "x" || most === undefined || point.y <= most);
    const least = read.some((point) => point.y < 0) ? -Infinity : 0;
    const values = read.flatMap((point) =>
      key === "y" ? [point.y, Math.max(least, point.low ?? point.y), point.high ?? point.y] : [point.x],
    );
    if (key === "x")
      series.forEach((one) => {
        if (one.end) values.push(one.end.x);
      });
    let [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
    if (key === "y" && most !== undefined) high = Math.min(high, most);
    // What is close to zero, or asked to, begins there; else the axis begins where the data can be read.
    if (fromZero || (low > 0 && low < 0.35 * high)) low = Math.min(0, low);
    return scale(low, high, narrow ? 4 : 6);
  };
  const [across, up] = [ends("x"), ends("y")];
  const log = logarithmic && all.every((point) => point.y > 0);
  if (log) {
    const values = all.map((point) => point.y);
    const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
    const powers = Array.from({ length: Math.max(1, high - low) + 1 }, (_, i) => low + i);
    Object.assign(up, {
      low: 10 ** low,
      high: 10 ** Math.max(high, low + 1),
      ticks: powers
        .flatMap((power) => [1, 2, 5].map((by) => by * 10 ** power))
        .filter((value) => value <= 10 ** Math.max(high, low + 1)),
    });
  }
  const x = (value) => left + ((value - across.low) / (across.high - across.low)) * (width - left - right);
  const y = (value) => {
    const part = log ? Math.log(value / up.low) / Math.log(up.high / up.low) : (value - up.low) / (up.high - up.low);
    return ground - Math.max(0, Math.min(1, part)) * (ground - top);
  };
  for (const at of across.ticks) {
    svg.append(
      node("line", { class: "grid", x1: x(at), x2: x(at), y1: top, y2: ground }),
      node("text", { x: x(at), y: ground + 18, "text-anchor": "middle" }, written(at)),
    );
  }
  for (const at of up.ticks) {
    svg.append(
      node("line", { class: "grid", x1: left, x2: width - right, y1: y(at), y2: y(at) }),
      node("text", { x: left - 8, y: y(at) + 4, "text-anchor": "end" }, written(at)),
    );
  }
  svg.append(
    node("path", { class: "axis", d: `M${left} ${top}V${ground}H${width - right}` }),
    node("text", { class: "title", x: (left + width - right) / 2, y: ground + 40, "text-anchor": "middle" }, axes[0]),
    node("text", { class: "title", x: 10, y: 18 }, axes[1]),
  );
  const marks = [];
  series.forEach((one, index) => {
    const [color, shape] = [one.color ?? colorOf(index), one.shape ?? SHAPES[index % SHAPES.length]];
    const points = one.points.filter(finite);
    if (one.line && points.length > 1) {
      const out = points.findIndex((point) => point.y > up.high);
      const inside = out < 0 ? points : points.slice(0, out);
      // Where it leaves the picture at its top.
      if (out > 0) {
        const [last, next] = [points[out - 1], points[out]];
        inside.push({ x: last.x + ((up.high - last.y) / (next.y - last.y)) * (next.x - last.x), y: up.high });
      }
      svg.append(
        node("path", {
          class: "curve",
          d: inside.map((point, i) => `${i ? "L" : "M"}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`).join(""),
          stroke: color,
        }),
      );
    }
    if (one.end && Number.isFinite(one.end.x)) {
      svg.append(
        node("line", { class: "end", x1: x(one.end.x), x2: x(one.end.x), y1: top, y2: ground, stroke: color }),
      );
    }
    for (const point of points) {
      if (most !== undefined && point.y > up.high) continue;
      if (point.high !== undefined && y(point.low) - y(point.high) > 3) {
        const [at, from, to] = [x(point.x), y(point.low), y(point.high)];
        svg.append(node("path", { class: "bar", d: `M${at - 4} ${from}h8m-4 0V${to}m-4 0h8`, stroke: color }));
      }
      marks.push({ point, color, shape: point.star ? "star" : shape });
    }
  });
  // Stars last, so that nothing lies over them.
  marks.sort((a, b) => Number(Boolean(a.point.star)) - Number(Boolean(b.point.star)));
  const taken = marks.map(({ point }) => [x(point.x) - 6, y(point.y) - 6, x(point.x) + 6, y(point.y) + 6]);
  for (const { point, color, shape } of marks) {
    const place = {
      class: `dot${point.star ? " star" : ""}`,
      d: outline(shape, 5.5),
      transform: `translate(${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)})`,
      fill: color,
    };
    const dot = node(
      "path",
      point.label && pick ? { ...place, tabindex: 0, role: "button", "aria-label": point.label } : place,
    );
    if (point.label) dot.append(node("title", {}, point.label));
    dot.addEventListener("click", () => pick?.(point));
    dot.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Enter") pick?.(point);
    });
    for (const kind of ["pointerenter", "focus"]) dot.addEventListener(kind, () => tell?.(point));
    svg.append(dot);
    if (point.tag) tagged(svg, point.tag, x(point.x), y(point.y), { width, right, taken });
  }
  legend.forEach((one, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const [at, line] = [left + column * ((width - left - right) / columns), height - rows * 20 + row * 20 + 8];
    svg.append(
      node("path", {
        class: "key",
        d: outline(one.shape ?? SHAPES[index % SHAPES.length], 5),
        transform: `translate(${at + 6} ${line - 4})`,
        fill: one.color ?? colorOf(index),
      }),
      node(
        "text",
        { x: at + 18, y: line },
        `${one.name.length > 36 ? `${one.name.slice(0, 34)}…` : one.name}${one.end ? `, ${one.end.text} (dashed)` : ""}`,
      ),
    );
  });
  if (!shown.length)
    svg.append(node("text", { x: (left + width) / 2, y: (top + ground) / 2, "text-anchor": "middle" }, "nothing yet"));
  return svg;
}

/** Writes beside a point, where it hides no other text. */
function tagged(svg, text, x, y, { width, right, taken }) {
  const wide = text.length * 6.4;
  const places = [
    [x + 12, y - 6],
    [x - 12 - wide, y - 6],
    [x + 12, y + 16],
    [x - 12 - wide, y + 16],
    [x - wide / 2, y - 16],
    [x - wide / 2, y + 28],
  ];
  const free = ([left, base]) =>
    left > 4 &&
    left + wide < width - right + 20 &&
    base > 12 &&
    !taken.some((box) => left < box[2] && box[0] < left + wide && base - 12 < box[3] && box[1] < base + 3);
  const place = places.find(free);
  if (!place) return;
  taken.push([place[0], place[1] - 12, place[0] + wide, place[1] + 3]);
  svg.append(node("text", { class: "tag", x: place[0], y: place[1] }, text));
}
