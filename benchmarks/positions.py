"""Recorded positions: time from request to answer, part by part, beside the plain search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks import reference
from benchmarks.answer import PARTS, Answer, answer, request_of
from benchmarks.measure import SPREAD_COLUMNS, Findings, Sample, Spread, Table, Track
from benchmarks.plan import Plan
from tests.positions import recorded
from trunkline.solver import Position, warm_up


@dataclass(slots=True)
class Case:
    """A recorded position, its answers (one a round) and the plain search."""

    file: str
    name: str
    position: Position
    request: bytes
    answers: list[Answer] = field(default_factory=list)
    plain: reference.Search | None = None

    def part(self, number: int) -> float:
        """Seconds of a part, the median of all rounds."""
        return median(a.parts[number] for a in self.answers)

    @property
    def seconds(self) -> float:
        return median(a.seconds for a in self.answers)

    @property
    def cpu(self) -> float:
        return median(a.cpu for a in self.answers)

    @property
    def solve_cpu(self) -> float:
        return median(a.solve_cpu for a in self.answers)

    @property
    def ratio(self) -> float:
        """CPU time of the plain search over that of the solver, both from the read position to the total."""
        assert self.plain is not None
        return self.plain.cpu / self.solve_cpu


def cases(plan: Plan, files: Iterable[str]) -> list[Case]:
    """The recorded positions of a plan."""
    return [
        Case(file, r.id, r.position, request_of(r.position)) for file in files for r in recorded(file)[: plan.positions]
    ]


def run(plan: Plan, track: Track) -> Findings:
    """Measure; raises AssertionError where the plain search finds another total."""
    warm_up()
    found = cases(plan, plan.files)
    for _ in track(range(plan.rounds + 1), "recorded positions"):
        for case in found:
            case.answers.append(answer(case.request))
    first = {id(c): c.answers.pop(0).seconds for c in found}
    for case in track(found, "recorded positions, plain Python"):
        case.plain = reference.search(case.position, plan.reference_limit)
        total = case.answers[0].solution.total
        assert case.plain.total in (None, total), (
            f"{case.name}: {case.plain.total} by trying all, {total} by the solver"
        )
    findings = Findings()
    rows = [row for file in plan.files for row in _rows(file, [c for c in found if c.file == file], first)]
    columns = ("positions", "ms of", *SPREAD_COLUMNS)
    note = (
        "A position's time is the median of its rounds; the columns are the spread over positions. "
        "*All single rounds* has what the machine did meanwhile; *seen for the first time* is the first round, "
        "with warm kernels, but with nothing of this position cached."
    )
    findings.tables.append(Table("Recorded positions: time from request to answer", columns, rows, note))
    findings.tables.append(_ratios(plan, found))
    findings.samples["positions"] = [_sample(c, first[id(c)]) for c in found]
    if india := [c.seconds for c in found if c.file == "18India"]:
        findings.figures |= {
            "recorded_median": Spread.of(india).median * 1e3,
            "recorded_p99": Spread.of(india).p99 * 1e3,
        }
        cpu = Spread.of(c.cpu for c in found if c.file == "18India")
        findings.cpu |= {"recorded_median": cpu.median * 1e3, "recorded_p99": cpu.p99 * 1e3}
    return findings


def _rows(file: str, found: Sequence[Case], first: dict[int, float]) -> Iterable[tuple[str | float, ...]]:
    name = f"{file}, {len(found)}"
    for number, part in enumerate(PARTS):
        yield name, part, *Spread.of(c.part(number) for c in found).row(1e3)
    yield name, "**request to answer**", *Spread.of(c.seconds for c in found).row(1e3)
    yield name, "the same, CPU", *Spread.of(c.cpu for c in found).row(1e3)
    yield name, "all single rounds", *Spread.of(a.seconds for c in found for a in c.answers).row(1e3)
    yield name, "seen for the first time", *Spread.of(first[id(c)] for c in found).row(1e3)


def _ratios(plan: Plan, found: Sequence[Case]) -> Table:
    rows = []
    for file in plan.files:
        of_file = [c for c in found if c.file == file and c.plain]
        ratios = sorted(c.ratio for c in of_file)
        ended = sum(c.plain is not None and c.plain.finished for c in of_file)
        plain = sum(c.plain.cpu for c in of_file if c.plain)
        ours = sum(c.solve_cpu for c in of_file)
        rows.append((file, len(of_file), ended, ratios[0], median(ratios), ratios[-1], plain / ours))
    columns = ("positions", "number", "plain search ended", "least", "median", "most", "all together")
    note = (
        "CPU time of the plain Python search over that of the solver (network to check), on the same positions in the "
        f"same run. The plain search is given up after {plan.reference_limit:g} s; its ratio is then a lower bound. "
        "Where it ends, the totals are equal. It gives a total only; the solver's time includes the "
        "routes and their check."
    )
    return Table("Recorded positions: times faster than plain Python", columns, rows, note)


def _sample(case: Case, first: float) -> Sample:
    s = case.answers[0].solution
    assert case.plain is not None
    return {
        "file": case.file,
        "position": case.name,
        "trains": " ".join(t.name for t in case.position.trains),
        "total": s.total,
        "optimal": s.optimal,
        "partial_routes": s.statistics.nodes,
        **{f"{part}_ms": case.part(i) * 1e3 for i, part in enumerate(PARTS)},
        "request_to_answer_ms": case.seconds * 1e3,
        "cpu_ms": case.cpu * 1e3,
        "solve_cpu_ms": case.solve_cpu * 1e3,
        "first_ms": first * 1e3,
        "plain_ms": case.plain.wall * 1e3,
        "plain_cpu_ms": case.plain.cpu * 1e3,
        "plain_ended": case.plain.finished,
        "times_faster": case.ratio,
    }
