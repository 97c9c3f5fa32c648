"""What the package says of itself is so: its extras install on every Python that it names."""

import html.parser
import pathlib
import re
import sys
import urllib.error
import urllib.request

import pytest

packaging = pytest.importorskip("packaging")
from packaging.requirements import Requirement  # noqa: E402
from packaging.specifiers import SpecifierSet  # noqa: E402
from packaging.utils import parse_sdist_filename, parse_wheel_filename  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
PYTHONS = [f"3.{minor}" for minor in range(9, 15)]
CLASSIFIER = re.compile(r"Programming Language :: Python :: (3\.\d+)$")


def project():
    tomllib = pytest.importorskip("tomllib")
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pythons():
    found = [CLASSIFIER.match(one) for one in project()["classifiers"]]
    return [one[1] for one in found if one]


class Files(html.parser.HTMLParser):
    """The files on a page of an index: their names, and which versions of Python they are for."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        entries = dict(attributes)
        if tag == "a" and "data-yanked" not in entries:
            name = entries["href"].split("#")[0].split("?")[0].rsplit("/", 1)[-1]
            self.found.append((name, entries.get("data-requires-python") or ""))


def files(name, kept={}):
    """All files of a package on PyPI."""
    if name not in kept:
        asked = urllib.request.Request(
            f"https://pypi.org/simple/{name}/", headers={"Accept": "text/html"}
        )
        try:
            with urllib.request.urlopen(asked, timeout=30) as page:
                kept[name] = Files(page.read().decode("utf-8")).found
        except (urllib.error.URLError, TimeoutError) as error:
            pytest.skip(f"PyPI cannot be reached: {error}")
    return kept[name]


def is_for(tags, python):
    """Whether one of the tags of a wheel is for a version of CPython on Linux."""
    minor = int(python.split(".")[1])
    for tag in tags:
        if tag.platform != "any" and not re.match(r"manylinux.*x86_64", tag.platform):
            continue
        if tag.interpreter in ("py3", "py2.py3", f"cp3{minor}"):
            return True
        least = re.match(r"cp3(\d+)$", tag.interpreter)
        if tag.abi == "abi3" and least and int(least[1]) <= minor:
            return True
    return False


def newest(requirement, python):
    """The version that pip takes, which is the newest that claims to fit, and whether it has a wheel."""
    wheels = {}
    for name, pythons in files(requirement.name):
        try:
            if name.endswith(".whl"):
                _, version, _, tags = parse_wheel_filename(name)
            elif name.endswith(".tar.gz"):
                (_, version), tags = parse_sdist_filename(name), ()
            else:
                continue
            fits = python + ".99" in SpecifierSet(pythons)
        except ValueError:
            # A name of olden times.
            continue
        if fits and version in requirement.specifier:
            wheels[version] = wheels.get(version, False) or is_for(tags, python)
    if not wheels:
        return None, False
    return max(wheels), wheels[max(wheels)]


def test_it_names_the_versions_that_it_takes():
    takes = SpecifierSet(project()["requires-python"])
    assert pythons() == PYTHONS and all(one in takes for one in PYTHONS)
    assert "3.8" not in takes, "an older version is not named"
    assert f"3.{sys.version_info.minor}" in PYTHONS


@pytest.mark.parametrize("python", PYTHONS)
def test_what_it_needs_installs_on_every_python_that_it_names(python):
    about = project()
    for extra in [about["dependencies"], *about["optional-dependencies"].values()]:
        for text in extra:
            requirement = Requirement(text)
            environment = {"python_version": python, "python_full_version": f"{python}.0"}
            if requirement.marker is not None and not requirement.marker.evaluate(environment):
                continue
            version, has_wheel = newest(requirement, python)
            assert version is not None, f"{text}: no version is for Python {python}"
            assert has_wheel, f"{text}: {version} has no wheel for Python {python}"
        names = {Requirement(text).name for text in extra}
        chosen = [
            Requirement(text).name
            for text in extra
            if Requirement(text).marker is None
            or Requirement(text).marker.evaluate({"python_version": python})
        ]
        # One line of each package is for this version.
        assert sorted(chosen) == sorted(names)
