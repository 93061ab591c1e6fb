"""How much is measured: the whole (under ten minutes on two cores) or a quick look (about two)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes of the sections; times in seconds.

    ``sizes``: tiles on the boards of :mod:`benchmarks.growth`, None until no more can be laid. ``growth_budget`` and
    ``laid_budget``: after it no board begins, but the first of each size and kind. ``reference_limit``: what the plain
    search has for a position.
    """

    files: tuple[str, ...] = ("18India", "1889", "18Chesapeake")
    positions: int | None = None
    rounds: int = 15
    reference_limit: float = 8.0
    throughput: float = 8.0
    cancelled: int = 20
    starts: int = 5
    sizes: tuple[int | None, ...] = (*range(0, 151, 10), None)
    seeds: int = 12
    laid_seeds: int = 40
    deadline: float = 5.0
    growth_budget: float = 100.0
    laid_budget: float = 80.0
    hard_boards: int = 6
    games: int = 5
    actions: int = 20_000
    recorded_games: tuple[str, ...] = ("bank", "exchange", "share_return", "double_city")


FULL = Plan()
QUICK = Plan(
    rounds=5,
    reference_limit=2.0,
    throughput=3.0,
    cancelled=5,
    starts=2,
    sizes=(0, 20, 40, 60, 80, 100, 120, None),
    seeds=3,
    laid_seeds=6,
    deadline=2.0,
    growth_budget=20.0,
    laid_budget=15.0,
    hard_boards=2,
    games=2,
)
