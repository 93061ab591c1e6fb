"""What is in the box of 18 India beside the board: market, privates, certificates, the table of players.

``BOX`` reads ``data/18India.toml`` once; ``TITLE`` is the solver's title with map, tiles, trains and companies.
A certificate is named ``EIR_0`` (Director's certificate), ``EIR_1`` to ``EIR_8``, ``GIPR_0`` to ``GIPR_19``, ``P1`` to
``P6`` (privates), ``RB0`` to ``RB9`` (Railroad Bonds).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from trunkline.engine.json_values import decode
from trunkline.solver import get_title

TITLE = get_title("18India")
HIDDEN = "?"
"""In a view: a card whose face this seat may not see."""


@dataclass(frozen=True, slots=True)
class Bonds:
    """Railroad Bonds: how many, price and income in each operating round."""

    count: int
    price: int
    income: int


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """Set-up for a number of players; ``limit``: certificates with 10, 9, and 8 or fewer companies (1.1)."""

    cash: int
    limit: tuple[int, ...]
    dealt: int
    row: int
    market: int
    kept: int


@dataclass(frozen=True, slots=True)
class Private:
    """A private company: face value, income in each operating round, discount of its power if it is one (1.4).

    ``power``: what its use gives, for players; empty for none. ``section``: of the rules.
    """

    name: str
    face: int
    income: int
    discount: int = 0
    power: str = ""
    section: str = "1.4"


@dataclass(frozen=True, slots=True)
class PhaseText:
    """A phase for players: what it begins with, and what is different from then on (1.7)."""

    begins: str
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """The content of ``data/18India.toml``; see there."""

    bank: int
    director_percent: int
    share_percent: int
    shares_of_a_company: int
    shares_of_the_national: int
    bond_shares: int
    national: str
    regions: tuple[str, ...]
    companies_of_a_region: int
    forming_percent: int
    train_limit: int
    company_certificate_limit: int
    operating_rounds: int
    yellow_tiles_of_a_turn: int
    national_home_tiles: tuple[str, ...]
    national_home_excluded: tuple[str, ...]
    market: tuple[int, ...]
    end_price: int
    bonds: Bonds
    players: dict[str, PlayerRow]
    variants: dict[str, dict[str, int]]
    privates: dict[str, Private]
    phases: dict[str, PhaseText]
    options: dict[str, dict[str, str]]
    site: dict[str, Any]


def _load() -> Box:
    text = (resources.files("trunkline.engine.box") / "18India.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(text)
    site = raw.pop("site")
    box = decode(Box, raw | {"site": {}}, "18India.toml")
    box.site.update(site)
    return box


BOX = _load()
NATIONAL = BOX.national
FOURTH = tuple(name for name in TITLE.cards if name not in ("2", "3", "4"))
"""The train cards of phase IV."""


@lru_cache(maxsize=512)
def company_of(certificate: str) -> str:
    """The company a share is of; empty for privates and bonds."""
    name, _, number = certificate.partition("_")
    return name if number else ""


def is_private(certificate: str) -> bool:
    """Whether this is a private company."""
    return certificate in BOX.privates


def is_bond(certificate: str) -> bool:
    """Whether this is a Railroad Bond."""
    return certificate.startswith("RB")


@lru_cache(maxsize=512)
def is_director(certificate: str) -> bool:
    """Whether this is a Director's certificate; the national railway has none."""
    return certificate.endswith("_0") and company_of(certificate) != NATIONAL


@lru_cache(maxsize=512)
def percent(certificate: str) -> int:
    """What part of its company a share is, in percent; 0 for privates and bonds."""
    if not company_of(certificate):
        return 0
    return BOX.director_percent if is_director(certificate) else BOX.share_percent


@lru_cache(maxsize=512)
def face(certificate: str) -> int:
    """The printed value: IPO price of a share (twice for a Director's certificate), face value of the others."""
    if is_private(certificate):
        return BOX.privates[certificate].face
    if is_bond(certificate):
        return BOX.bonds.price
    return TITLE.companies[company_of(certificate)].ipo_price * percent(certificate) // BOX.share_percent


def director(company: str) -> str:
    """The Director's certificate of a company; empty for the national railway."""
    return "" if company == NATIONAL else f"{company}_0"


def shares(company: str) -> tuple[str, ...]:
    """The ten-percent certificates of a company that are shuffled into the deck."""
    if company == NATIONAL:
        return tuple(f"{company}_{i}" for i in range(BOX.shares_of_the_national))
    return tuple(f"{company}_{i}" for i in range(1, BOX.shares_of_a_company + 1))


def bond_shares() -> tuple[str, ...]:
    """The certificates of the national railway that only conversions bring into the game (1.3)."""
    n = BOX.shares_of_the_national
    return tuple(f"{NATIONAL}_{i}" for i in range(n, n + BOX.bond_shares))


def bonds() -> tuple[str, ...]:
    """The Railroad Bonds."""
    return tuple(f"RB{i}" for i in range(BOX.bonds.count))


def certificates() -> tuple[str, ...]:
    """Every certificate in the box; of the companies a game has only those that are in play."""
    of_companies = [x for c in TITLE.companies for x in (director(c), *shares(c)) if x]
    return (*of_companies, *bond_shares(), *BOX.privates, *bonds())


def train_card(train: str) -> str:
    """The card of a train: ``4x2`` of ``4x2-1``."""
    return train.rpartition("-")[0]


def player_row(players: int) -> PlayerRow:
    """The row of the set-up table."""
    return BOX.players[str(players)]
