"""The notebooks of the documentation show what they show when they are executed again."""

import json
import time

import pytest
from notebooks import FOLDER, executed

PATHS = sorted(FOLDER.glob("*.ipynb"))
# All of them together take less of a processor, also by a build without optimization.
SECONDS = 60


@pytest.fixture(scope="module")
def spent():
    seconds = []
    yield seconds
    assert sum(seconds) < SECONDS


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_what_is_stored_is_what_is_shown(path, spent):
    pytest.importorskip("pandas")
    stored = json.loads(path.read_text(encoding="utf-8"))
    begun = time.process_time()
    found = executed(path)
    spent.append(time.process_time() - begun)
    for then, now in zip(stored["cells"], found["cells"]):
        assert now == then, "".join(now["source"])
    assert sum(cell["cell_type"] == "code" for cell in found["cells"]) >= 4
    assert any(cell.get("outputs") for cell in stored["cells"])


def test_there_are_three_and_the_page_names_them():
    page = (FOLDER.parent / "how-to" / "python.md").read_text(encoding="utf-8")
    assert len(PATHS) == 3 and all(f"../notebooks/{path.name}" in page for path in PATHS)
