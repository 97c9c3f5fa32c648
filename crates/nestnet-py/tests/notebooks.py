"""Notebooks without Jupyter: their code cells are executed in one namespace, and what they show is kept in the file.

``python crates/nestnet-py/tests/notebooks.py`` executes all notebooks of docs/notebooks and writes what they show.
"""

import ast
import contextlib
import io
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "docs" / "notebooks"
# Ways to show a value beside its text, in the order in which a notebook prefers them.
RICH = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}


def lines(text):
    return text.splitlines(keepends=True)


def shown(value):
    """A value as a notebook shows it: its picture or table if it has one, otherwise its text."""
    for kind, method in RICH.items():
        rich = getattr(value, method, lambda: None)()
        if rich is not None:
            return {kind: lines(rich)}
    return {"text/plain": lines(repr(value))}


def run(cell, names, count):
    """What a code cell shows: all that it prints, and the value of its last line if that is an expression."""
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, outputs, value = io.StringIO(), [], None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    if printed.getvalue():
        text = lines(printed.getvalue())
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        result = {"data": shown(value), "execution_count": count, "metadata": {}}
        outputs.append({**result, "output_type": "execute_result"})
    return outputs


def executed(path):
    """The notebook with the outputs of its cells as they are now."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names, count = {}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["outputs"], cell["execution_count"] = run(cell, names, count), count
    return notebook


def main():
    for path in sorted(FOLDER.glob("*.ipynb")):
        text = json.dumps(executed(path), indent=1, ensure_ascii=False, sort_keys=True)
        path.write_text(text + "\n", encoding="utf-8")
        print(path.name, file=sys.stderr)


if __name__ == "__main__":
    main()
