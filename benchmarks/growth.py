"""From an empty board to one with every tile laid: time of the hardest common question, trains 4Ex3 and 4E together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median

from benchmarks import reference
from benchmarks.answer import Answer, answer, request_of
from benchmarks.measure import Findings, Row, Sample, Spread, Table, Track
from benchmarks.plan import Plan
from trunkline.solver import Board, Position, warm_up
from trunkline.solver.generate import random_board, random_position
from trunkline.solver.search.network import build_network

TRAINS = ("4Ex3", "4E")
LAYS = {"uniform": 0.0, "dense": 1.0}
"""How much the generator prefers track that meets track (``joined``): not at all, or so that networks are dense."""


@dataclass(frozen=True, slots=True)
class Grown:
    """A board of a size and what it took to solve: ``seconds`` wall, where it did not end the deadline or more."""

    lay: str
    size: int | None
    seed: int
    tiles: int
    stops: int
    segments: int
    answer: Answer
    plain: reference.Search | None

    @property
    def seconds(self) -> float:
        return self.answer.seconds

    @property
    def optimal(self) -> bool:
        return self.answer.solution.optimal

    @property
    def ratio(self) -> float | None:
        """Times faster than the plain search; a lower bound where that was given up. None if this is not proven."""
        if self.plain is None or not self.optimal:
            return None
        return self.plain.cpu / self.answer.solve_cpu


def run(plan: Plan, track: Track) -> Findings:
    """Measure; raises AssertionError where the plain search finds another total."""
    warm_up()
    sizes = [size for size in plan.sizes if size is not None]
    grown = _boards(plan, sizes, plan.seeds, plan.growth_budget, track)
    if None in plan.sizes:
        grown += _boards(plan, [None], plan.laid_seeds, plan.laid_budget, track)
    findings = Findings()
    rows = [_row(lay, size, grown) for lay in LAYS for size in plan.sizes]
    columns = "lay|tiles|boards|stops|segments|median, ms|99 %, ms|worst, ms|worst, CPU ms"
    columns += "|not proven|widest gap, %|times faster|plain search ended"
    note = (
        f"Trains {' + '.join(TRAINS)}, request to answer, one seeded board after the other. A position has "
        f"{plan.deadline:g} s; one that is not proven by then counts with the time it took, and the gap between its "
        "answer and its upper bound is shown. Stops and segments of the company's network: mean. *full*: laid until no "
        f"tile of the box can be laid or upgraded. The plain Python search has {plan.reference_limit:g} s for a "
        "board, and tries no more boards of that size once it is given up; *times faster* is the median of its CPU "
        "time over the solver's, a lower bound (≥) where one was given up, of the boards that the solver proved."
    )
    findings.tables.append(Table("Growth of the board", tuple(columns.split("|")), [r for r in rows if r], note))
    findings.samples["growth"] = [_sample(g) for g in grown]
    for lay in LAYS:
        if full := [g for g in grown if g.lay == lay and g.size is None]:
            findings.figures[f"laid_{lay}_p99"] = Spread.of(g.seconds for g in full).p99
            if not all(g.optimal for g in full):
                findings.at_least.add(f"laid_{lay}_p99")
            findings.cpu[f"laid_{lay}_p99"] = Spread.of(g.answer.cpu for g in full).p99
    return findings


def _boards(plan: Plan, sizes: Sequence[int | None], seeds: int, budget: float, track: Track) -> list[Grown]:
    """Solve a board of each lay and size, then the next seed of each, until the budget is spent."""
    grown: list[Grown] = []
    given_up: set[tuple[str, int | None]] = set()
    end = time.monotonic() + budget
    for seed in track(range(seeds), "growth of the board" if sizes != [None] else "every tile laid"):
        for lay, size in product(LAYS, sizes):
            if seed and time.monotonic() > end:
                continue
            g = _grow(plan, lay, size, seed, plain=(lay, size) not in given_up)
            if g.plain is not None and not g.plain.finished:
                given_up.add((lay, size))
            grown.append(g)
    return grown


def board(lay: str, size: int | None, seed: int) -> Board:
    """A seeded board with so many tiles."""
    return random_board(seed, size, joined=LAYS[lay])


def question(laid: Board, seed: int) -> Position:
    """The two trains of a company on a board."""
    return random_position(seed, board=laid, trains=TRAINS)


def _grow(plan: Plan, lay: str, size: int | None, seed: int, plain: bool) -> Grown:
    position = question(board(lay, size, seed), seed)
    request = request_of(position)
    answers = [answer(request, plan.deadline)]
    if answers[0].seconds < 0.1:
        answers += [answer(request, plan.deadline) for _ in range(2)]
    middle = sorted(answers, key=lambda a: a.seconds)[len(answers) // 2]
    searched = reference.search(position, plan.reference_limit) if plain else None
    if searched is not None and searched.total is not None:
        s, total = middle.solution, searched.total
        assert s.total == total if s.optimal else s.total <= total <= s.upper_bound, f"{lay} {size} {seed}: {total}"
    graph = build_network(position.board, position.company)
    tiles, stops, segments = len(position.board.tiles), graph.number_of_nodes(), graph.number_of_edges()
    return Grown(lay, size, seed, tiles, stops, segments, middle, searched)


def _row(lay: str, size: int | None, grown: Sequence[Grown]) -> Row:
    of_size = [g for g in grown if g.lay == lay and g.size == size]
    if not of_size:
        return ()
    spread = Spread.of(g.seconds for g in of_size)
    open_ = [g for g in of_size if not g.optimal]
    ratios = [g.ratio for g in of_size if g.ratio is not None]
    plain = [g.plain for g in of_size if g.plain]
    at_least = "≥ " if any(not p.finished for p in plain) else ""
    return (
        lay,
        f"full, {round(_mean([g.tiles for g in of_size]))}" if size is None else str(size),
        len(of_size),
        round(_mean([g.stops for g in of_size])),
        round(_mean([g.segments for g in of_size])),
        spread.median * 1e3,
        spread.p99 * 1e3,
        spread.worst * 1e3,
        max(g.answer.cpu for g in of_size) * 1e3,
        len(open_),
        max((_gap(g) for g in open_), default=0.0),
        f"{at_least}{median(ratios):.3g}" if ratios else None,
        f"{sum(p.finished for p in plain)} of {len(plain)}",
    )


def _gap(g: Grown) -> float:
    s = g.answer.solution
    return 100 * (s.upper_bound - s.total) / s.upper_bound


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _sample(g: Grown) -> Sample:
    s = g.answer.solution
    return {
        "lay": g.lay,
        "size": "full" if g.size is None else g.size,
        "seed": g.seed,
        "tiles": g.tiles,
        "stops": g.stops,
        "segments": g.segments,
        "total": s.total,
        "upper_bound": s.upper_bound,
        "optimal": s.optimal,
        "partial_routes": s.statistics.nodes,
        "request_to_answer_ms": g.seconds * 1e3,
        "cpu_ms": g.answer.cpu * 1e3,
        "search_ms": g.answer.parts[3] * 1e3,
        "plain_ms": g.plain.wall * 1e3 if g.plain else None,
        "plain_cpu_ms": g.plain.cpu * 1e3 if g.plain else None,
        "plain_ended": g.plain.finished if g.plain else None,
        "times_faster": g.ratio,
    }
