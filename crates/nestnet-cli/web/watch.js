// What do messages do? Routes, broadcasts, collectives, deadlock cycles and loads, on the stage of Explore.

import { ask, choice, commandOf, field, fill, grouped, isStopped, library, make, patiently, short } from "/ask.js";
import {
  current,
  drawing,
  isId,
  keep,
  learn,
  levels,
  listen,
  nameOf,
  offer,
  pathOf,
  select,
  spotOf,
  show as stage,
} from "/explore.js";
import { color, heat, numbered } from "/palette.js";
import { change, read } from "/state.js";

const side = document.getElementById("side");
const legend = document.getElementById("legend");
const MODES = [
  ["route", "Route"],
  ["broadcast", "Broadcast"],
  ["collective", "Collective"],
  ["deadlock", "Deadlock"],
  ["load", "Load"],
];
/** So many nodes are shown one by one where there are no more. */
const MOST = 2000;
const answers = new Map();
/** The command line of what is shown. */
let line = "";
let playing = 0;

/** The answer to a question that was asked before, or a new one. */
async function once(verb, words, slot) {
  const key = JSON.stringify([verb, words]);
  if (!answers.has(key)) {
    const answer = await ask(verb, words, slot);
    if (answers.size > 50) answers.clear();
    answers.set(key, { answer, command: commandOf(slot) });
  }
  const { answer, command } = answers.get(key);
  if (MODES.some(([mode]) => mode === slot)) line = command;
  return answer;
}

export async function show(state) {
  const mode = MODES.some(([name]) => name === state.mode) ? state.mode : "route";
  if (!(await stage(state, state.most || MOST))) return;
  listen({ pick: (spot) => pick(mode, spot), pickLine: (line) => pickLine(mode, line) });
  const tabs = MODES.map(([name, label]) =>
    make(
      "button",
      {
        type: "button",
        "aria-pressed": String(name === mode),
        onclick: () => {
          pause();
          change({ mode: name, hop: "", step: "" });
        },
      },
      label,
    ),
  );
  const body = make("div", { id: "watch-body" });
  const result = make("div", { id: "result", role: "status" });
  fill(
    side,
    make("h2", {}, current().spec),
    make("div", { class: "tabs", role: "group", "aria-label": "What to watch" }, ...tabs),
    body,
    result,
  );
  levels();
  line = "";
  keep();
  drawing.mark({}, state.select);
  const { ids, spec, smaller } = current();
  if (!ids && mode !== "route" && mode !== "broadcast") {
    const name = MODES.find(([name]) => name === mode)[1];
    return fill(
      body,
      make(
        "p",
        {},
        `${name} needs node ids, and ${spec} has more nodes than there are ids (2^63). Routes, detours and broadcasts are followed at any size.`,
      ),
      offer(smaller, "For the rest there is the largest smaller network of the family:"),
    );
  }
  try {
    await { route, broadcast, collective, deadlock, load }[mode](read(), body, result);
    if (line) keep(line);
  } catch (error) {
    fill(
      result,
      make("p", { class: isStopped(error) ? "quiet" : "wrong" }, isStopped(error) ? "Stopped." : error.message),
    );
    // A smaller network is offered where the size was what is wrong.
    if (!error.limit) return;
    const nodes = Number(current().nodes);
    const most = nodes > SMALL ? SMALL : Math.floor(nodes / 2);
    const small = await smallOne(spec, most);
    if (small && current().spec === spec)
      result.append(offer(small, `The largest one of the family of at most ${grouped(most)} nodes takes less:`));
  }
}

/** Most that is not by rule is answered at once in networks of so many nodes. */
const SMALL = 65536;

/** The largest network of the family that has no more nodes. */
async function smallOne(spec, most) {
  try {
    return (await once("view", { spec, most: 1, smaller: most }, "small")).small ?? null;
  } catch {
    return null;
  }
}

function pick(mode, spot) {
  const scene = current();
  const state = read();
  if (scene.folded || !spot.id) return select(spot);
  if (state.fail === "1") return toggle(spot.id);
  if (mode === "route") {
    if (!state.from || state.to) change({ from: spot.id, to: "", hop: "" });
    else if (spot.id !== state.from) change({ to: spot.id, hop: "" });
  } else if (mode === "broadcast") change({ from: spot.id, step: "" });
  else select(spot);
}

function pickLine(mode, [from, to]) {
  const scene = current();
  if (mode !== "route" || read().fail !== "1" || scene.folded) return;
  toggle(`${scene.spots[from].id}-${scene.spots[to].id}`);
}

/** What has failed works again, and the other way round. */
function toggle(what) {
  const all = new Set((read().faults ?? "").split(",").filter(Boolean));
  if (!all.delete(what)) all.add(what);
  change({ faults: [...all].join(","), hop: "" });
}

/** Milliseconds that a step is shown. */
/** @type {[string, string][]} */
const SPEEDS = [
  ["1400", "slow"],
  ["700", "normal"],
  ["250", "fast"],
];
let speed = "700";

/** A slider with buttons that play it, pause it and say how fast. */
function slider(name, most, value, label) {
  const range = make("input", {
    type: "range",
    id: name,
    min: "0",
    max: String(most),
    value: String(value),
    "aria-label": label,
    "aria-valuetext": `${label} ${value} of ${most}`,
    oninput: (event) => {
      pause();
      change({ [name]: event.target.value }, true);
    },
  });
  const play = make(
    "button",
    {
      type: "button",
      id: "play",
      onclick: () => {
        if (playing) {
          pause();
          play.textContent = "Play";
          return;
        }
        if (Number(read()[name] ?? 0) >= most) change({ [name]: "0" }, true);
        start(name, most);
        document.getElementById("play").textContent = "Pause";
      },
    },
    playing ? "Pause" : "Play",
  );
  const fast = choice("speed", SPEEDS, speed, (next) => {
    speed = next;
    if (playing) start(name, most);
  });
  fast.setAttribute("aria-label", "Speed");
  return make("div", { class: "row" }, field(`${label} ${value} of ${most}`, range), play, fast);
}

function start(name, most) {
  pause();
  playing = setInterval(() => {
    const at = Number(read()[name] ?? 0) + 1;
    if (at >= most || read().view !== "watch") pause();
    change({ [name]: String(at) }, true);
  }, Number(speed));
}

function pause() {
  clearInterval(playing);
  playing = 0;
}

/** Keeps the focus on the slider when the panel is made anew. */
function refocus(name) {
  if (document.activeElement === document.body && focused === name) document.getElementById(name)?.focus();
}
let focused = "";
addEventListener("focusin", (event) => {
  focused = /** @type {HTMLElement} */ (event.target).id;
});

/** Marks of hops, by the spots in which their ends lie. */
function hopsOf(nodes, upTo, paint) {
  const spots = nodes.map((node) => spotOf(pathOf(node)));
  const hops = [];
  for (let i = 0; i + 1 < spots.length && i < upTo; i++) {
    if (spots[i] >= 0 && spots[i + 1] >= 0 && spots[i] !== spots[i + 1])
      hops.push({ from: spots[i], to: spots[i + 1], ...paint(i) });
  }
  return { hops, spots };
}

async function route(state, body, result) {
  const scene = current();
  const routers = scene.routers;
  if (!scene.ids) return byAddress(state, body, result);
  const main = routers.includes(state.router) ? state.router : routers.includes("paper") ? "paper" : routers[0];
  const inputs = ["from", "to"].map((name) =>
    make("input", {
      id: name,
      type: "text",
      spellcheck: "false",
      value: state[name] ?? "",
      placeholder: "id or address",
      list: "nodes",
      onchange: (event) => change({ [name]: event.target.value.trim(), hop: "" }),
    }),
  );
  fill(
    body,
    make(
      "p",
      { class: "quiet" },
      scene.folded
        ? "Write two nodes, or go inside and click them."
        : "Click two nodes, choose them with arrow keys and Enter, or write them.",
    ),
    suggestions(),
    make("div", { class: "row" }, field("From", inputs[0]), field("To", inputs[1])),
    make(
      "div",
      { class: "row" },
      field(
        "Router",
        choice("router", routers, main, (router) => change({ router, hop: "" })),
      ),
      make(
        "button",
        {
          type: "button",
          "aria-pressed": String(state.fail === "1"),
          onclick: () => change({ fail: state.fail === "1" ? "" : "1" }, true),
        },
        "Fail by click",
      ),
    ),
    state.fail === "1" || state.faults
      ? field(
          "Failed nodes and links",
          make("input", {
            id: "faults",
            type: "text",
            value: state.faults ?? "",
            placeholder: "17,3-9",
            onchange: (event) => change({ faults: event.target.value.trim(), hop: "" }),
          }),
        )
      : null,
  );
  await learn([state.from, state.to, ...(state.faults ?? "").split(/[,-]/)]);
  const failed = new Set();
  const dead = new Map();
  for (const fault of (state.faults ?? "").split(",").filter(Boolean)) {
    const ends = fault.split("-").map((node) => (isId(node) ? spotOf(pathOf(node)) : -1));
    if (ends.length === 2) failed.add(`${Math.min(...ends)}-${Math.max(...ends)}`);
    else if (ends[0] >= 0) dead.set(ends[0], color("wrong"));
  }
  const chosen = new Map(dead);
  const symbols = [...dead.keys()].map((spot) => [spot, "failed"]);
  for (const name of ["from", "to"]) {
    const spot = isId(state[name]) ? spotOf(pathOf(state[name])) : -1;
    if (spot < 0) continue;
    chosen.set(spot, color("mark"));
    symbols.push([spot, name]);
  }
  drawing.mark({ spots: chosen, failed, symbols }, state.select);
  await learn(
    [state.from, state.to].filter((node) => isId(node)),
    true,
  );
  body.append(called(state));
  // Both ends are judged with the route; one alone is looked for, and it is said where it is no node.
  const alone = state.from || state.to;
  if (!state.from || !state.to) {
    if (alone && !isId(alone)) await once("view", { spec: state.spec, most: 1, find: alone }, "end");
    return;
  }
  const words = { spec: state.spec, from: state.from, to: state.to };
  const beside = routers.includes("shortest") && main !== "shortest" && !state.faults ? "shortest" : null;
  const [route, other] = await patiently(result, "route", () =>
    Promise.all([
      once("route", { ...words, router: main, faults: state.faults }, "route"),
      beside ? once("route", { ...words, router: beside }, "beside") : null,
    ]),
  );
  if (route.path === null)
    return fill(result, make("p", { class: "wrong" }, "There is no path between them among what has not failed."));
  const before = state.faults ? await once("route", { ...words, router: main }, "before").catch(() => null) : null;
  await learn([...route.path, ...((other ?? before)?.path ?? [])]);
  const hop = Math.min(Number(state.hop ?? route.hops), route.hops);
  const ghost = hopsOf((other ?? before)?.path ?? [], Infinity, () => ({ color: color("quiet"), dashed: true }));
  const { hops, spots } = hopsOf(route.path, hop, (i) => ({ color: channel(route.vcs?.[i]), strong: i === hop - 1 }));
  const on = new Map(dead);
  spots.forEach((spot, i) => {
    if (spot >= 0 && i <= hop) on.set(spot, color(i === 0 || i === spots.length - 1 ? "mark" : "accent"));
  });
  const end = spots[spots.length - 1];
  if (end >= 0) on.set(end, color("mark"));
  drawing.mark(
    {
      hops: [...ghost.hops, ...hops],
      spots: on,
      failed,
      symbols: [...[...dead.keys()].map((spot) => [spot, "failed"]), [spots[0], "from"], [end, "to"]].filter(
        ([spot]) => spot >= 0,
      ),
    },
    state.select,
  );
  const rows = route.path.map((node, i) =>
    make(
      "li",
      { "aria-current": i === hop ? "step" : null },
      i ? swatch(channel(route.vcs?.[i - 1])) : null,
      route.addresses?.[i] ?? grouped(node),
      route.addresses?.[i] === String(node) ? null : make("span", { class: "quiet" }, ` id ${grouped(node)}`),
      i ? make("span", { class: "quiet" }, ` level ${route.levels[i - 1]}, channel ${route.vcs?.[i - 1] ?? 0}`) : null,
    ),
  );
  const facts = [
    ["hops", route.hops],
    [state.faults ? "shortest possible with these faults" : "shortest possible", route.distance ?? "not known"],
  ];
  if (other) facts.push([`by ${beside} (dashed)`, `${other.hops} hops`]);
  if (before) facts.push(["without the faults (dashed)", `${before.hops} hops`]);
  fill(
    result,
    slider("hop", route.hops, hop, "Hop"),
    table(facts),
    make("ol", { class: "hops", start: "0", tabindex: "0", "aria-label": "Hops" }, ...rows),
  );
  refocus("hop");
}

/** What the picture calls the ends and what has failed, where they are written as ids. */
function called(state) {
  const name = (id) => (isId(id) && nameOf(id) !== id ? `${id} = ${nameOf(id)}` : id);
  const ends = ["from", "to"].filter((end) => state[end]).map((end) => `${end} ${name(state[end])}`);
  const faults = (state.faults ?? "")
    .split(",")
    .filter((fault) => /^[\d-]+$/.test(fault))
    .map((fault) => `failed: ${fault.split("-").map(nameOf).join(" – ")}`);
  return make("p", { class: "quiet", id: "called" }, [...ends, ...faults].join("; "));
}

/** Nodes that can be written: the first and the last of what is shown. */
function suggestions() {
  const spots = current().spots.filter((spot) => spot.id);
  const some = [...spots.slice(0, 6), ...spots.slice(-6)];
  return make(
    "datalist",
    { id: "nodes" },
    ...[...new Set(some)].map((spot) => make("option", { value: spot.id }, spot.name)),
  );
}

/** A route in a network that has more nodes than ids: by address, drawn in the cells that it passes. */
async function byAddress(state, body, result) {
  const scene = current();
  const last = String(BigInt(scene.nodes) - 1n);
  const inputs = ["from", "to"].map((name) =>
    make("input", {
      id: name,
      type: "text",
      spellcheck: "false",
      value: state[name] ?? "",
      placeholder: name === "from" ? "0" : last,
      list: "nodes",
      onchange: (event) => change({ [name]: event.target.value.trim(), hop: "" }),
    }),
  );
  fill(
    body,
    make(
      "p",
      { class: "quiet" },
      "Write two nodes by id or address; the cells that the route passes are marked. Go inside one to see its part of the route.",
    ),
    make(
      "datalist",
      { id: "nodes" },
      make("option", { value: "0" }, "the first node"),
      make("option", { value: last }, "the last node"),
    ),
    make("div", { class: "row" }, field("From", inputs[0]), field("To", inputs[1])),
    state.from && state.to
      ? null
      : make(
          "p",
          {},
          make(
            "button",
            { type: "button", class: "main", id: "suggest", onclick: () => change({ from: "0", to: last, hop: "" }) },
            "From the first node to the last",
          ),
        ),
    field(
      "Failed nodes and links",
      make("input", {
        id: "faults",
        type: "text",
        spellcheck: "false",
        value: state.faults ?? "",
        placeholder: "17,3-9, by id or address",
        onchange: (event) => change({ faults: event.target.value.trim(), hop: "" }),
      }),
    ),
    offer(scene.smaller, "Other routers need node ids:"),
  );
  if (!state.from || !state.to) return;
  const words = { spec: state.spec, from: state.from, to: state.to };
  const [route, before] = await patiently(result, "route", () =>
    Promise.all([
      once("route", { ...words, faults: state.faults }, "route"),
      state.faults ? once("route", words, "before") : null,
    ]),
  );
  const hop = Math.min(Number(state.hop ?? route.hops), route.hops);
  const spots = route.cells.map((path) => spotOf(path));
  const on = new Map();
  const drawn = (cells, upTo, paint) =>
    cells.slice(1, upTo + 1).flatMap((spot, i) => {
      const last = cells[i];
      return spot >= 0 && last >= 0 && spot !== last ? [{ from: last, to: spot, ...paint(i + 1) }] : [];
    });
  const ghost = (before?.cells ?? []).map((path) => spotOf(path));
  const hops = [
    ...drawn(ghost, ghost.length, () => ({ color: color("quiet"), dashed: true })),
    ...drawn(spots, hop, (i) => ({ color: color("mark"), strong: i === hop })),
  ];
  spots.forEach((spot, i) => {
    if (spot >= 0 && i <= hop) on.set(spot, color("accent"));
  });
  const ends = [
    [spots[0], "from"],
    [spots[spots.length - 1], "to"],
  ].filter(([spot]) => spot >= 0);
  for (const [spot] of ends) on.set(spot, color("mark"));
  drawing.mark({ hops, spots: on, symbols: ends }, state.select);
  const rows = route.cells.map((_, i) =>
    make(
      "li",
      { "aria-current": i === hop ? "step" : null },
      route.addresses[i],
      i ? make("span", { class: "quiet" }, ` level ${route.levels[i - 1]}`) : null,
    ),
  );
  fill(
    result,
    slider("hop", route.hops, hop, "Hop"),
    table([
      ["hops", route.hops],
      ...(before ? [["without the faults (dashed)", `${before.hops} hops`]] : []),
      ["found by", `the clusters of the construction${before ? ", with a shortest detour around each fault" : ""}`],
      ["cells passed here", new Set(spots.filter((spot) => spot >= 0)).size],
    ]),
    failing(state, route, hop),
    make("ol", { class: "hops", start: "0", tabindex: "0", "aria-label": "Hops" }, ...rows),
  );
  refocus("hop");
}

/** A button by which the link of a hop fails, or all works again. */
function failing(state, route, hop) {
  const at = Math.max(1, hop);
  const name = (i) => route.path[i] ?? route.addresses[i];
  const link = `${name(at - 1)}-${name(at)}`;
  const fail = () => change({ faults: [state.faults, link].filter(Boolean).join(";"), hop: "" });
  return make(
    "p",
    {},
    route.hops ? make("button", { type: "button", id: "fail-hop", onclick: fail }, `Fail the link of hop ${at}`) : null,
    state.faults
      ? make(
          "button",
          { type: "button", id: "works", onclick: () => change({ faults: "", hop: "" }) },
          "All works again",
        )
      : null,
  );
}

/** A broadcast in a network that has more nodes than ids: how many nodes of each cell are informed by a step. */
async function broadcastByAddress(state, body, result) {
  const scene = current();
  const from = state.from || "0";
  fill(
    body,
    make(
      "p",
      { class: "quiet" },
      "From one node through the clusters of the construction, over all links at once. Go inside a cell to see the broadcast there.",
    ),
    field(
      "From",
      make("input", {
        id: "from",
        type: "text",
        spellcheck: "false",
        value: from,
        onchange: (event) => change({ from: event.target.value.trim(), step: "" }),
      }),
    ),
    offer(scene.smaller, "Schedules transfer by transfer need node ids:"),
  );
  const answer = await patiently(result, "broadcast", () =>
    once(
      "broadcast",
      { spec: state.spec, from, inside: scene.path || undefined, most: state.most || MOST },
      "broadcast",
    ),
  );
  const step = Math.min(Number(state.step ?? 0), answer.steps);
  const upTo = (counts) => counts.slice(0, step + 1).reduce((sum, count) => sum + BigInt(count), 0n);
  const spots = new Map();
  for (const { path, informed_per_step: counts } of answer.cells) {
    const [known, all] = [upTo(counts), counts.reduce((sum, count) => sum + BigInt(count), 0n)];
    const fresh = BigInt(counts[step] ?? 0) > 0n;
    if (known) spots.set(spotOf(path), color(fresh ? "good" : known === all ? "accent" : "level-1"));
  }
  const root = spotOf(answer.cell);
  if (root >= 0) spots.set(root, color("mark"));
  spots.delete(-1);
  drawing.mark({ spots, symbols: root >= 0 ? [[root, "from"]] : [] }, state.select);
  fill(
    result,
    slider("step", answer.steps, step, "Step"),
    table([
      ["algorithm", "by the clusters of the construction"],
      ["steps", answer.steps],
      ["informed in this step", grouped(answer.informed_per_step[step])],
      ["know it then", `${grouped(upTo(answer.informed_per_step))} of ${grouped(answer.nodes)}`],
      ["cells reached here", `${spots.size} of ${scene.spots.length}`],
    ]),
  );
  fill(
    legend,
    ...[
      ["good", "informed in this step"],
      ["level-1", "informed in part"],
      ["accent", "all informed"],
    ].map(([name, text]) => make("span", {}, swatch(color(name)), text)),
  );
  refocus("step");
}

/** Who sends to whom in a step: `a>b:block …`. */
const transfers = (step) =>
  step
    .split(" ")
    .filter(Boolean)
    .map((send) => send.split(":")[0].split(">"));

/** All nodes that took part up to a step. */
const touched = (answer, step) => answer.schedule.slice(0, step).flatMap((sends) => transfers(sends).flat());

function steps(answer, step, root) {
  const informed = new Map();
  if (root !== null) informed.set(spotOf(pathOf(root)), color("mark"));
  for (const [, to] of answer.schedule.slice(0, Math.max(0, step - 1)).flatMap(transfers)) {
    const spot = spotOf(pathOf(to));
    if (!informed.has(spot)) informed.set(spot, color("accent"));
  }
  const hops = [];
  for (const [from, to] of step ? transfers(answer.schedule[step - 1]) : []) {
    const ends = [spotOf(pathOf(from)), spotOf(pathOf(to))];
    if (ends[0] >= 0 && ends[1] >= 0 && ends[0] !== ends[1])
      hops.push({ from: ends[0], to: ends[1], color: color("mark") });
    if (ends[1] >= 0 && !informed.has(ends[1])) informed.set(ends[1], color("good"));
  }
  informed.delete(-1);
  drawing.mark({ hops, spots: informed }, "");
  return hops.length;
}

async function broadcast(state, body, result) {
  if (!current().ids) return broadcastByAddress(state, body, result);
  const from = state.from || "0";
  fill(
    body,
    make("p", { class: "quiet" }, "Click the node that knows first."),
    make(
      "div",
      { class: "row" },
      field(
        "From",
        make("input", {
          id: "from",
          type: "text",
          value: from,
          onchange: (event) => change({ from: event.target.value.trim(), step: "" }),
        }),
      ),
      field(
        "Ports",
        choice(
          "ports",
          [
            ["", "as its own"],
            ["one", "one"],
            ["all", "all"],
          ],
          state.ports ?? "",
          (ports) => change({ ports, step: "" }),
        ),
      ),
    ),
  );
  const answer = await patiently(result, "broadcast", () =>
    once("broadcast", { spec: state.spec, from, ports: state.ports, steps: "1" }, "broadcast"),
  );
  const step = Math.min(Number(state.step ?? 0), answer.steps);
  await learn([answer.from, ...touched(answer, step)]);
  steps(answer, step, answer.from);
  const informed = 1 + answer.transfers_per_step.slice(0, step).reduce((sum, sent) => sum + sent, 0);
  fill(
    result,
    slider("step", answer.steps, step, "Step"),
    table([
      ["algorithm", answer.algorithm],
      ["steps", answer.steps],
      ["at least", answer.lower_bound],
      ["sent in this step", step ? answer.transfers_per_step[step - 1] : 0],
      ["know it then", `${grouped(informed)} of ${grouped(answer.nodes)}`],
    ]),
  );
  refocus("step");
}

async function collective(state, body, result) {
  const goals = (await library()).collectives;
  const goal = goals.includes(state.goal) ? state.goal : "allreduce";
  fill(
    body,
    make(
      "div",
      { class: "row" },
      field(
        "Collective",
        choice("goal", goals, goal, (next) => change({ goal: next, step: "" })),
      ),
      field(
        "Ports",
        choice("ports", ["one", "all"], state.ports || "one", (ports) => change({ ports, step: "" })),
      ),
    ),
  );
  const answer = await patiently(result, "collective", () =>
    once("collective", { goal, spec: state.spec, ports: state.ports || "one", steps: "1" }, "collective"),
  );
  const size = `seconds for ${short(answer.bytes / 2 ** 20)} MiB`;
  if (answer.steps === undefined) {
    return fill(
      result,
      make("p", { class: "quiet" }, "Its rounds are among hosts, through switches, and are not drawn."),
      table(
        [
          ["algorithm", answer.algorithm],
          ["rounds", grouped(answer.rounds)],
          ["at least", grouped(answer.rounds_lower_bound)],
          [size, short(answer.seconds)],
          ["most messages on a channel in a round", grouped(answer.busiest_load)],
          ["bus bandwidth, GB/s", short(answer.busbw / 1e9)],
        ].filter(([, value]) => !/undefined|NaN/.test(String(value))),
      ),
    );
  }
  const most = answer.schedule.length;
  const step = Math.min(Number(state.step ?? 0), most);
  await learn(touched(answer, step));
  const sent = steps(answer, step, null);
  fill(
    result,
    slider("step", most, step, "Step"),
    table([
      ["algorithm", answer.algorithm],
      ["steps", answer.steps],
      ["at least", answer.lower_bound],
      [size, short(answer.seconds)],
      ["sent in this step", sent],
    ]),
  );
  refocus("step");
}

async function deadlock(state, body, result) {
  const scene = current();
  const main = scene.routers.includes(state.router)
    ? state.router
    : scene.routers.includes("paper")
      ? "paper"
      : scene.routers[0];
  fill(
    body,
    make("p", { class: "quiet" }, "Can messages deadlock?"),
    make(
      "div",
      { class: "row" },
      field(
        "Router",
        choice("router", scene.routers, main, (router) => change({ router, step: "" })),
      ),
      field(
        "Virtual channels",
        make("input", {
          id: "vcs",
          type: "number",
          min: "1",
          value: state.vcs ?? "",
          placeholder: "its own",
          onchange: (event) => change({ vcs: event.target.value, step: "" }),
        }),
      ),
    ),
  );
  const answer = await patiently(result, "deadlock", () =>
    once("deadlock", { spec: state.spec, router: main, vcs: state.vcs }, "deadlock"),
  );
  if (answer.verdict !== "cycle") {
    return fill(
      result,
      make(
        "p",
        { class: "good" },
        `No: ${grouped(answer.channels ?? 0)} channels are in an order in which every message goes up.`,
      ),
      table([
        ["verdict", answer.verdict],
        ["virtual channels", answer.vcs],
        ["dependencies", grouped(answer.dependencies ?? 0)],
      ]),
    );
  }
  const cycle = answer.cycle;
  const step = Math.min(Number(state.step ?? cycle.length), cycle.length);
  const ends = cycle.flatMap(({ node, to, message }) => [node, to, ...(message ? [message.from, message.to] : [])]);
  await learn(ends, true);
  const hops = [];
  const spots = new Map();
  cycle.forEach((held, i) => {
    const ends = [spotOf(pathOf(held.node)), spotOf(pathOf(held.to))];
    for (const spot of ends) if (spot >= 0) spots.set(spot, color("accent"));
    if (i < step && ends[0] >= 0 && ends[1] >= 0 && ends[0] !== ends[1])
      hops.push({ from: ends[0], to: ends[1], color: channel(held.vc), strong: i === step - 1 });
  });
  drawing.mark({ hops, spots }, "");
  const rows = cycle.map((held, i) => {
    const next = cycle[(i + 1) % cycle.length];
    const message = held.message;
    return make(
      "li",
      { "aria-current": i === step - 1 ? "step" : null },
      swatch(channel(held.vc)),
      `${message ? `the message from ${nameOf(message.from)} to ${nameOf(message.to)} ` : "a message "}holds ${nameOf(held.node)} → ${nameOf(held.to)} (channel ${held.vc}) and waits for ${nameOf(next.node)} → ${nameOf(next.to)} (channel ${next.vc})`,
    );
  });
  fill(
    result,
    make("p", { class: "wrong" }, `Yes: ${cycle.length} messages form a dependency cycle.`),
    slider("step", cycle.length, step, "Message"),
    make("ol", { class: "hops", tabindex: "0", "aria-label": "The dependency cycle" }, ...rows),
  );
  refocus("step");
}

async function load(state, body, result) {
  const scene = current();
  const { traffic } = await library();
  fill(
    body,
    make("datalist", { id: "patterns" }, ...traffic.map(({ usage, about }) => make("option", { value: usage }, about))),
    make(
      "p",
      { class: "quiet" },
      "How busy is each channel when every host sends? Each half of a line is the direction that begins there.",
    ),
    make(
      "div",
      { class: "row" },
      field(
        "Traffic",
        make("input", {
          id: "traffic",
          type: "text",
          list: "patterns",
          value: state.traffic ?? "uniform",
          onchange: (event) => change({ traffic: event.target.value.trim() }),
        }),
      ),
      field(
        "Router",
        choice("router", [["", "all shortest paths"], ...scene.routers], state.router ?? "", (router) =>
          change({ router }),
        ),
      ),
    ),
    make(
      "div",
      { class: "row" },
      field(
        "Simulated at a load of",
        make("input", {
          id: "offered",
          type: "text",
          value: state.offered ?? "",
          placeholder: "counted, not simulated",
          onchange: (event) => change({ offered: event.target.value.trim() }),
        }),
      ),
    ),
  );
  const words = { spec: state.spec, traffic: state.traffic || "uniform", router: state.router };
  const answer = await patiently(result, "load", () =>
    state.offered
      ? once("simulate", { ...words, load: state.offered, utilization: "1" }, "load")
      : once("throughput", { ...words, loads: "1" }, "load"),
  );
  const curve = answer.curves?.[0];
  const { loads, least, most } = busy(answer.utilization ?? answer.loads ?? []);
  const even = most - least < 1e-9 * Math.max(1, most);
  // One calm color where all channels are alike; what is simulated is a part of all cycles.
  const end = state.offered ? 1 : most;
  drawing.mark({ loads, most: even && !state.offered ? 8 * most : end }, "");
  const bar = [0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => {
    const line = make("i");
    line.style.borderTopColor = heat(part);
    return make("span", {}, line, short(part * end));
  });
  const bundled = scene.folded ? [make("span", {}, "a bundle has the color of its busiest channel")] : [];
  if (scene.lines.some(([from, to]) => !loads.has(`${Math.min(from, to)}-${Math.max(from, to)}`)))
    bundled.push(make("span", {}, swatch(color("quiet")), "links of hosts, which are not counted"));
  fill(
    legend,
    ...bundled,
    ...(even && !state.offered ? [make("span", {}, `every channel carries ${short(most)}`)] : bar),
  );
  const found = [
    ["busiest channel", short(most)],
    ["least busy", short(least)],
    ["by", (curve ?? answer).router],
  ];
  const point = curve?.points[0];
  if (point)
    found.push(
      ["accepted", short(point.accepted)],
      ["mean latency, cycles", short(point.packet_latency.mean)],
      ["status", point.status],
    );
  else found.unshift(["saturation throughput", short(answer.theta)], ["known by", answer.how]);
  fill(result, table(found));
}

/** The busiest channel between every two spots, by direction. */
function busy(channels) {
  const loads = new Map();
  let [least, most] = [Infinity, 0];
  for (const [from, to, value] of channels) {
    const ends = [spotOf(pathOf(from)), spotOf(pathOf(to))];
    if (ends[0] < 0 || ends[1] < 0 || ends[0] === ends[1]) continue;
    const key = `${Math.min(...ends)}-${Math.max(...ends)}`;
    const both = loads.get(key) ?? [0, 0];
    const half = ends[0] < ends[1] ? 0 : 1;
    both[half] = Math.max(both[half], value);
    loads.set(key, both);
    [least, most] = [Math.min(least, value), Math.max(most, value)];
  }
  return { loads, least, most };
}

/** The color of a virtual channel. */
const channel = (vc) => {
  const all = numbered("series");
  return all[(vc ?? 0) % all.length];
};

function swatch(paint) {
  const dot = make("span", { class: "swatch" });
  dot.style.background = paint;
  return dot;
}

function table(facts) {
  return make("dl", {}, ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]));
}
