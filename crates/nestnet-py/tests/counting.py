"""A plugin of pytest: counts which of our functions NetworkX's own tests reach, and writes that to a file."""

import json
import os
from collections import Counter

from nestnet import nx as ours

COUNTS = Counter()


def _counted(name, function):
    def call(*args, **kwargs):
        COUNTS[name] += 1
        return function(*args, **kwargs)

    return staticmethod(call)


for _name, _function in ours.FUNCTIONS.items():
    setattr(ours.Dispatcher, _name, _counted(_name, _function))


def pytest_sessionfinish(session, exitstatus):
    with open(os.environ["NESTNET_COUNTS"], "w", encoding="utf-8") as file:
        json.dump(COUNTS, file)
