"""The answer: routes with their revenue line by line, what is proven, and why a train stands idle.

``print(solution)`` is what a player wants to read. Nothing here computes a revenue: the package
``check`` does.
"""

from __future__ import annotations

from dataclasses import dataclass

from trunkline.solver.board.hexes import StopId, Track
from trunkline.solver.errors import Fault


@dataclass(frozen=True, slots=True)
class RevenueLine:
    """One line of a revenue; the lines of a route add up to its revenue.

    ``kind``: ``stop`` (value of a counted stop, not multiplied), ``variable`` (the M of a variable city, see rules
    section 9.3), ``multiplier`` (what the train's multiplier adds), ``connection``, ``commodity``.
    """

    kind: str
    label: str
    amount: int
    hex: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """The run of one train.

    ``train`` is the number in ``position.trains``. ``track[i]`` leads from ``stops[i]`` to ``stops[i + 1]``, in
    order. ``counted[i]`` says whether ``stops[i]`` pays. ``hexes``: every hex of the run in order.
    """

    train: int
    name: str
    stops: tuple[StopId, ...]
    counted: tuple[bool, ...]
    track: tuple[tuple[Track, ...], ...]
    hexes: tuple[str, ...]
    lines: tuple[RevenueLine, ...]
    revenue: int
    markers: int = 0
    commodities: tuple[str, ...] = ()

    def __str__(self) -> str:
        stops = "-".join(str(s) if c else f"({s})" for s, c in zip(self.stops, self.counted, strict=True))
        return f"{self.name}: {stops} = {self.revenue}"


@dataclass(frozen=True, slots=True)
class IdleTrain:
    """A train that does not run, and why."""

    train: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """Cost of a search: ``nodes`` partial routes looked at; seconds of each part and in all."""

    nodes: int = 0
    network_seconds: float = 0.0
    problem_seconds: float = 0.0
    search_seconds: float = 0.0
    check_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """Seconds from the position to the checked answer."""
        return self.network_seconds + self.problem_seconds + self.search_seconds + self.check_seconds


@dataclass(frozen=True, slots=True)
class Solution:
    """The best routes of a company. ``optimal``: no legal set of routes earns more; then ``upper_bound == total``.

    ``claims``: commodities that nobody had claimed and that these routes deliver (rules section 9.5).
    """

    routes: tuple[Route, ...]
    idle: tuple[IdleTrain, ...]
    total: int
    upper_bound: int
    optimal: bool
    claims: tuple[str, ...] = ()
    statistics: Statistics = Statistics()

    def __str__(self) -> str:
        proof = "proven best" if self.optimal else f"best found so far, at most {self.upper_bound}"
        lines = [str(r) for r in self.routes] + [f"{i.name}: idle, {i.reason}" for i in self.idle]
        return "\n".join([*lines, f"total {self.total} ({proof})"])


@dataclass(frozen=True, slots=True)
class DrawnRoute:
    """A route as somebody else gives it, for train number ``train``: exact ``track``, or ``waypoints``.

    Waypoints are hex ids or stops in the order of the run: every hex, or only the hexes with stops. Between two
    waypoints the run passes no stop of a hex that is not named.
    """

    train: int
    waypoints: tuple[str | StopId, ...] = ()
    track: tuple[tuple[Track, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What drawn routes earn, or every reason why they are not legal (``faults``, with the hex).

    ``notes`` says how ambiguous track was read. ``routes`` and ``total`` are filled only when legal.
    """

    routes: tuple[Route, ...] = ()
    total: int = 0
    claims: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether the company may run these routes together."""
        return not self.faults
