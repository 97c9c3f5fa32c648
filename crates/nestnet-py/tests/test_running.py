"""Threads share a network, nobody waits for the lock of Python, and Ctrl-C stops."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import nestnet as nn


def test_threads_share_a_network():
    g = nn.network("rdn(petersen, 1)")
    alone = [g.bfs(node).tolist() for node in range(20)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda node: g.bfs(node).tolist(), range(20))) == alone
        measured = list(pool.map(lambda _: g.measure("connectivity", "load").to_dict(), range(8)))
    assert all(one == measured[0] for one in measured)


def test_the_lock_is_free_while_a_computation_runs():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    other = threading.Thread(target=tick)
    other.start()
    try:
        start = time.monotonic()
        with nn.limits(max_time=0.6), pytest.raises(nn.LimitError):
            nn.network("rdn(torus(5, 5), 1)").simulate(0.3, cycles=10**9)
        end = time.monotonic()
    finally:
        done.set()
        other.join()
    within = [moment for moment in ticks if start < moment < end]
    assert len(within) > 20, "the other thread hardly ran"


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on Unix")
@pytest.mark.parametrize(
    "call",
    [
        'nn.network("rdn(torus(5, 5), 1)").simulate(0.3, cycles=10**9)',
        'nn.network("random_regular(60000, 4, 1)").measure("distances")',
        'nn.design(nodes=10**7, depth=3, max_base=200)',
        'nn.network("random_regular(20000, 6, 1)").channel_loads()',
        'nn.claims(slow=True)',
    ],
)
def test_an_interrupt_stops_within_a_second(call):
    program = f"""
        import time, nestnet as nn
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("stopped", flush=True)
        else:
            print("finished", flush=True)
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(1.0)
        assert child.poll() is None, "it was over before it could be stopped"
        child.send_signal(signal.SIGINT)
        start = time.monotonic()
        assert child.stdout.readline() == "stopped\n"
        # Half a second of grace and some for a busy machine.
        assert time.monotonic() - start < 1.0 * float(os.environ.get("NESTNET_SLACK", "2"))
    finally:
        child.kill()
        child.communicate()


def test_progress_is_reported():
    parts = []
    from nestnet import _nestnet

    job = _nestnet.Job(1 << 30, 1.5, parts.append)
    net = nn.network("random_regular(60000, 4, 1)")._net
    try:
        net.measure(["distance_histogram"], "cpu", job)
    except nn.LimitError:
        pass
    assert all(0 <= part <= 1 for part in parts)
    assert max(parts, default=0) > 0, "no progress was reported"


def test_what_a_progress_function_raises_ends_the_call():
    from nestnet import _nestnet

    def stop(part):
        raise RuntimeError("enough")

    job = _nestnet.Job(1 << 30, 60.0, stop)
    net = nn.network("rdn(torus(5, 5), 1)")._net
    asked = dict(loads=[0.3], traffic="uniform", router=None, failing=[], fail_rate=None)
    asked.update(options=[("warmup", "10"), ("cycles", str(10**9))])
    asked.update(per_host=False, per_flow=False, trace=False, device="cpu")
    with pytest.raises(RuntimeError, match="enough"):
        _nestnet.simulate(net, _nestnet.Simulated(**asked), job)


def test_a_bar_is_shown_and_taken_away(capsys):
    pytest.importorskip("tqdm")
    from nestnet import running

    bar = running._Bar("work")
    bar.start -= 1
    bar(0.25)
    bar(0.5)
    bar(0.4)
    bar.close()
    assert bar.tried
