"""How a game is set up and which reading of the rules it follows: one frozen value, the first entry of a log.

``Options()`` follows the rules (the set ``rulebook``); ``Options(rules="18xx.games")`` plays as that site does, so that
games recorded there can be replayed. docs/options.md lists every place where the sources of the rules conflict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from trunkline.engine.errors import LogError

SITE = "18xx.games"
RULE_SETS = ("rulebook", SITE)
STARTS = ("draft", "auction")
VARIANTS = ("", "removed", "dummy")

# switch: (rulebook, 18xx.games, what it says when it is on). Cn: the conflict in docs/options.md.
SWITCHES: Mapping[str, tuple[bool, bool, str]] = {
    "half_price_raises": (True, False, "C1: a dividend of exactly half the share price moves it one to the right"),
    "jewelry_per_destination": (True, False, "C2: jewelry pays at each destination on a route, not once per route"),
    "company_shares_form": (False, True, "C3: shares that companies hold count for the 30 % that form a company"),
    "resell_new_trains": (False, True, "C5: a train bought this turn may be sold again, unless it came from the bank"),
    "one_phase_four_train": (True, True, "C6: a company may own at most one train of phase IV"),
    "own_shares_in_book": (False, True, "C8: a company's own shares count in its book value"),
    "sale_pass_counts": (False, True, "C12: a pass in the sale turn counts for the next turn order"),
    "connection_requires_counted": (False, False, "C13: a connection bonus needs both places among the counted stops"),
    "national_home_on_forming": (True, True, "C16: the national railway places its home when it forms, not later"),
    "bond_shares_form": (True, False, "C16b: converted bonds count for the 30 % that form the national railway"),
    "director_tie_to_buyer": (True, False, "C17: who buys the Director's certificate wins a tie with the manager"),
    "ipo_closed_first_round": (True, True, "C19: players may not buy from the IPO in the first stock round"),
    "close_privates_freely": (True, False, "C20: a private may be closed for its face value without using its power"),
    "return_concessions": (True, False, "C30: concessions of a closed company can be claimed again, not lost"),
    "bank_breaks_at_zero": (True, False, "the bank breaks when nothing is left in it, not only when it cannot pay"),
    "double_city_home_fixed": (
        False,
        True,
        "in Delhi and Kolkata a home that is to come keeps one certain city also when only one of the two is in play",
    ),
    "auto_pass": (False, True, "a player who can neither buy nor sell passes without being asked"),
    "forced_choices": (
        False,
        True,
        "decisions that leave one way only are asked for: a home with one free city; an exchange token when none is "
        "left; a bond when nothing is left to convert it into; the track step of a company that owns the Portuguese or "
        "Dutch company goes on until it passes",
    ),
    "line_arrives_at_hex": (
        False,
        True,
        "the line of yellow tiles has to arrive at the hex of the next tile, which may join other track; from there it "
        "goes on",
    ),
    "train_sale_consent": (True, False, "a train sold to a company of another player needs that seller's consent"),
    "piecemeal_buying": (False, True, "the certificates of one purchase may be bought one by one, until a pass"),
    "late_french_closing": (False, True, "the French East India Company closes after the track step, not at once"),
    "home_border_unmarked": (False, True, "the national railway's home tile places no gauge-change marker"),
    "manual_end": (False, True, "the players may end the game by agreement at any time"),
    "site_shuffle": (False, True, "the deal comes from the seed by the random generator of 18xx.games"),
}
MAX_NAME = 60
SOLVER_SWITCHES = ("jewelry_per_destination", "connection_requires_counted")


@dataclass(frozen=True, slots=True)
class Options:
    """Players in turn order, how the hands are filled, the two-player variant, and the rules.

    ``start``: ``draft`` or ``auction`` (rules section 2.1). ``variant``: ``removed`` or ``dummy`` for two players
    (2.2). ``rules`` names the set of switches; ``switches`` sets single ones otherwise, by name.
    Raises LogError: names the option and the values it may have.
    """

    players: tuple[str, ...] = ("Player 1", "Player 2", "Player 3", "Player 4")
    start: str = "draft"
    variant: str = ""
    rules: str = "rulebook"
    switches: tuple[tuple[str, bool], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(self.players))
        object.__setattr__(self, "switches", tuple(sorted(dict(self.switches).items())))
        if len(self.players) not in (2, 3, 4, 5):
            raise LogError(f"options.players: {len(self.players)} players; 18 India is for 2 to 5")
        if len(set(self.players)) < len(self.players):
            raise LogError("options.players: every player needs a name of their own")
        for name in self.players:
            if not (name.strip() and name.isprintable() and len(name) <= MAX_NAME):
                raise LogError(f"options.players: a name has 1 to {MAX_NAME} printable characters, not {name[:80]!r}")
        for name, value, known in (
            ("start", self.start, STARTS),
            ("variant", self.variant, VARIANTS),
            ("rules", self.rules, RULE_SETS),
        ):
            if value not in known:
                raise LogError(f"options.{name}: unknown value {value!r}; known: {', '.join(map(repr, known))}")
        if self.variant and len(self.players) != 2:
            raise LogError(f"options.variant: {self.variant!r} is for 2 players, not {len(self.players)}")
        for name, _ in self.switches:
            if name not in SWITCHES:
                raise LogError(f"options.switches: unknown switch {name[:80]!r}; {_meant(name)}")

    def on(self, switch: str) -> bool:
        """Whether a switch is on in these options."""
        return _settings(self)[switch]

    @property
    def seats(self) -> range:
        """The seats, 0 for the first player."""
        return range(len(self.players))


def _meant(name: str) -> str:
    """The switches that are written alike, then all that there are."""
    close = get_close_matches(name.lower().replace("-", "_"), SWITCHES, 3, 0.6)
    close += [s for s in SWITCHES if s not in close and len(name) > 2 and name.lower() in s]
    meant = f"did you mean {' or '.join(close)}? " if close else ""
    return f"{meant}known: {', '.join(SWITCHES)}"


@lru_cache(maxsize=256)
def _settings(options: Options) -> dict[str, bool]:
    column = RULE_SETS.index(options.rules)
    return {name: bool(values[column]) for name, values in SWITCHES.items()} | dict(options.switches)
