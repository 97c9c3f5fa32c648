// How is a view drawn, and what is under the pointer? Dots, bundles and borders on a canvas, moved by d3-zoom.

const TAU = 2 * Math.PI;
/** A cell that is scrolled to this part of the canvas is entered; a picture smaller than that is left. */
const ENTER = 0.3;
const LEAVE = 0.55;
/** After a step the wheel still turns. */
const REST = 500;

/** A picture on `canvas`. `does` has what happens: pick, enter, leave, hover. */
export function picture(canvas, does) {
  const pen = canvas.getContext("2d");
  let scene = null;
  let marks = {};
  let selected = "";
  let groups = null;
  let transform = d3.zoomIdentity;
  let rested = 0;
  let frame = 0;
  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });

  const zoom = d3.zoom().scaleExtent([0.3, 400])
    .filter((event) => !event.button && event.type !== "dblclick")
    .on("zoom", (event) => {
      transform = event.transform;
      ask();
      if (event.sourceEvent && performance.now() > rested) through(event.sourceEvent);
    });
  d3.select(canvas).call(zoom);

  /** Scrolling goes into a cell and out of it. */
  function through(event) {
    if (!scene) return;
    const { width, height } = size();
    const unit = scene.scale * transform.k;
    if (transform.k < LEAVE && scene.path !== "") return step(() => does.leave());
    if (unit * scene.room < ENTER * Math.min(width, height)) return;
    const box = canvas.getBoundingClientRect();
    const point = event.clientX === undefined ? [width / 2, height / 2] : [event.clientX - box.left, event.clientY - box.top];
    const spot = at(point, unit * scene.room * 0.6);
    if (spot) step(() => does.enter(spot));
  }

  function step(what) {
    rested = performance.now() + REST;
    what();
  }

  function toScreen([x, y]) {
    return [transform.applyX((x - scene.middle[0]) * scene.scale + scene.center[0]),
      transform.applyY((y - scene.middle[1]) * scene.scale + scene.center[1])];
  }

  /** The spot nearest to a point of the canvas, if it is near. */
  function at(point, reach) {
    let best = null;
    let least = reach ?? Math.max(14, radius() + 5);
    for (const spot of scene?.spots ?? []) {
      const [x, y] = toScreen(spot.at);
      const far = Math.hypot(x - point[0], y - point[1]);
      if (far < least) [best, least] = [spot, far];
    }
    return best;
  }

  /** The line nearest to a point, if it is near. */
  function lineAt(point) {
    let best = null;
    let least = 7;
    for (const line of scene?.lines ?? []) {
      const [a, b] = [toScreen(scene.spots[line[0]].at), toScreen(scene.spots[line[1]].at)];
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const part = Math.max(0, Math.min(1, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
      const far = Math.hypot(a[0] + part * dx - point[0], a[1] + part * dy - point[1]);
      if (far < least) [best, least] = [line, far];
    }
    return best;
  }

  const radius = () => Math.max(1.3, Math.min(scene.folded ? 26 : 17, scene.scale * transform.k * scene.room * (scene.folded ? 0.3 : 0.22)));

  function fit() {
    const { width, height } = size();
    const points = [...scene.spots.map((spot) => spot.at), ...scene.borders.flatMap((border) => border.hull)];
    const xs = points.map((point) => point[0]);
    const ys = points.map((point) => point[1]);
    const [left, right] = [min(xs), max(xs)];
    const [top, bottom] = [min(ys), max(ys)];
    const edge = Math.min(36, width * 0.05);
    // Around the outermost dots there is room for themselves, for lines that bend and for labels.
    const scale = Math.min((width - 2 * edge) / (right - left + 1.2), (height - 2 * edge) / (bottom - top + 1.2), 110);
    Object.assign(scene, { middle: [(left + right) / 2, (top + bottom) / 2], center: [width / 2, height / 2], scale, room: 1 });
  }

  function colors() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    return { levels: [0, 1, 2, 3, 4, 5].map((level) => of(`--level-${level}`)), dot: of("--dot"), cell: of("--cell"), ink: of("--ink"),
      paper: of("--paper"), mark: of("--mark"), accent: of("--accent"), border: of("--border"), fill: of("--border-fill"), quiet: of("--quiet"), host: of("--host"), wrong: of("--wrong"), good: of("--good") };
  }

  function ask() {
    if (!frame) frame = requestAnimationFrame(() => { frame = 0; draw(); });
  }

  function way(a, b, bend) {
    pen.moveTo(a[0], a[1]);
    if (!bend) return pen.lineTo(b[0], b[1]);
    const unit = scene.scale * transform.k;
    // The control point lies twice as far out as the line.
    pen.quadraticCurveTo((a[0] + b[0]) / 2 + bend[0] * unit * 2, (a[1] + b[1]) / 2 + bend[1] * unit * 2, b[0], b[1]);
  }

  function draw() {
    const { width, height } = size();
    const ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      if (scene) fit();
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (!scene) return;
    const color = colors();
    const r = radius();
    const places = scene.spots.map((spot) => toScreen(spot.at));
    const faded = Boolean(marks.hops?.length || marks.spots?.size);
    drawBorders(color);
    drawLines(color, places, faded);
    drawHops(color, places, r);
    drawSpots(color, places, r, faded);
    drawLabels(color, places, r, width, height);
  }

  function drawBorders(color) {
    pen.lineWidth = 1;
    for (const border of scene.borders) {
      pen.beginPath();
      border.hull.map(toScreen).forEach(([x, y], index) => (index ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      pen.closePath();
      pen.fillStyle = color.fill;
      pen.strokeStyle = color.border;
      pen.fill();
      pen.stroke();
    }
  }

  /** Lines that look alike, found once for a view and its marks. */
  function alike() {
    const groups = new Map();
    for (const line of scene.lines) {
      const [from, to, level, links] = line;
      const ends = marks.loads || marks.failed?.size ? `${Math.min(from, to)}-${Math.max(from, to)}` : "";
      if (marks.loads?.has(ends)) continue;
      const wide = 1 + Math.min(2, Math.log10(Number(links)) / 8);
      const key = marks.failed?.has(ends) ? "failed" : `${level % 6} ${wide.toFixed(1)}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(line);
    }
    return groups;
  }

  function drawLines(color, places, faded) {
    groups ??= alike();
    for (const line of marks.loads ? scene.lines : []) {
      const load = marks.loads.get(`${Math.min(line[0], line[1])}-${Math.max(line[0], line[1])}`);
      if (load) halves(line, places, load);
    }
    const crowd = Math.min(1, 0.25 + 180 / (scene.lines.length + 1));
    for (const [key, lines] of groups) {
      const [level, wide] = key.split(" ");
      const failed = key === "failed";
      pen.beginPath();
      for (const [from, to, , , bx, by] of lines) way(places[from], places[to], bx === undefined ? null : [bx, by]);
      pen.strokeStyle = failed ? color.wrong : color.levels[level];
      pen.lineWidth = failed ? 2 : Number(wide);
      pen.setLineDash(failed ? [3, 5] : []);
      pen.globalAlpha = failed ? 1 : (faded ? 0.28 : 0.85) * crowd;
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  /** A line whose two directions have loads of their own: each colors the half at which it begins. */
  function halves([from, to], places, load) {
    const middle = [(places[from][0] + places[to][0]) / 2, (places[from][1] + places[to][1]) / 2];
    for (const [start, value] of [[Math.min(from, to), load[0]], [Math.max(from, to), load[1]]]) {
      pen.beginPath();
      way(places[start], middle, null);
      pen.strokeStyle = heat(value / marks.most);
      pen.lineWidth = 1 + 2 * (value / marks.most);
      pen.stroke();
    }
  }

  function drawHops(color, places, r) {
    for (const hop of marks.hops ?? []) {
      if (hop.from === hop.to) continue;
      const line = scene.lines.find(([a, b]) => (a === hop.from && b === hop.to) || (a === hop.to && b === hop.from));
      const bend = line && line[4] !== undefined ? [line[4], line[5]] : null;
      pen.beginPath();
      way(places[hop.from], places[hop.to], bend);
      pen.strokeStyle = hop.color ?? color.mark;
      pen.lineWidth = Math.min(hop.strong ? 5 : 3, Math.max(1.5, r));
      pen.setLineDash(hop.dashed ? [7, 5] : []);
      pen.stroke();
      pen.setLineDash([]);
      arrow(places[hop.from], places[hop.to], r, hop.color ?? color.mark, bend);
    }
  }

  function arrow(a, b, r, color, bend) {
    const unit = scene.scale * transform.k;
    const control = bend ? [(a[0] + b[0]) / 2 + 2 * bend[0] * unit, (a[1] + b[1]) / 2 + 2 * bend[1] * unit] : a;
    const [dx, dy] = [b[0] - control[0], b[1] - control[1]];
    const long = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / long, dy / long];
    const tip = [b[0] - ux * (r + 1), b[1] - uy * (r + 1)];
    const head = Math.max(4, Math.min(10, 1.6 * r));
    pen.beginPath();
    pen.moveTo(tip[0], tip[1]);
    pen.lineTo(tip[0] - head * (ux - uy / 2), tip[1] - head * (uy + ux / 2));
    pen.lineTo(tip[0] - head * (ux + uy / 2), tip[1] - head * (uy - ux / 2));
    pen.fillStyle = color;
    pen.fill();
  }

  function drawSpots(color, places, r, faded) {
    // All that look alike are one path: thousands of dots in a frame.
    const groups = new Map();
    scene.spots.forEach((spot, index) => {
      const mark = marks.spots?.get(index);
      const paint = mark ?? (scene.folded ? color.cell : scene.hasSwitches && spot.host ? color.host : color.dot);
      const key = `${paint}|${faded && !mark ? 0.45 : 1}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(index);
    });
    const { width, height } = size();
    for (const [key, indexes] of groups) {
      const [paint, alpha] = key.split("|");
      pen.beginPath();
      for (const index of indexes) {
        const [x, y] = places[index];
        if (x < -r || y < -r || x > width + r || y > height + r) continue;
        if (scene.spots[index].host === false) pen.rect(x - r * 0.85, y - r * 0.85, r * 1.7, r * 1.7);
        else if (r < 2.5) pen.rect(x - r, y - r, 2 * r, 2 * r);
        else {
          pen.moveTo(x + r, y);
          pen.arc(x, y, r, 0, TAU);
        }
      }
      pen.globalAlpha = Number(alpha);
      pen.fillStyle = paint;
      pen.fill();
      if (scene.folded) {
        pen.strokeStyle = color.quiet;
        pen.lineWidth = 1.2;
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
    if (scene.folded && r > 7) places.forEach(([x, y], index) => inner(x, y, r, marks.spots?.get(index) ? color.paper : color.quiet));
    const here = scene.spots.findIndex((spot) => spot.path === selected);
    if (here >= 0) {
      pen.beginPath();
      pen.arc(places[here][0], places[here][1], r + 4, 0, TAU);
      pen.strokeStyle = color.accent;
      pen.lineWidth = 2.5;
      pen.stroke();
    }
  }

  /** A folded cell has something inside. */
  function inner(x, y, r, color) {
    pen.fillStyle = color;
    for (let i = 0; i < 5; i++) {
      pen.beginPath();
      pen.arc(x + 0.5 * r * Math.sin((i * TAU) / 5), y - 0.5 * r * Math.cos((i * TAU) / 5), Math.max(1, r * 0.11), 0, TAU);
      pen.fill();
    }
  }

  /** Labels where there is room for them. */
  function drawLabels(color, places, r, width, height) {
    if (!scene.labels || scene.spots.length > 900) return;
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const taken = [];
    const order = scene.spots.map((_, index) => index);
    order.sort((a, b) => Number(scene.spots[b].path === selected) - Number(scene.spots[a].path === selected));
    for (const index of order) {
      const [x, y] = places[index];
      if (x < -20 || y < -20 || x > width + 20 || y > height + 20) continue;
      const text = scene.labels[index];
      const wide = pen.measureText(text).width;
      const box = [x - wide / 2 - 2, y + r + 3, x + wide / 2 + 2, y + r + 17];
      if (box[0] < 2 || box[2] > width - 2 || box[3] > height - 2) continue;
      const hits = (other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3];
      const dots = places.some(([px, py]) => px + r > box[0] && px - r < box[2] && py + r > box[1] + 2 && py - r < box[3]);
      if (taken.some(hits) || dots) continue;
      taken.push(box);
      pen.lineWidth = 3;
      pen.strokeStyle = color.paper;
      pen.strokeText(text, x - wide / 2, y + r + 10);
      pen.fillStyle = color.ink;
      pen.fillText(text, x - wide / 2, y + r + 10);
    }
  }

  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let last = { spot: null, when: 0 };
  canvas.addEventListener("click", (event) => {
    if (!scene) return;
    const spot = at(point(event));
    const twice = spot && last.spot === spot && performance.now() - last.when < 450;
    last = { spot, when: performance.now() };
    if (twice) does.enter(spot);
    else if (spot) does.pick(spot, event);
    else does.pickLine?.(lineAt(point(event)), event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!scene) return;
    const spot = at(point(event));
    does.hover(spot, spot ? null : lineAt(point(event)), point(event));
  });
  canvas.addEventListener("pointerleave", () => does.hover(null, null));

  const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    if (!scene || event.ctrlKey || event.metaKey || event.altKey) return;
    const here = scene.spots.find((spot) => spot.path === selected);
    if (DIRECTIONS[event.key]) {
      const next = here ? beside(here, DIRECTIONS[event.key]) : scene.spots[0];
      if (next) does.pick(next, event);
    } else if (event.key === "Enter" && here) does.enter(here);
    else if (event.key === "Escape" || event.key === "Backspace") does.leave();
    else if (event.key === "+" || event.key === "=") by(1.4);
    else if (event.key === "-") by(1 / 1.4);
    else if (event.key === "0") whole();
    else return;
    event.preventDefault();
  });

  /** The next spot in a direction. */
  function beside(here, [dx, dy]) {
    let best = null;
    let least = Infinity;
    for (const spot of scene.spots) {
      const [x, y] = [spot.at[0] - here.at[0], spot.at[1] - here.at[1]];
      const along = x * dx + y * dy;
      if (along <= 1e-6) continue;
      const far = along + 3 * Math.abs(x * dy - y * dx);
      if (far < least) [best, least] = [spot, far];
    }
    return best;
  }

  function by(factor) {
    d3.select(canvas).call(zoom.scaleBy, factor);
  }

  function whole() {
    rested = performance.now() + REST;
    d3.select(canvas).call(zoom.transform, d3.zoomIdentity);
  }

  new ResizeObserver(() => { if (scene) { fit(); ask(); } }).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ask);

  const self = {
    /** Shows another view, whole. */
    show(next) {
      scene = next;
      groups = null;
      fit();
      whole();
      ask();
    },
    mark(next, chosen) {
      marks = next ?? {};
      groups = null;
      selected = chosen ?? "";
      ask();
    },
    by,
    whole,
    /** Where a spot is, for whoever wants to click it. */
    place(path) {
      const spot = scene?.spots.find((spot) => spot.path === path);
      return spot ? toScreen(spot.at) : null;
    },
    redraw: ask,
    /** Draws at once. */
    draw,
    get scene() { return scene; },
  };
  canvas.picture = self;
  return self;
}

const min = (all) => all.reduce((a, b) => Math.min(a, b), Infinity);
const max = (all) => all.reduce((a, b) => Math.max(a, b), -Infinity);

/** A color from calm to busy, for a part of 1. */
export function heat(part) {
  const stops = [[93, 140, 174], [223, 178, 74], [200, 66, 40]];
  const at = Math.max(0, Math.min(1, part)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const mixed = stops[low].map((value, index) => Math.round(value + (stops[low + 1][index] - value) * (at - low)));
  return `rgb(${mixed.join(",")})`;
}
