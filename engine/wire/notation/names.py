"""What players call cards and places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trunkline.engine.box.box import BOX, TITLE, company_of, is_bond, is_director, is_private, percent


def card_name(card: str) -> str:
    """A card in full: ``EIR 10 %``, ``EIR Director's certificate``, ``P3`` with its name, ``Railroad Bond``."""
    if is_private(card):
        return f"{card} {BOX.privates[card].name}"
    if is_bond(card):
        return "Railroad Bond"
    if not company_of(card):
        return "a hidden card"
    kind = "Director's certificate" if is_director(card) else f"{percent(card)} %"
    return f"{company_of(card)} {kind}"


def card_names(cards: Sequence[str]) -> str:
    """Several cards in full, equal ones counted."""
    names = [card_name(c) for c in cards]
    return ", ".join(f"{names.count(n)} × {n}" if names.count(n) > 1 else n for n in dict.fromkeys(names))


def short(cards: Iterable[str], *, sort: bool = True) -> str:
    """Cards in few words: ``2×EIR NWR-D P3 RB``. ``EIR`` is a share of 10 %, ``NWR-D`` a Director's certificate."""
    names = [short_name(c) for c in cards]
    if not sort:
        return " ".join(names)
    return " ".join(f"{names.count(n)}×{n}" if names.count(n) > 1 else n for n in sorted(set(names)))


def short_name(card: str) -> str:
    """A card in one word; all shares of a company have the same."""
    if is_bond(card):
        return "RB"
    return f"{company_of(card)}-D" if is_director(card) else company_of(card) or card


def place_name(hex_: str) -> str:
    """A hex with the name printed on it, if there is one: ``Nagpur H15``."""
    name = TITLE.hexes[hex_].name if hex_ in TITLE.hexes else ""
    return f"{name} {hex_}" if name else hex_
