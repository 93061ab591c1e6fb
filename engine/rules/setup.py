"""Set-up: companies, deck, hands, IPO rows, open market (rules section 2).

All chance is used up here: the same options and seed give the same deal, and nothing random is left in the state.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets
from collections.abc import Callable, Sequence
from typing import TypeVar

from trunkline.engine.box.box import (
    BOX,
    NATIONAL,
    TITLE,
    bond_shares,
    company_of,
    director,
    face,
    is_private,
    player_row,
    shares,
)
from trunkline.engine.errors import LogError
from trunkline.engine.options import Options
from trunkline.engine.state import Company, Player, State
from trunkline.solver.board import ANY_CITY

T = TypeVar("T")
SECRET_BITS = 192
SECRET_SEEDS = range(1 << SECRET_BITS, 1 << SECRET_BITS + 1)
"""Seeds of :func:`secret_seed`; far from those of 64 bits, so that every seed says how it deals."""
Shuffle = Callable[[Sequence[T]], list[T]]


def deal(options: Options, seed: int) -> State:
    """The state after set-up step 6: hands dealt, nobody has chosen yet what to keep.

    A seed of :func:`secret_seed` deals by a keyed shuffle, whatever the options: from the cards that one player sees,
    no other card follows. Seeds of 64 bits are for deals that are to be repeated, and for games of 18xx.games.

    Raises LogError: the seed is neither.
    """
    if not (-(2**63) <= seed < 2**63 or seed in SECRET_SEEDS):
        raise LogError("seed: must fit into 64 bits, or be a secret one of 193 bits")
    site = options.on("site_shuffle")
    shuffled = _keyed_shuffle if seed in SECRET_SEEDS else _site_shuffle if site else _shuffle
    shuffle: Shuffle[str] = shuffled(seed)
    groups = BOX.site["groups"] if site else _regions()
    in_play: set[str] = {NATIONAL}
    guaranty: set[str] = set()
    for group in groups:
        drawn = shuffle(group)[-BOX.companies_of_a_region :]
        in_play.update(drawn)
        guaranty.add(drawn[-1])
    listed = BOX.site["companies"] if site else list(TITLE.companies)
    companies = [c for c in listed if c in in_play]
    state = State(
        options,
        order=list(options.seats),
        players=[Player(player_row(len(options.players)).cash) for _ in options.seats],
        companies={c: _company(c, c in guaranty) for c in companies},
        absent=[c for c in listed if c not in in_play],
        bonds=[f"RB{i}" for i in range(BOX.bonds.count)],
        bond_shares=list(bond_shares()),
        depot=[f"{card.name}-{i}" for card in TITLE.cards.values() for i in range(card.count)],
        unclaimed=[name for name, c in TITLE.commodities.items() if not c.placed],
    )
    state.bank -= sum(p.cash for p in state.players)
    for c in companies:
        home = TITLE.companies[c]
        if home.home:
            state.reserved[c] = (home.home, home.home_cities[0] if len(home.home_cities) == 1 else ANY_CITY)
    _deal_cards(state, shuffle)
    state.pool = [director(c) for c in companies if c != NATIONAL]
    return state


def _regions() -> list[list[str]]:
    return [[c.id for c in TITLE.companies.values() if c.region == r] for r in BOX.regions]


def _company(name: str, guaranty: bool) -> Company:
    printed = TITLE.companies[name]
    return Company(guaranty, unplaced=list(printed.token_costs), exchange=printed.exchange_tokens)


def deck(companies: Sequence[str]) -> list[str]:
    """The certificates that are shuffled: 6 privates, 8 shares of each company, 10 of the national railway."""
    cards = list(BOX.privates)
    for c in companies:
        own = shares(c)
        # 18xx.games lists the first share of the national railway last; the deal of a recorded game depends on it.
        cards += [*own[1:], own[0]] if c == NATIONAL else own
    return cards


def _deal_cards(state: State, shuffle: Shuffle[str]) -> None:
    """Rows, hands, market are taken from the end of the shuffled deck, each in the order dealt (steps 3 to 6)."""
    options = state.options
    cards = shuffle(deck(list(state.companies)))
    seats = len(options.players)
    row = player_row(BOX.variants["dummy"]["as_for"] if options.variant == "dummy" else seats)
    dealt = row.dealt
    if options.variant == "removed":
        rule = BOX.variants["removed"]
        dealt = rule["dealt"]
        state.unseen = [c for c in cards if not is_private(c)][: rule["removed"]]
        cards = [c for c in cards if c not in state.unseen]

    def take(count: int) -> list[str]:
        taken = cards[len(cards) - count :]
        del cards[len(cards) - count :]
        return taken

    state.ipo = [take(row.row) for _ in range(3)]
    for player in state.players:
        player.hand = take(dealt)
    if options.variant == "dummy":
        state.dummy = take(dealt)
    state.market = cards
    for c in cards:
        if not is_private(c):
            state.companies[company_of(c)].cash += face(c)
            state.bank -= face(c)


def kept(options: Options) -> int:
    """How many of the dealt cards a player keeps."""
    row = player_row(BOX.variants["dummy"]["as_for"] if options.variant == "dummy" else len(options.players))
    return row.kept


def secret_seed() -> int:
    """A seed that nobody can guess or work out from some of the cards: 192 random bits."""
    return SECRET_SEEDS[secrets.randbits(SECRET_BITS)]


def _keyed_shuffle(seed: int) -> Shuffle[str]:
    """Order by HMAC-SHA256 of a running number under the seed: to tell one key from others is to break the HMAC."""
    key, count = seed.to_bytes(32, "big"), 0

    def shuffle(items: Sequence[str]) -> list[str]:
        nonlocal count
        keys = [hmac.digest(key, b"18India %d" % i, hashlib.sha256) for i in range(count, count + len(items))]
        count += len(items)
        return [item for _, item in sorted(zip(keys, items, strict=True))]

    return shuffle


def _shuffle(seed: int) -> Shuffle[str]:
    # random() is promised to stay the same over Python versions for the same seed; shuffle() is not.
    source = random.Random(f"18India {seed}")

    def shuffle(items: Sequence[str]) -> list[str]:
        keys = [source.random() for _ in items]
        return [item for _, item in sorted(zip(keys, items, strict=True))]

    return shuffle


def _site_shuffle(seed: int) -> Shuffle[str]:
    """The generator of 18xx.games (a linear congruence), so that the seed of an exported game gives its deal."""
    value = seed % 2**31

    def shuffle(items: Sequence[str]) -> list[str]:
        nonlocal value
        keys = []
        for i in range(len(items)):
            value = (value * 1103515245 + 12345) % 2**31
            keys.append((value, i))
        return [items[i] for _, i in sorted(keys)]

    return shuffle
