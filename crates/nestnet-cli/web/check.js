// What do the papers say, and is it so? The claims, with what contradicts them drawn.

import { ask, choice, commandOf, field, fill, grouped, isStopped, make } from "/ask.js";
import { picture } from "/canvas.js";
import { saving } from "/save.js";
import { change, link, read } from "/state.js";

const place = document.getElementById("check");
let papers = null;
/** What networks are called. */
let families = new Set();
let measured = "";

export async function show(state) {
  papers ??= (await ask("claims", { list: "1" }, "list")).papers;
  if (!families.size) families = new Set((await ask("families", {}, "names")).families.map(({ name }) => name));
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
    make("div", { class: "card" }, tally(claims, verdicts, state)),
    make(
      "div",
      { class: "columns" },
      make(
        "div",
        { class: "card" },
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
  // The chosen one is seen in the list.
  const current = /** @type {HTMLElement} */ (list.querySelector("[aria-current]"));
  if (current) {
    const at = current.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (at < 0 || at > list.clientHeight - current.offsetHeight) list.scrollTop += at;
  }
  if (!chosen)
    return fill(
      detail,
      make("p", { class: "quiet" }, "Choose a claim to see what was measured, and what contradicts it."),
    );
  // On a phone the claim is below the list.
  if (innerWidth < 860) detail.scrollIntoView();
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

/** Whether a text can be a network: the name of a family, with what it is given. */
const isNetwork = (text) => families.has(/^([a-z]\w*)(\(.*\))?$/.exec(text)?.[1]);

/** The networks that commands name: what is quoted and can be one. */
const quoted = (command) =>
  [...(command ?? "").matchAll(/'([^']+)'|"([^"]+)"/g)].map(([, one, two]) => one ?? two).filter(isNetwork);

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
  return [...quoted(given.command), ...parts.filter(isNetwork)];
}

/** So many cases are listed. */
const LISTED = 40;

/**
 * Networks to draw, each with what it is to the claim and with a command about it: the smallest that contradicts the claim,
 * or that was measured, then others that it names.
 * @returns {{ spec: string, heading: string, command: string | null }[]}
 */
function networksOf(claim) {
  const all = claim.readings.flatMap((reading) => reading.cases);
  const size = ({ nodes }) => nodes || Infinity;
  const bySize = (...fitting) =>
    all
      .filter((given) => fitting.includes(given.fits) && specsOf(given).length)
      .sort((a, b) => (size(a) < size(b) ? -1 : Number(size(a) > size(b))));
  const of = (cases, heading) =>
    cases.flatMap((given) => specsOf(given).map((spec) => ({ spec, heading, command: given.command })));
  const [against, loose, measured] = [bySize("no"), bySize("slack"), bySize("no", "slack", "yes")];
  const isContradicted = all.some(({ fits }) => fits === "no");
  const shown = claim.readings.flatMap(({ show }) =>
    quoted(show).map((spec) => ({ spec, heading: "A network that it is about", command: show })),
  );
  const found = [
    ...of(against.slice(0, 1), "The smallest network that contradicts it"),
    ...of(against.slice(1), "A network that contradicts it"),
    ...(isContradicted ? shown : of(loose.slice(0, 1), "The smallest network in which it is only a bound")),
    // Of a single node there is nothing to see.
    ...of(
      measured.filter((given) => size(given) > 1),
      isContradicted ? "A network that its cases name" : "A network of those measured",
    ),
    ...shown,
  ];
  return found.filter(({ spec }, i) => found.findIndex((other) => other.spec === spec) === i);
}

function cases(claim, result) {
  const all = claim.readings.flatMap((reading) => reading.cases);
  const place = make("div", { hidden: true });
  draw(networksOf(claim), place);
  if (!all.length)
    return fill(result, make("p", { class: "quiet" }, "Nothing is measured here: it depends on its proof."), place);
  const rank = { no: 0, yes: 2 };
  const ordered = [...all].sort((a, b) => (rank[a.fits] ?? 1) - (rank[b.fits] ?? 1));
  const rows = ordered
    .slice(0, LISTED)
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
  fill(
    result,
    make(
      "div",
      { class: "scroll cases", tabindex: "0", role: "group", "aria-label": "Cases" },
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
    all.length > LISTED ? make("p", { class: "quiet" }, `and ${grouped(all.length - LISTED)} more`) : null,
    place,
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
}

/** So many networks are tried until one can be drawn. */
const TRIED = 4;

/** Draws the first of these networks that can be drawn, under what it is to the claim. */
async function draw(networks, place) {
  for (const { spec, heading, command } of networks.slice(0, TRIED)) {
    const figure = make("figure", { class: "frame", id: "counterexample" });
    fill(place, make("h3", {}, heading), figure, command ? make("p", {}, make("code", {}, command)) : null);
    if (await drew(spec, figure, place)) return;
  }
  // What cannot be drawn can be asked.
  const { command } = networks[0] ?? {};
  fill(place, command ? make("code", {}, command) : null);
  place.hidden = false;
}

const counted = (many, what) => `${grouped(many)} ${what}${String(many) === "1" ? "" : "s"}`;

/** Whether a network could be drawn; its place is shown then. */
async function drew(spec, figure, place) {
  const canvas = make("canvas", { role: "img", "aria-label": `Picture of ${spec}` });
  try {
    const view = await ask("view", { spec }, "claim-view");
    place.hidden = false;
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
    figure.append(make("p", { class: "quiet" }, `${counted(view.nodes, "node")}, ${counted(view.links, "link")}`));
    return true;
  } catch (error) {
    // What is replaced by another claim is not tried on.
    return isStopped(error);
  }
}
