// Points and curves over two axes, as SVG that can be read, pointed at and saved.

import { themed } from "/palette.js";

const SPACE = "http://www.w3.org/2000/svg";

/** Shapes of series, so that no reader depends on colors; one less than these, so that both do not start again together. */
const SHAPES = ["circle", "square", "triangle", "diamond", "downwards", "pentagon", "hourglass"];

/** How large a point is. */
const RADIUS = 5;

/** The color of a series by its number, which the style sheet has for light and dark. */
export const colorOf = (index) => themed("series", index);

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
  // Numbers that differ by rounding alone are one.
  const far = Math.max(Math.abs(low), Math.abs(high));
  const span = (high - low > 1e-9 * far ? high - low : far) || 1;
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((by) => by * power).find((size) => size >= rough * 0.999999);
  const from = Math.floor(low / step + 1e-9);
  const to = Math.max(Math.ceil(high / step - 1e-9), from + 1);
  const ticks = Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toPrecision(12)));
  return { low: ticks[0], high: ticks[ticks.length - 1], ticks };
}

/** Numbers at ticks: short, distinct, and with thin spaces between thousands. */
function written(ticks) {
  const far = Math.max(...ticks.map(Math.abs));
  const digits = Math.min(15, Math.max(6, Math.ceil(Math.log10(far / (ticks[1] - ticks[0]))) + 1));
  return ticks.map((value) => {
    if (value !== 0 && (Math.abs(value) >= 1e7 || Math.abs(value) < 1e-4))
      return String(Number(value.toPrecision(digits)).toExponential()).replace("e+", "e");
    const text = String(Number(value.toPrecision(digits)));
    const [whole, part] = text.split(".");
    const spaced = whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
    return part ? `${spaced}.${part}` : spaced;
  });
}

/** A polygon with corners at parts of a turn from the top. */
function polygon(corners) {
  const at = ([turn, far]) =>
    `${(far * Math.sin(turn * 2 * Math.PI)).toFixed(2)} ${(-far * Math.cos(turn * 2 * Math.PI)).toFixed(2)}`;
  return `M${corners.map(at).join("L")}Z`;
}

/** Corners that are equally far around the middle. */
const around = (count, far, turn = 0) => Array.from({ length: count }, (_, i) => [turn + i / count, far]);

/** The outline of a marker of a shape around the middle. */
function outline(shape, r) {
  const flat = (0.85 * r).toFixed(2);
  switch (shape) {
    case "star":
      return polygon(Array.from({ length: 10 }, (_, i) => [i / 10, r * (i % 2 ? 0.75 : 1.8)]));
    case "square":
      return `M-${flat} -${flat}H${flat}V${flat}H-${flat}Z`;
    case "triangle":
      return polygon(around(3, 1.25 * r));
    case "downwards":
      return polygon(around(3, 1.25 * r, 0.5));
    case "diamond":
      return polygon(around(4, 1.2 * r));
    case "pentagon":
      return polygon(around(5, 1.1 * r));
    case "hourglass":
      return `M-${flat} -${flat}H${flat}L-${flat} ${flat}H${flat}Z`;
    default:
      return `M${-0.9 * r} 0a${0.9 * r} ${0.9 * r} 0 1 0 ${1.8 * r} 0a${0.9 * r} ${0.9 * r} 0 1 0 ${-1.8 * r} 0Z`;
  }
}

/** Strokes through the middle, at these parts of a turn. */
const strokes = (turns, r) =>
  turns.map((turn) => polygon([turn, turn + 0.5].map((end) => [end, 1.25 * r])).slice(0, -1)).join("");

/** Looks in which a number is what a longer measurement would find as well. */
const isSettled = ({ look = "filled" }) => look === "filled" || look === "hollow";

/** A marker; what is less certain of a point is seen by its look. */
function marker(look, shape, color, attributes = {}) {
  const place = { "stroke-width": 1.6, "stroke-linejoin": "round", "stroke-linecap": "round", ...attributes };
  switch (look) {
    case "cross":
      return node("path", { ...place, d: strokes([1 / 8, 3 / 8], RADIUS), fill: "none", stroke: color });
    case "asterisk":
      return node("path", { ...place, d: strokes([0, 1 / 8, 3 / 8], RADIUS), fill: "none", stroke: color });
    case "hollow":
      return node("path", { ...place, d: outline(shape, RADIUS), fill: "var(--paper)", stroke: color });
    default:
      // The stroke keeps points apart that lie over each other.
      return node("path", {
        ...place,
        d: outline(shape, RADIUS),
        fill: color,
        stroke: "var(--paper)",
        "stroke-width": 1,
      });
  }
}

/** An arrow from the end of the axis to where a point would be. */
const arrow = (color, attributes = {}) =>
  node("path", {
    ...attributes,
    class: "arrow",
    d: "M0 -7v-9m-3.5 4l3.5 -4l3.5 4",
    fill: "none",
    stroke: color,
    "stroke-width": 1.6,
  });

/** What measures letters. */
const pen = document.createElement("canvas").getContext("2d");

/** How wide a text is in a plot. */
function wide(text) {
  pen.font = "12px system-ui, sans-serif";
  return pen.measureText(text).width;
}

/** A text that is no wider. */
function cut(text, most) {
  if (wide(text) <= most) return text;
  let length = text.length;
  while (length > 1 && wide(`${text.slice(0, length)}…`) > most) length -= 1;
  return `${text.slice(0, length)}…`;
}

const hasNumbers = ({ x, y }) => Number.isFinite(x) && (Number.isFinite(y) || y === Infinity);

/**
 * The part of a line from one point of the picture to another that is not above `top`, or null.
 * @param {number[]} a
 * @param {number[]} b
 * @param {number} top
 */
function below(a, b, top) {
  const leaving = (inside, outside) => {
    const part = Number.isFinite(outside[1]) ? (inside[1] - top) / (inside[1] - outside[1]) : 1;
    return [inside[0] + part * (outside[0] - inside[0]), top];
  };
  if (a[1] < top && b[1] < top) return null;
  if (b[1] < top) return [a, leaving(a, b)];
  if (a[1] < top) return [leaving(b, a), b];
  return [a, b];
}

/**
 * A plot of series. Each has a `name` and `points` ({x, y, low, high, label, look, star, tag}): `low` and `high` are drawn
 * as a bar, `label` is what is said of the point, `tag` is written beside it; `look` is filled, hollow, cross or asterisk.
 * A series with `line` is joined, dashed where its numbers are not settled; `end` is where a vertical line stands, with its
 * text. `axes` has both titles, with units; `key` is what looks mean, `bars` what bars are, `verticals` what lines are. What is above `most` is an arrow
 * at the end of the axis.
 * @param {{ series: any[], axes: [string, string], key?: [string, string][], bars?: string, verticals?: string, pick?: (point: any) => void, tell?: (point: any) => void, most?: number }} what
 */
export function plot({ series, axes, key = [], bars = "", verticals = "", pick, tell, most = Infinity }) {
  // On a phone the letters stay as large as they are.
  const narrow = innerWidth < 640;
  const width = narrow ? 350 : 720;
  const all = series.flatMap((one) => one.points).filter(hasNumbers);
  const isCut = all.some(({ y }) => y > most);
  const ends = series.filter((one) => Number.isFinite(one.end?.x));
  const [across, up] = axesOf(all, ends, most, narrow ? 4 : 6);
  const [along, numbers] = [written(across.ticks), written(up.ticks)];
  const right = Math.max(narrow ? 14 : 24, wide(along[along.length - 1]) / 2 + 2);
  const left = Math.max(narrow ? 40 : 50, Math.max(...numbers.map(wide)) + 16);
  // Arrows need some room.
  const [top, ground] = isCut ? [48, narrow ? 290 : 390] : [34, narrow ? 276 : 376];
  const x = (value) => left + ((value - across.low) / (across.high - across.low)) * (width - left - right);
  const y = (value) => ground - ((value - up.low) / (up.high - up.low)) * (ground - top);
  const svg = node("svg", { class: "plot", role: "group", "aria-label": `${axes[1]} over ${axes[0]}` });
  along.forEach((text, i) => {
    const at = x(across.ticks[i]);
    svg.append(
      node("line", { class: "grid", x1: at, x2: at, y1: top, y2: ground }),
      node("text", { x: at, y: ground + 18, "text-anchor": "middle" }, text),
    );
  });
  numbers.forEach((text, i) => {
    const at = y(up.ticks[i]);
    svg.append(
      node("line", { class: "grid", x1: left, x2: width - right, y1: at, y2: at }),
      node("text", { x: left - 8, y: at + 4, "text-anchor": "end" }, text),
    );
  });
  svg.append(
    node("path", { class: "axis", d: `M${left} ${top}V${ground}H${width - right}` }),
    node("text", { class: "title", x: (left + width - right) / 2, y: ground + 40, "text-anchor": "middle" }, axes[0]),
    node("text", { class: "title", x: 10, y: 18 }, axes[1]),
  );
  const marks = [];
  // Whether some bar is drawn, and whether one goes on above the axis.
  let [barred, open] = [false, false];
  series.forEach((one, index) => {
    const [color, shape] = [one.color ?? colorOf(index), one.shape ?? SHAPES[index % SHAPES.length]];
    const points = one.points.filter(hasNumbers);
    if (one.line) svg.append(...curve(points, color, (point) => [x(point.x), y(point.y)], top));
    if (ends.includes(one)) {
      const at = x(one.end.x);
      svg.append(node("line", { class: "end", x1: at, x2: at, y1: top, y2: ground, stroke: color }));
    }
    for (const point of points) {
      marks.push({ point, color, shape: point.star ? "star" : shape, look: point.look ?? "filled" });
      if (point.y > up.high || point.high === undefined) continue;
      const [at, from, to] = [x(point.x), Math.min(y(point.low), ground), Math.max(y(point.high), top)];
      // One that is shorter than its point would not be seen.
      if (from - to <= 2 * RADIUS) continue;
      const longer = y(point.high) < top;
      [barred, open] = [true, open || longer];
      svg.append(
        node("path", { class: "bar", d: `M${at - 4} ${from}h8m-4 0V${to}${longer ? "" : "m-4 0h8"}`, stroke: color }),
      );
    }
  });
  // Stars last, so that nothing lies over them.
  marks.sort((a, b) => Number(Boolean(a.point.star)) - Number(Boolean(b.point.star)));
  const height = (point) => y(Math.min(point.y, up.high));
  const boxes = marks.map(({ point }) => [x(point.x) - 6, height(point) - 6, x(point.x) + 6, height(point) + 6]);
  const taken = [[0, 0, 14 + wide(axes[1]), 24], [0, top, left, ground], [0, ground, width, ground + 44], ...boxes];
  for (const { point, color, shape, look } of marks) {
    const transform = `translate(${x(point.x).toFixed(1)} ${height(point).toFixed(1)})`;
    if (point.y > up.high) svg.append(arrow(color, { transform }));
    const place = { class: `dot${point.star ? " star" : ""}`, "data-look": look, transform };
    const spoken = { tabindex: 0, role: pick ? "button" : "img", "aria-label": point.label };
    const dot = marker(look, shape, color, point.label && tell ? { ...place, ...spoken } : place);
    if (point.label) dot.append(node("title", {}, point.label));
    dot.addEventListener("click", () => pick?.(point));
    dot.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Enter") pick?.(point);
    });
    for (const kind of ["pointerenter", "focus"]) dot.addEventListener(kind, () => tell?.(point));
    svg.append(dot);
    if (point.tag) tagged(svg, point.tag, x(point.x), height(point), { width, right, taken });
  }
  if (!all.length && !ends.length)
    svg.append(node("text", { x: (left + width) / 2, y: (top + ground) / 2, "text-anchor": "middle" }, "nothing yet"));
  const above = Math.max(...all.filter((point) => point.y > up.high).map((point) => point.y));
  const entries = [
    ...(series.length > 1 || series.some((one) => one.always) ? series.map(named) : []),
    ...key
      .filter(([look]) => marks.some((mark) => mark.look === look))
      .map(([look, text]) => ({ sign: () => [marker(look, "circle", "var(--ink)")], text })),
    ...(ends.length
      ? [{ sign: () => [node("path", { class: "end", d: "M0 -8V8", stroke: "var(--ink)" })], text: verticals }]
      : []),
    ...(above === -Infinity
      ? []
      : [
          {
            sign: () => [arrow("var(--ink)", { transform: "translate(0 11)" })],
            text: Number.isFinite(above)
              ? `above the axis, up to ${written([0, Number(above.toPrecision(3))])[1]}`
              : "above the axis",
          },
        ]),
    ...(barred && bars
      ? [
          {
            sign: () => [node("path", { class: "bar", d: "M-4 6h8m-4 0v-12m-4 0h8", stroke: "var(--ink)" })],
            text: `${bars}${open ? "; open ones are longer" : ""}`,
          },
        ]
      : []),
  ];
  const under = legend(svg, entries, { left: narrow ? 10 : left, right: width - right, top: ground + 50 });
  svg.setAttribute("viewBox", `0 0 ${width} ${under}`);
  return svg;
}

/** Both axes around what is shown. */
function axesOf(all, ends, most, ticks) {
  const scaled = (values) => {
    const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
    // What is close to zero begins there; else the axis begins where the data can be read.
    return scale(low > 0 && low < 0.35 * high ? 0 : low, high, ticks);
  };
  const isNegative = all.some((point) => point.y < 0);
  // What leaves the picture does not stretch it, and a bar below zero is cut where nothing can be below zero.
  const heights = all.map((point) => point.y).filter((value) => value <= most && Number.isFinite(value));
  const bars = all
    .filter((point) => point.y <= most && point.high !== undefined)
    .flatMap(({ low, high }) => [low, high])
    .filter((value) => (isNegative || value > 0) && value <= most);
  const end = all.some((point) => point.y > most) ? [most] : [];
  return [
    scaled([...all.map((point) => point.x), ...ends.map((one) => one.end.x)]),
    scaled([...heights, ...bars, ...end]),
  ];
}

/** A joined line: solid between points that are settled, else dashed; up to the end of the axis where it goes on above. */
function curve(points, color, at, top) {
  const paths = ["", ""];
  points.slice(1).forEach((point, i) => {
    const shown = below(at(points[i]), at(point), top);
    if (!shown) return;
    const [from, to] = shown.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
    paths[isSettled(points[i]) && isSettled(point) ? 0 : 1] += `M${from}L${to}`;
  });
  return paths.flatMap((d, i) => (d ? [node("path", { class: i ? "curve dashed" : "curve", d, stroke: color })] : []));
}

/** How a series is explained. */
function named(one, index) {
  const [color, shape] = [one.color ?? colorOf(index), one.shape ?? SHAPES[index % SHAPES.length]];
  const line = () => (one.line ? [node("path", { class: "curve", d: "M-12 0H12", stroke: color })] : []);
  return {
    sign: () => [...line(), marker("filled", shape, color)],
    text: `${one.name}${one.end ? `, ${one.end.text}` : ""}`,
  };
}

/**
 * Writes what is explained, in rows from `top` on; where they end.
 * @param {SVGElement} svg
 * @param {{ sign: () => SVGElement[], text: string }[]} entries
 * @param {{ left: number, right: number, top: number }} place
 */
function legend(svg, entries, { left, right, top }) {
  const [sign, apart, leading] = [32, 18, 20];
  let [x, y] = [left, top];
  for (const entry of entries) {
    const text = cut(entry.text, right - left - sign);
    const used = sign + wide(text);
    if (x > left && x + used > right) [x, y] = [left, y + leading];
    if (y === top) y += leading;
    const drawn = node("g", { class: "key", transform: `translate(${x + 14} ${y - 4})` });
    drawn.append(...entry.sign());
    svg.append(drawn, node("text", { x: x + sign, y }, text));
    x += used + apart;
  }
  return y + 12;
}

/** Writes beside a point, where it hides no other text. */
function tagged(svg, text, x, y, { width, right, taken }) {
  const long = wide(text);
  const places = [
    [x + 12, y - 6],
    [x - 12 - long, y - 6],
    [x + 12, y + 16],
    [x - 12 - long, y + 16],
    [x - long / 2, y - 16],
    [x - long / 2, y + 28],
  ];
  const free = ([left, base]) =>
    left > 4 &&
    left + long < width - right + 20 &&
    base > 12 &&
    !taken.some((box) => left < box[2] && box[0] < left + long && base - 12 < box[3] && box[1] < base + 3);
  const place = places.find(free);
  if (!place) return;
  taken.push([place[0], place[1] - 12, place[0] + long, place[1] + 3]);
  svg.append(node("text", { class: "tag", x: place[0], y: place[1] }, text));
}
