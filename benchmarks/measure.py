"""What a measurement is made of: stopwatches, spreads, tables, and the facts of the machine."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Protocol, TypeVar

import numpy as np
import psutil

from trunkline.solver.service.pool import cores

_T = TypeVar("_T")
Value = str | float | int | bool | None
Row = tuple[Value, ...]
Sample = Mapping[str, Value]


class Track(Protocol):
    """Shows progress while a sequence is gone through."""

    def __call__(self, things: Sequence[_T], what: str) -> Iterator[_T]: ...


def silent(things: Sequence[_T], what: str) -> Iterator[_T]:
    """Go through a sequence and show nothing."""
    return iter(things)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows to read. ``note`` says how they were measured."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Row]
    note: str = ""


@dataclass(slots=True)
class Findings:
    """What a section measured.

    ``figures``: by the keys of :data:`benchmarks.targets.TARGETS`, in the unit of the target; ``cpu``: the same in CPU
    time, where it makes sense; ``at_least``: those that are only lower bounds. ``samples``: single measurements by
    name, one CSV file each, the source of the plots.
    """

    tables: list[Table] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)
    at_least: set[str] = field(default_factory=set)
    samples: dict[str, list[Sample]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, 90 %, 99 % and worst of some values; a percentile is a measured value, the next one above."""

    median: float
    p90: float
    p99: float
    worst: float

    @staticmethod
    def of(values: Iterable[float]) -> Spread:
        found = np.array(list(values), dtype=float)
        p90, p99 = np.quantile(found, [0.9, 0.99], method="higher")
        return Spread(float(np.median(found)), float(p90), float(p99), float(found.max()))

    def row(self, scale: float = 1.0) -> tuple[float, ...]:
        """The four values, times ``scale``."""
        return (self.median * scale, self.p90 * scale, self.p99 * scale, self.worst * scale)


SPREAD_COLUMNS = ("median", "90 %", "99 %", "worst")


@dataclass(frozen=True, slots=True)
class Seconds:
    """``wall`` by the clock, ``cpu`` in which this thread had a core: on a busy machine the clock runs on meanwhile."""

    wall: float
    cpu: float


def timed(work: Callable[[], _T]) -> tuple[_T, Seconds]:
    """The result of a call and what it took."""
    wall, cpu = time.perf_counter(), time.thread_time()
    result = work()
    return result, Seconds(time.perf_counter() - wall, time.thread_time() - cpu)


def shown(value: Value) -> str:
    """A value with three significant digits, as people read it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 0.1 else 3
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def machine() -> dict[str, Value]:
    """What the figures depend on; nothing that says whose machine it is."""
    packages = ("trunkline", "numba", "numpy", "networkx", "grpcio", "protobuf")
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores for this process": cores(),
        "memory, GB": round(psutil.virtual_memory().total / 2**30),
        "load when begun": round(os.getloadavg()[0], 1),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        **{name: version(name) for name in packages},
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    except OSError:
        return platform.processor()
