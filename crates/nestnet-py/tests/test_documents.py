"""What is written runs: docstrings, stubs, notebooks."""

import doctest
import importlib
import pathlib
import re
import subprocess
import sys

import pytest

import nestnet

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
PACKAGE = pathlib.Path(nestnet.__file__).parent
MODULES = [
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).replace("__init__", "")
    for path in sorted(PACKAGE.rglob("*.py"))
]
# Those without an example.
SILENT = {"options", "nx", "results.", "results.described", "results.judged", "results.moved"}
SILENT |= {"results.declared", "results.structured", "results.surveyed", "results.written", "__main__"}


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module):
    results = doctest.testmod(importlib.import_module(f"nestnet.{module}".rstrip(".")))
    assert results.failed == 0
    assert (results.attempted == 0) == (module in SILENT)


README = HERE.parent / "README.md"


PAGE = HERE.parents[2] / "docs" / "how-to" / "python.md"


def blocks(path, language):
    """The fenced blocks of a page in a language, each with the number of its first line."""
    text = path.read_text(encoding="utf-8")
    for found in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text[: found.start(1)].count("\n"), found[1]


@pytest.mark.parametrize(("path", "least"), [(README, 20), (PAGE, 8)])
def test_every_line_of_a_page_runs(path, least):
    pytest.importorskip("networkx")
    pytest.importorskip("pandas")
    parser = doctest.DocTestParser()
    # Of errors only the type and the message are compared, as Python prints them.
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    names, ran, written = {}, 0, 0
    for line, block in blocks(path, "python"):
        test = parser.get_doctest(block, names, path.name, str(path), line)
        assert not test.examples[0].lineno, "a block begins with its code"
        ran += len(test.examples)
        written += sum(row.startswith(">>> ") for row in block.splitlines())
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.failures == 0
    assert ran == written > least
    # No code is in a block that is not run.
    text = path.read_text(encoding="utf-8")
    assert set(re.findall(r"^```(\w+)$", text, re.MULTILINE)) == {"python", "sh"}


def test_the_readme_names_what_networkx_finds():
    from nestnet.nx import FUNCTIONS

    text = README.read_text(encoding="utf-8")
    line = next(row for row in text.splitlines() if row.startswith("Functions: "))
    assert re.findall(r"`(\w+)`", line) == sorted(FUNCTIONS)


def test_the_page_names_what_networkx_finds():
    from nestnet.nx import FUNCTIONS

    found = re.search(r"on a graph with `backend=\"nestnet\"`: (.*?)\. For all others", PAGE.read_text(encoding="utf-8"))
    assert re.findall(r"`(\w+)`", found[1]) == sorted(FUNCTIONS)


def test_every_public_name_is_explained():
    for name in nestnet.__all__:
        if not name.startswith("_"):
            assert getattr(nestnet, name).__doc__, name
    for name in dir(nestnet.Network):
        if not name.startswith("_") and name not in ("graph",):
            assert getattr(nestnet.Network, name).__doc__, name


def test_the_stub_of_the_families_is_as_the_table():
    path = pathlib.Path(nestnet.families.__file__).with_suffix(".pyi")
    assert path.read_text(encoding="utf-8") == nestnet.families.stub()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run(path, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    client = nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    assert outputs and not any(out["output_type"] == "error" for out in outputs)


def test_there_are_notebooks():
    assert len(list(EXAMPLES.glob("*.ipynb"))) == 4


def test_types_of_the_package_and_the_examples(tmp_path):
    pytest.importorskip("mypy")
    nbformat = pytest.importorskip("nbformat")
    parts = []
    for number, path in enumerate(sorted(EXAMPLES.glob("*.ipynb"))):
        cells = nbformat.read(path, as_version=4).cells
        code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        body = "\n".join("    " + line for line in code.splitlines())
        parts.append(f"def example_{number}() -> None:\n{body}\n")
    (tmp_path / "examples.py").write_text("\n\n".join(parts), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", f"--config-file={HERE / 'mypy.ini'}"]
    command += ["-p", "nestnet", "-m", "examples"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_are_true(tmp_path):
    pytest.importorskip("mypy")
    command = [
        sys.executable,
        "-m",
        "mypy.stubtest",
        "nestnet",
        f"--mypy-config-file={HERE / 'mypy.ini'}",
        f"--allowlist={HERE / 'stubtest.txt'}",
        "--ignore-unused-allowlist",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
