// Which view is asked for? Reads the address bar and lets that view show itself.

import { isStopped } from "/ask.js";
import * as check from "/check.js";
import * as decide from "/decide.js";
import * as explore from "/explore.js";
import * as gallery from "/gallery.js";
import * as spec from "/spec.js";
import { change, read } from "/state.js";
import * as watch from "/watch.js";

/** Where a newcomer begins: a network that no list could hold. */
const FIRST = "rdn(torus(5, 5), 4)";
const stage = document.getElementById("stage");
const line = document.getElementById("ask");

async function render() {
  const state = read();
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("header nav a"))) {
    const here = item.dataset.view === state.view;
    if (here) item.setAttribute("aria-current", "page");
    else item.removeAttribute("aria-current");
    const kept =
      state.spec && ["explore", "watch"].includes(item.dataset.view) ? `?spec=${encodeURIComponent(state.spec)}` : "";
    item.setAttribute("href", `#${item.dataset.view}${kept}`);
  }
  const onStage = state.view === "explore" || state.view === "watch";
  stage.hidden = !onStage;
  line.hidden = !onStage;
  document.getElementById("start").hidden = state.view !== "start";
  document.getElementById("decide").hidden = state.view !== "decide";
  document.getElementById("check").hidden = state.view !== "check";
  document.title = `${state.spec && onStage ? `${state.spec} · ` : ""}Nestnet`;
  try {
    if (onStage && !state.spec) return change({ spec: FIRST }, true);
    if (onStage) spec.show(state.spec);
    if (state.view === "explore") {
      explore.listen({});
      if (await explore.show(state, state.most)) explore.panel(read());
    } else if (state.view === "watch") await watch.show(state);
    else if (state.view === "start") await gallery.show();
    else if (state.view === "decide") await decide.show(state);
    else await check.show(state);
  } catch (error) {
    if (isStopped(error)) return;
    if (onStage) spec.complain(error);
    else throw error;
  }
}

addEventListener("hashchange", render);
explore.start();
document.getElementById("retry").addEventListener("click", () => {
  explore.again();
  render();
});
spec.start().catch(() => {});
render();
