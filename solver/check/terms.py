"""The terms of a title on one run: which bonuses it earns, line by line, given which of its stops are counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trunkline.solver.board import Bonus, Position, RevenueLine, Stops, Train
from trunkline.solver.check.follow import Run
from trunkline.solver.check.names import label


class Claim(NamedTuple):
    """An ``amount`` for which at least one stop of each of the ``places`` (numbers of stops) has to be counted."""

    amount: int
    places: tuple[tuple[int, ...], ...]

    def met(self, counted: Sequence[bool]) -> bool:
        """Whether each place has a counted stop."""
        return all(any(counted[i] for i in stops) for stops in self.places)


def bonus_lines(position: Position, train: Train, run: Run, counted: Sequence[bool]) -> Iterator[RevenueLine]:
    """What the bonuses pay a run of which these stops are counted."""
    for bonus, amount in _bonuses(position, train):
        if bonus.crosses is not None:
            marked = _marked(position, bonus.crosses)
            crossed = [h for h in dict.fromkeys(run.hexes) if h in bonus.crosses.hexes or h in marked]
            for h in crossed[:1] if bonus.per == "route" else crossed:
                name = bonus.name if bonus.per == "route" else f"{bonus.name} at {position.board.hexes[h].name or h}"
                yield RevenueLine("bonus", name, amount, h)
            continue
        found = [[i for i in members(position, of, run) if counted[i] or bonus.visited] for of in bonus.stops]
        if bonus.per == "route":
            if all(found):
                yield RevenueLine("bonus", bonus.name, amount, run.stops[found[0][0]].hex)
            continue
        seen: set[str] = set()
        for i in found[0]:
            stop = run.stops[i]
            if bonus.per == "stop" or stop.hex not in seen:
                yield RevenueLine(
                    "bonus", f"{bonus.name} at {label(position.board.hexes[stop.hex], stop)}", amount, stop.hex
                )
            seen.add(stop.hex)


def added(position: Position, train: Train, run: Run) -> list[int]:
    """What bonuses per stop add to each stop of a run if it is counted."""
    more = [0] * len(run.stops)
    for bonus, amount in _bonuses(position, train):
        if bonus.per == "stop" and not bonus.visited:
            for i in members(position, bonus.stops[0], run):
                more[i] += amount
    return more


def claims(position: Position, train: Train, run: Run) -> list[Claim]:
    """The bonuses of a run for which it matters which stops are counted, but for those per stop."""
    found: list[Claim] = []
    for bonus, amount in _bonuses(position, train):
        if bonus.visited or bonus.crosses is not None or bonus.per == "stop":
            continue
        places = [tuple(members(position, of, run)) for of in bonus.stops]
        if bonus.per == "hex":
            hexes = dict.fromkeys(run.stops[i].hex for i in places[0])
            found += [Claim(amount, (tuple(i for i in places[0] if run.stops[i].hex == h),)) for h in hexes]
        elif all(places):
            found.append(Claim(amount, tuple(places)))
    return found


def _bonuses(position: Position, train: Train) -> Iterator[tuple[Bonus, int]]:
    """The bonuses that concern the train, and what each pays it at a time."""
    for bonus in position.terms.bonuses:
        if bonus.concerns(position.company, train.name, position.board.phase, position.carried):
            yield bonus, bonus.amount * train.multiplier if bonus.multiplied else bonus.amount


def members(position: Position, of: Stops, run: Run) -> Iterator[int]:
    """The numbers of the stops of a run that are in a set."""
    marked = _marked(position, of)
    for i, (stop, printed) in enumerate(zip(run.stops, run.printed, strict=True)):
        if of.kinds and printed.kind not in of.kinds:
            continue
        labels = position.board.hexes[stop.hex].tile.labels
        named = stop.hex in of.hexes or printed.group in of.groups or any(x in of.labels for x in labels)
        if of.anywhere or named or stop.hex in marked:
            yield i


def _marked(position: Position, of: Stops) -> set[str]:
    return {h for marker in of.markers for h in position.marked.get(marker, ())}


def crossed_hexes(position: Position) -> set[str]:
    """Hexes that pay where track comes to them, stop or not."""
    sets = [b.crosses for b in position.terms.bonuses if b.crosses is not None]
    return {h for of in sets for h in (*of.hexes, *_marked(position, of))}
