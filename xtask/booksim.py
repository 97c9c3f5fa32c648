#!/usr/bin/env python3
"""Usage: booksim.py NESTNET [DEVICE …]: points of BookSim2 up to 80 % of saturation, by `nestnet simulate`.

Latencies, hops and what is accepted must be those of crates/nestnet/tests/data/booksim2.json within noise, on every
device (cpu, gpu), and all devices must print the same bytes.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

DATA = Path(__file__).parent.parent / "crates/nestnet/tests/data/booksim2.json"
SPECS = {"mesh4x4": "mesh(4, 4)", "torus4x4x4": "torus(4, 4, 4)"}
# Times more cycles than the other simulator had.
LONGER = 3


def flags(params: dict, packet: int) -> list[str]:
    names = {
        "num_vcs": "vcs",
        "vc_buf_size": "buffer",
        "routing_delay": "routing-delay",
        "vc_alloc_delay": "vc-delay",
        "sw_alloc_delay": "switch-delay",
        "st_final_delay": "st-delay",
        "credit_delay": "credit-delay",
        "input_speedup": "input-speedup",
        "vc_allocator": "vc-allocator",
        "sw_allocator": "switch-allocator",
    }
    given = [word for key, name in names.items() for word in (f"--{name}", str(params[key]))]
    return [*given, "--packet", str(packet)]


def main() -> int:
    nestnet, *devices = sys.argv[1:]
    devices = devices or ["cpu"]
    file = json.loads(DATA.read_text())
    folder = Path(tempfile.mkdtemp())
    heawood = folder / "heawood.anynet"
    heawood.write_text(file["heawood"])
    points = bad = 0
    for curve in file["curves"]:
        for point in curve["points"]:
            if point["status"] != "ok" or point["offered"] > 0.8 * curve["highest_ok_rate"]:
                continue
            spec = SPECS.get(curve["topology"], f'file("{heawood}")')
            router = "dor" if curve["topology"] in SPECS else "min"
            command = [nestnet, "simulate", spec, "--router", router, "--json"]
            command += flags(file["param_sets"][curve["params"]], curve["packet_size"])
            command += ["--traffic", curve["traffic"], "--load", str(point["offered"])]
            command += ["--warmup", str(point["period"] * point["warmup"])]
            command += ["--cycles", str(3 * LONGER * point["period"])]
            runs = [subprocess.run([*command, "--device", device], capture_output=True) for device in devices]
            points += 1
            name = f"{curve['topology']} {curve['params']} {curve['traffic']} x{curve['packet_size']} @{point['offered']}"
            wrong = [run.stderr.decode() for run in runs if run.returncode or b"the CPU does it" in run.stderr]
            if len({run.stdout for run in runs}) > 1:
                wrong.append("devices differ")
            if not wrong:
                ours = json.loads(runs[0].stdout)["curves"][0]["points"][0]
                sigma = (1 / point["packets"] + 1 / ours["packets"]) ** 0.5
                rows = [
                    ("packet_latency", ours["packet_latency"]["mean"], max(0.02, 1.2 * sigma)),
                    ("network_latency", ours["network_latency"]["mean"], max(0.02, 1.2 * sigma)),
                    ("accepted", ours["accepted"], max(0.01, 3 * sigma)),
                    ("hops", ours["hops"] + 1, max(0.005, 1.5 * sigma)),
                ]
                for key, value, tolerance in rows:
                    off = value / point[key] - 1
                    if abs(off) > tolerance:
                        wrong.append(f"{key} {value} for {point[key]}, {100 * off:+.2f} %")
            if wrong:
                bad += 1
                print(f"{name}: {'; '.join(wrong)}")
    print(f"{points} points on {' and '.join(devices)}, {bad} of them wrong")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
