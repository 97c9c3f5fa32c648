// What can be taken away? Pictures, plots and tables as files, the command line that makes the same, and the link.

import { make } from "/ask.js";

/** The kinds of files that are texts. */
const KINDS = { svg: "image/svg+xml", csv: "text/csv" };

/** Hands a file to the browser. */
export function download(name, content, kind = "") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: kind }));
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A name that every system takes. */
export const fileName = (text) =>
  text
    .replace(/[^a-z0-9]+/gi, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase()
    .slice(0, 60) || "nestnet";

/** Rows of texts as CSV. */
export function toCsv(rows) {
  const cell = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  return `${rows.map((row) => row.map((value) => cell(value ?? "")).join(",")).join("\n")}\n`;
}

async function copied(button, text) {
  await navigator.clipboard.writeText(text).catch(() => {});
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = before;
  }, 1200);
}

/**
 * The row of buttons under what can be saved. `files` are the endings of files, each with what makes it; `rows` are a table;
 * `command` says which command line makes the same.
 * @param {{ name: string, files?: [string, () => string | Blob | Promise<Blob>][], rows?: () => unknown[][], command?: () => string }} what
 */
export function saving({ name, files = [], rows, command }) {
  const file = fileName(name);
  const button = (label, onclick) => make("button", { type: "button", onclick }, label);
  const line = command?.() ?? "";
  const trouble = make("span", { class: "wrong", role: "status" });
  const save = (ending, content) =>
    button(ending === "tex" ? "TikZ" : ending.toUpperCase(), async () => {
      trouble.textContent = "";
      try {
        download(`${file}.${ending}`, await content(), KINDS[ending]);
      } catch (error) {
        trouble.textContent = error.message;
      }
    });
  return make(
    "div",
    { class: "saving", role: "group", "aria-label": "Save and cite" },
    ...files.map(([ending, content]) => save(ending, content)),
    rows ? save("csv", () => toCsv(rows())) : null,
    button("Link", (event) => copied(event.target, location.href)),
    line ? button("Command", (event) => copied(event.target, line)) : null,
    trouble,
    line ? make("code", { class: "command" }, line) : null,
  );
}
