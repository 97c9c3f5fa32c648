// How is a verb of the program asked? One question of a kind at a time: a newer one ends the older.

const running = new Map();
/** The command line that gave the last answer of a kind. */
const commands = new Map();
/** What is shown while the program does not answer. */
const gone = () => document.getElementById("gone");

/** Why there is no answer; `at` is the place in the spec, `limit` whether a smaller network would be answered. */
export class Refused extends Error {
  constructor(body, status) {
    super(body.error ?? `no answer (${status})`);
    this.at = body.at;
    this.spec = body.spec;
    this.limit = body.limit === true;
  }
}

/**
 * The answer of a verb. `words` are pairs or an object; `slot` names what a newer question replaces.
 * @param {string} verb
 * @param {Record<string, any> | [string, any][]} words
 * @param {string} [slot]
 * @returns {Promise<any>}
 */
export async function ask(verb, words, slot = verb) {
  return request(`/api/${verb}`, words, slot, async (answer) => {
    if (!answer.ok) throw await refusal(answer);
    return JSON.parse(await heard(answer.text()));
  });
}

/**
 * The answer of a verb that reports how far it is: `seen` gets each report, `progress` a part of 1 or `so_far` what was
 * found by then.
 * @param {string} verb
 * @param {Record<string, any> | [string, any][]} words
 * @param {string} slot
 * @param {(report: { progress?: number, so_far?: any[] }) => void} seen
 * @returns {Promise<any>}
 */
export async function follow(verb, words, slot, seen) {
  return request(`/api/stream/${verb}`, words, slot, async (answer) => {
    if (!answer.ok) throw await refusal(answer);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let last = null;
    for (;;) {
      const { value, done } = await heard(reader.read());
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        last = JSON.parse(line);
        if (last.answer === undefined && last.error === undefined) seen(last);
      }
    }
    if (last?.answer === undefined) throw new Refused(last?.error ? last : { error: "it ended without an answer" }, 0);
    return last.answer;
  });
}

/**
 * The file that a verb prints.
 * @param {string} verb
 * @param {Record<string, any>} words
 * @param {string} slot
 * @returns {Promise<Blob>}
 */
export async function file(verb, words, slot) {
  return request(`/api/file/${verb}`, words, slot, async (answer) => {
    if (!answer.ok) throw await refusal(answer);
    return heard(answer.blob());
  });
}

/**
 * What the program makes of a body, which is sent as JSON.
 * @param {string} path
 * @param {any} body
 * @returns {Promise<Response>}
 */
export async function post(path, body) {
  const answer = await heard(fetch(path, { method: "POST", body: JSON.stringify(body) }));
  gone().hidden = true;
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

/**
 * What is fetched or read of the program; it is said where that fails. Errors of whoever takes it are not of the program.
 * @template T
 * @param {Promise<T>} reading
 * @returns {Promise<T>}
 */
async function heard(reading) {
  try {
    return await reading;
  } catch (error) {
    if (isStopped(error)) throw error;
    gone().hidden = false;
    throw new Refused({ error: "the page is not answered: has `nestnet serve` ended?" }, 0);
  }
}

/** Why the program refuses, as it says. */
async function refusal(answer) {
  const text = await heard(answer.text());
  const isJson = answer.headers.get("content-type") === "application/json";
  return new Refused(isJson ? JSON.parse(text) : { error: text || undefined }, answer.status);
}

/** Asks in a slot; `take` reads the answer. */
async function request(path, words, slot, take) {
  running.get(slot)?.abort();
  const control = new AbortController();
  running.set(slot, control);
  const pairs = Array.isArray(words) ? words : Object.entries(words);
  const said = pairs.filter(([, value]) => value !== undefined && value !== null && value !== "");
  try {
    const answer = await heard(fetch(`${path}?${new URLSearchParams(said)}`, { signal: control.signal }));
    gone().hidden = true;
    const command = answer.headers.get("nestnet-command");
    if (command) commands.set(slot, decodeURIComponent(command));
    return await take(answer);
  } catch (error) {
    // What nobody takes is not worked on.
    control.abort();
    throw error;
  } finally {
    if (running.get(slot) === control) running.delete(slot);
  }
}

/** The command line that gives the last answer of a kind; without `--json`, which is for programs. */
export const commandOf = (slot) => commands.get(slot)?.replace(" --json", "").replace(/ --$/, "") ?? "";

let tables = null;
/** The tables of the library: metrics with units, options of cost models, traffic, collectives. */
export async function library() {
  tables ??= ask("tables", {}).catch((error) => {
    tables = null;
    throw error;
  });
  return tables;
}

/** After this time, in milliseconds, a question says that it is under way and can be stopped. */
const SOON = 500;

/**
 * Waits for work that asks in `slot`; where it takes long, `out` says so and has a Stop button.
 * @template T
 * @param {Element} out
 * @param {string} slot
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function patiently(out, slot, work) {
  let clock = 0;
  const began = performance.now();
  const soon = setTimeout(() => {
    const time = make("span", {}, "");
    clock = setInterval(() => {
      time.textContent = ` ${Math.round((performance.now() - began) / 1000)} s `;
    }, 500);
    fill(
      out,
      make(
        "div",
        { class: "under-way", role: "status" },
        make("span", { class: "spinner", "aria-hidden": "true" }),
        "Working …",
        time,
        make("button", { type: "button", class: "stop", onclick: () => stop(slot) }, "Stop"),
      ),
    );
  }, SOON);
  try {
    return await work();
  } finally {
    clearTimeout(soon);
    clearInterval(clock);
  }
}

/** Ends a question that is under way. */
export function stop(slot) {
  running.get(slot)?.abort();
}

/** Whether a question was only replaced by another. */
export const isStopped = (error) => error.name === "AbortError";

/**
 * An element with attributes and children; what is not there is omitted.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {any}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "selected") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * Puts children into an element in place of those that it has; what is not there is omitted.
 * @param {Element} element
 * @param {...(Node | string | null | undefined)} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

/** A labeled control. */
export const field = (label, control) => make("label", { class: "field" }, make("span", {}, label), control);

/**
 * A choice of words; pairs are value and label.
 * @param {string} id
 * @param {(string | [string, string])[]} options
 * @param {string} value
 * @param {((value: string) => void) | null} [onchange]
 */
export function choice(id, options, value, onchange) {
  const all = options.map((option) => {
    const [word, label] = Array.isArray(option) ? option : [option, option];
    return make("option", { value: word, selected: word === value }, label);
  });
  return make("select", { id, onchange: (event) => onchange?.(event.target.value) }, ...all);
}

/** A whole number with thin spaces between thousands; long ones in short as well. */
export function grouped(value) {
  const text = String(value);
  if (!/^\d+$/.test(text)) return text;
  const spaced = text.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  if (text.length <= 18) return spaced;
  const [digits, power] = Number(text).toExponential(2).split("e+");
  return `${digits}·10${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
}

/** A number for people. */
export function short(value) {
  if (typeof value !== "number") return grouped(value);
  if (Number.isInteger(value)) return grouped(value);
  if (Math.abs(value) < 100) return String(Number(value.toPrecision(4)));
  const [whole, part] = value.toFixed(1).split(".");
  return `${grouped(whole)}.${part}`;
}

/**
 * A value of a row: a number with its bounds, or a word. What is not known has no text.
 * @returns {{ number?: number, low?: number, high?: number, text: string, how?: string } | null}
 */
export function cellOf(value) {
  if (value === null || value === undefined) return { text: "–", how: "not known" };
  if (typeof value === "number") return { number: value, low: value, high: value, text: short(value) };
  if (typeof value === "string")
    return /^\d{16,}$/.test(value)
      ? { number: Number(value), low: Number(value), high: Number(value), text: grouped(value) }
      : { text: value };
  if (Array.isArray(value) || typeof value !== "object") return null;
  if (value.low !== undefined && value.high !== undefined) {
    const [low, high] = [Number(value.low), Number(value.high)];
    const exact = String(value.low) === String(value.high);
    return {
      number: exact ? low : (low + high) / 2,
      low,
      high,
      text: exact ? short(value.low) : `${short(value.low)}–${short(value.high)}`,
      how: value.how,
    };
  }
  if (value.value === undefined) return null;
  const number = Number(value.value);
  return {
    number,
    low: number,
    high: number,
    text: `${/sampl/.test(value.how ?? "") ? "~" : ""}${short(number)}`,
    how: value.how,
  };
}
