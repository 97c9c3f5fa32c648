// What is shown? All of it is in the address bar, so that a link is a view.

const VIEWS = ["start", "explore", "watch", "decide", "check"];

/**
 * The state that the address bar holds.
 * @returns {Record<string, string>}
 */
export function read() {
  const text = location.hash.replace(/^#/, "");
  const cut = text.indexOf("?");
  const view = cut < 0 ? text : text.slice(0, cut);
  const words = Object.fromEntries(new URLSearchParams(cut < 0 ? "" : text.slice(cut + 1)));
  return { ...words, view: VIEWS.includes(view) ? view : "start" };
}

/** The link to a state; what is empty is omitted. */
export function link(state) {
  const { view, ...words } = state;
  const kept = Object.entries(words).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(kept).toString();
  return `#${view}${query ? `?${query}` : ""}`;
}

/**
 * Changes some words of the state. A small change does not make a step to go back to.
 * @param {Record<string, string>} changes
 */
export function change(changes, small = false) {
  const next = link({ ...read(), ...changes });
  if (next === location.hash) return;
  if (small) {
    history.replaceState(null, "", next);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = next;
  }
}
