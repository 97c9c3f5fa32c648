"""The native half of Nestnet."""

from collections.abc import Callable
from typing import Any, final

import numpy as np
import numpy.typing as npt

from .results import (
    Broadcast,
    Claims,
    Collective,
    Comparison,
    Cut,
    DeadlockReport,
    Design,
    Drawing,
    Embedding,
    Emulation,
    Exported,
    FaultSurvey,
    GoalRun,
    Growing,
    Info,
    Measures,
    MiniApp,
    Page,
    Paths,
    Route,
    Routing,
    Run,
    Simulation,
    Study,
    TablesWritten,
    Throughput,
)

__version__: str

class Error(ValueError): ...
class SpecError(Error): ...
class NodeError(Error): ...
class LimitError(Error): ...

@final
class Job:
    def __new__(
        cls, memory: int, seconds: float, progress: Callable[[float], None] | None = None
    ) -> Job: ...

@final
class Net:
    @property
    def spec(self) -> str: ...
    @property
    def order(self) -> int: ...
    @property
    def links(self) -> int: ...
    @property
    def hosts(self) -> int: ...
    @property
    def degrees(self) -> tuple[int, int]: ...
    @property
    def connected(self) -> bool: ...
    @property
    def has_ids(self) -> bool: ...
    @property
    def routers(self) -> list[str]: ...
    @property
    def stands_on(self) -> list[int]: ...
    def address(self, node: int) -> str: ...
    def locate(self, text: str) -> int: ...
    def refuse(self, text: str) -> None: ...
    def neighbors(self, node: int) -> list[int]: ...
    def ports(self, node: int) -> list[tuple[int, int, int]]: ...
    def distance(self, from_: int, to: int, job: Job, /) -> int | None: ...
    def route(
        self, from_: int, to: int, router: str | None, choice: int, as_printed: bool, job: Job, /
    ) -> Route: ...
    def info(self, job: Job) -> Info: ...
    def measure(self, keys: list[str], device: str, job: Job) -> Measures: ...

@final
class Simulated:
    def __new__(
        cls,
        *,
        loads: list[float],
        traffic: str,
        router: str | None,
        options: list[tuple[str, str]],
        failing: list[tuple[int, int, int]],
        fail_rate: float | None,
        per_host: bool,
        per_flow: bool,
        trace: bool,
        device: str,
    ) -> Simulated: ...

def network(text: str, job: Job) -> Net: ...
def stored(
    order: int,
    sources: npt.NDArray[np.uint32],
    targets: npt.NDArray[np.uint32],
    names: list[str] | None,
    levels: npt.NDArray[np.uint16] | None,
    endpoints: tuple[npt.NDArray[np.uint32], bool, list[str]] | None,
    job: Job,
) -> Net: ...
def command_line(words: list[str], launcher: list[str]) -> int: ...
def families() -> list[dict[str, Any]]: ...
def options() -> dict[str, list[dict[str, Any]]]: ...
def distances(
    net: Net, sources: npt.NDArray[np.uint64], targets: npt.NDArray[np.uint64], job: Job
) -> npt.NDArray[np.int64]: ...
def bfs(net: Net, from_: int, job: Job, /) -> npt.NDArray[np.int64]: ...
def channel_loads(
    net: Net, job: Job
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]: ...
def csr32(net: Net, job: Job) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
def csr64(net: Net, job: Job) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
def edges(net: Net, job: Job) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
def trunks(net: Net, job: Job) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16]]: ...
def eccentricities(net: Net, job: Job) -> npt.NDArray[np.int64] | None: ...
def components(net: Net, job: Job) -> npt.NDArray[np.int64]: ...
def coloring(net: Net, job: Job) -> npt.NDArray[np.bool_] | None: ...
def throughput(net: Net, traffic: str, router: str, gap: float | None, job: Job) -> Throughput: ...
def broadcast(
    net: Net, from_: int, algorithm: str | None, ports: str | None, job: Job, /
) -> Broadcast: ...
def collective(
    net: Net,
    goal: str,
    algorithm: str,
    root: int | None,
    router: str | None,
    ports: str,
    price: tuple[float, float, float],
    bytes: int,
    job: Job,
) -> Collective: ...
def mini_app(net: Net, app: str, amounts: tuple[int, int, int, int], job: Job) -> MiniApp: ...
def deadlock(
    net: Net, router: str | None, vcs: int | None, assigned: bool, job: Job
) -> DeadlockReport: ...
def draw(
    net: Net,
    plan: str | None,
    fold: int | None,
    most: tuple[int | None, int | None],
    route: tuple[int, int] | None,
    router: str | None,
    broadcast: tuple[int, int] | None,
    load: bool,
    deadlock: bool,
    look: tuple[str, str],
    job: Job,
) -> Drawing: ...
def cut(net: Net, job: Job) -> Cut: ...
def grow(net: Net, hosts: int | None, options: list[tuple[str, str]], job: Job) -> Growing: ...
def embed(guest: Net, host: Net, algorithm: str, exchanges: int, job: Job) -> Embedding: ...
def emulate(net: Net, dimension: int | None, job: Job) -> Emulation: ...
def run(net: Net, program: str, seed: int, job: Job) -> Run: ...
def study(text: str, folder: str | None, job: Job) -> Study: ...
def paths(net: Net, from_: int, to: int, steps: int, job: Job, /) -> Paths: ...
def routing(
    net: Net,
    router: str | None,
    sample: int | None,
    seed: int,
    failed: tuple[list[int], list[tuple[int, int]], float | None, str],
    job: Job,
) -> Routing: ...
def resilience(net: Net, given: list[tuple[str, str]], job: Job) -> FaultSurvey: ...
def export(
    net: Net,
    format: str | None,
    path: str | None,
    costs: tuple[list[str], list[str]],
    max_links: int,
    job: Job,
) -> Exported: ...
def link_costs(
    net: Net, costs: tuple[list[str], list[str]], job: Job
) -> tuple[list[tuple[float | None, float | None]], tuple[float | None, float | None] | None]: ...
def tables(
    net: Net,
    router: str | None,
    assign: bool,
    format: str,
    path: str | None,
    costs: tuple[list[str], list[str]],
    job: Job,
) -> TablesWritten: ...
def simulate(net: Net, ask: Simulated, job: Job) -> Simulation: ...
def run_goal(
    net: Net,
    path: str,
    router: str | None,
    options: list[tuple[str, str]],
    job: Job,
) -> GoalRun: ...
def design(given: list[tuple[str, str]], job: Job) -> Design: ...
def compare(specs: list[str], given: list[tuple[str, str]], job: Job) -> Comparison: ...
def report(
    specs: list[str], with_baselines: bool, options: list[tuple[str, str]], job: Job
) -> Page: ...
def claims(
    paper: str | None, only: list[str], verdict: str | None, slow: bool, job: Job
) -> Claims: ...
