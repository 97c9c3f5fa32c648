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

/** The network that a case is about. */
function specOf(given) {
  const quoted = /'([^']+)'/.exec(given.command ?? "");
  return quoted ? quoted[1] : null;
}

function cases(claim, result) {
  const all = claim.readings.flatMap((reading) => reading.cases);
  if (!all.length)
    return fill(result, make("p", { class: "quiet" }, "Nothing is measured here: it depends on its proof."));
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
  const drawn = (against.length ? against : all)
    .filter((given) => specOf(given))
    .sort((a, b) => (a.nodes ?? Infinity) - (b.nodes ?? Infinity))[0];
  const figure = make("figure", { class: "frame", id: "counterexample", hidden: !drawn });
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
    drawn ? make("p", {}, make("code", {}, drawn.command)) : null,
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
  if (drawn) draw(specOf(drawn), figure);
}

async function draw(spec, figure) {
  const canvas = make("canvas", { role: "img", "aria-label": `Picture of ${spec}` });
  fill(
    figure,
    canvas,
    make("figcaption", { class: "quiet" }, make("a", { href: link({ view: "explore", spec }) }, `Walk into ${spec}`)),
  );
  try {
    const view = await ask("view", { spec }, "claim-view");
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
  } catch (error) {
    if (!isStopped(error)) fill(figure, make("p", { class: "wrong" }, error.message));
  }
}
