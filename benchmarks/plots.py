"""The plots of a report, each as PNG and SVG: recorded positions, their parts, growth of the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from benchmarks.answer import PARTS
from benchmarks.measure import Sample
from benchmarks.targets import TARGETS

# Colours that people with a colour vision deficiency can tell apart (Okabe and Ito).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555")
SIZE = (9.0, 5.0)


def draw(samples: Mapping[str, Sequence[Sample]], out: Path) -> list[str]:
    """Draw what there are samples for; the names of the files, without their endings."""
    plots: Mapping[str, tuple[str, Callable[[Sequence[Sample]], Figure]]] = {
        "positions": ("positions", _positions),
        "parts": ("positions", _parts),
        "growth": ("growth", _growth),
    }
    drawn = []
    for name, (source, plot) in plots.items():
        if samples.get(source):
            figure = plot(samples[source])
            for ending in ("png", "svg"):
                figure.savefig(out / f"{name}.{ending}", dpi=130, bbox_inches="tight")
            plt.close(figure)
            drawn.append(name)
    return drawn


def _groups(samples: Sequence[Sample], column: str) -> dict[Any, list[Sample]]:
    groups: dict[Any, list[Sample]] = {}
    for s in samples:
        groups.setdefault(s[column], []).append(s)
    return groups


def _numbers(samples: Sequence[Sample], column: str) -> list[float]:
    return [float(s[column] or 0) for s in samples]


def _positions(samples: Sequence[Sample]) -> Figure:
    """Share of the positions that are answered within a time."""
    figure, axes = plt.subplots(figsize=SIZE)
    for (file, found), colour in zip(_groups(samples, "file").items(), COLOURS, strict=False):
        share = 100 * (np.arange(len(found)) + 1) / len(found)
        axes.step(sorted(_numbers(found, "request_to_answer_ms")), share, where="post", color=colour, label=file)
        plain = sorted(_numbers(found, "plain_ms"))
        axes.step(plain, share, where="post", color=colour, linestyle=":", label=f"{file}, plain Python search")
    for key in ("recorded_median", "recorded_p99"):
        target = TARGETS[key]
        height = 50 if key.endswith("median") else 99
        for value, mark in ((target.must, "x"), (target.aim or target.must, "*")):
            axes.plot(value, height, mark, color="black", markersize=9)
    axes.plot([], [], "x", color="black", label="must, 18 India (median, 99 %)")
    axes.plot([], [], "*", color="black", label="aim")
    axes.set(xscale="log", xlabel="milliseconds from request to answer", ylabel="% of the recorded positions")
    axes.set_title("Recorded positions")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    return figure


def _parts(samples: Sequence[Sample]) -> Figure:
    """Where the time goes: mean of each part, of all positions and of the slowest tenth."""
    figure, axes = plt.subplots(figsize=(SIZE[0], 3.5))
    bars: dict[str, Sequence[Sample]] = {}
    for file, found in _groups(samples, "file").items():
        slow = sorted(found, key=lambda s: -float(s["request_to_answer_ms"] or 0))[: max(1, len(found) // 10)]
        bars |= {f"{file}, all": found, f"{file}, slowest tenth": slow}
    left = np.zeros(len(bars))
    for part, colour in zip(PARTS, COLOURS, strict=False):
        width = np.array([fmean(_numbers(found, f"{part}_ms")) for found in bars.values()])
        axes.barh(list(bars), width, left=left, color=colour, label=part)
        left += width
    axes.invert_yaxis()
    axes.set(xlabel="milliseconds, mean")
    axes.set_title("Where the time goes")
    axes.legend(ncols=len(PARTS), fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.2))
    return figure


def _growth(samples: Sequence[Sample]) -> Figure:
    """Time and how many times the plain search takes, by tiles on the board."""
    figure, (above, below) = plt.subplots(2, figsize=(SIZE[0], 8), sharex=True, height_ratios=(3, 2))
    for (lay, found), colour in zip(_groups(samples, "lay").items(), COLOURS, strict=False):
        sizes = _groups(found, "size")
        tiles = [fmean(_numbers(of_size, "tiles")) for of_size in sizes.values()]
        times = [_numbers(of_size, "request_to_answer_ms") for of_size in sizes.values()]
        above.plot(tiles, [np.median(t) for t in times], color=colour, marker="o", markersize=4, label=f"{lay}, median")
        above.plot(tiles, [max(t) for t in times], color=colour, linestyle="--", label=f"{lay}, worst")
        unfinished = [s for s in found if not s["optimal"]]
        if unfinished:
            x, y = _numbers(unfinished, "tiles"), _numbers(unfinished, "request_to_answer_ms")
            above.plot(x, y, "x", color=colour, label=f"{lay}, not proven in time: {len(unfinished)}")
        plain = [s for s in found if s["plain_ms"] is not None]
        tried = _groups(plain, "size").values()
        x, y = ([float(np.median(_numbers(t, column))) for t in tried] for column in ("tiles", "plain_ms"))
        above.plot(x, y, ":", color=colour, alpha=0.6)
        for ended, mark, text in ((True, ".", "ratio"), (False, "^", "at least (plain search given up)")):
            some = [s for s in plain if s["plain_ended"] is ended and s["times_faster"] is not None]
            if some:
                x, y = _numbers(some, "tiles"), _numbers(some, "times_faster")
                below.plot(x, y, mark, color=colour, label=f"{lay}, {text}")
    above.plot([], [], ":", color="black", alpha=0.6, label="plain Python search, median, given up where it is flat")
    above.set(yscale="log", ylabel="milliseconds from request to answer")
    above.set_title("From an empty board to one with every tile laid, trains 4Ex3 + 4E")
    below.set(yscale="log", xlabel="tiles on the board", ylabel="times faster than plain Python")
    for axes in (above, below):
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    return figure
