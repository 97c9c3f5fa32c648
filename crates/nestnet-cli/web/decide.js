// Which network to take? The design question, a comparison, and latency over load as it is simulated.

import { ask, choice, field, fill, grouped, isStopped, make, short, stop } from "/ask.js";
import { plot } from "/plot.js";
import { change, link, read } from "/state.js";

const place = document.getElementById("decide");
const MODES = [["design", "Design"], ["compare", "Compare"], ["curve", "Load and latency"]];
const QUESTIONS = {
  nodes: [["nodes", "Nodes", "1000"], ["tolerance", "More or fewer, percent", "10%"], ["max-degree", "Links at a node, at most", "6"], ["max-diameter", "Diameter, at most", ""], ["max-base", "Nodes of the largest base", "10"], ["depth", "Constructions nested, at most", "1"]],
  hosts: [["hosts", "Hosts", "64"], ["radix", "Ports of a switch", "10"], ["max-price", "Dollars a host, at most", ""], ["min-throughput", "Throughput, at least", ""], ["max-hops", "Mean hops, at most", ""], ["max-vcs", "Virtual channels, at most", ""], ["depth", "Constructions nested, at most", "0"]],
};
const COLORS = ["#2a7ab0", "#c8553d", "#4f9d54", "#9457b0", "#d98324"];
let shown = "";
let answer = null;
let sorted = { key: null, up: true };
let run = 0;

export async function show(state) {
  const mode = MODES.some(([name]) => name === state.mode) ? state.mode : "design";
  const key = JSON.stringify([mode, state.kind, state.specs, state.asked]);
  if (key === shown) return;
  shown = key;
  answer = null;
  const tabs = MODES.map(([name, label]) => make("button", { type: "button", "aria-pressed": String(name === mode), onclick: () => change({ mode: name, asked: "" }) }, label));
  const form = make("form", { class: "card", onsubmit: (event) => { event.preventDefault(); submit(mode, form); } });
  const out = make("div", { class: "card", id: "answer", role: "region", "aria-label": "Answer", "aria-live": "polite" }, make("p", { class: "quiet" }, "The answer comes here."));
  fill(place, make("div", { class: "tabs", role: "group", "aria-label": "What to decide" }, ...tabs), make("div", { class: "columns" }, form, out));
  await { design, compare, curve }[mode](state, form, out);
}

/** Writes the form into the address bar, which asks. */
function submit(mode, form) {
  const words = Object.fromEntries(new FormData(form));
  shown = "";
  change({ ...words, mode, asked: String(Date.now() % 100000) });
}

function input(state, [name, label, value]) {
  return field(label, make("input", { name, id: `ask-${name}`, type: "text", value: state[name] ?? value, autocomplete: "off" }));
}

async function under(out, slot, work) {
  const began = performance.now();
  const bar = make("progress", { "aria-label": "Under way" });
  const time = make("span", {}, "0 s");
  const clock = setInterval(() => { time.textContent = `${Math.round((performance.now() - began) / 1000)} s`; }, 500);
  fill(out, make("p", {}, "Searching … ", time), bar, make("button", { type: "button", id: "stop", onclick: () => { run += 1; stop(slot); } }, "Stop"));
  try {
    return await work();
  } catch (error) {
    fill(out, isStopped(error) ? make("p", { class: "quiet" }, "Stopped.") : make("p", { class: "wrong" }, error.message));
    return null;
  } finally {
    clearInterval(clock);
  }
}

async function design(state, form, out) {
  const kind = state.kind === "nodes" ? "nodes" : "hosts";
  fill(form, make("h2", {}, "Which network?"),
    field("For", choice("kind", [["hosts", "hosts on switches"], ["nodes", "nodes that are their own routers"]], kind, (next) => { shown = ""; change({ kind: next, asked: "" }); })),
    ...QUESTIONS[kind].map((question) => input(state, question)), make("p", {}, make("button", { type: "submit" }, "Find networks")));
  if (!state.asked) return;
  const words = Object.fromEntries(QUESTIONS[kind].map(([name, , value]) => [name, state[name] ?? value]));
  const found = await under(out, "design", () => ask("design", { ...words, "no-report": "1" }, "design"));
  if (!found) return;
  const rows = found.front ?? found.networks ?? found.rows ?? [];
  if (!rows.length) return fill(out, make("p", {}, "No network fits. Loosen a limit."));
  answer = rows.map(flat);
  front(read(), out, found);
}

/** One row with plain numbers: bounds become their value. */
function flat(row) {
  const plain = {};
  for (const [key, value] of Object.entries(row)) {
    if (typeof value === "number") plain[key] = value;
    else if (typeof value === "string") plain[key] = /^\d{16,}$/.test(value) ? Number(value) : value;
    else if (value && typeof value === "object" && !Array.isArray(value)) {
      const number = value.value ?? value.high ?? value.exact;
      if (number !== undefined) plain[key] = Number(number);
    }
  }
  plain.best = row.best ?? [];
  return plain;
}

const words = (key) => key.replaceAll("_", " ");

/** The Pareto front over two axes. */
function front(state, out, found) {
  const keys = Object.keys(answer[0]).filter((key) => answer.some((row) => typeof row[key] === "number") && answer.some((row) => row[key] !== answer[0][key]));
  const wanted = (name, fallback) => (keys.includes(state[name]) ? state[name] : fallback.find((key) => keys.includes(key)) ?? keys[0]);
  const [x, y] = [wanted("x", ["price_per_host", "degree", "links"]), wanted("y", ["throughput", "diameter", "average_distance"])];
  const text = (state.filter ?? "").toLowerCase();
  const kept = answer.filter((row) => row.spec.toLowerCase().includes(text));
  const pointed = make("p", { id: "pointed", class: "quiet", role: "status" }, "Point at a dot to see which network it is; click it to walk inside.");
  const points = kept.map((row) => ({ x: row[x], y: row[y], label: `${row.spec}: ${words(x)} ${short(row[x])}, ${words(y)} ${short(row[y])}`, row }));
  const again = (changes) => { const next = { ...read(), ...changes }; history.replaceState(null, "", link(next)); front(next, out, found); };
  fill(out,
    make("h2", {}, `${grouped(answer.length)} Pareto-optimal networks`),
    make("div", { class: "row" }, field("Across", choice("x", keys.map((key) => [key, words(key)]), x, (next) => again({ x: next }))),
      field("Up", choice("y", keys.map((key) => [key, words(key)]), y, (next) => again({ y: next }))),
      field("Only with", make("input", { id: "filter", type: "search", value: state.filter ?? "", placeholder: "part of a name", onchange: (event) => again({ filter: event.target.value }) }))),
    plot({ points, axes: [words(x), words(y)], tell: (point) => { pointed.textContent = point.label; }, pick: (point) => { location.hash = link({ view: "explore", spec: point.row.spec }); } }),
    pointed, sortable(kept, ["spec", ...keys.slice(0, 9)], () => front(read(), out, found)),
  );
}

/** A table that its headings sort. */
function sortable(rows, keys, again) {
  const value = (row) => row[sorted.key] ?? Infinity;
  const ordered = keys.includes(sorted.key) ? [...rows].sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    const less = typeof left === "string" || typeof right === "string" ? String(left).localeCompare(String(right)) : left - right;
    return sorted.up ? less : -less;
  }) : rows;
  const head = keys.map((key) => {
    const here = sorted.key === key;
    return make("th", { scope: "col", "aria-sort": here ? (sorted.up ? "ascending" : "descending") : "none" },
      make("button", { type: "button", "data-key": key, onclick: () => { sorted = { key, up: here ? !sorted.up : true }; again(); } }, `${words(key)}${here ? (sorted.up ? " ▲" : " ▼") : ""}`));
  });
  const body = ordered.slice(0, 200).map((row) => make("tr", { class: row.mine ? "mine" : null }, ...keys.map((key) => (key === "spec"
    ? make("td", {}, make("a", { href: link({ view: "explore", spec: row.spec }) }, row.spec))
    : make("td", { class: row.best?.includes(key) ? "best" : null }, row[key] === undefined ? "–" : short(row[key]))))));
  return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" }, make("table", { id: "table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)));
}

async function compare(state, form, out) {
  fill(form, make("h2", {}, "Compare"), field("Networks, one a line", make("textarea", { name: "specs", id: "ask-specs", rows: "6", value: state.specs ?? "rdn(ring(5), 1)\ntorus(7, 7)\nhypercube(6)" })),
    field("Add baselines that spend as much", choice("match", [["", "none"], ["hosts", "as many hosts"], ["ports", "as many ports"], ["dollars", "as many dollars"], ["bisection", "as much bisection"]], state.match ?? "", null)),
    make("p", {}, make("button", { type: "submit" }, "Compare")));
  form.querySelector("select").name = "match";
  if (!state.specs) return;
  const specs = state.specs.split(/[\n;]+/).map((spec) => spec.trim()).filter(Boolean);
  const found = await under(out, "compare", () => ask("compare", [...specs.map((spec) => ["spec", spec]), ["match", state.match ?? ""]], "compare"));
  if (!found) return;
  answer = found.rows.map((row) => ({ ...flat(row), mine: specs.length < found.rows.length && found.rows.indexOf(row) < specs.length }));
  const keys = ["spec", ...Object.keys(answer[0]).filter((key) => answer.some((row) => typeof row[key] === "number"))];
  const again = () => fill(out, make("h2", {}, "Side by side"), make("p", { class: "quiet" }, "A heading sorts; the best of each column is bold."), sortable(answer, keys, again));
  again();
}

async function curve(state, form, out) {
  fill(form, make("h2", {}, "Latency over load"), field("Networks, one a line", make("textarea", { name: "specs", id: "ask-specs", rows: "4", value: state.specs ?? "rdn(ring(5), 1)\ntorus(7, 7)" })),
    input(state, ["traffic", "Traffic", "uniform"]), input(state, ["router", "Router", ""]), input(state, ["cycles", "Cycles measured", "2000"]), input(state, ["points", "Loads", "0.05,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9"]),
    make("p", {}, make("button", { type: "submit" }, "Simulate")));
  if (!state.asked) return;
  const specs = (state.specs ?? "").split(/[\n;]+/).map((spec) => spec.trim()).filter(Boolean);
  const loads = (state.points ?? "").split(",").map((load) => load.trim()).filter(Boolean);
  const mine = (run += 1);
  const curves = specs.map((spec, index) => ({ spec, color: COLORS[index % COLORS.length], points: [], note: "" }));
  let done = 0;
  const paint = (end) => {
    const keys = curves.map(({ spec, color, note }) => {
      const dot = make("span", { class: "swatch" });
      dot.style.background = color;
      return make("p", {}, dot, `${spec}${note ? `: ${note}` : ""}`);
    });
    fill(out, make("h2", {}, end ?? `Simulating: ${done} of ${specs.length * loads.length} loads`),
      end ? "" : make("progress", { max: String(specs.length * loads.length), value: String(done), "aria-label": "Loads done" }),
      end ? "" : make("button", { type: "button", id: "stop", onclick: () => { run += 1; stop("simulate"); } }, "Stop"),
      plot({ curves, axes: ["offered load, flits a host and cycle", "mean latency, cycles"], fromZero: true }), ...keys);
  };
  paint();
  for (const line of curves) {
    for (const load of loads) {
      if (mine !== run) return paint("Stopped");
      try {
        const found = await ask("simulate", { spec: line.spec, load, traffic: state.traffic, router: state.router, cycles: state.cycles }, "simulate");
        const point = found.points?.[0] ?? found;
        done += 1;
        if (point.status !== "ok") {
          line.note = `${point.status} at ${load}`;
          done += loads.length - loads.indexOf(load) - 1;
          break;
        }
        line.points.push({ x: Number(load), y: point.packet_latency.mean });
        paint();
      } catch (error) {
        if (isStopped(error)) return paint("Stopped");
        line.note = error.message;
        break;
      }
    }
  }
  if (mine === run) paint("Latency over load");
}
