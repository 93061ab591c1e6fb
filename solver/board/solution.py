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

    Parameters
    ----------
    kind
        ``stop``: the value of a stop that pays, not multiplied; ``variable``: the M of a variable city (rules section
        9.3); ``multiplier``: what the multiplier of the train adds; ``connection``, ``commodity`` or
        ``bonus`` (one of the terms).
    label
        What it is for, as a player names it.
    amount
        What it adds to the revenue.
    hex
        The hex it is about, if it is about one.
    """

    kind: str
    label: str
    amount: int
    hex: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """The run of one train.

    Parameters
    ----------
    train
        The number of the train in ``position.trains``.
    name
        Its name.
    stops
        The stops in the order of the run.
    counted
        For each stop whether it pays.
    track
        For each two stops that follow each other the pieces of track between them, in order.
    hexes
        Every hex of the run, in order.
    lines
        The revenue line by line.
    revenue
        The sum of the lines.
    markers
        How many gauge-change markers the run crosses.
    commodities
        The commodities it delivers.
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
    """A train that does not run.

    Parameters
    ----------
    train
        The number of the train in ``position.trains``.
    name
        Its name.
    reason
        Why it does not run.
    """

    train: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """What an answer has cost.

    Parameters
    ----------
    nodes
        Partial routes looked at.
    network_seconds, problem_seconds, search_seconds, check_seconds
        The seconds of each part of the work.
    """

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
    """The best routes of a company, all trains together. ``print(solution)`` shows them.

    Parameters
    ----------
    routes
        A route for each train that runs.
    idle
        The trains that do not run.
    total
        What the routes earn together.
    upper_bound
        What no legal set of routes exceeds.
    optimal
        Whether it is proven that no legal set of routes earns more; then ``upper_bound`` is ``total``.
    claims
        Commodities that nobody had claimed and that these routes deliver (rules section 9.5).
    statistics
        What the answer has cost.
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
    """A route that somebody has drawn: exact track, or waypoints.

    Parameters
    ----------
    train
        The number of its train in ``position.trains``.
    waypoints
        Hex ids or stops in the order of the run: every hex, or only the hexes with stops. Between two waypoints the
        run visits no stop on a hex that is not named.
    track
        For each two stops that follow each other the pieces of track between them, in order.
    """

    train: int
    waypoints: tuple[str | StopId, ...] = ()
    track: tuple[tuple[Track, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What drawn routes earn, or every reason why they are not legal.

    Parameters
    ----------
    routes, total, claims
        As in :class:`Solution`; empty unless the routes are legal.
    faults
        The reasons why they are not, each with the field and the hex.
    notes
        How waypoints were read that more than one legal track joins.
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
