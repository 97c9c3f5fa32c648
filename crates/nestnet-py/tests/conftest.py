"""What all tests share: the binary beside which answers are checked, where there is one."""

import json
import os
import shutil
import subprocess

import pytest

BINARY = os.environ.get("NESTNET_BINARY") or shutil.which("nestnet")


def pytest_collection_modifyitems(items):
    """What was begun first is waited for last."""
    items.sort(key=lambda item: item.name == "test_networkx_own_tests_pass_through_us")


@pytest.fixture(scope="session", autouse=True)
def no_field_is_forgotten():
    """Every field of a result of the libraries is in its class, or omitted on purpose."""
    yield
    from nestnet.results.shape import DROPPED, WITHOUT

    assert sorted(DROPPED - WITHOUT) == []


@pytest.fixture(scope="session")
def command_line():
    """Runs the command line; gives its exit code, what it prints and what it complains of."""
    if not BINARY or not os.path.exists(BINARY):
        pytest.skip("NESTNET_BINARY names no program")

    def run(*args):
        done = subprocess.run([BINARY, *args], capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture(scope="session")
def asked(command_line):
    """The JSON of a verb."""

    def run(*args):
        code, out, error = command_line(*args, "--json")
        assert code in (0, 1), error
        return json.loads(out)

    return run
