// Which network to take? The design question, a comparison, and latency over load as it is simulated.

import {
  ask,
  cellOf,
  choice,
  commandOf,
  field,
  fill,
  follow,
  grouped,
  isStopped,
  library,
  make,
  short,
  stop,
} from "/ask.js";
import { files, plot } from "/plot.js";
import { saving } from "/save.js";
import { change, link, read } from "/state.js";

const place = document.getElementById("decide");
const MODES = [
  ["design", "Design"],
  ["compare", "Compare"],
  ["curve", "Load and latency"],
];
/** What one may wait for here. */
const SLOTS = ["design", "compare", "simulate"];
/** What the form of a design begins with: a question that is answered soon. */
const SUGGESTED = {
  nodes: { nodes: "1000", "max-degree": "6", "max-base": "10", depth: "1" },
  hosts: { hosts: "64", radix: "10", depth: "0" },
};
const ANSWERS = [
  ["non_blocking", "Non-blocking"],
  ["best_value", "Best value"],
  ["cheapest", "Cheapest"],
];
let shown = "";
let metrics = new Map();
let sorted = { key: null, up: true };
let run = 0;

export async function show(state) {
  const mode = MODES.some(([name]) => name === state.mode) ? state.mode : "design";
  const key = JSON.stringify([mode, state.kind, state.specs, state.asked]);
  if (key === shown) return;
  shown = key;
  // What was asked before has no place any longer.
  run += 1;
  for (const slot of SLOTS) stop(slot);
  const tables = await library().catch((error) => {
    shown = "";
    throw error;
  });
  if (key !== shown) return;
  metrics = new Map(tables.metrics.map((row) => [row.key, row]));
  const tabs = MODES.map(([name, label]) =>
    make(
      "button",
      { type: "button", "aria-pressed": String(name === mode), onclick: () => change({ mode: name, asked: "" }) },
      label,
    ),
  );
  const form = make("form", {
    class: "card",
    onsubmit: (event) => {
      event.preventDefault();
      submit(mode, form);
    },
  });
  const out = make(
    "div",
    { class: "card", id: "answer", role: "region", "aria-label": "Answer", "aria-live": "polite" },
    make("p", { class: "quiet" }, "The answer comes here."),
  );
  fill(
    place,
    make("div", { class: "tabs", role: "group", "aria-label": "What to decide" }, ...tabs),
    make("div", { class: "columns" }, form, out),
  );
  // On a phone the answer is below the form.
  const isAsked = state.asked || (mode === "compare" && state.specs);
  if (isAsked && innerWidth < 860) out.scrollIntoView();
  await { design, compare, curve }[mode](state, form, out, tables);
}

/** Writes the form into the address bar, which asks. */
function submit(mode, form) {
  const words = Object.fromEntries(new FormData(form));
  shown = "";
  change({ ...words, mode, asked: String(Date.now() % 100000) });
}

/**
 * @param {Record<string, string>} state
 * @param {string[]} question name, label, what is suggested, what the field takes
 */
function input(state, [name, label, value, placeholder]) {
  return field(
    label,
    make("input", {
      name,
      id: `ask-${name}`,
      type: "text",
      value: state[name] ?? value,
      placeholder,
      autocomplete: "off",
    }),
  );
}

/** The fields of the cost model, as the library lists them. */
function costs(state, { cost }) {
  const named = (row) => {
    const select = choice(
      `ask-${row.name}`,
      [
        ["", `usual${row.usual ? ` (${row.usual})` : ""}`],
        ...row.names.map(({ name, about }) => [name, `${name}: ${about}`]),
      ],
      state[row.name] ?? "",
      null,
    );
    select.name = row.name;
    return field(row.about, select);
  };
  const one = (row) =>
    row.names.length
      ? named(row)
      : row.unit
        ? field(
            row.about,
            make("input", {
              name: row.name,
              id: `ask-${row.name}`,
              type: "text",
              value: state[row.name] ?? "",
              placeholder: [row.unit.toLowerCase(), row.usual].filter(Boolean).join("; usual "),
            }),
          )
        : null;
  const [first, ...others] = cost.filter((row) => row.names.length || row.unit);
  return [
    one(first),
    make(
      "details",
      { open: others.some((row) => state[row.name]) },
      make("summary", {}, "Prices and packing"),
      ...others.map(one),
    ),
  ];
}

const costWords = (state, { cost }) => Object.fromEntries(cost.map((row) => [row.name, state[row.name]]));

/**
 * Waits for work that asks in `slot`, with the time that it takes and a button that stops it. The work gets a
 * place for what it finds on its way; `kept` shows that where it ends without an answer, and says whether there is any.
 * @template T
 * @param {Element} out
 * @param {string} slot
 * @param {(found: Element) => Promise<T>} work
 * @param {(why: string) => boolean} [kept]
 * @returns {Promise<T | null>}
 */
async function under(out, slot, work, kept = () => false) {
  const began = performance.now();
  const bar = make("progress", { "aria-label": "Under way" });
  // What comes and changes every moment is not read out.
  const found = make("div", { id: "so-far", "aria-live": "off" });
  const time = make("span", {}, "0 s");
  const clock = setInterval(() => {
    time.textContent = `${Math.round((performance.now() - began) / 1000)} s`;
  }, 500);
  fill(
    out,
    make("p", {}, "Searching … ", time),
    bar,
    make(
      "button",
      {
        type: "button",
        id: "stop",
        onclick: () => {
          run += 1;
          stop(slot);
        },
      },
      "Stop",
    ),
    found,
  );
  try {
    return await work(found);
  } catch (error) {
    const why = isStopped(error) ? "Stopped." : error.message;
    if (!kept(why)) fill(out, make("p", { class: isStopped(error) ? "quiet" : "wrong" }, why));
    return null;
  } finally {
    clearInterval(clock);
  }
}

/** One row with its cells by key. */
function flat(row) {
  const cells = {};
  for (const [key, value] of Object.entries(row)) {
    const cell = key === "spec" || key === "best" ? null : cellOf(value);
    if (cell) cells[key] = cell;
  }
  return { spec: row.spec, kind: row.kind ?? "", best: row.best ?? [], cells };
}

const words = (key) => key.replaceAll("_", " ");
/** The name of a number with its unit. */
function title(key) {
  const unit = metrics.get(key)?.unit;
  return unit ? `${words(key)}, ${unit}` : words(key);
}

/** The fields of a design, as the library lists its options: name, label, what is suggested, what the field takes. */
const questionsOf = (kind, tables) =>
  tables.design[kind]
    .filter((row) => row.unit)
    .map(({ name, title, unit, usual }) => [
      name,
      title[0].toUpperCase() + title.slice(1),
      SUGGESTED[kind][name] ?? "",
      [unit.toLowerCase(), usual].filter(Boolean).join("; usual "),
    ]);

async function design(state, form, out, tables) {
  const kind = state.kind === "nodes" ? "nodes" : "hosts";
  const questions = questionsOf(kind, tables);
  fill(
    form,
    make("h2", {}, "Which network?"),
    field(
      "For",
      choice(
        "kind",
        [
          ["hosts", "hosts on switches"],
          ["nodes", "nodes that are their own routers"],
        ],
        kind,
        (next) => {
          shown = "";
          change({ kind: next, asked: "" });
        },
      ),
    ),
    ...questions.map((question) => input(state, question)),
    ...costs(state, tables),
    make("p", {}, make("button", { type: "submit" }, "Find networks")),
  );
  if (!state.asked) return;
  const asked = Object.fromEntries(questions.map(([name, , value]) => [name, state[name] ?? value]));
  /** What was found so far. */
  let rows = null;
  const mine = shown;
  const found = await under(
    out,
    "design",
    (soFar) =>
      follow("design", { ...asked, ...costWords(state, tables), "no-report": "1" }, "design", ({ so_far: found }) => {
        if (mine !== shown || !found?.length) return;
        rows = found.map(flat);
        const partial = "They are measured one after the other: others may be better.";
        front(read(), soFar, { searching: true, partial }, rows, tables);
      }),
    (why) => {
      // A newer question has the place by now.
      if (mine !== shown || !rows) return mine !== shown;
      front(read(), out, { partial: `${why} These were measured by then: others may be better.` }, rows, tables);
      return true;
    },
  );
  if (!found || mine !== shown) return;
  if (!found.front.length) {
    return fill(
      out,
      make("p", {}, "No network fits. Loosen a limit."),
      ...(found.unfit ?? []).map(({ family, why }) => make("p", { class: "quiet" }, `${family}: ${why}`)),
    );
  }
  front(read(), out, found, found.front.map(flat), tables);
}

/** What is recommended, and for what. */
function recommended(found) {
  if (found.answers)
    return ANSWERS.map(([key, name]) => ({
      name,
      ...(found.answers[key] ?? { why: "no network on the front does that" }),
    }));
  return found.recommended ? [{ name: "Recommended", ...found.recommended }] : [];
}

/** The Pareto front over two axes, the answers on top; `answer` are its rows. */
function front(state, out, found, answer, tables) {
  const beside = (found.references ?? []).map(flat).filter(({ spec }) => !answer.some((row) => row.spec === spec));
  const rows = [...answer, ...beside];
  const varies = (key) =>
    rows.some((row) => row.cells[key]?.number !== undefined) &&
    (rows.length === 1 || rows.some((row) => row.cells[key]?.text !== rows[0].cells[key]?.text));
  const keys = [...new Set([...(found.objectives ?? []), ...rows.flatMap((row) => Object.keys(row.cells))])].filter(
    varies,
  );
  const wanted = (name, fallback) =>
    keys.includes(state[name]) ? state[name] : (fallback.find((key) => keys.includes(key)) ?? keys[0]);
  const [x, y] = [
    wanted("x", ["price_per_host", "degree", "links"]),
    wanted("y", ["throughput", "diameter", "average_distance"]),
  ];
  const text = (state.filter ?? "").toLowerCase();
  const kept = rows.filter((row) => row.spec.toLowerCase().includes(text));
  const best = recommended(found);
  const names = (row) => best.filter(({ spec }) => spec === row.spec).map(({ name }) => name);
  const pointed = make(
    "div",
    { id: "pointed", class: "quiet", role: "status" },
    "Point at a mark to see its network with all numbers; click it to walk inside.",
  );
  const again = (changes) => {
    const next = { ...read(), ...changes };
    history.replaceState(null, "", link(next));
    front(next, out, found, answer, tables);
  };
  const point = (row) => {
    // Those that are not kept have no place, and their kinds keep their colors.
    const [across, up] = kept.includes(row) ? [row.cells[x], row.cells[y]] : [];
    const stars = names(row);
    return {
      kind: row.kind,
      x: across?.number,
      y: up?.number,
      low: up?.low,
      high: up?.high,
      recommended: stars.length > 0,
      tag: stars.length ? row.spec : "",
      label: `${row.spec}${stars.length ? ` (${stars.join(", ")})` : ""}: ${title(x)} ${across?.text}, ${title(y)} ${up?.text}`,
    };
  };
  const shownPlot = {
    name: "design",
    title: `${title(y)} over ${title(x)}`,
    plot: { front: { across: title(x), up: title(y), points: rows.map(point) } },
  };
  const drawn = plot({
    ...shownPlot,
    tell: (id) => fill(pointed, make("strong", {}, rows[id].spec), numbers(rows[id])),
    pick: (id) => {
      location.hash = link({ view: "explore", spec: rows[id].spec });
    },
  });
  const columns = ["spec", "kind", ...(rows.some((row) => row.cells.routing) ? ["routing"] : []), ...keys];
  // Where the search did not come to an end, nothing is recommended: the first ones are compared.
  const specs = best.length ? best.map(({ spec }) => spec).filter(Boolean) : answer.slice(0, 3).map(({ spec }) => spec);
  const several = [...new Set(specs)].join("\n");
  fill(
    out,
    found.searching ? null : make("h2", {}, best.length ? "Take one of these" : "Pareto-optimal networks"),
    make(
      "div",
      { class: "answers" },
      ...best.map(({ name, spec, why }) =>
        make(
          "article",
          { class: "pick" },
          make("h3", {}, `★ ${name}`),
          spec ? make("p", {}, make("a", { href: link({ view: "explore", spec }) }, spec)) : null,
          make("p", { class: "quiet" }, why),
        ),
      ),
    ),
    found.simulated
      ? make(
          "p",
          { class: "quiet" },
          `Simulated with uniform traffic, ${found.recommended.spec} accepts ${short(found.simulated.accepted)} flits per host and cycle by ${found.simulated.router} with ${found.simulated.vcs} virtual channels: `,
          make("code", {}, found.simulated.command),
        )
      : null,
    several && !found.searching
      ? make(
          "p",
          {},
          make(
            "a",
            { id: "compare-them", href: link({ view: "decide", mode: "compare", specs: several, asked: "1" }) },
            "Compare them",
          ),
          " · ",
          make(
            "a",
            { id: "curve-them", href: link({ view: "decide", mode: "curve", specs: several }) },
            "Latency over load",
          ),
        )
      : null,
    make(
      "h3",
      {},
      found.partial
        ? `${grouped(answer.length)} networks that none of those measured so far beats`
        : `${grouped(answer.length)} Pareto-optimal networks of ${grouped(found.candidates)} candidates${found.unmeasured ? `; ${grouped(found.unmeasured)} of lower estimated value were not measured` : ""}`,
    ),
    found.partial ? make("p", { id: "partial", class: found.searching ? "quiet" : "wrong" }, found.partial) : null,
    found.finished === false
      ? make("p", { class: "wrong" }, "The time ended before all were measured: others may be better.")
      : null,
    ...(found.unfit ?? []).map(({ family, why }) => make("p", { class: "quiet" }, `${family}: ${why}`)),
    // What changes every moment has no fields.
    found.searching
      ? null
      : make(
          "div",
          { class: "row" },
          field(
            "Across",
            choice(
              "x",
              keys.map((key) => [key, title(key)]),
              x,
              (next) => again({ x: next }),
            ),
          ),
          field(
            "Up",
            choice(
              "y",
              keys.map((key) => [key, title(key)]),
              y,
              (next) => again({ y: next }),
            ),
          ),
          field(
            "Only with",
            make("input", {
              id: "filter",
              type: "search",
              value: state.filter ?? "",
              placeholder: "part of a name",
              onchange: (event) => again({ filter: event.target.value }),
            }),
          ),
        ),
    drawn,
    pointed,
    found.searching
      ? null
      : saving({
          name: "design",
          files: files(shownPlot, tables.plots),
          rows: () => table(kept, columns),
          command: () => commandOf("design"),
        }),
    sortable(
      kept,
      columns,
      () => front(read(), out, found, answer, tables),
      (row) => names(row).length > 0,
    ),
  );
}

/** All numbers of a row. */
function numbers(row) {
  return make(
    "dl",
    {},
    ...Object.entries(row.cells).flatMap(([key, cell]) => [make("dt", {}, title(key)), make("dd", {}, cell.text)]),
  );
}

const textOf = (row, key) => (key === "spec" ? row.spec : key === "kind" ? row.kind : (row.cells[key]?.text ?? "–"));
/** Headings and rows, for a file. */
const table = (rows, keys) => [
  keys.map(title),
  ...rows.map((row) =>
    keys.map((key) =>
      row.cells[key]?.number !== undefined && row.cells[key].low === row.cells[key].high
        ? row.cells[key].number
        : textOf(row, key),
    ),
  ),
];

/** A table that its headings sort. */
function sortable(rows, keys, again, starred = (_) => false) {
  const value = (row) => row.cells[sorted.key]?.number ?? textOf(row, sorted.key);
  const ordered = keys.includes(sorted.key)
    ? [...rows].sort((a, b) => {
        const [left, right] = [value(a), value(b)];
        // What is not known comes last, either way.
        if (typeof left !== typeof right) return typeof left === "number" ? -1 : 1;
        const less = typeof left === "string" ? left.localeCompare(right) : left - right;
        return sorted.up ? less : -less;
      })
    : rows;
  const head = keys.map((key) => {
    const here = sorted.key === key;
    return make(
      "th",
      {
        scope: "col",
        "aria-sort": here ? (sorted.up ? "ascending" : "descending") : "none",
        title: metrics.get(key)?.about,
      },
      make(
        "button",
        {
          type: "button",
          "data-key": key,
          onclick: () => {
            sorted = { key, up: here ? !sorted.up : true };
            again();
          },
        },
        `${title(key)}${here ? (sorted.up ? " ▲" : " ▼") : ""}`,
      ),
    );
  });
  const body = ordered
    .slice(0, 200)
    .map((row) =>
      make(
        "tr",
        { class: row.mine || starred(row) ? "mine" : null },
        ...keys.map((key) =>
          key === "spec"
            ? make(
                "td",
                {},
                starred(row) ? "★ " : "",
                make("a", { href: link({ view: "explore", spec: row.spec }) }, row.spec),
              )
            : make(
                "td",
                { class: row.best.includes(key) ? "best" : null, title: row.cells[key]?.how },
                textOf(row, key),
              ),
        ),
      ),
    );
  return make(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" },
    make("table", { id: "table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)),
  );
}

async function compare(state, form, out, tables) {
  const matches = choice(
    "match",
    [
      ["", "none"],
      ["hosts", "as many hosts"],
      ["ports", "as many ports"],
      ["dollars", "as many dollars"],
      ["bisection", "as much bisection"],
    ],
    state.match ?? "",
    null,
  );
  matches.name = "match";
  fill(
    form,
    make("h2", {}, "Compare"),
    field(
      "Networks, one a line",
      make("textarea", {
        name: "specs",
        id: "ask-specs",
        rows: "6",
        value: state.specs ?? "rdn(ring(5), 1)\ntorus(7, 7)\nhypercube(6)",
      }),
    ),
    field("Add baselines that spend as much", matches),
    ...costs(state, tables),
    make("p", {}, make("button", { type: "submit" }, "Compare")),
  );
  if (!state.specs) return;
  const specs = state.specs
    .split(/[\n;]+/)
    .map((spec) => spec.trim())
    .filter(Boolean);
  const found = await under(out, "compare", () =>
    ask(
      "compare",
      [
        ...specs.map((spec) => ["spec", spec]),
        ["match", state.match ?? ""],
        ...Object.entries(costWords(state, tables)),
      ],
      "compare",
    ),
  );
  if (!found) return;
  const answer = found.rows.map((row, index) => ({
    ...flat(row),
    mine: specs.length < found.rows.length && index < specs.length,
  }));
  const keys = [
    "spec",
    ...[...new Set(answer.flatMap((row) => Object.keys(row.cells)))].filter((key) =>
      answer.some((row) => row.cells[key]?.number !== undefined || key === "routing"),
    ),
  ];
  const { matched, left_out: left } = found;
  /** @returns {void} */
  const again = () =>
    fill(
      out,
      make("h2", {}, "Side by side"),
      make(
        "p",
        { class: "quiet" },
        "A heading sorts; the best of each column is bold. a–b are bounds, ~ is sampled, – is not known.",
      ),
      matched
        ? make(
            "p",
            {},
            `Baselines have about as many ${matched.by} as ${answer[0].spec}: ${grouped(Math.round(matched.amount))}.`,
          )
        : null,
      left?.length
        ? make(
            "p",
            { class: "quiet" },
            `Families that were skipped, as none of their networks is near: ${left.map(({ family, nearest }) => `${family}${nearest ? ` (nearest ${nearest})` : ""}`).join(", ")}.`,
          )
        : null,
      sortable(answer, keys, again),
      saving({ name: "comparison", rows: () => table(answer, keys), command: () => commandOf("compare") }),
    );
  again();
}

async function curve(state, form, out, { traffic, plots }) {
  fill(
    form,
    make("h2", {}, "Latency over load"),
    field(
      "Networks, one a line",
      make("textarea", {
        name: "specs",
        id: "ask-specs",
        rows: "4",
        value: state.specs ?? "rdn(ring(5), 1)\ntorus(7, 7)",
      }),
    ),
    make(
      "datalist",
      { id: "curve-patterns" },
      ...traffic.map(({ usage, about }) => make("option", { value: usage }, about)),
    ),
    field(
      "Traffic",
      make("input", {
        name: "traffic",
        id: "ask-traffic",
        type: "text",
        list: "curve-patterns",
        value: state.traffic ?? "uniform",
        autocomplete: "off",
      }),
    ),
    input(state, ["router", "Router", "", "shortest"]),
    input(state, ["cycles", "Cycles measured", "", "as many as precision needs"]),
    input(state, ["points", "Loads", "auto", "auto, or 0.1,0.2,0.3"]),
    make("p", { class: "quiet" }, "auto looks for saturation and measures the curve up to it."),
    make("p", {}, make("button", { type: "submit" }, "Simulate")),
  );
  if (!state.asked) return;
  const specs = (state.specs ?? "")
    .split(/[\n;]+/)
    .map((spec) => spec.trim())
    .filter(Boolean);
  const loads = (state.points || "auto")
    .split(",")
    .map((load) => load.trim())
    .filter(Boolean);
  run += 1;
  const mine = run;
  const curves = specs.map((spec) => ({
    name: spec,
    points: [],
    rows: [],
    vertical: null,
    note: "",
    loads: [],
    command: "",
  }));
  let done = 0;
  const total = specs.length * loads.length;
  const paint = (end) => {
    const pointed = make(
      "div",
      { id: "pointed", class: "quiet", role: "status" },
      "Point at a mark to see its numbers.",
    );
    const lines = curves.map(({ name, points, vertical }) => ({ name, loads: points, vertical }));
    const shownPlot = {
      name: "latency over load",
      title: `Latency over load, ${state.traffic || "uniform"} traffic`,
      plot: { latency: { curves: lines } },
    };
    const drawn = plot({
      ...shownPlot,
      tell: (id) => {
        const [line, load] = id.split(" ");
        fill(pointed, lines[line].loads[load].label);
      },
    });
    fill(
      out,
      make("h2", {}, end ?? `Simulating: ${done} of ${total} ${loads[0] === "auto" ? "networks" : "loads"}`),
      end ? "" : make("progress", { max: String(total), value: String(done), "aria-label": "Done" }),
      end
        ? ""
        : make(
            "button",
            {
              type: "button",
              id: "stop",
              onclick: () => {
                run += 1;
                stop("simulate");
              },
            },
            "Stop",
          ),
      drawn,
      pointed,
      ...curves.filter(({ note }) => note).map(({ name, note }) => make("p", { class: "quiet" }, `${name}: ${note}`)),
      end
        ? saving({
            name: "latency over load",
            files: files(shownPlot, plots),
            command: () =>
              curves
                .filter(({ command }) => command)
                .map(({ command, loads }) => command.replace(/--load=\S+/, `--load=${loads.join(",")}`))
                .join("\n"),
            rows: () => [
              [
                "network",
                "offered",
                "accepted",
                "mean latency",
                "95 % interval, plus or minus",
                "99th percentile",
                "status",
              ],
              ...curves.flatMap(({ name, rows }) => rows.map((row) => [name, ...row])),
            ],
          })
        : "",
    );
  };
  paint();
  for (const line of curves) {
    for (const load of loads) {
      if (mine !== run) return paint("Stopped");
      try {
        const { curves: found } = await ask(
          "simulate",
          { spec: line.name, load, traffic: state.traffic, router: state.router, cycles: state.cycles },
          "simulate",
        );
        line.command = commandOf("simulate");
        line.loads.push(load);
        done += 1;
        const [{ points, saturation }] = found;
        for (const point of points) take(line, point);
        if (saturation !== undefined && saturation !== null)
          line.vertical = [saturation, `saturation ${short(saturation)}`];
        const last = points.at(-1);
        paint();
        if (saturation === undefined && last.status === "saturated") {
          line.note = `saturated at ${load}: ${short(last.accepted)} accepted`;
          line.vertical = [last.accepted, `accepts ${short(last.accepted)}`];
          done += loads.length - loads.indexOf(load) - 1;
          break;
        }
      } catch (error) {
        if (isStopped(error)) return paint("Stopped");
        line.note = error.message;
        done += loads.length - loads.indexOf(load);
        break;
      }
    }
  }
  if (mine === run) paint("Latency over load");
}

/** Takes a point of a simulation into a curve. */
function take(line, point) {
  const { mean, ci95, p99 } = point.packet_latency;
  line.rows.push([point.offered, point.accepted, mean, ci95, p99, point.status]);
  if (point.status === "deadlock") line.note = `deadlock at ${point.offered}`;
  const interval = ci95 === undefined || ci95 === null ? "" : ` ± ${short(ci95)}`;
  const latency = point.packets ? `${short(mean)}${interval} cycles` : "no packet arrived";
  line.points.push({
    offered: point.offered,
    packets: Number(point.packets),
    mean,
    ci95,
    status: point.status,
    label: `${line.name} at ${point.offered}: ${latency}, ${short(point.accepted)} accepted, ${point.status}`,
  });
}
