"""Drives Debian's chromium through the page of `nestnet serve`, as a person would.

usage: page.py NESTNET AXE [--pictures FOLDER] [--only NAME] [--docs FOLDER]

--docs takes the pictures of docs/page.md instead of walking.

Each walk is a function; every one ends with no error on the console and no request to anywhere else.
"""

import base64
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ET
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

DESKTOP, PHONE = (1440, 900), (390, 844)
PATIENCE = float(os.environ.get("PATIENCE", 40))


class Page:
    """The browser at the page."""

    def __init__(self, base, size, dark, axe, server):
        self.base, self.axe, self.dark, self.size, self.server = base, axe, dark, size, server
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--disable-background-networking", "--disable-component-update", "--no-first-run",
                     "--disable-sync", "--disable-default-apps", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                     f"--window-size={size[0]},{size[1]}"]:
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        service = webdriver.ChromeService(executable_path="/usr/bin/chromedriver")
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE})
        scheme = "dark" if dark else "light"
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, link=""):
        self.driver.get("about:blank")
        self.driver.get(self.base + link)

    def find(self, css):
        return self.wait(lambda d: d.find_element(By.CSS_SELECTOR, css), css)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def wait(self, condition, what, seconds=PATIENCE):
        def holds(driver):
            try:
                return condition(driver)
            except Exception:  # noqa: BLE001 — an element that is not there yet, or was replaced
                return False
        return WebDriverWait(self.driver, seconds, 0.1).until(holds, f"{what} does not come")

    def shown(self, spec, path=None):
        """Waits until a view is drawn."""
        def is_drawn(driver):
            now = driver.execute_script("return document.documentElement.dataset.shown || ''")
            name, _, place = now.rpartition("|")
            return name == spec and (path is None or place == path)
        self.wait(is_drawn, f"the view of {spec} {path}")

    def script(self, text, *args):
        return self.driver.execute_script(text, *args)

    def scene(self):
        return self.script("const s = document.getElementById('canvas').picture.scene;"
                           "return {path: s.path, shown: s.shown, spots: s.spots.map((x) => x.path), lines: s.lines.length, node: s.node || null, layers: s.layers.length}")

    def click_spot(self, path, times=1):
        """Clicks a dot of the canvas."""
        x, y = self.script("return document.getElementById('canvas').picture.place(arguments[0])", path)
        canvas = self.find("#canvas")
        box = self.script("const b = arguments[0].getBoundingClientRect(); return [b.width, b.height]", canvas)
        chain = ActionChains(self.driver, duration=30).move_to_element_with_offset(canvas, int(x - box[0] / 2), int(y - box[1] / 2))
        for _ in range(times):
            chain = chain.click()
        chain.perform()

    def fill(self, css, text):
        box = self.find(css)
        box.click()
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(text)
        return box

    def text(self, css):
        return self.find(css).text

    def has(self, css, words):
        self.wait(lambda d: words in d.find_element(By.CSS_SELECTOR, css).text, f"`{words}` in {css}")

    def judge(self, name):
        """No serious finding of axe, nothing wider than the screen."""
        wide = self.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 1, f"{name}: the page is {wide} pixels too wide"
        self.script(self.axe)
        found = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; axe.run(document, {resultTypes: ['violations']}).then((r) => done(r.violations))")
        serious = [f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0].get('failureSummary', '')[:300]}"
                   for v in found if v["impact"] in ("serious", "critical")]
        assert not serious, f"{name}: {serious}"

    def clean(self, name):
        """Nothing on the console, nothing asked of anybody else."""
        # A refusal of a spec is an answer, which the browser logs as a failed request.
        said = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        said = [line for line in said if "status of 422" not in line]
        assert not said, f"{name}: the console says {said}"
        for entry in self.driver.get_log("performance"):
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Network.requestWillBeSent":
                url = event["params"]["request"]["url"]
                assert url.startswith((self.base, "data:", "about:", "blob:", "chrome")), f"{name}: {url}"

    def picture(self, folder, name):
        if folder:
            data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
            (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(data))

    def close(self):
        try:
            self.driver.quit()
        except Exception:  # noqa: BLE001 — a browser that fell over is closed
            pass


def link(view, **words):
    kept = {key: value for key, value in words.items() if value is not None}
    return f"#{view}?{urllib.parse.urlencode(kept)}" if kept else f"#{view}"


# The walks.

def start(page):
    """Three entries, and pictures of families that lead to the network."""
    page.open()
    page.wait(lambda d: len(page.all("#start .entry")) == 3, "three entries")
    page.wait(lambda d: len(page.all("#gallery .thumb")) > 30, "the families")
    page.wait(lambda d: len(page.all("#gallery .thumb[data-drawn] svg circle")) > 20, "thumbnails")
    page.judge("the start")
    page.find("#gallery .thumb[data-drawn]").click()
    page.wait(lambda d: "#explore?spec=" in d.current_url, "a network")
    page.open()
    page.all("#start .entry")[0].click() if page.all("#start .entry") else page.find("#start .entry").click()
    page.shown("rdn(torus(5, 5), 4)", "")
    page.has("#known", "theorem")


def type_a_spec(page):
    page.open(link("explore"))
    page.shown("rdn(torus(5, 5), 4)", "")
    page.fill("#spec", "rdn(torus(5, 5), 3")
    page.has("#wrong", "^")
    page.fill("#spec", "hyper")
    page.wait(lambda d: d.find_elements(By.CSS_SELECTOR, "#families li"), "completion")
    assert any("hypercube" in item.text for item in page.all("#families li"))
    page.find("#spec").send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    page.wait(lambda d: "hypercube" in d.find_element(By.ID, "spec").get_attribute("value"), "the completed name")
    page.fill("#spec", "rdn(ring(5), 1)").send_keys(Keys.ENTER)
    page.shown("rdn(ring(5), 1)", "")
    assert len(page.scene()["spots"]) == 50


def down_to_a_node(page):
    """By clicks and keys, down to one node of 7.6·10^26."""
    spec = "rdn(torus(5, 5), 4)"
    page.open(link("explore", spec=spec))
    page.shown(spec, "")
    steps = 0
    while True:
        scene = page.scene()
        if scene["shown"] == 0:
            break
        target = scene["spots"][len(scene["spots"]) * 2 // 3]
        if steps % 2 and page.size == DESKTOP:
            page.script("document.getElementById('canvas').focus()")
            page.find("#canvas").send_keys(Keys.ARROW_RIGHT)
            page.find("#canvas").send_keys(Keys.ARROW_LEFT)
            page.wait(lambda d: "select=" in d.current_url, "a selection")
            target = urllib.parse.parse_qs(urllib.parse.urlparse(page.driver.current_url).fragment.partition("?")[2])["select"][0]
            page.find("#canvas").send_keys(Keys.ENTER)
        else:
            page.click_spot(target, 2)
        # Cells that nothing joins are passed, down to the first in which something is linked.
        page.wait(lambda d: page.scene()["path"].startswith(target), f"the inside of {target}")
        scene = page.scene()
        assert scene["lines"] > 0, scene["path"]
        if scene["path"] != target:
            page.has("#passed", "passed in which nothing is linked")
        steps += 1
        assert steps < 10
    node = page.scene()["node"]
    assert node["degree"] == 8, node
    assert int(node["id"]) < 762939453125 * 10**15 and len(node["id"]) > 20, node
    assert node["address"].count("(") == 2 ** 4 - 1 + 2 ** 4, node["address"]
    page.judge("a node")
    # Its id leads back to it, and a reload shows the same.
    here = page.driver.current_url
    page.fill("#find", node["id"]).send_keys(Keys.ENTER)
    page.shown(spec, node["path"])
    page.driver.refresh()
    page.shown(spec, node["path"])
    assert page.driver.current_url == here
    page.find("#up").click()
    page.wait(lambda d: page.scene()["shown"] > 0, "the cluster around it")
    page.find("#trail button").click()
    page.shown(spec, "")


# What a flight looks like: how many frames it had, by the page's own clock.
FLIGHTS = """
const picture = document.getElementById('canvas').picture;
window.flown = 0;
(function frame() { if (picture.flies) window.flown += 1; requestAnimationFrame(frame); })();
"""


def flies(page):
    """The way into a cell is one zoom, and back; not for whoever wants less motion."""
    spec = "rdn(ring(5), 2)"
    for less in (False, True):
        features = [{"name": "prefers-color-scheme", "value": "dark" if page.dark else "light"}]
        if less:
            features.append({"name": "prefers-reduced-motion", "value": "reduce"})
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        page.open(link("explore", spec=spec))
        page.shown(spec, "")
        page.script(FLIGHTS)
        page.click_spot(page.scene()["spots"][3], 2)
        page.wait(lambda d: page.scene()["path"], "the inside")
        time.sleep(0.8)
        frames = page.script("return window.flown")
        assert (frames == 0) if less else (frames > 0), (less, frames)
        assert not page.script("return document.getElementById('canvas').picture.flies")
        page.find("#up").click()
        page.shown(spec, "")
        time.sleep(0.8)
        assert (page.script("return window.flown") == frames) if less else (page.script("return window.flown") > frames)
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features[:1]})


def surroundings(page):
    """Neighbors outside are stubs with their names, groups have theirs, and what is pointed at shows its neighbors."""
    page.open(link("explore", spec="rdn(ring(5), 1)", path="3"))
    page.shown("rdn(ring(5), 1)", "3")
    stubs = page.script("return document.getElementById('canvas').picture.stubs.map((stub) => stub.text)")
    assert sorted(stubs) == [f"→ (1,{node},3)" for node in range(5)], stubs
    page.open(link("explore", spec="rdn(ring(5), 1)"))
    page.shown("rdn(ring(5), 1)", "")
    time.sleep(0.5)
    labels = page.script("return document.getElementById('canvas').picture.scene.borders.map((border) => border.label)")
    assert "(0,3…" in labels and "(1,0…" in labels, labels
    assert page.script("return document.getElementById('canvas').picture.groups") == 10
    if page.size == DESKTOP:
        x, y = page.script("return document.getElementById('canvas').picture.place('0.0')")
        canvas = page.find("#canvas")
        box = page.script("const b = arguments[0].getBoundingClientRect(); return [b.width, b.height]", canvas)
        ActionChains(page.driver, duration=30).move_to_element_with_offset(canvas, int(x - box[0] / 2), int(y - box[1] / 2)).perform()
        near = page.wait(lambda d: d.execute_script("return document.getElementById('canvas').picture.pointedAt"), "neighbors of what is pointed at")
        assert sorted(near) == ["0.1", "0.4", "5.0"], near
    # Clusters are called by their names, without what all share.
    page.open(link("explore", spec="rdn(torus(5, 5), 4)"))
    page.shown("rdn(torus(5, 5), 4)", "")
    labels = page.script("return document.getElementById('canvas').picture.scene.labels")
    assert "(0,(0,(1,(1…" in labels, labels


def scroll_in(page):
    spec = "rdn(torus(5, 5), 3)"
    page.open(link("explore", spec=spec))
    page.shown(spec, "")
    first = page.scene()["spots"][0]
    x, y = page.script("return document.getElementById('canvas').picture.place(arguments[0])", first)
    time.sleep(0.6)
    for _ in range(40):
        if page.scene()["path"]:
            break
        page.script("const c = document.getElementById('canvas'); const b = c.getBoundingClientRect();"
                    "c.dispatchEvent(new WheelEvent('wheel', {deltaY: -120, clientX: b.left + arguments[0], clientY: b.top + arguments[1], bubbles: true, cancelable: true}))", x, y)
        time.sleep(0.1)
    assert page.scene()["path"], "scrolling into a cluster opens it"


def route(page):
    spec = "rdn(torus(5, 5), 3)"
    page.open(link("watch", spec=spec, mode="route"))
    page.shown(spec, "")
    page.fill("#from", "0").send_keys(Keys.TAB)
    page.wait(lambda d: "from=0" in d.current_url, "the first node")
    page.fill("#to", "10000000000000").send_keys(Keys.TAB)
    page.has("#result", "hops")
    hops = len(page.all("ol.hops li")) - 1
    assert hops > 5, hops
    page.judge("a route")
    # Two clicked nodes, and a link that fails between them.
    page.open(link("watch", spec="rdn(ring(5), 1)", mode="route"))
    page.shown("rdn(ring(5), 1)", "")
    page.click_spot("0.0")
    page.wait(lambda d: "from=0" in d.current_url, "the first click")
    page.click_spot("7.3")
    page.has("#result", "hops")
    page.wait(lambda d: d.find_elements(By.CSS_SELECTOR, "ol.hops li"), "the hops")
    before = int(page.text("#result dd"))
    page.open(link("watch", spec="ring(8)", mode="route", **{"from": "0", "to": "2", "faults": "0-1", "router": "shortest"}))
    page.has("#result", "without the faults")
    assert page.text("#result dd") == "6" and before > 0
    # What is no node is said and not marked, whether it is one end of a route, the only one or a failure.
    symbols = "return (document.getElementById('canvas').picture.marks.symbols ?? []).map(([, name]) => name).join()"
    for words, marked in [({"from": "0", "to": "99"}, "from"), ({"from": "99"}, ""), ({"from": "0", "to": "03"}, "from"),
                          ({"from": "0", "to": "1", "faults": "99"}, "from,to")]:
        page.open(link("watch", spec="torus(4, 4)", mode="route", **words))
        page.has("#result", "no node `")
        assert page.script(symbols) == marked, (words, page.script(symbols))
    # Where ids do not determine where nodes are, and many lie in a dot.
    page.open(link("watch", spec="hosts(torus(100, 100), 4)", mode="route", **{"from": "0", "to": "20200"}))
    page.has("#result", "hops")
    marked = "return document.getElementById('canvas').picture.marks.hops?.length ?? 0"
    page.wait(lambda d: d.execute_script(marked) > 5, "a route through blocks")


def play_a_broadcast(page):
    spec = "rdn(ring(3), 2)"
    page.open(link("watch", spec=spec, mode="broadcast"))
    page.has("#result", "steps")
    page.find("#play").click()
    page.wait(lambda d: "step=3" in d.current_url, "the third step")
    page.script("const r = document.getElementById('step'); r.value = r.max; r.dispatchEvent(new Event('input'))")
    page.has("#result", "648 of 648".replace(" ", " "))
    page.judge("a broadcast")
    page.open(link("watch", spec="torus(4, 4)", mode="collective", goal="allgather", step="1"))
    page.has("#result", "sent in this step")


def deadlock(page):
    page.open(link("watch", spec="rcr(2, 2, 2)", mode="deadlock", router="paper"))
    page.has("#result", "form a dependency cycle")
    assert len(page.all("ol.hops li")) == 8
    for step in ("1", "4"):
        page.script("const r = document.getElementById('step'); r.value = arguments[0]; r.dispatchEvent(new Event('input'))", step)
        page.wait(lambda d, step=step: f"step={step}" in d.current_url, "a step")
    page.judge("a deadlock")


def load(page):
    page.open(link("watch", spec="rdn(ring(3), 1)", mode="load"))
    page.has("#result", "busiest channel")
    page.open(link("watch", spec="ring(6)", mode="load"))
    page.has("#legend", "every channel carries")
    # Links of hosts carry more than those between switches; in a simulation they are not counted, and have no color of a load.
    page.open(link("watch", spec="clos(8, 2)", mode="load"))
    page.has("#result", "busiest channel")
    legend = page.text("#legend")
    assert "every channel" not in legend and "not counted" not in legend, legend
    assert page.all("#result dd")[2].text == "1", page.text("#result")
    page.open(link("watch", spec="clos(4, 2)", mode="load", offered="0.2"))
    page.has("#legend", "links of hosts, which are not counted")
    page.open(link("watch", spec="mesh(4, 4)", mode="load", offered="0.2"))
    page.has("#result", "mean latency")
    page.judge("a load")
    assert page.script("return document.querySelector('#legend').textContent").endswith("1")


# Where the middle of a bent line is on the canvas, and where it would be if the line were straight.
BENT = """
const picture = document.getElementById('canvas').picture, scene = picture.scene;
const line = scene.lines.find((line) => line[4] !== undefined && Math.hypot(line[4], line[5]) > 0.2);
const [a, b] = [scene.spots[line[0]], scene.spots[line[1]]];
const [p, q] = [picture.place(scene.spots[0].path), picture.place(scene.spots[scene.spots.length - 1].path)];
const [u, v] = [scene.spots[0].at, scene.spots[scene.spots.length - 1].at];
const screen = (at) => [0, 1].map((i) => p[i] + (at[i] - u[i]) * (q[i] - p[i]) / (v[i] - u[i]));
const middle = [0, 1].map((i) => (a.at[i] + b.at[i]) / 2 + [line[4], line[5]][i]);
// A quarter of the way along the curve, where no other line crosses.
const quarter = [0, 1].map((i) => (9 * a.at[i] + 6 * (2 * middle[i] - (a.at[i] + b.at[i]) / 2) + b.at[i]) / 16);
return { middle: screen(middle), quarter: screen(quarter), ends: [a.id, b.id] };
"""


def painted(page, at):
    """The strongest color near a point of the canvas."""
    return page.script("const c = document.getElementById('canvas'), p = c.getContext('2d');"
                       "const r = c.width / c.clientWidth, d = p.getImageData(arguments[0] * r - 3, arguments[1] * r - 3, 7, 7).data;"
                       "let best = [0, 0, 0, 0]; for (let i = 0; i < d.length; i += 4) { const s = Math.max(d[i], d[i + 1], d[i + 2]) - Math.min(d[i], d[i + 1], d[i + 2]);"
                       "if (s >= best[3] && d[i + 3]) best = [d[i], d[i + 1], d[i + 2], s]; } return best", at[0], at[1])


def bent_lines(page):
    """Loads are painted on the lines that are drawn, and a line is pointed at where it is drawn."""
    spec = "torus(6, 6)"
    page.open(link("watch", spec=spec, mode="load", traffic="tornado"))
    page.has("#result", "busiest channel")
    time.sleep(0.4)
    bent = page.script(BENT)
    assert painted(page, bent["quarter"])[3] > 60, ("no load on the bent line", painted(page, bent["quarter"]))
    page.open(link("watch", spec=spec, mode="route", fail="1"))
    page.shown(spec, "")
    time.sleep(0.4)
    bent = page.script(BENT)
    canvas = page.find("#canvas")
    box = page.script("const b = arguments[0].getBoundingClientRect(); return [b.width, b.height]", canvas)
    x, y = bent["middle"]
    ActionChains(page.driver, duration=30).move_to_element_with_offset(canvas, int(x - box[0] / 2), int(y - box[1] / 2)).click().perform()
    page.wait(lambda d: "faults=" in d.current_url, "a failed link")
    fault = urllib.parse.unquote(page.driver.current_url.split("faults=")[1].split("&")[0])
    assert sorted(fault.split("-")) == sorted(bent["ends"]), (fault, bent["ends"])


def honest(page):
    """Bounds are bounds, what was matched is said, nothing is undefined, legends say what is there."""
    page.open(link("decide", mode="compare", specs="rcr(4, 6, 11)\ntorus(4, 4)", asked="1"))
    page.wait(lambda d: len(page.all("#table tbody tr")) == 2, "two rows")
    row = page.script("const at = [...document.querySelectorAll('#table th button')].findIndex((b) => b.dataset.key === 'vertex_connectivity');"
                      "return document.querySelectorAll('#table tbody tr')[0].children[at].textContent")
    assert "–" in row, row
    page.open(link("decide", mode="compare", specs="mesh(3, 3)", match="hosts", asked="1"))
    page.has("#answer", "as many hosts as mesh(3, 3): 9")
    page.has("#answer", "skipped")
    for goal in ("allreduce", "broadcast"):
        page.open(link("watch", spec="hosts(dragonfly(4, 2), 2)", mode="collective", goal=goal))
        page.has("#result", "algorithm")
        assert "undefined" not in page.text("#side"), page.text("#side")
    page.open(link("explore", spec="rdn(torus(5, 5), 4)"))
    page.shown("rdn(torus(5, 5), 4)", "")
    counts = page.script("return document.getElementById('canvas').picture.scene.lines.map((line) => String(line[3]))")
    page.open(link("explore", spec="star_graph(7)"))
    page.wait(lambda d: page.script("return document.documentElement.dataset.shown || ''").startswith("star_graph(7)"), "a star graph")
    has_bundles = page.script("return document.getElementById('canvas').picture.scene.lines.some((line) => String(line[3]) !== '1')")
    assert ("bundles" in page.text("#legend")) == has_bundles and counts is not None
    page.open(link("explore", spec="rdn(ring(5), 2)", path="0.0"))
    page.wait(lambda d: page.script("return document.documentElement.dataset.shown || ''").startswith("rdn(ring(5), 2)"), "a cluster")
    has_bundles = page.script("return document.getElementById('canvas').picture.scene.lines.some((line) => String(line[3]) !== '1')")
    assert ("bundles" in page.text("#legend")) == has_bundles, page.text("#legend")


def around_faults(page):
    """The shortest possible path is one that exists."""
    page.open(link("watch", spec="ring(8)", mode="route", **{"from": "0", "to": "2", "faults": "0-1", "router": "shortest"}))
    page.has("#result", "shortest possible")
    facts = page.text("#result dl").split("\n")
    assert facts[facts.index(next(f for f in facts if f.startswith("shortest possible"))) + 1] == "6", facts


def same_names(page):
    """The list names nodes as the picture does."""
    page.open(link("watch", spec="rcr(2, 2, 2)", mode="deadlock", router="paper"))
    page.has("#result", "form a dependency cycle")
    names = set(page.script("return document.getElementById('canvas').picture.scene.spots.map((spot) => spot.name)"))
    first = page.all("ol.hops li")[0].text
    assert any(name in first for name in names), (first, sorted(names)[:3])


def any_size(page):
    """Routes by address where ids do not fit; a smaller network for the rest; random graphs are folded."""
    spec = "rdn(torus(5, 5), 4)"
    page.open(link("watch", spec=spec, mode="route"))
    page.find("#suggest").click()
    page.has("#result", "hops")
    assert len(page.all("ol.hops li")) > 20
    marked = "return document.getElementById('canvas').picture.marks.hops?.length ?? 0"
    page.wait(lambda d: d.execute_script(marked) >= 1, "a route through cells")
    page.judge("a route by address")
    # A link of it fails, and the detour goes along others.
    hops = [item.text.partition(" level")[0] for item in page.all("ol.hops li")]
    page.find("#fail-hop").click()
    page.has("#result", "without the faults")
    around = [item.text.partition(" level")[0] for item in page.all("ol.hops li")]
    assert len(around) >= len(hops) and (around[0], around[-1]) == (hops[0], hops[-1]), (len(around), len(hops))
    assert tuple(hops[-2:]) not in zip(around, around[1:]), "the link that failed is not used"
    page.wait(lambda d: d.execute_script("return document.getElementById('canvas').picture.marks.hops.some((hop) => hop.dashed)"), "the route before, dashed")
    page.find("#works").click()
    page.wait(lambda d: "without the faults" not in page.text("#result"), "all works again")
    # A broadcast by address, in the cells that it reaches.
    page.open(link("watch", spec=spec, mode="broadcast"))
    page.has("#result", "94")
    page.has("#result", "1 of 16")
    page.script("const r = document.getElementById('step'); r.value = r.max; r.dispatchEvent(new Event('input'))")
    page.has("#result", "16 of 16")
    page.has("#result", "7.63·10²⁶ of 7.63·10²⁶")
    page.has("#take .command", "nestnet broadcast")
    page.judge("a broadcast by address")
    for mode in ("collective", "deadlock", "load"):
        page.open(link("watch", spec=spec, mode=mode))
        page.has("#watch-body", "Take rdn(torus(5, 5), 3)")
    page.find("#smaller-network").click()
    page.shown("rdn(torus(5, 5), 3)", "")
    # What is still too large offers one that is small enough.
    page.has("#result", "Take rdn(torus(5, 5), 1)")
    page.find("#smaller-network").click()
    page.shown("rdn(torus(5, 5), 1)", "")
    page.open(link("explore", spec="random_regular(20000, 4, 1)"))
    page.shown("random_regular(20000, 4, 1)", "")
    assert len(page.scene()["spots"]) == 50 and page.scene()["lines"] > 500


def stops(page):
    """What takes long says so, and stops."""
    page.open(link("watch", spec="torus(16, 16)", mode="load", offered="0.3"))
    page.wait(lambda d: "busiest" in page.text("#result") or page.all("#result .stop"), "an answer or a button")
    page.open(link("watch", spec="rdn(ring(5), 2)", mode="load", traffic="worst", router="paper"))
    page.find("#result .stop").click()
    page.has("#result", "Stopped")


def saves(page):
    """What is shown can be taken away, with the command that makes the same."""
    page.open(link("explore", spec="rdn(ring(5), 1)"))
    page.shown("rdn(ring(5), 1)", "")
    page.has("#take .command", "nestnet view")
    svg = page.script("return document.getElementById('canvas').picture.svg()")
    assert svg.startswith("<svg") and svg.count("<circle") == 50, svg[:200]
    ET.fromstring(svg)
    command = page.text("#take .command")
    said = subprocess.run(["bash", "-c", command.replace("nestnet", sys.argv[1], 1)], capture_output=True, text=True)
    assert said.returncode == 0 and "50 cells" in said.stdout, (command, said.stdout[:200], said.stderr[:200])
    page.open(link("decide", mode="compare", specs="ring(8)\ntorus(4, 4)", asked="1"))
    page.has("#answer .command", "nestnet compare")
    labels = [button.text for button in page.all("#answer .saving button")]
    assert labels[:2] == ["CSV", "Link"], labels


def server_gone(page):
    """Whoever asks when the program has ended reads that, and can ask again."""
    process, base = serve(sys.argv[1])
    before, page.base = page.base, base
    try:
        page.open(link("explore", spec="ring(8)"))
        page.shown("ring(8)", "")
        process.terminate()
        process.wait(10)
        page.fill("#spec", "ring(9)").send_keys(Keys.ENTER)
        page.has("#gone", "does not answer")
        assert page.find("#retry").is_displayed()
    finally:
        process.kill()
        # What still asks the program that has ended is not heard.
        page.driver.get("about:blank")
        page.driver.get_log("browser")
        page.driver.get_log("performance")
        page.base = before


def asks_more(page):
    """Verbs that answer about a network are asked from beside it."""
    page.open(link("explore", spec="torus(4, 4)"))
    page.shown("torus(4, 4)", "")
    page.find("#ask-more summary").click()
    for verb, words in [("measure", "4 (theorem)"), ("cut", "improved natural cut"), ("resilience", "rate 0.01"), ("embed", "dilation"), ("emulate", "slowest")]:
        page.find(f"#ask-more button[data-verb={verb}]").click()
        page.has("#more", words)
        page.has("#more .command", f"nestnet {verb}")
    # Files of another tool, and a report, are saved; nothing is written elsewhere.
    Select(page.find("#format")).select_by_value("graphml")
    for verb, name in [("export", "torus-4-4.graphml"), ("report", "torus-4-4.html")]:
        page.find(f"#ask-more button[data-verb={verb}]").click()
        page.has("#saved", name)
        page.has("#more .command", f"nestnet {verb}")
    page.judge("more of a network")


def back(page):
    page.open(link("explore", spec="ring(8)"))
    page.shown("ring(8)", "")
    page.fill("#spec", "ring(9)").send_keys(Keys.ENTER)
    page.shown("ring(9)", "")
    page.driver.back()
    page.shown("ring(8)", "")
    page.wait(lambda d: page.find("#spec").get_attribute("value") == "ring(8)", "the field as it was")


def watch_by_keys(page):
    """Two nodes chosen with arrow keys and Enter, and a route between them; what is selected is said."""
    page.open(link("watch", spec="torus(5, 5)", mode="route"))
    page.shown("torus(5, 5)", "")
    page.script("document.getElementById('canvas').focus()")
    page.find("#canvas").send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda d: "select=" in d.current_url, "a selection")
    assert "from=" not in page.driver.current_url
    assert "id" in page.script("return document.getElementById('said').textContent")
    page.find("#canvas").send_keys(Keys.ENTER)
    page.wait(lambda d: "from=" in d.current_url, "the first node")
    page.script("document.getElementById('canvas').focus()")
    page.find("#canvas").send_keys(Keys.ARROW_DOWN)
    time.sleep(0.3)
    page.find("#canvas").send_keys(Keys.ENTER)
    page.has("#result", "hops")


def design(page):
    page.open(link("decide", kind="hosts"))
    page.fill("#ask-hosts", "60")
    page.find("#decide button[type=submit]").click()
    page.has("#answer", "Pareto-optimal")
    # The answers are on top, with their reasons, and starred in plot and table.
    picks = page.all("#answer .pick")
    assert [pick.find_element(By.TAG_NAME, "h3").text for pick in picks] == ["★ Non-blocking", "★ Best value", "★ Cheapest"]
    assert all("cheapest of" in pick.text for pick in picks), [pick.text for pick in picks]
    assert page.all("#table tr.mine")
    page.has("#answer .command", "nestnet design")
    page.wait(lambda d: len(page.all("#answer svg .dot")) >= 5, "points of the front")
    assert page.all("#answer svg .dot.pe")
    dots = page.all("#answer svg .dot")
    page.script("arguments[0].dispatchEvent(new PointerEvent('pointerenter'))", dots[0])
    page.has("#pointed", "price per host")
    Select(page.find("#x")).select_by_value("mean_hops")
    page.wait(lambda d: "x=mean_hops" in d.current_url, "another axis")
    page.has("#answer svg", "mean hops")
    page.fill("#filter", "hypercube").send_keys(Keys.TAB)
    page.wait(lambda d: 0 < len(page.all("#answer svg .dot")) < len(dots), "fewer networks")
    page.judge("a design")


def searching(page):
    """What a search has found so far; Stop keeps that."""
    page.open(link("decide", **SEARCH))
    page.wait(lambda d: len(page.all("#so-far #table tbody tr")) >= 2, "what was found so far")
    page.has("#so-far", "measured so far")
    page.judge("a search")
    page.find("#stop").click()
    page.has("#partial", "Stopped.")
    assert len(page.all("#answer #table tbody tr")) >= 2
    page.wait(lambda d: page.all("#answer svg .dot"), "points of what was measured")
    assert page.find("#compare-them") and page.find("#curve-them")
    page.has("#answer .command", "nestnet design")


def another_question(page):
    """A search that is left ends, and what it finds comes nowhere else."""
    page.open(link("decide", **SEARCH))
    page.wait(lambda d: len(page.all("#so-far #table tbody tr")) >= 2, "what was found so far")
    page.all("#decide .tabs button")[1].click()
    page.fill("#ask-specs", "torus(4, 4)\nring(8)")
    page.find("#decide button[type=submit]").click()
    specs = lambda: [row.text for row in page.all("#table tbody td:first-child")]  # noqa: E731
    page.wait(lambda d: specs() == ["torus(4, 4)", "ring(8)"], "two rows")
    # Longer than from one report of the search to the next.
    time.sleep(1)
    page.find("#table th button[data-key=degree]").click()
    page.wait(lambda d: page.find("#table th[aria-sort=ascending] button").get_attribute("data-key") == "degree", "a sorted table")
    assert specs() == ["ring(8)", "torus(4, 4)"], specs()
    page.wait(lambda d: not children(page.server), "an end of the search")


# Asks for a report, and fails as it is drawn.
BROKEN = """
const done = arguments[arguments.length - 1];
import('/ask.js').then(({ follow }) => follow('design', { hosts: '4096', radix: '64', 'no-report': '1' }, 'broken',
  () => { throw new Error('drawn wrongly'); })).then(() => done('no error'), (error) => done(error.message));
"""


def own_errors(page):
    """An error of the page is not shown as one of the server, and ends what was asked."""
    page.open(link("start"))
    page.wait(lambda d: len(page.all("#gallery .thumb")) > 30, "the families")
    said = page.driver.execute_async_script(BROKEN)
    assert said == "drawn wrongly", said
    assert not page.find("#gone").is_displayed()
    page.wait(lambda d: not children(page.server), "an end of the search")


def compare(page):
    page.open(link("decide", mode="compare", specs="rdn(ring(5), 1)\ntorus(7, 7)\nhypercube(6)"))
    page.wait(lambda d: len(page.all("#table tbody tr")) == 3, "three rows")
    names = lambda: [row.text.split(")")[0] for row in page.all("#table tbody td:first-child")]  # noqa: E731
    degrees = lambda: [int(row.find_elements(By.TAG_NAME, "td")[at].text) for row in page.all("#table tbody tr")]  # noqa: E731
    at = [button.get_attribute("data-key") for button in page.all("#table th button")].index("degree")
    page.find("#table th button[data-key=degree]").click()
    page.wait(lambda d: degrees() == sorted(degrees()), "degrees from small to large")
    page.find("#table th button[data-key=degree]").click()
    page.wait(lambda d: degrees() == sorted(degrees(), reverse=True), "and the other way round")
    assert len(names()) == 3
    page.judge("a comparison")


def curve(page):
    page.open(link("decide", mode="curve", specs="ring(8)\ntorus(4, 4)", points="0.05,0.1,0.2", cycles="500", asked="1"))
    page.wait(lambda d: len(page.all("#answer svg .dot")) >= 5, "points of the curves")
    page.has("#answer", "Latency over load")
    # Loads that the library chooses, up to saturation, with intervals.
    page.open(link("decide", mode="curve", specs="mesh(4, 4)", points="auto", asked="3"))
    page.has("#answer", "saturation 0.7")
    assert len(page.all("#answer svg .dot")) >= 8 and page.all("#answer svg .pb[stroke-dasharray]")
    # Files of it are those of the command line.
    endings = [button.text for button in page.all("#answer .saving button")]
    assert endings[:5] == ["SVG", "PNG", "PDF", "TikZ", "CSV"], endings
    # What is not accepted is drawn in another way, and the legend says so.
    assert len(page.all("#answer svg .dot.pn")) == 1
    page.has("#answer svg", "saturated: grows with the window")
    page.has("#answer svg", "95 % interval")
    page.judge("a curve")
    page.open(link("decide", mode="curve", specs="torus(16, 16)", points="0.1,0.2,0.3,0.35", cycles="200000", asked="2"))
    page.find("#stop").click()
    page.has("#answer", "Stopped")


# A plot of these loads: the ids of its points, its words, and what of them is outside.
PLOT = """
const done = arguments[arguments.length - 1], [loads] = arguments;
import('/plot.js').then(({ plot }) => {
  const point = ([offered, mean, status]) => ({ offered, packets: 9, mean, ci95: 1, status, label: `at ${offered}` });
  const curves = [{ name: 'a', vertical: null, loads: loads.map(point) }];
  const place = plot({ name: 'a test', title: 'a test', plot: { latency: { curves } }, tell: () => {} });
  document.querySelector('main').append(place);
  const look = () => {
    // Until it is drawn the one before is shown, whose points do not listen.
    if (!place.querySelector('.dot'))
      return place.querySelector('.wrong') ? done({ error: place.textContent }) : setTimeout(look, 20);
    const svg = place.querySelector('svg');
    const box = svg.viewBox.baseVal;
    const inside = (text) => { const b = text.getBBox(); return b.x >= 0 && b.x + b.width <= box.width + 1 && b.y + b.height <= box.height + 1; };
    const texts = [...svg.querySelectorAll('text')];
    const colors = [...svg.querySelectorAll('.dot')].map((dot) => getComputedStyle(dot).stroke);
    done({ ids: [...svg.querySelectorAll('.dot')].map((dot) => dot.dataset.id), words: texts.map((text) => text.textContent),
      out: texts.filter((text) => !inside(text)).map((text) => text.textContent), plain: colors.filter((color) => color === 'none') });
    place.remove();
  };
  look();
}, (error) => done({ error: String(error) }));
"""


def plots(page):
    """The program draws them; what is above the axis is an arrow, and what is less certain is explained."""
    page.open(link("start"))
    page.wait(lambda d: len(page.all("#gallery .thumb")) > 30, "the families")
    drawn = page.driver.execute_async_script(PLOT, [[0.1, 10, "ok"], [0.2, 30, "not converged"], [0.3, 200, "saturated"]])
    assert drawn.get("ids") == ["0 0", "0 1", "0 2"], drawn
    assert "above the axis, up to 200" in drawn["words"], drawn
    assert {"not converged", "saturated: grows with the window"} <= set(drawn["words"]), drawn
    assert not drawn["out"] and not drawn["plain"], drawn
    drawn = page.driver.execute_async_script(PLOT, [[0.1, 10, "ok"], [0.2, 12, "ok"]])
    assert not any("above" in word or "saturated" in word for word in drawn["words"]), drawn
    # What is no plot is said in its place.
    drawn = page.driver.execute_async_script(PLOT, [[0.1, 10, "tired"]])
    assert "tired" in drawn.get("error", ""), drawn


def claims(page):
    page.open(link("check"))
    page.has("#count", "claims")
    assert len(page.all("#tally tbody tr")) > 3
    everything = len(page.all("#claims li"))
    Select(page.find("#verdict")).select_by_value("fails")
    page.wait(lambda d: 0 < len(page.all("#claims li")) < everything, "fewer claims")
    failing = len(page.all("#claims li"))
    Select(page.find("#paper")).select_by_value("sun-2000")
    page.wait(lambda d: 0 < len(page.all("#claims li")) < failing, "those of one paper")
    assert all(item.text == "fails" for item in page.all("#claims .verdict"))
    page.find("#claims li button").click()
    page.wait(lambda d: page.all("#measured table") or page.all("#measured p:not(:empty)"), "what was measured")
    page.judge("claims")


def formulas(page):
    """The printed formula beside what is measured, and the corrected one where it fails."""
    page.open(link("check", id="li-2009.theorem-1-diameter"))
    page.has("#formulas", "diameter(rdn({base}, {k}))")
    page.has("#formulas", "as printed")
    page.judge("a claim with its formula")


def counterexample(page):
    page.open(link("check", id="sun-2000.section-6-deadlock-free"))
    page.wait(lambda d: page.all("#claims li"), "the claims")
    ids = page.script("return [...document.querySelectorAll('#claims li button')].map((b) => b.dataset.id)")
    wanted = [name for name in ids if name.startswith("li-2009.table")][:1]
    page.open(link("check", id=wanted[0]))
    page.wait(lambda d: page.all("#counterexample[data-drawn] canvas"), "its network")


def about_a_claim(page):
    """What is said of a drawn network is so: it contradicts a claim where it is in a case that fails."""
    apart = {"jan-2004.definition-1-nodes-links": "heawood", "sun-2000.section-2-ring-neighbors": "rcr(2, 5, 1)",
             "sun-2000.property-3-proof-neighbors": "rcr(2, 2, 2)"}
    for claim, spec in apart.items():
        page.open(link("check", id=claim))
        page.wait(lambda d: page.all("#counterexample[data-drawn] canvas"), f"a network of {claim}")
        assert page.find("#counterexample").get_attribute("data-drawn") == spec, claim
        page.has("#measured h3", "A network that")
        assert "contradicts" not in page.text("#measured"), claim
    page.open(link("check", id="shen-back-1993.lemma-3-sd"))
    page.wait(lambda d: page.all("#counterexample[data-drawn] canvas"), "its network")
    assert page.text("#measured h3") == "The smallest network that contradicts it"
    # Arithmetic has no picture, and no heading of one.
    page.open(link("check", id="shen-back-1993.section-6-pointer-evenly"))
    page.wait(lambda d: page.all("#measured table"), "its cases")
    time.sleep(0.5)
    assert not page.all("#measured h3") or not page.find("#measured h3").is_displayed(), page.text("#measured h3")


def offers(page):
    """A smaller network is offered where there is one, and where the size is what was wrong."""
    spec = "petersen"
    for _ in range(20):
        spec = f"product({spec}, petersen)"
    for mode in ("route", "broadcast", "collective"):
        page.open(link("watch", spec=spec, mode=mode))
        page.wait(lambda d: page.text("#watch-body"), "what can be asked")
        assert not page.all("#watch-body .offer") and "smaller" not in page.text("#watch-body"), page.text("#watch-body")
    page.open(link("watch", spec="torus(300, 300)", mode="route", **{"from": "0", "to": "nowhere"}))
    page.has("#result", "no node `nowhere`")
    time.sleep(1)
    assert not page.all("#result .offer"), page.text("#result")
    for spec, smaller in [("torus(300, 300)", "Take torus(218, 300)"), ("torus(218, 300)", "Take torus(109, 300)")]:
        page.open(link("watch", spec=spec, mode="deadlock", router="paper"))
        page.has("#result", "(serve --seconds)")
        page.has("#result .offer", smaller)


def keyboard(page):
    """From the top of the page to inside a cluster with the keyboard alone."""
    page.open(link("explore", spec="rdn(ring(5), 2)"))
    page.shown("rdn(ring(5), 2)", "")
    body = page.find("body")
    for _ in range(30):
        if page.script("return document.activeElement.id") == "canvas":
            break
        body.send_keys(Keys.TAB) if page.script("return document.activeElement === document.body") else page.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert page.script("return document.activeElement.id") == "canvas"
    canvas = page.driver.switch_to.active_element
    canvas.send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda d: "select=" in d.current_url, "a selection")
    canvas.send_keys("+")
    canvas.send_keys("-")
    canvas.send_keys(Keys.ENTER)
    page.wait(lambda d: page.scene()["path"], "the inside")
    canvas.send_keys(Keys.ESCAPE)
    page.wait(lambda d: not page.scene()["path"], "the whole again")


def smooth(page):
    """5,000 dots and 20,000 lines in a frame; a machine with a screen draws 60 of them a second, this one has none."""
    page.open(link("explore", spec="random_regular(5000, 8, 1)", most="5000"))
    page.shown("random_regular(5000, 8, 1)", "")
    scene = page.scene()
    assert (len(scene["spots"]), scene["lines"]) == (5000, 20000), scene["lines"]
    spent = page.driver.execute_async_script(
        "const done = arguments[arguments.length - 1], p = document.getElementById('canvas').picture, all = [];"
        "function frame() { const t = performance.now(); p.by(all.length % 2 ? 1.1 : 1 / 1.1); p.draw(); all.push(performance.now() - t);"
        "  if (all.length < 15) requestAnimationFrame(frame); else done(all.sort((a, b) => a - b)[7]) }"
        "requestAnimationFrame(frame)")
    print(f"  a frame of 5,000 dots and 20,000 lines, zoomed: {spent:.1f} ms of script")
    assert spent < 16, spent


WALKS = [start, type_a_spec, down_to_a_node, flies, surroundings, scroll_in, route, play_a_broadcast, deadlock, load, bent_lines, honest, around_faults, same_names, any_size, stops, saves, asks_more, server_gone, back, watch_by_keys, design, searching, another_question, own_errors, compare, curve, plots, claims, formulas, counterexample, about_a_claim, offers, keyboard, smooth]
# On a phone, and in the dark, what differs is the layout.
SMALL = [start, type_a_spec, down_to_a_node, surroundings, deadlock, compare, plots, claims, formulas]
# A search that takes longer than a walk.
SEARCH = {"hosts": "4096", "radix": "64", "depth": "1", "asked": "1"}
# From the gallery to the claims, in the other scheme of each size.
OTHER = [start, load, curve, design, claims]
# What every run of the tests walks; SLOW_TESTS=1 walks all.
QUICK = {DESKTOP: [start, bent_lines, around_faults, same_names, any_size, saves, back, watch_by_keys, type_a_spec, down_to_a_node, flies, surroundings, route, play_a_broadcast, deadlock, design, searching, another_question, own_errors, asks_more, compare, plots, claims, formulas, about_a_claim, offers, keyboard],
         PHONE: [type_a_spec, compare]}


def bad_requests(port, count):
    """Thousands of wrong questions, and connections that say nothing; it still answers, and holds no more memory."""
    def send(data, keep=False):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as wire:
            wire.sendall(data)
            if not keep:
                wire.settimeout(5)
                try:
                    wire.recv(512)
                except OSError:
                    pass
    host = f"Host: 127.0.0.1:{port}\r\n"
    kinds = [
        lambda i: f"GET /nowhere/{i} HTTP/1.1\r\n{host}\r\n".encode(),
        lambda i: f"GET /api/view?nothing={i} HTTP/1.1\r\n{host}\r\n".encode(),
        lambda i: f"GET /../../etc/passwd HTTP/1.1\r\n{host}\r\n".encode(),
        lambda i: b"\x16\x03\x01\x02\x00\x01\x00" * 20,
        lambda i: f"POST /api/design HTTP/1.1\r\n{host}Content-Length: 99999999\r\n\r\n".encode(),
        lambda i: f"POST /api/plot/svg HTTP/1.1\r\n{host}Content-Length: 9\r\n\r\n[[[[[[[[[".encode(),
        lambda i: f"POST /api/plot/page HTTP/1.1\r\n{host}Content-Length: 99999999\r\n\r\n{{".encode(),
        lambda i: f"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".encode(),
        lambda i: f"GET /api/info?spec=ring(3) HTTP/1.1\r\n{host}Origin: http://evil.example\r\n\r\n".encode(),
        lambda i: f"GET /{'a' * 70000} HTTP/1.1\r\n{host}\r\n".encode(),
        lambda i: f"GET / HTTP/1.1\r\n{host}X: {'b' * 70000}\r\n\r\n".encode(),
        lambda i: b"GET / HTTP/1.1\r\n",
        lambda i: f"GET /api/view?spec=%00&%ff=%fe HTTP/1.1\r\n{host}\r\n".encode(),
        lambda i: f"GET /api/info?report={i} HTTP/1.1\r\n{host}\r\n".encode(),
    ]
    # Those that are never finished.
    half_open = [6, 11]
    workers = []
    def work(first):
        for i in range(first, count, 8):
            kind = i % len(kinds)
            try:
                send(kinds[kind](i), keep=kind in half_open)
            except OSError:
                pass
    for first in range(8):
        workers.append(threading.Thread(target=work, args=(first,)))
        workers[-1].start()
    for worker in workers:
        worker.join()


def get(base, path, headers=None):
    request = urllib.request.Request(base + path, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def resident(process):
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def serve(nestnet, *options):
    process = subprocess.Popen([nestnet, "serve", "--no-open", *options], stdout=subprocess.PIPE, text=True)
    first = process.stdout.readline().strip()
    return process, first.removeprefix("the page is at ").split("?")[0].split("#")[0]


def requests(nestnet):
    """What needs no browser: limits, files, and wrong questions."""
    folder = Path("served")
    folder.mkdir(exist_ok=True)
    (folder / "edges.txt").write_text("0 1\n1 2\n2 0\n")
    Path("secret.txt").write_text("0 1\n")
    process, base = serve(nestnet, "--root", str(folder), "--seconds", "3")
    try:
        spec = urllib.parse.quote
        code, body = get(base, f"api/view?spec={spec('rdn(torus(5, 5), 3')}")
        wrong = json.loads(body)
        assert code == 422 and wrong["at"] == [18, 18], (code, wrong)
        assert get(base, "api/info?spec=" + spec('file("edges.txt")'))[0] == 200
        for outside in ["../secret.txt", "/etc/passwd", str(Path("secret.txt").resolve()), "nothing.txt"]:
            code, body = get(base, "api/info?spec=" + spec(f'file("{outside}")'))
            assert code == 422 and b"only below the folder" in body, (outside, code, body)
        began = time.monotonic()
        endless = f"api/simulate?spec={spec('torus(16, 16)')}&load=0.3&cycles=1G"
        code, _ = get(base, endless)
        assert code == 422 and time.monotonic() - began < 12, (code, time.monotonic() - began)
        # A question ends when nobody waits for the answer.
        port = urllib.parse.urlparse(base).port
        with socket.create_connection(("127.0.0.1", port)) as wire:
            ask = f"GET /{endless} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
            wire.sendall(ask.encode())
            time.sleep(0.5)
            assert children(process), "a question is a process"
        time.sleep(0.7)
        assert not children(process), "and ends when nobody waits"
        # The same of one that reports how far it is, line by line.
        with socket.create_connection(("127.0.0.1", port)) as wire:
            ask = f"GET /api/stream/design?hosts=4096&radix=64&no-report=1 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
            wire.sendall(ask.encode())
            wire.settimeout(20)
            said = b""
            while b'{"progress":' not in said:
                said += wire.recv(4096)
            assert children(process), "a search is a process"
        time.sleep(0.7)
        assert not children(process), "and ends when nobody reads on"
        code, body = get(base, "api/stream/info?spec=ring(5)")
        assert code == 200 and json.loads(body.splitlines()[-1])["answer"]["nodes"] == 5, body
        code, body = get(base, "api/stream/info?spec=ring(2")
        assert "error" in json.loads(body.splitlines()[-1]), body
        code, body = get(base, "api/file/export?spec=ring(5)&format=graphml")
        assert code == 200 and b"<graphml" in body, (code, body[:200])
        code, body = get(base, "api/file/export?spec=ring(5)&output=x")
        assert code == 400 and b"is not asked with" in body, (code, body)
        code, body = get(base, "api/file/export?spec=ring(5)")
        assert code == 422 and b"which format" in body, (code, body)
        before = resident(process)
        count = 100_000 if os.environ.get("SLOW_TESTS") else 2_000
        bad_requests(port, count // 2)
        middle = resident(process)
        bad_requests(port, count)
        after = resident(process)
        assert get(base, "")[0] == 200 and get(base, "api/info?spec=petersen")[0] == 200
        assert after < middle + (8 << 20), (before, middle, after)
        print(f"  {count * 3 // 2} bad requests: {before >> 20} MiB before, {after >> 20} MiB after")
    finally:
        process.terminate()
        process.wait(10)
    process, base = serve(nestnet, "--listen", "127.0.0.1", "--token", "a-long-secret")
    try:
        assert get(base, "")[0] == 401
        assert get(base, "?token=a-long-secret")[0] == 200
        assert get(base, "api/info?spec=petersen", {"Cookie": "nestnet_token=a-long-secret"})[0] == 200
        assert get(base, "api/info?spec=petersen", {"Cookie": "nestnet_token=another"})[0] == 401
    finally:
        process.terminate()
        process.wait(10)


def children(process):
    """Processes that it has started and that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name may have spaces; behind it come the state and the parent.
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == process.pid and state != "Z":
            found.append(stat.parent.name)
    return found


# The pictures of docs/page.md: name, size, address, and what is there when it can be taken.
PICTURES = [
    ("start", DESKTOP, "", "#gallery .thumb[data-drawn]:nth-child(1) svg"),
    ("explore", DESKTOP, link("explore", spec="rdn(torus(5, 5), 4)"), "#known dl dt"),
    ("explore-cluster", DESKTOP, link("explore", spec="rdn(torus(5, 5), 4)", path="1.0.0.0"), "#known dl dt"),
    ("explore-node", DESKTOP, link("explore", spec="rdn(torus(5, 5), 4)", path="1.0.0.0.9.17.1.19.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0"), "#known dl dt"),
    ("explore-block", DESKTOP, link("explore", spec="torus(3000, 3000)", path="5"), "#known dl dt"),
    ("explore-grid", DESKTOP, link("explore", spec="torus(3000, 3000)"), "#known dl dt"),
    ("explore-random", DESKTOP, link("explore", spec="random_regular(20000, 4, 1)"), "#take .command"),
    ("explore-phone", PHONE, link("explore", spec="rdn(torus(5, 5), 4)"), "#known dl dt"),
    ("watch-route", DESKTOP, link("watch", spec="rdn(ring(5), 1)", mode="route", **{"from": "0", "to": "38"}), "#result ol"),
    ("watch-address", DESKTOP, link("watch", spec="rdn(torus(5, 5), 4)", mode="route", **{"from": "0", "to": "762939453124999999999999999"}), "#result ol"),
    ("watch-broadcast", DESKTOP, link("watch", spec="rdn(ring(3), 2)", mode="broadcast", step="8"), "#result dl"),
    ("watch-deadlock", DESKTOP, link("watch", spec="rcr(2, 2, 2)", mode="deadlock", router="paper"), "#result ol"),
    ("watch-load", DESKTOP, link("watch", spec="torus(6, 6)", mode="load", traffic="tornado"), "#result dl"),
    ("decide-design", DESKTOP, link("decide", hosts="64", radix="10", asked="1"), "#table tbody tr"),
    ("decide-compare", DESKTOP, link("decide", mode="compare", specs="rdn(ring(5), 1)\ntorus(7, 7)\nhypercube(6)", asked="1"), "#table tbody tr"),
    ("decide-curve", DESKTOP, link("decide", mode="curve", specs="mesh(4, 4)\ntorus(4, 4)", points="auto", asked="1"), "#answer .saving"),
    ("decide-phone", PHONE, link("decide", hosts="64", radix="10", asked="1"), "#table tbody tr"),
    ("check", DESKTOP, link("check", id="shen-back-1993.lemma-3-sd"), "#counterexample[data-drawn]"),
]


def take_pictures(base, folder, process):
    for size in (DESKTOP, PHONE):
        page = Page(base, size, False, "", process)
        try:
            for name, _, place, there in [row for row in PICTURES if row[1] == size]:
                page.open(place)
                page.find(there)
                time.sleep(1.5)
                if name.startswith("decide") and size == PHONE:
                    page.script("document.getElementById('answer').scrollIntoView()")
                page.picture(folder, name)
                print(f"  {name}")
        finally:
            page.close()


def main():
    nestnet, axe = sys.argv[1], Path(sys.argv[2]).read_text()
    words = dict(zip(sys.argv[3::2], sys.argv[4::2]))
    only, pictures = words.get("--only"), words.get("--pictures")
    began = time.monotonic()
    if words.get("--docs"):
        process, base = serve(nestnet)
        try:
            take_pictures(base, words["--docs"], process)
        finally:
            process.terminate()
            process.wait(10)
        return 0
    if not only or only == "requests":
        requests(nestnet)
    failed = []
    slow = os.environ.get("SLOW_TESTS") == "1" or only or pictures
    process, base = serve(nestnet)
    try:
        views = [(DESKTOP, False, WALKS), (PHONE, True, SMALL)]
        if slow:
            views += [(DESKTOP, True, OTHER), (PHONE, False, OTHER)]
        for size, dark, walks in views:
            page = Page(base, size, dark, axe, process)
            try:
                for walk in walks:
                    if only and walk.__name__ != only or not slow and walk not in QUICK[size]:
                        continue
                    name = f"{walk.__name__}-{'phone' if size == PHONE else 'desktop'}{'-dark' if dark else ''}"
                    # A browser may fall over on a busy machine: what fails is walked once more, in a new one.
                    for last in [False, True]:
                        try:
                            walk(page)
                            page.clean(name)
                            page.picture(pictures, name)
                            break
                        except Exception as error:  # noqa: BLE001 — the others are walked too
                            print(f"  {'FAILED' if last else 'once more'} {name}: {type(error).__name__} {error}")
                            if last:
                                failed.append(name)
                            page.close()
                            page = Page(base, size, dark, axe, process)
            finally:
                page.close()
    finally:
        process.terminate()
        process.wait(10)
    print(f"page: {'FAILED ' + ', '.join(failed) if failed else 'it holds'}, {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
