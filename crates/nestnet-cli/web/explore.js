// Where are we in the network, and what is here? The stage that Explore and Watch share.

import {
  ask,
  cellOf,
  choice,
  commandOf,
  field,
  file,
  fill,
  grouped,
  isStopped,
  library,
  make,
  patiently,
} from "/ask.js";
import { picture } from "/canvas.js";
import { numbered } from "/palette.js";
import { download, fileName, saving } from "/save.js";
import { complain } from "/spec.js";
import { change, link, read } from "/state.js";

const canvas = document.getElementById("canvas");
const tip = document.getElementById("tip");
const side = document.getElementById("side");
const trail = document.querySelector("#trail ol");
const legend = document.getElementById("legend");
const said = document.getElementById("said");
const waits = document.getElementById("waits");
const take = document.getElementById("take");

/** As many dots as a picture takes where more is asked for. */
const DETAIL = 5000;
let shown = "";
let scene = null;
let listeners = {};

/** The picture itself. */
export const drawing = picture(canvas, {
  pick: (spot, event) => (listeners.pick ? listeners.pick(spot, event) : select(spot)),
  move: (spot) => {
    said.textContent = spotText(spot);
    select(spot);
  },
  choose: (spot) => (listeners.pick && !scene.folded ? listeners.pick(spot) : into(spot.path)),
  pickLine: (line) => line && listeners.pickLine?.(line),
  enter: (spot) => into(spot.path),
  leave: () => leave(),
  hover: (spot, line, at) => hover(spot, line, at),
});

/** What Watch wants to hear of: clicks on dots and lines. */
export function listen(next) {
  listeners = next;
}

/** What is drawn. */
export const current = () => scene;

export function select(spot) {
  change({ select: spot.path }, true);
}

/** From which view each was entered. */
const came = new Map();

/** Goes into a cell, or to a node. */
export function into(path) {
  if (scene && path.startsWith(scene.path)) came.set(path, scene.path);
  entered = path;
  change({ path, select: "" });
}
/** The cell that is entered, so that what has nothing to see inside is passed; one that a link names is shown as it is. */
let entered = null;

/** Whether cells are shown that nothing joins. */
const isEmpty = (view) =>
  view.linked && !view.lines.length && view.shown > 0 && view.layers.length > depthOf(view.path) + view.shown;

const depthOf = (path) => (path ? path.split(".").length : 0);

/**
 * The view of a cell, or of the first one inside it in which something is linked, with how many there are like that.
 * @returns {Promise<any>}
 */
async function viewed(spec, path, most) {
  let view = await ask("view", { spec, path, most }, "stage");
  const from = view.path;
  const passes = entered === from;
  entered = null;
  let alike = 1n;
  while (passes && isEmpty(view)) {
    alike *= BigInt(view.spots.length);
    view = await ask("view", { spec, path: view.spots[0].path, most }, "stage");
  }
  if (view.path === from) return view;
  came.set(view.path, came.get(from) ?? outside(from));
  history.replaceState(null, "", link({ ...read(), path: view.path }));
  return { ...view, passed: { levels: depthOf(view.path) - depthOf(from), alike } };
}

/** The view around a cell: the one from which it was entered, else the cluster, or a few digits further out. */
function outside(path) {
  if (came.has(path)) return came.get(path);
  const digits = path.split(".");
  const borders = scene.layers.flatMap((layer, index) =>
    layer.cluster && index + 1 < digits.length ? [index + 1] : [],
  );
  return digits.slice(0, Math.max(borders.pop() ?? 0, digits.length - 3)).join(".");
}

export function leave() {
  const { path = "" } = read();
  if (path && scene) change({ path: outside(path), select: path });
}

/** Of so many nodes it is asked at once where they lie. */
const LEARNED = 6000;

/** How a node is called in the picture; its id where that is not known. */
export function nameOf(id) {
  const node = scene?.byId.get(String(id));
  return node?.name ?? node?.address ?? String(id);
}

/**
 * Asks where nodes lie that are not shown one by one, where their ids do not determine it; with `names` how they are
 * called, too.
 */
export async function learn(nodes, names = false) {
  const here = scene;
  if (!here?.folded || !here.ids || !(here.seated || names)) return;
  const ids = [...new Set(nodes.map(String))].filter((id) => /^\d+$/.test(id) && !here.byId.has(id));
  for (let at = 0; at < Math.min(ids.length, LEARNED); at += 1000) {
    const finds = ids.slice(at, at + 1000).map((id) => ["find", id]);
    const { found } = await ask("view", [["spec", here.spec], ["most", "1"], ...finds], "learn");
    for (const { text, path, address } of found) here.byId.set(text, { path, address });
  }
}

/** Whether a text is the id of a node of the network that is shown. */
export const isId = (text) => /^(0|[1-9]\d*)$/.test(text ?? "") && BigInt(text) < BigInt(scene.nodes);

/** The path of a node by its id, where the plan numbers places by ids or it was learned; null where there is none. */
export function pathOf(id) {
  if (!scene || scene.seated) return scene?.byId.get(String(id))?.path ?? null;
  if (!isId(String(id))) return null;
  let rest = BigInt(id);
  const digits = [];
  for (const layer of [...scene.layers].reverse()) {
    const places = BigInt(layer.places);
    digits.push(rest % places);
    rest /= places;
  }
  return digits.reverse().join(".");
}

/** The number of the spot in which a path lies, or -1. */
export function spotOf(path) {
  if (path === null) return -1;
  for (let cut = path; ; cut = cut.slice(0, cut.lastIndexOf("."))) {
    if (scene.index.has(cut)) return scene.index.get(cut);
    if (!cut.includes(".")) return -1;
  }
}

/** Shows the view of the state; asks for it where it is another. */
export async function show(state, most) {
  if (!state.spec) return null;
  const key = JSON.stringify([state.spec, state.path ?? "", most ?? ""]);
  if (key === shown && scene) return scene;
  canvas.classList.add("busy");
  document.getElementById("detail").setAttribute("aria-pressed", String(Boolean(state.most)));
  fill(waits);
  waits.hidden = false;
  try {
    const view = await patiently(waits, "stage", () => viewed(state.spec, state.path, most));
    complain(null);
    shown = JSON.stringify([state.spec, view.passed ? view.path : (state.path ?? ""), most ?? ""]);
    scene = prepared(view);
    tip.hidden = true;
    drawing.show(scene);
    crumbs(view);
    said.textContent = spoken(scene);
    document.documentElement.dataset.shown = `${view.spec}|${view.path}`;
    return scene;
  } finally {
    canvas.classList.remove("busy");
    fill(waits);
    waits.hidden = true;
  }
}

/** What was shown is asked for again. */
export function again() {
  shown = "";
}

/** A network beside the one that is too large, in one click; nothing where there is none. */
export function offer(smaller, why) {
  if (!smaller) return null;
  const take = () => change({ spec: smaller, path: "", select: "", from: "", to: "", hop: "", step: "", faults: "" });
  return make(
    "div",
    { class: "offer", role: "note" },
    make("p", {}, why),
    make("button", { type: "button", class: "main", id: "smaller-network", onclick: take }, `Take ${smaller}`),
  );
}

/** The row under the picture: files, the command line and the link. */
export function keep(command) {
  fill(
    take,
    saving({
      name: `${scene.spec} ${scene.path}`,
      files: [
        ["svg", () => drawing.svg()],
        ["png", () => drawing.png()],
      ],
      command: () => command ?? commandOf("stage"),
    }),
  );
}

function prepared(view) {
  const depth = view.path ? view.path.split(".").length : 0;
  const whole = view.layers.length === depth + view.shown;
  const next = { ...view, folded: !whole, hasSwitches: view.spots.some((spot) => spot.host === false) };
  if (view.shown === 0) around(next);
  next.index = new Map(next.spots.map((spot, index) => [spot.path, index]));
  next.byId = new Map(next.spots.filter((spot) => spot.id).map((spot) => [spot.id, spot]));
  next.labels = next.spots.length <= 300 ? labels(next) : null;
  next.borders = view.borders.map((border) => ({ ...border, label: shortened(border.name) }));
  next.stubs = stubs(next);
  return next;
}

/**
 * What the links that lead out of the cell lead to: a node by its name, of cells how many links lead how far out.
 * @returns {{ spot: number, level: number, text: string }[]}
 */
function stubs(view) {
  if (!view.path || view.shown === 0) return [];
  if (!view.folded) return view.outside.map(({ spot, level, name }) => ({ spot, level, text: `→ ${shortened(name)}` }));
  return view.leaving.map(([spot, layer, links]) => ({
    spot,
    level: view.layers[layer].level,
    text: `→ ${grouped(links)} in ${shortened(view.trail[layer].name)}`,
  }));
}

/** A name without what is open at its end; a long one by its ends. */
const shortened = (name) => brief(name.replace(/(,\*|\))+$/, (end) => (end.includes("*") ? "…" : end)));

/** Without brackets at the end that nothing opens. */
function balanced(text) {
  const count = (sign) => text.split(sign).length - 1;
  const open = count(")") - count("(");
  return open > 0 && text.endsWith(")".repeat(open)) ? text.slice(0, -open) : text;
}

/** Names where they are short and no two are alike, without what they share or what is open; else the digits of the paths. */
function labels({ folded, spots, shown }) {
  const most = folded ? 20 : 26;
  const names = spots.map((spot) => spot.name);
  const differ = (all) => all.every((name) => name.length <= most) && new Set(all).size === all.length;
  if (differ(names)) return names;
  const short = names.map(shortened);
  if (folded && differ(short)) return short;
  // All begin alike: what is inside differs from a bracket or a comma on.
  let alike = 0;
  while (names.every((name) => name[alike] !== undefined && name[alike] === names[0][alike])) alike += 1;
  const cut = Math.max(names[0].lastIndexOf(",", alike - 1) + 1, names[0].lastIndexOf("(", alike - 1));
  const own = names.map((name) => `…${shortened(balanced(name.slice(cut)))}`);
  if (differ(own)) return own;
  if (!folded) return names.map((name) => (name.length <= most ? name : `…${name.slice(-24)}`));
  return spots.map((spot) => spot.path.split(".").slice(-Math.max(1, shown)).join("."));
}

/** A single node in the middle of its neighbors. */
function around(view) {
  const near = view.neighbors ?? [];
  view.folded = false;
  view.spots = [{ ...view.node, name: view.node.address ?? view.node.path, at: [0, 0] }];
  near.forEach((node, index) => {
    const turn = (index / near.length) * 2 * Math.PI;
    view.spots.push({ ...node, name: node.address ?? node.path, at: [2 * Math.sin(turn), -2 * Math.cos(turn)] });
    view.lines.push([0, index + 1, node.level, 1]);
  });
  view.linked = Boolean(view.neighbors);
}

function spoken(view) {
  if (view.shown === 0) return `Node ${view.node.address}, id ${view.node.id}, ${view.spots.length - 1} neighbors.`;
  const what = view.folded ? `clusters of ${nodesOf(view)} nodes` : "nodes";
  return `${view.spots.length} ${what}, ${view.lines.length} lines.`;
}

/** A long address by its ends. */
const brief = (name) => (name.length <= 26 ? name : `${name.slice(0, 9)}…${name.slice(-13)}`);

function crumbs(view) {
  const steps = [view.path];
  while (steps[0]) steps.unshift(outside(steps[0]));
  // The ends of a long trail say where one is.
  const kept = steps.length > 5 ? [steps[0], null, ...steps.slice(-3)] : steps;
  fill(
    trail,
    ...kept.map((path) => {
      if (path === null) return make("li", { class: "quiet" }, "…");
      const { name } = view.trail[path ? path.split(".").length : 0];
      return make(
        "li",
        {},
        make(
          "button",
          {
            type: "button",
            title: name,
            "aria-current": path === view.path ? "location" : null,
            onclick: () => change({ path, select: "" }),
          },
          brief(name),
        ),
      );
    }),
  );
  trail.parentElement.scrollLeft = trail.parentElement.scrollWidth;
}

function hover(spot, line, at) {
  canvas.style.cursor = spot ? "pointer" : "grab";
  if (!spot && !line) {
    tip.hidden = true;
    return;
  }
  tip.textContent = spot ? spotText(spot) : lineText(line);
  tip.hidden = false;
  const wide = canvas.clientWidth;
  tip.style.left = `${Math.min(at[0] + 12, wide - tip.offsetWidth - 6)}px`;
  tip.style.top = `${Math.min(at[1] + 14, canvas.clientHeight - tip.offsetHeight - 6)}px`;
}

function spotText(spot) {
  if (scene.folded) return `${spot.name}: ${nodesOf(scene)} nodes`;
  const degree = degreeOf(spot);
  const kind = scene.hasSwitches ? (spot.host ? ", host" : ", switch") : "";
  return `${spot.name}${spot.id === spot.name || !spot.id ? "" : `, id ${grouped(spot.id)}`}${degree ? `, degree ${degree}` : ""}${kind}, level ${levelOf()}`;
}

const lineText = (line) => `${grouped(line[3])} link${String(line[3]) === "1" ? "" : "s"} of level ${line[2]}`;

/** How many nodes a spot represents. */
const nodesOf = (view) => `${view.alike ? "" : "at most "}${grouped(view.nodes_a_spot)}`;

/** The level of the links that join what is shown. */
const levelOf = () => scene.layers[Math.max(0, scene.layers.length - 1)].level;

/** The links of a node, inside and leaving. */
function degreeOf(spot) {
  if (scene.shown === 0) return spot.degree ?? null;
  if (!scene.left) return scene.degree[0] === scene.degree[1] ? scene.degree[0] : null;
  const index = scene.index.get(spot.path);
  const inside = scene.lines.filter(([from, to]) => from === index || to === index);
  const out = scene.leaving.filter(([from]) => from === index);
  return [...inside.map((line) => line[3]), ...out.map((leave) => leave[2])].reduce(
    (sum, links) => sum + Number(links),
    0,
  );
}

/** The panel of Explore. */
export function panel(state) {
  if (!scene) return;
  const spot = scene.spots[scene.index.get(state.select) ?? -1];
  const facts = [
    ["nodes", grouped(scene.nodes)],
    ["links", grouped(scene.links)],
    ["degree", scene.degree[0] === scene.degree[1] ? scene.degree[0] : `${scene.degree[0]} to ${scene.degree[1]}`],
  ];
  const here = scene.trail[scene.trail.length - 1].name;
  fill(
    side,
    make("h2", {}, scene.spec),
    list(facts),
    make("div", { id: "known" }),
    make(
      "form",
      { class: "row", role: "search", onsubmit: search },
      field(
        "Find a node",
        make("input", { id: "find", name: "find", type: "text", spellcheck: "false", placeholder: "id or address" }),
      ),
      make("button", { type: "submit" }, "Go"),
    ),
    make("p", { id: "not-found", class: "wrong", role: "status" }),
    make("h3", {}, scene.shown === 0 ? "This node" : "Here"),
    scene.shown === 0
      ? about(scene.node)
      : list([
          ["inside", here],
          [scene.folded ? "clusters" : "dots", scene.spots.length],
          ["nodes in each", nodesOf(scene)],
          ["links shown", scene.linked ? grouped(total(scene.lines)) : "not known at this size"],
        ]),
    scene.passed
      ? make(
          "p",
          { class: "quiet", id: "passed" },
          `${scene.passed.levels === 1 ? "A level was" : `${scene.passed.levels} levels were`} passed in which nothing is linked: this is the first of ${grouped(scene.passed.alike)} cells that are alike. A path in the address bar leads to any of them.`,
        )
      : null,
    leavingList(),
    spot ? make("h3", {}, "Selected") : null,
    spot ? details(spot) : null,
    all(),
    more(state),
    make(
      "p",
      { class: "quiet" },
      make("a", { href: `#watch?spec=${encodeURIComponent(scene.spec)}&path=${scene.path}` }, "Watch messages in it"),
      " · ",
      make("a", { href: `#decide?mode=compare&specs=${encodeURIComponent(scene.spec)}` }, "Compare it"),
    ),
  );
  drawing.mark(beside(spot), state.select);
  levels();
  keep();
  known(scene.spec).catch((error) => {
    if (!isStopped(error)) said.textContent = error.message;
  });
}

/** The selected spot and those that it is linked to. */
function beside(spot) {
  if (!spot || scene.shown === 0) return {};
  const index = scene.index.get(spot.path);
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const spots = new Map([[index, color("--mark")]]);
  for (const [from, to] of scene.lines)
    if (from === index || to === index) spots.set(from === index ? to : from, color("--accent"));
  spots.set(index, color("--mark"));
  return { spots };
}

/** What `info` knows of a network, each with how it is known. */
const infos = new Map();
async function known(spec) {
  if (!infos.has(spec)) infos.set(spec, await ask("info", { spec }, "info"));
  const info = infos.get(spec);
  const place = document.getElementById("known");
  if (!place || scene?.spec !== spec) return;
  const between = (value) =>
    value.low === value.high ? grouped(value.low) : `${grouped(value.low)} to ${grouped(value.high)}`;
  const rows = [];
  if (info.hosts !== undefined && String(info.hosts) !== String(info.nodes)) rows.push(["hosts", grouped(info.hosts)]);
  if (info.diameter) rows.push(["diameter", `${between(info.diameter)} (${info.diameter.how})`]);
  const mean = info.average_distance;
  if (mean)
    rows.push([
      "mean distance",
      mean.value === undefined
        ? `${between(mean)} (${mean.how})`
        : `${Number(mean.value).toPrecision(6)} (${mean.how})`,
    ]);
  if (info.stands_for) rows.push(["alias of", info.stands_for]);
  if (info.also?.length) rows.push(["also called", info.also.join(", ")]);
  const said = (info.paper_says ?? []).map((claim) =>
    make(
      "li",
      {},
      make("a", { href: `#check?id=${encodeURIComponent(claim.row)}` }, `${claim.what} ${grouped(claim.value)}`),
      ` (${claim.where})`,
    ),
  );
  fill(
    place,
    list(rows),
    info.paper && !["common", "baseline"].includes(info.paper)
      ? make(
          "p",
          { class: "quiet" },
          "Paper: ",
          make("a", { href: `#check?paper=${encodeURIComponent(info.paper)}` }, info.paper),
        )
      : null,
    said.length ? make("details", {}, make("summary", {}, "Its paper says"), make("ul", {}, ...said)) : null,
    ...(info.remarks ?? []).map((remark) => make("p", { class: "quiet" }, remark)),
  );
}

/** Verbs that answer about the whole network, with a label. */
const VERBS = [
  ["measure", "Measure"],
  ["cut", "Bisect"],
  ["resilience", "Random failures"],
  ["emulate", "Emulate its product"],
  ["embed", "Embed another in it"],
];

/** What else can be asked about the network. */
function more(state) {
  const out = make("div", { id: "more", role: "status" });
  const guest = make("input", {
    id: "guest",
    type: "text",
    spellcheck: "false",
    placeholder: "ring(8)",
    "aria-label": "Network to embed",
  });
  const run = async (verb) => {
    const spec = scene.spec;
    try {
      const answer = await patiently(out, "more", () =>
        ask(verb, { spec, guest: verb === "embed" ? guest.value.trim() || guest.placeholder : "" }, "more"),
      );
      const rows = found(answer.networks?.[0] ?? answer);
      fill(
        out,
        list(rows),
        saving({ name: `${verb} ${spec}`, rows: () => [["what", "value"], ...rows], command: () => commandOf("more") }),
      );
    } catch (error) {
      fill(
        out,
        make("p", { class: isStopped(error) ? "quiet" : "wrong" }, isStopped(error) ? "Stopped." : error.message),
      );
    }
  };
  const buttons = VERBS.map(([verb, label]) =>
    make("button", { type: "button", "data-verb": verb, onclick: () => run(verb) }, label),
  );
  /** Saves what a verb prints. */
  const save = async (verb, words, extension) => {
    const spec = scene.spec;
    try {
      const saved = await patiently(out, "more", () => file(verb, { spec, ...words }, "more"));
      const name = `${fileName(spec)}.${extension}`;
      download(name, saved);
      fill(
        out,
        make("p", { id: "saved" }, `Saved as ${name}: ${grouped(saved.size)} bytes.`),
        saving({ name: spec, command: () => commandOf("more") }),
      );
    } catch (error) {
      fill(
        out,
        make("p", { class: isStopped(error) ? "quiet" : "wrong" }, isStopped(error) ? "Stopped." : error.message),
      );
    }
  };
  const formats = choice("format", [], "", null);
  library()
    .then((tables) => {
      const options = tables.formats.map(({ name, about, extension }) =>
        make("option", { value: name, "data-extension": extension }, `${name}: ${about}`),
      );
      fill(formats, ...options);
    })
    .catch(() => {});
  const exporting = () =>
    save("export", { format: formats.value }, formats.selectedOptions[0]?.dataset.extension ?? "txt");
  return make(
    "details",
    {
      id: "ask-more",
      open: asked === state.spec,
      ontoggle: (event) => {
        asked = event.target.open ? state.spec : "";
      },
    },
    make("summary", {}, "Ask more of it"),
    make("div", { class: "tabs" }, ...buttons),
    field("Network to embed", guest),
    make(
      "div",
      { class: "row" },
      field("As a file of another tool", formats),
      make("button", { type: "button", "data-verb": "export", onclick: exporting }, "Export"),
      make("button", { type: "button", "data-verb": "report", onclick: () => save("report", {}, "html") }, "Report"),
    ),
    out,
  );
}
let asked = "";

/** A row of a list: what it is about, which comes first, and its numbers; intervals with their half width. */
function series(row) {
  const text = (value) =>
    value?.mean === undefined
      ? cellOf(value)?.text
      : `${cellOf(value.mean).text}${value.ci95 ? ` ± ${cellOf(value.ci95).text}` : ""}`;
  const said = Object.entries(row)
    .filter(([, value]) => value !== null && text(value))
    .map(([key, value]) => `${key.replaceAll("_", " ")} ${text(value)}`);
  return [said[0], said.slice(1).join(", ")];
}

/** The numbers and words of an answer, with bounds as bounds; lists and long texts are left to the command line. */
function found(answer) {
  const rows = [];
  for (const [key, value] of Object.entries(answer)) {
    if (value?.none !== undefined) rows.push([key.replaceAll("_", " "), `not known: ${value.none}`]);
    else if (Array.isArray(value) && typeof value[0] === "object") rows.push(...value.map(series));
    else if (typeof value === "boolean") rows.push([key.replaceAll("_", " "), value ? "yes" : "no"]);
    else {
      const cell = key === "spec" || value === null ? null : cellOf(value);
      if (cell && cell.text.length < 80)
        rows.push([key.replaceAll("_", " "), cell.how ? `${cell.text} (${cell.how})` : cell.text]);
    }
  }
  return rows;
}

function list(facts) {
  return make("dl", {}, ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]));
}

function about(node) {
  const facts = [
    ["address", node.address ?? "not known"],
    ["id", node.id ? String(node.id).replace(/\B(?=(\d{3})+$)/g, "\u202f") : "not known"],
    ["degree", node.degree ?? "not known"],
    ["path", node.path],
  ];
  const near = (scene.neighbors ?? []).map((next) =>
    make(
      "li",
      {},
      make(
        "button",
        { type: "button", onclick: () => change({ path: next.path, select: "" }) },
        `level ${next.level}: ${brief(next.address ?? next.path)}`,
      ),
    ),
  );
  return make("div", {}, list(facts), make("h3", {}, "Neighbors"), make("ul", { class: "list" }, ...near));
}

function details(spot) {
  const degree = scene.folded ? null : degreeOf(spot);
  const facts = [
    ["address", spot.name],
    spot.id ? ["id", spot.id] : null,
    degree ? ["degree", degree] : null,
    scene.folded ? ["nodes", nodesOf(scene)] : null,
    ["level", levelOf()],
    scene.hasSwitches && !scene.folded ? ["kind", spot.host ? "host" : "switch"] : null,
  ].filter(Boolean);
  return make(
    "div",
    {},
    list(facts),
    make(
      "button",
      { type: "button", id: "enter", onclick: () => into(spot.path) },
      scene.folded ? "Go inside" : "Look at this node",
    ),
  );
}

const total = (lines) => lines.reduce((sum, line) => sum + BigInt(line[3]), 0n);

/** Links that lead out, by how far. */
function leavingList() {
  if (!scene.path || scene.shown === 0) return null;
  if (!scene.left) return make("p", { class: "quiet" }, "How many links lead out is not known at this size.");
  const sums = new Map();
  for (const [, layer, links] of scene.leaving) sums.set(layer, (sums.get(layer) ?? 0n) + BigInt(links));
  const rows = [...sums]
    .sort((a, b) => b[0] - a[0])
    .map(([layer, links]) =>
      make(
        "li",
        {},
        make(
          "button",
          { type: "button", onclick: () => change({ path: scene.trail[layer].path, select: scene.path }) },
          make("span", {}, grouped(links)),
          make("span", { class: "quiet" }, `to elsewhere in ${brief(scene.trail[layer].name)}`),
        ),
      ),
    );
  return rows.length
    ? make("div", {}, make("h3", {}, "Links that lead out"), make("ul", { class: "list" }, ...rows))
    : null;
}

/** Everything on the stage as a list, for whoever does not see it. */
function all() {
  const most = 200;
  const items = scene.spots
    .slice(0, most)
    .map((spot) => make("li", {}, make("button", { type: "button", onclick: () => into(spot.path) }, spot.name)));
  const more =
    scene.spots.length > most ? make("p", { class: "quiet" }, `and ${scene.spots.length - most} more`) : null;
  return make("details", {}, make("summary", {}, "All of it as a list"), make("ul", { class: "list" }, ...items), more);
}

async function search(event) {
  event.preventDefault();
  const text = /** @type {HTMLInputElement} */ (document.getElementById("find")).value.trim();
  if (!text) return;
  try {
    const { found } = await ask("view", { spec: scene.spec, find: text, most: 1 }, "find");
    change({ path: found[0].path, select: "" });
  } catch (error) {
    if (!isStopped(error)) document.getElementById("not-found").textContent = error.message;
  }
}

/** Which color is which level, where there are several. */
export function levels() {
  const used = [...new Set(scene.lines.map((line) => line[2]))].sort((a, b) => a - b);
  const colors = numbered("level");
  const entries =
    used.length > 1
      ? used.map((level) => {
          const bar = make("i");
          bar.style.borderTopColor = colors[level % colors.length];
          return make("span", {}, bar, `level ${level}`);
        })
      : [];
  const bundles = scene.lines.some((line) => String(line[3]) !== "1");
  if (scene.folded)
    entries.push(
      make(
        "span",
        {},
        `each dot is a cluster of ${nodesOf(scene)} nodes${bundles ? "; lines are bundles of links" : ""}`,
      ),
    );
  else if (bundles) entries.push(make("span", {}, "some lines are bundles of links"));
  if (!scene.linked) entries.push(make("span", {}, "links between these are not counted at this size"));
  if (scene.hasSwitches) entries.push(make("span", {}, "● host  ■ switch"));
  fill(legend, ...entries);
}

/** The buttons beside the picture. */
export function start() {
  document.getElementById("up").addEventListener("click", leave);
  document
    .getElementById("detail")
    .addEventListener("click", () => change({ most: read().most ? "" : String(DETAIL) }));
  document.getElementById("larger").addEventListener("click", () => drawing.by(1.4));
  document.getElementById("smaller").addEventListener("click", () => drawing.by(1 / 1.4));
  document.getElementById("whole").addEventListener("click", () => drawing.whole());
}
