"""Measure the wall time, CPU time and largest process of a command. Linux only."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_SAMPLE_S = 0.02


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of wall and CPU time; MiB of the largest process."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def run(command: tuple[str, ...], folder: Path) -> Cost:
    """Run a command to its end, and raise RuntimeError if it fails.

    CPU time and memory come from /proc while it runs, for all processes of its session: a parent
    learns the figures of its workers only when it waits for them.
    """
    # Users' Python keeps what it compiles.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    cpu: dict[int, float] = {}
    peak: dict[int, int] = {}
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
    ) as process:
        done = threading.Event()
        sampler = threading.Thread(target=_sample, args=(process.pid, done, cpu, peak))
        sampler.start()
        said, _ = process.communicate()
        wall = time.perf_counter() - started
        done.set()
        sampler.join()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{said[-2000:]}")
    return Cost(wall, sum(cpu.values()), max(peak.values(), default=0) / 1024)


def _sample(
    session: int, done: threading.Event, cpu: dict[int, float], peak: dict[int, int]
) -> None:
    while not done.wait(_SAMPLE_S):
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                _read(int(entry.name), session, cpu, peak)


def _read(pid: int, session: int, cpu: dict[int, float], peak: dict[int, int]) -> None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        if int(stat[3]) != session:
            return
        cpu[pid] = (int(stat[11]) + int(stat[12])) / _TICKS
        status = Path(f"/proc/{pid}/status").read_text()
    except (OSError, IndexError):
        return  # the process ended between two looks
    line = next((line for line in status.splitlines() if line.startswith("VmHWM")), "")
    if line:
        peak[pid] = max(peak.get(pid, 0), int(line.split()[1]))
