"""Station tokens: which slots of which cities they fill, or why they cannot lie there."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from trunkline.solver.board.hexes import Hex, StopId
from trunkline.solver.board.tile import CITY
from trunkline.solver.errors import Fault, PositionError

MAX_TOKENS = 2000


@dataclass(frozen=True, slots=True)
class Token:
    """A station token.

    Parameters
    ----------
    company
        The id of the company it belongs to.
    hex
        The hex it lies on.
    city
        The number of the city on that hex, from 0.
    slot
        The slot it fills, from 0; None: the first free one, in the order of the tokens.
    extra
        Whether it lies beside the slots, as the Danish East India Company may put it (rules section 8.3). It is a
        token of its company like any other and fills no slot.
    """

    company: str
    hex: str
    city: int = 0
    slot: int | None = None
    extra: bool = False


class City(NamedTuple):
    """Who has a token where in a city: ``slots`` (None: open) and companies with an extra token beside them."""

    slots: tuple[str | None, ...]
    extras: tuple[str, ...]

    def holds(self, company: str) -> bool:
        """Whether the company has a token here."""
        return company in self.slots or company in self.extras

    def blocks(self, company: str) -> bool:
        """Whether the company may only end here: every slot is filled by others (9.1.3)."""
        return None not in self.slots and not self.holds(company)


def open_cities(hx: Hex) -> tuple[tuple[StopId, City], ...]:
    """The cities of a hex, all slots open."""
    stops = zip(hx.stops, hx.tile.stops, strict=True)
    return tuple((stop, City((None,) * s.slots, ())) for stop, s in stops if s.kind == CITY)


@dataclass(slots=True)
class TokenPlacement:
    """Tokens being put into the open ``cities`` of a board.

    ``companies``: those of the title; empty: any company. ``refused``: hexes whose tile has a fault of its own, where
    no further fault is reported.
    """

    companies: Collection[str]
    hexes: Mapping[str, Hex]
    cities: dict[StopId, City]
    refused: Collection[str]
    faults: list[Fault] = field(default_factory=list)
    slots: dict[StopId, list[str | None]] = field(default_factory=dict)
    extras: dict[StopId, list[str]] = field(default_factory=dict)

    def place(self, tokens: Sequence[Token]) -> None:
        """Put the tokens into ``cities``; what is wrong with them goes into ``faults``.

        Raises PositionError: they are too many to look at.
        """
        if len(tokens) > MAX_TOKENS:
            raise PositionError([Fault("tokens", f"{len(tokens)} tokens; at most {MAX_TOKENS}")])
        without_slot = []
        seen: set[tuple[str, str]] = set()
        for i, token in enumerate(tokens):
            city = StopId(token.hex, CITY, token.city)
            fault = self._why_not(token, city, seen)
            seen.add((token.company, token.hex))
            if fault is not None:
                self.faults.append(fault.within(f"tokens[{i}]"))
            elif token.hex in self.refused:
                continue
            elif token.extra:
                self.extras.setdefault(city, []).append(token.company)
            elif token.slot is None:
                without_slot.append((i, city, token))
            else:
                self._fill(i, city, token, token.slot)
        # Slots that are named are filled before the first free ones are looked for.
        for i, city, token in without_slot:
            self._fill_first(i, city, token)
        for city in self.slots.keys() | self.extras.keys():
            slots = self.slots.get(city, self.cities[city].slots)
            self.cities[city] = City(tuple(slots), tuple(self.extras.get(city, ())))

    def _why_not(self, token: Token, city: StopId, seen: Collection[tuple[str, str]]) -> Fault | None:
        """Why a token cannot lie in a city, whatever other companies have there; ``seen``: companies and hexes."""
        if self.companies and token.company not in self.companies:
            return Fault("company", f"{token.hex}: unknown company {token.company!r}")
        if not token.company:
            return Fault("company", f"{token.hex}: a token needs a company")
        if token.hex in self.refused:
            return None
        if token.hex not in self.hexes:
            return Fault("hex", f"there is no hex {token.hex!r}")
        if city not in self.cities:
            n = len(self.hexes[token.hex].tile.of_kind(CITY))
            return Fault("city", f"{token.hex} has no city {token.city} ({n} cit{'y' if n == 1 else 'ies'})")
        if (token.company, token.hex) in seen:
            return Fault("", f"{token.hex}: {token.company} has two tokens in this hex")
        return None

    def _fill(self, number: int, city: StopId, token: Token, slot: int) -> None:
        """Put token ``number`` into a slot."""
        slots = self._slots_of(city)
        if slot not in range(len(slots)):
            text = f"{token.hex}: city {token.city} has no slot {slot} ({len(slots)} slots)"
            self.faults.append(Fault(f"tokens[{number}].slot", text))
        elif (other := slots[slot]) is not None:
            text = f"{token.hex}: slot {slot} of city {token.city} holds both {other} and {token.company}"
            self.faults.append(Fault(f"tokens[{number}].slot", text))
        else:
            slots[slot] = token.company

    def _fill_first(self, number: int, city: StopId, token: Token) -> None:
        """Put token ``number`` into the first open slot."""
        slots = self._slots_of(city)
        if None in slots:
            slots[slots.index(None)] = token.company
        else:
            text = f"{token.hex}: no free slot in city {token.city} for {token.company}"
            text += '; give it "extra": true if it lies beside the slots'
            self.faults.append(Fault(f"tokens[{number}].slot", text))

    def _slots_of(self, city: StopId) -> list[str | None]:
        return self.slots.setdefault(city, list(self.cities[city].slots))
