// The line in which a network is typed: what is wrong with it as one types, and which families fit.

import { ask, isStopped, make } from "/ask.js";
import { change, read } from "/state.js";

const input = /** @type {HTMLInputElement} */ (document.getElementById("spec"));
const list = document.getElementById("families");
const wrong = document.getElementById("wrong");
const DELAY = 180;
let families = [];
/** Those that fit what is typed. */
let fitting = [];
let timer = 0;
let chosen = -1;

/** The error with the caret under its place. */
export function caret(error) {
  if (!error.at || error.spec === undefined) return error.message;
  const [start, end] = error.at;
  const under = " ".repeat(start) + "^".repeat(Math.max(1, end - start));
  return `${error.spec}\n${under}\n${error.message}`;
}

/** Shows what is wrong with the spec, or nothing. */
export function complain(error) {
  wrong.textContent = error ? caret(error) : "";
  input.setAttribute("aria-invalid", error ? "true" : "false");
}

async function look() {
  const spec = input.value.trim();
  if (!spec) return complain(null);
  try {
    await ask("view", { spec, most: 1 }, "typing");
    complain(null);
  } catch (error) {
    if (!isStopped(error)) complain(error);
  }
}

/** The name that is being typed: the letters before the caret. */
function word() {
  const before = input.value.slice(0, input.selectionStart ?? input.value.length);
  return /[a-z][a-z0-9_]*$/i.exec(before)?.[0] ?? "";
}

function close() {
  list.hidden = true;
  chosen = -1;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}

function complete() {
  const begun = word().toLowerCase();
  const fits = begun ? families.filter((family) => family.name.startsWith(begun) && family.name !== begun) : [];
  if (!fits.length) return close();
  list.replaceChildren(
    ...fits.slice(0, 12).map((family, index) =>
      make(
        "li",
        {
          role: "option",
          id: `family-${index}`,
          "aria-selected": "false",
          onmousedown: (event) => {
            event.preventDefault();
            take(family);
          },
        },
        make("code", {}, family.usage),
        make("span", { class: "quiet" }, family.about),
      ),
    ),
  );
  fitting = fits.slice(0, 12);
  list.hidden = false;
  chosen = -1;
  input.setAttribute("aria-expanded", "true");
}

function take(family) {
  const end = input.selectionStart ?? input.value.length;
  const start = end - word().length;
  const rest = input.value.slice(end);
  // An example is a network that can be shown at once.
  const text = rest.startsWith("(") || start > 0 ? family.name : (family.examples[0] ?? family.name);
  input.value = input.value.slice(0, start) + text + rest;
  input.setSelectionRange(start + text.length, start + text.length);
  close();
  look();
}

function choose(step) {
  const all = [...list.children];
  chosen = (chosen + step + all.length) % all.length;
  for (const [index, item] of all.entries()) item.setAttribute("aria-selected", String(index === chosen));
  all[chosen].scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", `family-${chosen}`);
}

/** Begins to listen. */
export async function start() {
  document.getElementById("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    close();
    const spec = input.value.trim();
    if (spec)
      change({
        view: ["explore", "watch"].includes(read().view) ? read().view : "explore",
        spec,
        path: "",
        select: "",
        from: "",
        to: "",
        hop: "",
        step: "",
        faults: "",
        router: "",
      });
  });
  input.addEventListener("input", () => {
    complete();
    clearTimeout(timer);
    timer = setTimeout(look, DELAY);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") choose(1);
    else if (event.key === "ArrowUp") choose(-1);
    else if (event.key === "Escape") close();
    else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0) take(fitting[chosen]);
    else return;
    event.preventDefault();
  });
  families = (await ask("families", {})).families;
}

let shown = "";

/** Writes the spec of the state into the line, unless somebody is typing another. */
export function show(spec) {
  if (document.activeElement !== input || spec !== shown) input.value = spec ?? "";
  shown = spec;
}
