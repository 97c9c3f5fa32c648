"""The command line of the wheel is the program: the same words, the same answers, the same exit codes."""

import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import urllib.request

import pytest

SCRIPT = pathlib.Path(sysconfig.get_path("scripts")) / ("nestnet.exe" if os.name == "nt" else "nestnet")
MODULE = [sys.executable, "-m", "nestnet"]


def started(program, *args):
    done = subprocess.run([*program, *args], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def test_the_script_and_the_module_are_the_same_program():
    assert SCRIPT.exists(), "the wheel installs a command"
    for args in [["info", "petersen"], ["--help"], []]:
        assert started([SCRIPT], *args) == started(MODULE, *args)
    assert "nodes" in started([SCRIPT], "info", "petersen")[1]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["info", "rdn(torus(5, 5), 2)", "--json"], 0),
        (["deadlock", "rcr(2, 2, 2)", "--router", "paper"], 1),
        (["info", "tours(5, 5)"], 2),
        (["measure", "random_regular(100000, 6, 1)", "--only", "bisection", "--max-time", "0.2"], 2),
    ],
)
def test_it_answers_as_the_program_does(command_line, args, code):
    own, program = started(MODULE, *args), command_line(*args)
    assert own[0] == program[0] == code
    if "--max-time" not in args:
        assert own == program


def test_the_page_asks_the_same_program():
    """Each question of the page is a process of its own, which Python starts again."""
    serving = subprocess.Popen([*MODULE, "serve", "--no-open"], stdout=subprocess.PIPE, text=True)
    try:
        base = re.search(r"http://[^/\s]+", serving.stdout.readline())[0]
        with urllib.request.urlopen(f"{base}/api/info?spec=petersen", timeout=60) as answer:
            assert json.load(answer)["nodes"] == 10
    finally:
        serving.terminate()
        serving.wait(timeout=60)
