// What do the papers say, and is it so? The claims, with what contradicts them drawn.

import { ask, choice, commandOf, field, fill, grouped, isStopped, make } from "/ask.js";
import { picture } from "/canvas.js";
import { saving } from "/save.js";
import { change, link, read } from "/state.js";

const place = document.getElementById("check");
let papers = null;
let measured = "";

export async function show(state) {
  papers ??= (await ask("claims", { list: "1" }, "list")).papers;
  const claims = papers.flatMap((paper) =>
    paper.claims.map((claim) => ({ ...claim, paper: paper.paper, title: paper.title })),
  );
  const text = (state.text ?? "").toLowerCase();
  const kept = claims.filter(
    (claim) =>
      (!state.paper || claim.paper === state.paper) &&
      (!state.verdict || claim.verdict === state.verdict) &&
      (!text || `${claim.id} ${claim.says}`.toLowerCase().includes(text)),
  );
  const verdicts = [...new Set(claims.map((claim) => claim.verdict))];
  const chosen = claims.find((claim) => claim.id === state.id);
  const items = kept.map((claim) =>
    make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          "data-id": claim.id,
          "aria-current": claim.id === state.id ? "true" : null,
          onclick: () => change({ id: claim.id }),
        },
        make("span", { class: `verdict ${claim.verdict}` }, claim.verdict),
        make("span", {}, claim.says),
        make("span", { class: "quiet" }, `${claim.paper}, ${claim.where}`),
      ),
    ),
  );
  const before = document.getElementById("claims")?.scrollTop ?? 0;
  const list = make("ul", { class: "list", id: "claims" }, ...items);
  const detail = make("div", { class: "card", id: "claim" });
  fill(
    place,
    make(
      "div",
      { class: "columns" },
      make(
        "div",
        { class: "card" },
        tally(claims, verdicts, state),
        make(
          "div",
          { class: "row" },
          field(
            "Paper",
            choice("paper", [["", "all papers"], ...papers.map(({ paper }) => paper)], state.paper ?? "", (paper) =>
              change({ paper, id: "" }),
            ),
          ),
          field(
            "Verdict",
            choice("verdict", [["", "all verdicts"], ...verdicts], state.verdict ?? "", (verdict) =>
              change({ verdict, id: "" }),
            ),
          ),
          field(
            "With",
            make("input", {
              id: "text",
              type: "search",
              value: state.text ?? "",
              placeholder: "words",
              onchange: (event) => change({ text: event.target.value }),
            }),
          ),
        ),
        make("p", { class: "quiet", id: "count", role: "status" }, `${kept.length} of ${claims.length} claims`),
        list,
      ),
      detail,
    ),
  );
  list.scrollTop = before;
  if (!chosen)
    return fill(
      detail,
      make("p", { class: "quiet" }, "Choose a claim to see what was measured, and what contradicts it."),
    );
  await about(chosen, detail);
}

/** How many claims of each paper have which verdict; a number is a filter. */
function tally(claims, verdicts, state) {
  const count = (paper, verdict) =>
    claims.filter((claim) => (!paper || claim.paper === paper) && (!verdict || claim.verdict === verdict)).length;
  const cell = (paper, verdict) => {
    const many = count(paper, verdict);
    const here = (state.paper ?? "") === paper && (state.verdict ?? "") === verdict;
    return make(
      "td",
      {},
      many
        ? make(
            "button",
            {
              type: "button",
              "aria-pressed": String(here),
              "aria-label": `${many} claims of ${paper || "all papers"}, ${verdict || "all verdicts"}`,
              onclick: () => change({ paper, verdict, id: "" }),
            },
            grouped(many),
          )
        : "",
    );
  };
  const rows = ["", ...papers.map(({ paper }) => paper)].map((paper) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, paper || "all papers"),
      cell(paper, ""),
      ...verdicts.map((verdict) => cell(paper, verdict)),
    ),
  );
  return make(
    "details",
    { open: !state.id },
    make("summary", {}, "Tally by paper and verdict"),
    make(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Tally" },
      make(
        "table",
        { class: "tally", id: "tally" },
        make(
          "thead",
          {},
          make("tr", {}, ...["paper", "all", ...verdicts].map((word) => make("th", { scope: "col" }, word))),
        ),
        make("tbody", {}, ...rows),
      ),
    ),
  );
}

/** What is measured beside what is printed, and what is true instead; a formula that several checks share comes once. */
function formulas(claim) {
  const rows = [
    ...claim.formulas.map((row) => ["as printed", row]),
    ...claim.repaired_formulas.map((row) => ["corrected", row]),
  ].filter(([, { printed }]) => printed !== "yes");
  const texts = new Set();
  const distinct = rows.filter(([which, { measured, is, printed }]) => {
    const text = `${which} ${measured} ${is} ${printed}`;
    return !texts.has(text) && texts.add(text);
  });
  if (!distinct.length) return null;
  return make(
    "div",
    { class: "scroll", id: "formulas", tabindex: "0", role: "group", "aria-label": "Formulas" },
    make(
      "table",
      {},
      make(
        "thead",
        {},
        make("tr", {}, ...["which", "measured", "is", "formula"].map((word) => make("th", { scope: "col" }, word))),
      ),
      make(
        "tbody",
        {},
        ...distinct
          .slice(0, 12)
          .map(([which, { measured, is, printed }]) =>
            make(
              "tr",
              { class: which === "corrected" ? "mine" : null },
              make("td", {}, which),
              make("td", {}, make("code", {}, measured)),
              make("td", {}, is),
              make("td", {}, make("code", {}, printed)),
            ),
          ),
      ),
    ),
  );
}

async function about(claim, detail) {
  const result = make(
    "div",
    { id: "measured", role: "region", "aria-label": "Measured" },
    make("p", { class: "quiet" }, "Measuring it again …"),
  );
  fill(
    detail,
    make("h2", {}, claim.says),
    make("p", { class: "quiet" }, `${claim.title}. ${claim.where}`),
    make("p", {}, make("span", { class: `verdict ${claim.verdict}` }, claim.verdict)),
    claim.finding ? make("p", {}, claim.finding) : null,
    claim.repair ? make("p", {}, make("strong", {}, "Repaired: "), claim.repair) : null,
    formulas(claim),
    result,
  );
  measured = claim.id;
  try {
    const found = await ask("claims", { only: claim.id }, "claim");
    const exact = found.papers.flatMap((paper) => paper.claims).find(({ id }) => id === claim.id);
    if (measured === claim.id && read().view === "check") cases(exact, result);
  } catch (error) {
    if (!isStopped(error)) fill(result, make("p", { class: "wrong" }, error.message));
  }
}

/** The networks that commands name: what is quoted and can be one. */
const quoted = (command) =>
  [...(command ?? "").matchAll(/'([^']+)'|"([^"]+)"/g)]
    .map(([, one, two]) => one ?? two)
    .filter((text) => /^[a-z]\w*(\(.*\))?$/.test(text));

/** The networks that a case is about: those of its command, then those inside of what is measured. */
function specsOf(given) {
  const inside = /^\w+\((.*)\)$/.exec(given.quantity ?? "")?.[1] ?? "";
  const parts = [];
  let [depth, from] = [0, 0];
  for (let i = 0; i <= inside.length; i += 1) {
    if ("([".includes(inside[i] ?? " ")) depth += 1;
    else if (")]".includes(inside[i] ?? " ")) depth -= 1;
    if (i === inside.length || (inside[i] === "," && depth === 0)) {
      parts.push(inside.slice(from, i).trim());
      from = i + 1;
    }
  }
  return [...quoted(given.command), ...parts.filter((part) => /^[a-z]\w*\(.*\)$/.test(part))];
}

function cases(claim, result) {
  const all = claim.readings.flatMap((reading) => reading.cases);
  const shown = claim.readings.flatMap((reading) => quoted(reading.show));
  if (!all.length) {
    const figure = make("figure", { class: "frame", id: "counterexample", hidden: true });
    fill(result, make("p", { class: "quiet" }, "Nothing is measured here: it depends on its proof."), figure);
    return draw(shown, figure);
  }
  const against = all.filter(({ fits }) => fits === "no");
  const rank = { no: 0, yes: 2 };
  const ordered = [...all].sort((a, b) => (rank[a.fits] ?? 1) - (rank[b.fits] ?? 1));
  const rows = ordered
    .slice(0, 40)
    .map((given) =>
      make(
        "tr",
        {},
        make("td", {}, given.given || given.quantity),
        make("td", {}, String(given.printed)),
        make("td", {}, String(given.measured)),
        make("td", { class: given.fits === "yes" ? "best" : null }, given.fits),
      ),
    );
  const bySize = (some) => [...some].sort((a, b) => (a.nodes ?? Infinity) - (b.nodes ?? Infinity));
  const drawn = bySize(against.length ? against : all).find((given) => specsOf(given).length);
  const specs = [...(drawn ? specsOf(drawn) : []), ...shown, ...bySize(all).flatMap(specsOf)];
  const figure = make("figure", { class: "frame", id: "counterexample", hidden: true });
  fill(
    result,
    make(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Cases" },
      make(
        "table",
        {},
        make(
          "thead",
          {},
          make("tr", {}, ...["case", "printed", "measured", "fits"].map((word) => make("th", { scope: "col" }, word))),
        ),
        make("tbody", {}, ...rows),
      ),
    ),
    make(
      "h3",
      {},
      drawn ? (against.length ? "The smallest network that contradicts it" : "The smallest network measured") : "",
    ),
    figure,
    drawn?.command ? make("p", {}, make("code", {}, drawn.command)) : null,
    saving({
      name: claim.id,
      command: () => commandOf("claim"),
      rows: () => [
        ["case", "quantity", "printed", "measured", "fits", "command"],
        ...ordered.map((given) => [
          given.given,
          given.quantity,
          given.printed,
          given.measured,
          given.fits,
          given.command,
        ]),
      ],
    }),
  );
  draw(specs, figure);
}

/** So many networks are tried until one can be drawn. */
const TRIED = 4;

/** Draws the first of these networks that can be drawn. */
async function draw(specs, figure) {
  const distinct = [...new Set(specs)].slice(0, TRIED);
  for (const spec of distinct) if (await drew(spec, figure)) return;
}

/** Whether a network could be drawn. */
async function drew(spec, figure) {
  const canvas = make("canvas", { role: "img", "aria-label": `Picture of ${spec}` });
  try {
    const view = await ask("view", { spec }, "claim-view");
    figure.hidden = false;
    fill(
      figure,
      canvas,
      make("figcaption", { class: "quiet" }, make("a", { href: link({ view: "explore", spec }) }, `Walk into ${spec}`)),
    );
    const folded = view.layers.length !== view.shown;
    const drawing = picture(canvas, {
      pick() {},
      enter() {
        location.hash = link({ view: "explore", spec });
      },
      leave() {},
      hover() {},
    });
    drawing.show({
      ...view,
      folded,
      hasSwitches: view.spots.some((spot) => spot.host === false),
      labels: view.spots.length <= 60 ? view.spots.map((spot) => spot.name) : null,
    });
    figure.dataset.drawn = spec;
    figure.append(make("p", { class: "quiet" }, `${grouped(view.nodes)} nodes, ${grouped(view.links)} links`));
    return true;
  } catch (error) {
    // What is replaced by another claim is not tried on.
    return isStopped(error);
  }
}
