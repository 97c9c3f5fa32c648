// How is a view drawn, and what is under the pointer? Dots, bundles and borders on a canvas, moved by d3-zoom.

import { heat, numbered } from "/palette.js";

const TAU = 2 * Math.PI;
/** A cell that is scrolled to this part of the canvas is entered; a picture smaller than that is left. */
const ENTER = 0.3;
const LEAVE = 0.55;
/** After a step the wheel still turns. */
const REST = 500;
/** A view that has not moved for so long is drawn whole; one that takes longer to draw than the other is slow. */
const STILL = 150;
const SLOW = 40;
/** How many lines a sketch has, about. */
const SKETCH = 2500;
/** How many steps of width loads have. */
const SHADES = 40;

/** How long the way into a cell and out of it takes, in milliseconds. */
const FLIGHT = 420;
/** So long is a link that leads out of the picture, in units of the scene; where there are more they are not drawn. */
const STUB = 0.55;
const STUBS = 300;

/** In so many straight pieces a bent line is looked for. */
const PIECES = 16;

/** The control point of a bent line, which lies twice as far out as its middle. */
const controlOf = (a, b, bend) => [(a[0] + b[0]) / 2 + 2 * bend[0], (a[1] + b[1]) / 2 + 2 * bend[1]];

/** How far a point is from a straight piece. */
function away([x, y], a, b) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const part = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(a[0] + part * dx - x, a[1] + part * dy - y);
}

/**
 * @typedef {{ path: string, name: string, at: [number, number], host?: boolean, id?: string }} Spot
 * @typedef {[number, number, number, number | string, number?, number?]} Line
 * @typedef {{ spot: number, level: number, text: string }} Stub
 * @typedef {{ image: HTMLCanvasElement, enters: boolean, began: number, small: number, spot: number[], fixed: number[] }} Flight
 */

/** A picture on `canvas`. `does` has what happens: pick, enter, leave, hover. */
export function picture(canvas, does) {
  const pen = canvas.getContext("2d");
  let scene = null;
  let marks = {};
  let selected = "";
  /** What is the same in every frame of a view with its marks: paths in the units of the scene. */
  let made = null;
  let palette = null;
  let transform = d3.zoomIdentity;
  let rested = 0;
  let frame = 0;
  /** The number of the spot under the pointer, or -1. */
  let pointed = -1;
  /** The way from the view before to this one, while it lasts. @type {Flight | null} */
  let flight = null;
  /** While it moves, a view that takes long to draw is only sketched. */
  let moves = 0;
  let slow = false;
  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });

  const zoom = d3
    .zoom()
    .scaleExtent([0.3, 400])
    // One finger scrolls the page, two move the picture.
    .filter((event) => !event.button && event.type !== "dblclick" && !(event.touches?.length < 2))
    .on("zoom", (event) => {
      transform = event.transform;
      clearTimeout(moves);
      moves = setTimeout(() => {
        moves = 0;
        ask();
      }, STILL);
      ask();
      if (event.sourceEvent && performance.now() > rested) through(event.sourceEvent);
    });
  d3.select(canvas).call(zoom);

  /** Scrolling goes into a cell and out of it. */
  function through(event) {
    if (!scene) return;
    const { width, height } = size();
    if (transform.k < LEAVE && scene.path !== "") return step(() => does.leave());
    if (unit() * scene.room < ENTER * Math.min(width, height)) return;
    const box = canvas.getBoundingClientRect();
    const point =
      event.clientX === undefined ? [width / 2, height / 2] : [event.clientX - box.left, event.clientY - box.top];
    const spot = at(point, unit() * scene.room * 0.6);
    if (spot) step(() => does.enter(spot));
  }

  function step(what) {
    rested = performance.now() + REST;
    what();
  }

  function toScreen([x, y]) {
    return [
      transform.applyX((x - scene.middle[0]) * scene.scale + scene.center[0]),
      transform.applyY((y - scene.middle[1]) * scene.scale + scene.center[1]),
    ];
  }

  /** How many pixels a unit of the scene has. */
  const unit = () => scene.scale * transform.k;

  function toScene([x, y]) {
    return [
      (transform.invertX(x) - scene.center[0]) / scene.scale + scene.middle[0],
      (transform.invertY(y) - scene.center[1]) / scene.scale + scene.middle[1],
    ];
  }

  /** The spot nearest to a point of the canvas, if it is near. */
  function at(point, reach) {
    if (!scene) return null;
    const [x, y] = toScene(point);
    let best = null;
    let least = (reach ?? Math.max(14, radius() + 5)) / unit();
    for (const spot of scene.spots) {
      const far = Math.hypot(spot.at[0] - x, spot.at[1] - y);
      if (far < least) [best, least] = [spot, far];
    }
    return best;
  }

  /** The line nearest to a point, if it is near. */
  function lineAt(point) {
    if (!scene) return null;
    const [x, y] = toScene(point);
    let best = null;
    let least = 7 / unit();
    for (const line of scene.lines) {
      const points = along(line);
      for (let i = 1; i < points.length; i++) {
        const far = away([x, y], points[i - 1], points[i]);
        if (far < least) [best, least] = [line, far];
      }
    }
    return best;
  }

  /** Points along a line as it is drawn: its ends, and more where it bends. */
  function along(line) {
    const [a, b] = [scene.spots[line[0]].at, scene.spots[line[1]].at];
    const bend = bendOf(line);
    if (!bend) return [a, b];
    const control = controlOf(a, b, bend);
    return Array.from({ length: PIECES + 1 }, (_, i) => {
      const t = i / PIECES;
      return [0, 1].map((k) => (1 - t) ** 2 * a[k] + 2 * t * (1 - t) * control[k] + t ** 2 * b[k]);
    });
  }

  const radius = () =>
    Math.max(1.3, Math.min(scene.folded ? 26 : 17, unit() * scene.room * (scene.folded ? 0.3 : 0.22)));

  function fit() {
    const { width, height } = size();
    const middle = ([from, to, , , bx, by]) =>
      [0, 1].map((i) => (scene.spots[from].at[i] + scene.spots[to].at[i]) / 2 + [bx, by][i]);
    const bends = scene.lines.filter((line) => line[4] !== undefined).map(middle);
    const points = [
      ...scene.spots.map((spot) => spot.at),
      ...scene.borders.flatMap((border) => border.hull),
      ...bends,
      ...stubs().map(({ end }) => end),
    ];
    const xs = points.map((point) => point[0]);
    const ys = points.map((point) => point[1]);
    const [left, right] = [min(xs), max(xs)];
    const [top, bottom] = [min(ys), max(ys)];
    const edge = Math.min(36, width * 0.05);
    // Around the outermost dots there is room for themselves, for lines that bend and for labels.
    const scale = Math.min((width - 2 * edge) / (right - left + 1.2), (height - 2 * edge) / (bottom - top + 1.2), 110);
    Object.assign(scene, {
      middle: [(left + right) / 2, (top + bottom) / 2],
      center: [width / 2, height / 2],
      scale,
      room: 1,
    });
  }

  function colors() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    return {
      levels: numbered("level"),
      loads: numbered("load"),
      dot: of("--dot"),
      cell: of("--cell"),
      ink: of("--ink"),
      paper: of("--paper"),
      mark: of("--mark"),
      accent: of("--accent"),
      border: of("--border"),
      fill: of("--border-fill"),
      quiet: of("--quiet"),
      host: of("--level-1"),
      wrong: of("--wrong"),
      good: of("--good"),
    };
  }

  function ask() {
    if (frame) return;
    frame = requestAnimationFrame((began) => {
      frame = 0;
      draw();
      // The next frame comes when this one is on the screen.
      requestAnimationFrame((next) => {
        slow ||= next - began > SLOW;
      });
    });
  }

  /** Adds a line to a path in units of the scene. */
  function trace(path, a, b, bend) {
    path.moveTo(a[0], a[1]);
    if (!bend) return path.lineTo(b[0], b[1]);
    const [x, y] = controlOf(a, b, bend);
    path.quadraticCurveTo(x, y, b[0], b[1]);
  }

  const bendOf = (line) => (line && line[4] !== undefined ? [line[4], line[5]] : null);

  /** From here on the pen draws in pixels, or in units of the scene. */
  const ratio = () => devicePixelRatio || 1;
  /** On its way the whole picture is moved and scaled besides. */
  let moved = { k: 1, x: 0, y: 0 };
  function inPixels() {
    const [k, by] = [ratio() * moved.k, ratio()];
    pen.setTransform(k, 0, 0, k, by * moved.x, by * moved.y);
  }
  function inScene() {
    const [x, y] = toScreen([0, 0]);
    const k = ratio() * moved.k * unit();
    pen.setTransform(k, 0, 0, k, ratio() * (moved.k * x + moved.x), ratio() * (moved.k * y + moved.y));
  }

  /**
   * The way from a view to one of its cells, or back: one zoom about a fixed point, in which the spot of the cell and the
   * inside of the cell are one. `before` is the view that was shown.
   */
  function fly(before) {
    const { width, height } = size();
    const within = (outer, path) => outer.spots.find((spot) => path === spot.path || path.startsWith(`${spot.path}.`));
    const into = before.path !== scene.path && within(before, scene.path);
    const out = !into && before.path !== scene.path && within(scene, before.path);
    if (!into && !out) return;
    const spot = into ? before.place(into) : toScreen(out.at);
    const small = Math.max(0.02, Math.min(0.6, (2 * (into ? before.radius : radius())) / Math.min(width, height)));
    const fixed = [width / 2, height / 2].map((middle, i) => (spot[i] - small * middle) / (1 - small));
    flight = { image: before.image, enters: Boolean(into), began: performance.now(), small, spot, fixed };
  }

  /** The picture as it is, for the way to the next one. */
  function before() {
    const image = document.createElement("canvas");
    [image.width, image.height] = [canvas.width, canvas.height];
    image.getContext("2d").drawImage(canvas, 0, 0);
    const places = new Map(scene.spots.map((spot) => [spot, toScreen(spot.at)]));
    return { image, path: scene.path, spots: scene.spots, radius: radius(), place: (spot) => places.get(spot) };
  }

  /** How far the way is: where this picture is, and where the one before, which fades. */
  function flown() {
    const { width, height } = size();
    const part = Math.min(1, (performance.now() - flight.began) / FLIGHT);
    if (part === 1) {
      flight = null;
      return null;
    }
    const eased = part * part * (3 - 2 * part);
    const { small, spot, fixed, enters } = flight;
    // The size of the inside of the cell: from that of its spot to the whole canvas, or back.
    const k = small ** (enters ? 1 - eased : eased);
    const middle = fixed.map((at, i) => at - k * (at - [width, height][i] / 2));
    const inside = { k, x: middle[0] - (k * width) / 2, y: middle[1] - (k * height) / 2 };
    const around = { k: k / small, x: middle[0] - (k / small) * spot[0], y: middle[1] - (k / small) * spot[1] };
    return { image: flight.image, alpha: 1 - eased, old: enters ? around : inside, own: enters ? inside : around };
  }

  function draw() {
    const { width, height } = size();
    if (canvas.width !== Math.round(width * ratio()) || canvas.height !== Math.round(height * ratio())) {
      canvas.width = Math.round(width * ratio());
      canvas.height = Math.round(height * ratio());
      if (scene) fit();
    }
    moved = { k: 1, x: 0, y: 0 };
    inPixels();
    pen.clearRect(0, 0, width, height);
    if (!scene) return;
    const way = flight ? flown() : null;
    if (way) moved = way.own;
    palette ??= colors();
    const color = palette;
    const r = radius();
    const faded = Boolean(marks.hops?.length || marks.spots?.size);
    made ??= make(color, faded);
    inScene();
    drawBorders(color);
    drawLines(color, faded);
    drawStubs(color);
    drawPointed(color);
    drawHops(color, r);
    drawSpots(color, r);
    inPixels();
    drawLabels(color, r, width, height);
    if (!way) return;
    moved = way.old;
    inPixels();
    pen.globalAlpha = way.alpha;
    pen.drawImage(way.image, 0, 0, width, height);
    pen.globalAlpha = 1;
    ask();
  }

  /** The lines that end at a spot. */
  function touching(index) {
    if (!scene.touching) {
      scene.touching = scene.spots.map(() => []);
      for (const line of scene.lines) for (const end of [line[0], line[1]]) scene.touching[end].push(line);
    }
    return scene.touching[index];
  }

  const other = (line, index) => (line[0] === index ? line[1] : line[0]);

  /** Links that lead out of the picture, each in the direction in which there is most room. */
  function stubs() {
    if (scene.drawnStubs) return scene.drawnStubs;
    const all = scene.stubs ?? [];
    scene.drawnStubs = [];
    if (all.length > STUBS) return scene.drawnStubs;
    const middle = [0, 1].map((k) => scene.spots.reduce((sum, spot) => sum + spot.at[k], 0) / scene.spots.length);
    const used = new Map();
    for (const { spot, level, text } of all) {
      const at = scene.spots[spot].at;
      const turn = (to) => Math.atan2(to[1] - at[1], to[0] - at[0]);
      const taken = kept(used, spot, () =>
        touching(spot).map((line) => {
          const [end, bend] = [scene.spots[other(line, spot)].at, bendOf(line)];
          return turn(bend ? controlOf(at, end, bend) : end);
        }),
      );
      const outward = turn([2 * at[0] - middle[0], 2 * at[1] - middle[1]]);
      const apart = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));
      const room = (angle) => Math.min(1.2, ...taken.map((one) => apart(one, angle))) + 0.4 * Math.cos(angle - outward);
      const angles = Array.from({ length: 24 }, (_, i) => (i * TAU) / 24);
      const angle = angles.reduce((best, next) => (room(next) > room(best) + 1e-9 ? next : best));
      taken.push(angle);
      scene.drawnStubs.push({
        spot,
        level,
        text,
        end: [at[0] + STUB * Math.cos(angle), at[1] + STUB * Math.sin(angle)],
      });
    }
    return scene.drawnStubs;
  }

  function drawStubs(color) {
    pen.setLineDash([3 / unit(), 3 / unit()]);
    pen.lineWidth = 1.2 / unit();
    for (const { spot, level, end } of stubs()) {
      pen.strokeStyle = color.levels[level % color.levels.length];
      pen.beginPath();
      pen.moveTo(...scene.spots[spot].at);
      pen.lineTo(...end);
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  /** The lines of the spot under the pointer, and what they lead to. */
  function drawPointed(color) {
    if (!scene.spots[pointed]) return;
    const r = (radius() + 3) / unit();
    for (const line of touching(pointed)) {
      const [a, b] = [scene.spots[line[0]].at, scene.spots[line[1]].at];
      pen.beginPath();
      trace(pen, a, b, bendOf(line));
      pen.strokeStyle = color.accent;
      pen.lineWidth = 2.2 / unit();
      pen.stroke();
      const [x, y] = scene.spots[other(line, pointed)].at;
      pen.beginPath();
      pen.arc(x, y, r, 0, TAU);
      pen.stroke();
    }
  }

  function drawBorders(color) {
    pen.lineWidth = 1 / unit();
    pen.fillStyle = color.fill;
    pen.strokeStyle = color.border;
    // One after the other: inner ones lie over outer ones.
    for (const border of made.borders) {
      pen.fill(border);
      pen.stroke(border);
    }
  }

  /** The value of a key, made where there is none. */
  function kept(all, key, fresh) {
    if (!all.has(key)) all.set(key, fresh());
    return all.get(key);
  }

  /** Whatever looks alike is one path: thousands of lines in a frame. */
  function make(color, faded) {
    const borders = scene.borders.map((border) => {
      const path = new Path2D();
      for (const [x, y] of border.hull) path.lineTo(x, y);
      path.closePath();
      return path;
    });
    const [lines, loads, spots] = [new Map(), new Map(), new Map()];
    const every = Math.ceil(scene.lines.length / SKETCH);
    for (const line of scene.lines) {
      const [from, to, level, links] = line;
      const ends = marks.loads || marks.failed?.size ? `${Math.min(from, to)}-${Math.max(from, to)}` : "";
      const load = marks.loads?.get(ends);
      if (load) {
        halfLines(loads, line, load);
        continue;
      }
      const wide = 1 + Math.min(2, Math.log10(Number(links)) / 8);
      // Among loads the color of a level would be read as one.
      const look = marks.loads ? "uncounted" : level % color.levels.length;
      const key = marks.failed?.has(ends) ? "failed" : `${look} ${wide.toFixed(1)}`;
      const group = kept(lines, key, () => ({ all: new Path2D(), some: new Path2D(), count: 0 }));
      const places = [scene.spots[from].at, scene.spots[to].at, bendOf(line)];
      trace(group.all, ...places);
      if (group.count++ % every === 0) trace(group.some, ...places);
    }
    scene.spots.forEach((spot, index) => {
      const mark = marks.spots?.get(index);
      const paint = mark ?? (scene.folded ? color.cell : scene.hasSwitches && spot.host ? color.host : color.dot);
      kept(spots, `${paint}|${faded && !mark ? 0.45 : 1}`, () => []).push(index);
    });
    return { borders, lines, loads, spots, dots: null };
  }

  /** A line whose two directions have loads of their own: each colors the half at which it begins. */
  function halfLines(loads, line, load) {
    const [from, to] = line;
    const [a, b] = [scene.spots[Math.min(from, to)].at, scene.spots[Math.max(from, to)].at];
    const bend = bendOf(line) ?? [0, 0];
    const middle = [(a[0] + b[0]) / 2 + bend[0], (a[1] + b[1]) / 2 + bend[1]];
    const control = controlOf(a, b, bend);
    for (const [start, value] of [
      [a, load[0]],
      [b, load[1]],
    ]) {
      const shade = Math.round((SHADES * value) / marks.most) || 0;
      const path = kept(loads, shade, () => new Path2D());
      path.moveTo(start[0], start[1]);
      // Half of a bent line bends as its end and the control point say.
      path.quadraticCurveTo((start[0] + control[0]) / 2, (start[1] + control[1]) / 2, middle[0], middle[1]);
    }
  }

  function drawLines(color, faded) {
    for (const [shade, path] of [...made.loads].sort((a, b) => a[0] - b[0])) {
      pen.strokeStyle = heat(shade / SHADES, color.loads);
      pen.lineWidth = (1 + (2 * shade) / SHADES) / unit();
      pen.stroke(path);
    }
    const crowd = Math.min(1, 0.25 + 180 / (scene.lines.length + 1));
    for (const [key, { all, some }] of made.lines) {
      const [level, wide] = key.split(" ");
      const failed = key === "failed";
      pen.strokeStyle = failed ? color.wrong : (color.levels[level] ?? color.quiet);
      // A little less than a pixel is a hairline, which is drawn ten times as fast where no graphics card does it.
      pen.lineWidth = (failed ? 2 : Number(wide) - 0.01) / unit();
      pen.setLineDash(failed ? [3 / unit(), 5 / unit()] : []);
      pen.globalAlpha = failed ? 1 : (faded ? 0.28 : 0.85) * crowd;
      pen.stroke(slow && (moves || flight) ? some : all);
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  function drawHops(color, r) {
    if (!marks.hops?.length) return;
    scene.between ??= new Map(
      scene.lines.map((line) => [`${Math.min(line[0], line[1])}-${Math.max(line[0], line[1])}`, line]),
    );
    for (const hop of marks.hops) {
      if (hop.from === hop.to) continue;
      const bend = bendOf(scene.between.get(`${Math.min(hop.from, hop.to)}-${Math.max(hop.from, hop.to)}`));
      const [a, b] = [scene.spots[hop.from].at, scene.spots[hop.to].at];
      pen.beginPath();
      trace(pen, a, b, bend);
      pen.strokeStyle = hop.color ?? color.mark;
      pen.lineWidth = Math.min(hop.strong ? 5 : 3, Math.max(1.5, r)) / unit();
      pen.setLineDash(hop.dashed ? [7 / unit(), 5 / unit()] : []);
      pen.stroke();
      pen.setLineDash([]);
      arrow(a, b, r / unit(), hop.color ?? color.mark, bend);
    }
  }

  function arrow(a, b, r, color, bend) {
    const control = bend ? controlOf(a, b, bend) : a;
    const [dx, dy] = [b[0] - control[0], b[1] - control[1]];
    const long = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / long, dy / long];
    const tip = [b[0] - ux * (r + 1 / unit()), b[1] - uy * (r + 1 / unit())];
    const head = Math.max(4 / unit(), Math.min(10 / unit(), 1.6 * r));
    pen.beginPath();
    pen.moveTo(tip[0], tip[1]);
    pen.lineTo(tip[0] - head * (ux - uy / 2), tip[1] - head * (uy + ux / 2));
    pen.lineTo(tip[0] - head * (ux + uy / 2), tip[1] - head * (uy - ux / 2));
    pen.fillStyle = color;
    pen.fill();
  }

  /** The dots of each look as one path, for dots of that radius in units of the scene. */
  function dots(r, plain) {
    if (made.dots?.r === r && made.dots.plain === plain) return made.dots.paths;
    const paths = new Map();
    for (const [key, indexes] of made.spots) {
      const path = kept(paths, key, () => new Path2D());
      for (const index of indexes) {
        const {
          at: [x, y],
          host,
        } = scene.spots[index];
        if (host === false) path.rect(x - r * 0.85, y - r * 0.85, r * 1.7, r * 1.7);
        else if (plain) path.rect(x - r, y - r, 2 * r, 2 * r);
        else {
          path.moveTo(x + r, y);
          path.arc(x, y, r, 0, TAU);
        }
      }
    }
    made.dots = { r, plain, paths };
    return paths;
  }

  function drawSpots(color, r) {
    for (const [key, path] of dots(r / unit(), r < 2.5)) {
      const [paint, alpha] = key.split("|");
      pen.globalAlpha = Number(alpha);
      pen.fillStyle = paint;
      pen.fill(path);
      if (scene.folded) {
        pen.strokeStyle = color.quiet;
        pen.lineWidth = 1.2 / unit();
        pen.stroke(path);
      }
    }
    pen.globalAlpha = 1;
    if (scene.folded && r > 7) {
      for (const [
        index,
        {
          at: [x, y],
        },
      ] of scene.spots.entries()) {
        inner(x, y, r / unit(), marks.spots?.get(index) ? color.paper : color.quiet);
      }
    }
    for (const [index, symbol] of marks.symbols ?? []) sign(scene.spots[index].at, (r + 2) / unit(), symbol, color);
    const here = scene.spots.find((spot) => spot.path === selected);
    if (here) {
      pen.beginPath();
      pen.arc(here.at[0], here.at[1], (r + 4) / unit(), 0, TAU);
      pen.strokeStyle = color.accent;
      pen.lineWidth = 2.5 / unit();
      pen.stroke();
    }
  }

  /** What a node is, for eyes that do not tell the colors apart: a cross, or a ring around it. */
  function sign([x, y], r, symbol, color) {
    pen.lineWidth = 2.5 / unit();
    pen.beginPath();
    if (symbol === "failed") {
      pen.strokeStyle = color.wrong;
      pen.moveTo(x - r, y - r);
      pen.lineTo(x + r, y + r);
      pen.moveTo(x + r, y - r);
      pen.lineTo(x - r, y + r);
    } else {
      pen.strokeStyle = color.mark;
      pen.arc(x, y, r + 2 / unit(), 0, TAU);
      if (symbol === "to") {
        pen.moveTo(x + r + 6 / unit(), y);
        pen.arc(x, y, r + 6 / unit(), 0, TAU);
      }
    }
    pen.stroke();
  }

  /** A folded cell has something inside. */
  function inner(x, y, r, color) {
    pen.fillStyle = color;
    for (let i = 0; i < 5; i++) {
      pen.beginPath();
      pen.arc(
        x + 0.5 * r * Math.sin((i * TAU) / 5),
        y - 0.5 * r * Math.cos((i * TAU) / 5),
        Math.max(1 / unit(), r * 0.11),
        0,
        TAU,
      );
      pen.fill();
    }
  }

  /** Labels where there is room for them. */
  function drawLabels(color, r, width, height) {
    if (!scene.labels || scene.spots.length > 900) return;
    const places = scene.spots.map((spot) => toScreen(spot.at));
    pen.textBaseline = "middle";
    const taken = [];
    /** Writes around a point where nothing else is; says whether it did. */
    const write = (text, x, y, paint, font = "12px system-ui, sans-serif") => {
      pen.font = font;
      const wide = pen.measureText(text).width;
      const box = [x - wide / 2 - 2, y - 7, x + wide / 2 + 2, y + 7];
      if (box[0] < 2 || box[1] < 2 || box[2] > width - 2 || box[3] > height - 2) return false;
      const hits = (other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3];
      const dots = places.some(
        ([px, py]) => px + r > box[0] && px - r < box[2] && py + r > box[1] + 2 && py - r < box[3],
      );
      if (taken.some(hits) || dots) return false;
      taken.push(box);
      pen.lineWidth = 3;
      pen.strokeStyle = color.paper;
      pen.strokeText(text, x - wide / 2, y);
      pen.fillStyle = paint;
      pen.fillText(text, x - wide / 2, y);
      return true;
    };
    const chosen = scene.spots.findIndex((spot) => spot.path === selected);
    const leads = ({ text, end, spot }) => {
      const [[x, y], [fromX, fromY]] = [toScreen(end), places[spot]];
      pen.font = "11px system-ui, sans-serif";
      // Beyond the end of the stub.
      const [wide, turn] = [pen.measureText(text).width, Math.atan2(y - fromY, x - fromX)];
      return write(text, x + Math.cos(turn) * (wide / 2 + 5), y + Math.sin(turn) * 9, color.quiet, pen.font);
    };
    const name = (index) => write(scene.labels[index], places[index][0], places[index][1] + r + 10, color.ink);
    const first = [chosen, pointed].filter((index) => index >= 0 && index < scene.spots.length);
    for (const index of first) {
      name(index);
      for (const stub of stubs()) if (stub.spot === index) leads(stub);
    }
    groups = 0;
    for (const { hull, label } of scene.borders) {
      if (!label) continue;
      const corners = hull.map(toScreen);
      const [xs, ys] = [0, 1].map((k) => corners.map((corner) => corner[k]));
      const [x, top, bottom] = [(min(xs) + max(xs)) / 2, min(ys), max(ys)];
      const bold = "600 12px system-ui, sans-serif";
      pen.font = bold;
      // Above the group, or below it where there is no room above; one that is smaller than its name has none.
      const fits = pen.measureText(label).width <= max(xs) - min(xs);
      const above = fits && write(label, x, top - 8, color.quiet, bold);
      if (above || (fits && write(label, x, bottom + 9, color.quiet, bold))) groups += 1;
    }
    for (const index of scene.spots.keys()) if (!first.includes(index)) name(index);
    for (const stub of stubs()) if (!first.includes(stub.spot)) leads(stub);
  }
  /** How many groups have their name in the picture. */
  let groups = 0;

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
    highlight(spot ? scene.spots.indexOf(spot) : -1);
    does.hover(spot, spot ? null : lineAt(point(event)), point(event));
  });
  canvas.addEventListener("pointerleave", () => {
    highlight(-1);
    does.hover(null, null);
  });

  /** Shows what a spot is linked to. */
  function highlight(index) {
    if (index === pointed) return;
    pointed = index;
    if (scene) ask();
  }

  const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    if (!scene || event.ctrlKey || event.metaKey || event.altKey) return;
    const here = scene.spots.find((spot) => spot.path === selected);
    if (DIRECTIONS[event.key]) {
      const next = here ? beside(here, DIRECTIONS[event.key]) : scene.spots[0];
      if (next) (does.move ?? does.pick)(next, event);
    } else if (event.key === "Enter" && here) (does.choose ?? does.enter)(here);
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

  new ResizeObserver(() => {
    if (scene) {
      fit();
      ask();
    }
  }).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    [palette, made] = [null, null];
    ask();
  });

  const self = {
    /** Shows another view, whole. */
    show(next) {
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      const last = scene?.spec === next.spec && !calm && canvas.width ? before() : null;
      scene = next;
      made = null;
      slow = false;
      pointed = -1;
      flight = null;
      fit();
      whole();
      if (last) fly(last);
      ask();
    },
    mark(next, chosen) {
      marks = next ?? {};
      made = null;
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
    /** The picture as SVG. */
    svg: () => toSvg({ scene, marks, color: palette ?? colors(), radius: radius(), size: size(), toScreen, bendOf }),
    /** The picture as PNG. */
    png: () =>
      new Promise((done) => {
        flight = null;
        draw();
        canvas.toBlob(done, "image/png");
      }),
    /** Draws at once. */
    draw,
    get scene() {
      return scene;
    },
    get marks() {
      return marks;
    },
    /** Whether it is on its way from one view to another. */
    get flies() {
      return flight !== null;
    },
    /** The paths of what is linked to the spot under the pointer. */
    get pointedAt() {
      return scene?.spots[pointed] ? touching(pointed).map((line) => scene.spots[other(line, pointed)].path) : [];
    },
    /** The links that lead out, and how many groups are named. */
    get stubs() {
      return stubs();
    },
    get groups() {
      return groups;
    },
  };
  // For whoever looks from outside, such as a test.
  /** @type {any} */ (canvas).picture = self;
  return self;
}

const xml = (text) =>
  String(text).replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter]);

/** A view with its marks as SVG, as it lies on the canvas. */
function toSvg({ scene, marks, color, radius, size, toScreen, bendOf }) {
  const at = (point) => toScreen(point).map((value) => value.toFixed(1));
  const curve = (a, b, bend) => {
    if (!bend) return `M${at(a).join(" ")}L${at(b).join(" ")}`;
    return `M${at(a).join(" ")}Q${at(controlOf(a, b, bend)).join(" ")} ${at(b).join(" ")}`;
  };
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" font-family="sans-serif" font-size="12">`,
    `<title>${xml(scene.spec)}</title><rect width="100%" height="100%" fill="${color.paper}"/>`,
  ];
  for (const { hull } of scene.borders)
    out.push(
      `<polygon points="${hull.map((point) => at(point).join(",")).join(" ")}" fill="${color.fill}" stroke="${color.border}"/>`,
    );
  for (const { spot, level, text, end } of scene.drawnStubs ?? []) {
    out.push(
      `<path d="${curve(scene.spots[spot].at, end, null)}" fill="none" stroke="${color.levels[level % color.levels.length]}" stroke-dasharray="3 3"><title>${xml(text)}</title></path>`,
    );
  }
  const between = new Map();
  for (const line of scene.lines) {
    const [from, to, level] = line;
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const [a, b] = [scene.spots[low].at, scene.spots[high].at];
    between.set(`${low}-${high}`, line);
    const load = marks.loads?.get(`${low}-${high}`);
    const failed = marks.failed?.has(`${low}-${high}`);
    if (load) {
      const bend = bendOf(line) ?? [0, 0];
      const middle = [0, 1].map((k) => (a[k] + b[k]) / 2 + bend[k]);
      const control = controlOf(a, b, bend);
      [
        [a, load[0]],
        [b, load[1]],
      ].forEach(([start, value]) => {
        const half = [0, 1].map((k) => (start[k] + control[k]) / 2);
        out.push(
          `<path d="M${at(start).join(" ")}Q${at(half).join(" ")} ${at(middle).join(" ")}" fill="none" stroke="${heat(value / marks.most, color.loads)}" stroke-width="${(1 + (2 * value) / marks.most).toFixed(1)}"/>`,
        );
      });
    } else {
      const plain = marks.loads ? color.quiet : color.levels[level % color.levels.length];
      out.push(
        `<path d="${curve(a, b, bendOf(line))}" fill="none" stroke="${failed ? color.wrong : plain}"${failed ? ' stroke-dasharray="3 5" stroke-width="2"' : ""}/>`,
      );
    }
  }
  for (const hop of marks.hops ?? []) {
    const line = between.get(`${Math.min(hop.from, hop.to)}-${Math.max(hop.from, hop.to)}`);
    out.push(
      `<path d="${curve(scene.spots[hop.from].at, scene.spots[hop.to].at, line ? bendOf(line) : null)}" fill="none" stroke="${hop.color ?? color.mark}" stroke-width="3"${hop.dashed ? ' stroke-dasharray="7 5"' : ""}/>`,
    );
  }
  scene.spots.forEach((spot, index) => {
    const [x, y] = at(spot.at);
    const paint =
      marks.spots?.get(index) ?? (scene.folded ? color.cell : scene.hasSwitches && spot.host ? color.host : color.dot);
    const edge = scene.folded ? ` stroke="${color.quiet}"` : "";
    const r = radius.toFixed(1);
    out.push(
      spot.host === false
        ? `<rect x="${(x - r * 0.85).toFixed(1)}" y="${(y - r * 0.85).toFixed(1)}" width="${(r * 1.7).toFixed(1)}" height="${(r * 1.7).toFixed(1)}" fill="${paint}"${edge}/>`
        : `<circle cx="${x}" cy="${y}" r="${r}" fill="${paint}"${edge}><title>${xml(spot.name)}</title></circle>`,
    );
    if (scene.labels && scene.spots.length <= 60)
      out.push(
        `<text x="${x}" y="${(Number(y) + Number(r) + 13).toFixed(1)}" text-anchor="middle" fill="${color.ink}">${xml(scene.labels[index])}</text>`,
      );
  });
  return `${out.join("\n")}\n</svg>\n`;
}

const min = (all) => all.reduce((a, b) => Math.min(a, b), Infinity);
const max = (all) => all.reduce((a, b) => Math.max(a, b), -Infinity);
