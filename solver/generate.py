"""Random legal boards and positions, for tests and benchmarks.

Given a seed and a wanted number of tiles, tracks grow from the homes of some companies as in a game: tiles of the box
that fit the hex and lead nowhere off the map, upgrades that keep all track (rules section 8.2), then tokens, gauge
markers on province borders that track crosses, trains, concessions. Same arguments, same board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from random import Random

from trunkline.solver.board import (
    CITY,
    Board,
    Border,
    End,
    LaidTile,
    Path,
    Position,
    Rules,
    StopId,
    Tile,
    Title,
    Token,
    Train,
    get_title,
)
from trunkline.solver.errors import TrunklineError

__all__ = ["keeps_track", "random_board", "random_position"]


def random_board(
    seed: int,
    tiles: int | None = None,
    *,
    title_id: str = "18India",
    companies: int | None = None,
    upgrades: float = 0.35,
    joined: float = 1.0,
    tokens: float = 0.3,
    extra_tokens: float = 0.03,
    markers: float = 0.5,
    phase: str = "",
    jewelry: bool | None = None,
) -> Board:
    """A legal board at random; the same arguments give the same board.

    Parameters
    ----------
    seed
        What the board follows from.
    tiles
        How many hexes get a tile; None: until no tile of the box can be laid any more.
    title_id
        The title, which must have a printed map.
    companies
        How many companies have tokens, by default two to six; track grows from their homes.
    upgrades
        Share of the lays that upgrade, while hexes are left.
    joined
        How much track that meets track is preferred: 0, every legal lay is as likely as any other; 1, dense networks.
    tokens
        Share of the open slots of cities on the network that get a token.
    extra_tokens
        Chance that a full city gets a token beside its slots.
    markers
        Share of the crossed province borders with a gauge marker.
    phase
        The phase; by default one at random.
    jewelry
        Whether the jewelry hex is placed; by default at random.

    Returns
    -------
    Board
        A board that could be on the table.

    Raises
    ------
    TrunklineError
        The title has no map of its own.

    Examples
    --------
    >>> from trunkline.solver.generate import random_board
    >>> board = random_board(1, 20)
    >>> len(board.tiles), board == random_board(1, 20)
    (20, True)
    """
    t = get_title(title_id)
    if not t.hexes:
        raise TrunklineError("boards can be generated only for a title with a printed map")
    rng = Random(f"{title_id} {seed}")
    wanted = rng.randint(2, 6) if companies is None else companies
    names = rng.sample(list(t.companies), min(wanted, len(t.companies)))
    track = _Track(t, rng, [t.companies[c].home for c in names if t.companies[c].home], joined)
    track.grow(tiles, upgrades)
    return Board(
        t,
        tuple(track.laid.values()),
        tuple(_tokens(t, rng, track, names, tokens, extra_tokens)),
        frozenset(b for b in track.crossed_borders() if rng.random() < markers),
        phase or (rng.choice(list(t.phases)) if t.phases else ""),
        jewelry_hex=_jewelry_hex(t, rng, track, jewelry),
    )


def random_position(
    seed: int,
    tiles: int | None = None,
    *,
    joined: float = 1.0,
    board: Board | None = None,
    company: str = "",
    trains: Sequence[str | Train] | None = None,
    open_concessions: float = 0.5,
    held_concessions: float = 0.2,
    rules: Rules | None = None,
) -> Position:
    """A position at random: a board, a company with a token on it, its trains, concessions and rules.

    Parameters
    ----------
    seed, tiles, joined
        As for :func:`random_board`.
    board
        The board; by default one at random.
    company
        The company that asks; by default one with a token on the board.
    trains
        Names of trains, or trains; by default one or two of all types of the title.
    open_concessions
        Share of the commodities that nobody has claimed.
    held_concessions
        Share of the commodities that the company holds.
    rules
        Rule switches; by default a set of the title with each switch turned over one time in four.

    Returns
    -------
    Position
        A position that could be on the table.

    Raises
    ------
    PositionError
        The given parts do not belong together.
    """
    board = random_board(seed, tiles, joined=joined) if board is None else board
    t = board.title
    rng = Random(f"position {t.id} {seed}")
    on_board = list(dict.fromkeys(token.company for token in board.tokens)) or list(t.companies)
    company = company or rng.choice(on_board)
    if trains is None:
        trains = rng.choices(list(t.trains), k=rng.randint(1, 2))
    opened, held = set(), set()
    for name, commodity in t.commodities.items():
        draw = rng.random()
        if draw < held_concessions and not (commodity.placed and not board.jewelry_hex):
            held.add(name)
        elif draw < held_concessions + open_concessions:
            opened.add(name)
    if rules is None:
        rules = Rules(rng.choice(list(t.rule_sets)))
        turned = [s for s in t.switches if rng.random() < 0.25]
        rules = Rules(rules.name, tuple((s, not rules.on(t, s)) for s in turned))
    return Position(
        board,
        company,
        tuple(t.trains[x] if isinstance(x, str) else x for x in trains),
        frozenset(opened),
        frozenset(held),
        rules,
    )


def keeps_track(old: Tile, new: Tile) -> bool:
    """Whether a tile, as it lies, keeps all track of the one it replaces (rules section 8.2).

    Each part of the old track (what is joined by a stop, a junction or a plain path) lies within one part of the new
    tile, and a part with a stop within a part with a stop. Two stops stay apart as long as the new tile has as many.
    """
    homes = []
    for sides, has_stop in _parts(old):
        home = next((i for i, (s, stop) in enumerate(_parts(new)) if sides <= s and stop >= has_stop), None)
        if home is None:
            return False
        homes.append(home)
    return len(set(homes)) == min(len(homes), len(_parts(new)))


@lru_cache(maxsize=4096)
def _parts(tile: Tile) -> tuple[tuple[frozenset[int], bool], ...]:
    """The sides that each stop, junction or plain path of a tile joins, and whether there is a stop."""
    joined: dict[End | Path, set[int]] = {}
    for path in tile.paths:
        ends = (path.a, path.b)
        centre = next((e for e in ends if e.kind != "edge"), path)
        joined.setdefault(centre, set()).update(e.number for e in ends if e.kind == "edge")
    return tuple((frozenset(s), isinstance(c, End) and c.kind == "stop") for c, s in joined.items())


@lru_cache(maxsize=8192)
def _turns(title: Title, hex_id: str, name: str) -> tuple[Tile, ...]:
    """A tile of the box in each rotation in which it may lie on a hex; none twice with the same track."""
    found: dict[frozenset[tuple[frozenset[int], bool]], Tile] = {}
    for rotation in range(6):
        tile = title.tiles[name].tile.rotated(rotation)
        if not title.why_no_track(hex_id, tile):
            found.setdefault(frozenset(_parts(tile)), tile)
    return tuple(found.values())


@dataclass
class _Track:
    """Tiles on the map of a title while they are laid one after the other.

    ``network``: hexes joined by track to one of the ``starts``. ``pointed``: hexes without a tile that track of the
    network leads to. ``fits``: the turned tiles that may come next on a hex as it is, whatever the box holds.
    ``stuck``: hexes on which nothing can be laid with what is left in the box.
    Dictionaries stand for ordered sets: the order of a set of texts changes from process to process.
    """

    title: Title
    rng: Random
    starts: Sequence[str]
    joined: float = 1.0
    laid: dict[str, LaidTile] = field(default_factory=dict)
    on_hex: dict[str, Tile] = field(init=False)
    box: dict[str, int] = field(init=False)
    network: dict[str, None] = field(default_factory=dict)
    pointed: dict[str, None] = field(default_factory=dict)
    stuck: set[str] = field(default_factory=set)
    fits: dict[str, list[Tile]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.on_hex = {h: hx.tile for h, hx in self.title.hexes.items()}
        self.box = {name: t.count for name, t in self.title.tiles.items()}
        for h in self.starts:
            if self.on_hex[h].exits:
                self._join(h)
            elif self.title.fitting[h]:
                self.pointed[h] = None
        if not self.pointed:  # no company has a home: begin at any printed track
            for h, tile in self.on_hex.items():
                if tile.exits:
                    self._join(h)

    def grow(self, tiles: int | None, upgrades: float) -> None:
        """Lay until ``tiles`` hexes have a tile; None: until nothing more can be laid or upgraded."""
        while tiles is None or len(self.laid) < tiles:
            upgrade = self.rng.random() < upgrades
            done = self._lay_on([h for h in self.starts if h in self.pointed])
            done = done or (upgrade and self._lay_on(self._upgradable(self.network)))
            done = done or self._lay_on(self.pointed, joined=True)
            done = done or self._lay_on(self._empty())
            if tiles is None:
                done = done or self._lay_on(self._upgradable(self.laid))
            if not done:
                return

    def crossed_borders(self) -> Iterator[Border]:
        """Province borders with track to them on both sides."""
        for a, b in sorted(self.title.province_borders):
            if any(n == b and side in self.on_hex[a].exits for side, n in self._met(a)):
                yield a, b

    def _empty(self) -> list[str]:
        return [h for h, hx in self.title.hexes.items() if hx.tile.color == "white" and h not in self.laid]

    def _upgradable(self, hexes: dict[str, None] | dict[str, LaidTile]) -> list[str]:
        return [h for h in hexes if h in self.laid and self.title.tiles[self.laid[h].tile].upgrades]

    def _lay_on(self, hexes: Sequence[str] | dict[str, None], joined: bool = False) -> bool:
        """Lay on one of the hexes: the likeliest tile of a few hexes at random; False: nothing can be laid on any.

        ``joined``: only track that meets track of the network, as in a game; without it hexes anywhere may be filled.
        """
        free = [h for h in hexes if h not in self.stuck]
        self.rng.shuffle(free)
        lays: list[tuple[str, Tile]] = []
        looked = 0
        while free and looked < 8:
            h = free.pop()
            choices = self._choices(h)
            if not choices:
                self.stuck.add(h)
            sides = {side for side, n in self._met(h) if n in self.network}
            lays += [(h, tile) for tile in choices if not joined or not sides.isdisjoint(tile.exits)]
            looked += bool(choices)
        if not lays:
            return False
        weights = list(accumulate(self._weight(h, tile) for h, tile in lays))
        self._lay(*self.rng.choices(lays, cum_weights=weights)[0])
        return True

    def _choices(self, h: str) -> list[Tile]:
        """The tiles, turned, that may be laid on a hex now."""
        if h not in self.fits:
            old = self.laid.get(h)
            names = self.title.tiles[old.tile].upgrades if old else self.title.first[self.title.hex_class(h)]
            turned = [tile for name in names for tile in _turns(self.title, h, name)]
            self.fits[h] = [t for t in turned if old is None or keeps_track(self.on_hex[h], t)]
        return [tile for tile in self.fits[h] if self.box[tile.name]]

    def _weight(self, h: str, tile: Tile) -> float:
        """How likely a lay is: new track that meets track is, track that ends at the side of a laid tile is not."""
        weight = 1.0
        old = self.on_hex[h].exits if h in self.laid else frozenset()
        for side, n in self.title.hexes[h].neighbors.items():
            facing = (side + 3) % 6 in self.on_hex[n].exits
            if side in old:
                continue
            if side in tile.exits:
                weight *= 8 if facing else 0.2 if self.on_hex[n].exits else 2 if self.on_hex[n].stops else 1
            elif facing:
                weight *= 0.5
        return float((weight * (3 if tile.stops else 1)) ** self.joined)

    def _lay(self, h: str, tile: Tile) -> None:
        if h in self.laid:
            back = self.laid[h].tile
            if not self.box[back]:
                self.stuck.clear()
            self.box[back] += 1
        self.box[tile.name] -= 1
        self.laid[h] = LaidTile(h, tile.name, tile.rotation)
        self.on_hex[h] = tile
        self.fits.pop(h, None)
        self.pointed.pop(h, None)
        if h in self.starts or h in self.network or any(n in self.network and s in tile.exits for s, n in self._met(h)):
            self.network.pop(h, None)
            self._join(h)

    def _met(self, h: str) -> Iterator[tuple[int, str]]:
        """Sides of a hex to which a neighbour has track, and the neighbour; none with an impassable border."""
        for side, n in self.title.hexes[h].neighbors.items():
            opposite = (side + 3) % 6
            if (
                opposite in self.on_hex[n].exits
                and side not in self.on_hex[h].shut
                and opposite not in self.on_hex[n].shut
            ):
                yield side, n

    def _join(self, h: str) -> None:
        """Add a hex, and all that its track leads to, to the network."""
        todo = [h]
        while todo:
            h = todo.pop()
            if h in self.network:
                continue
            self.network[h] = None
            todo += [n for side, n in self._met(h) if side in self.on_hex[h].exits]
            for side in sorted(self.on_hex[h].exits - self.on_hex[h].shut):
                n = self.title.hexes[h].neighbors.get(side)
                if n is not None and n not in self.laid and self.title.fitting[n]:
                    self.pointed[n] = None


def _tokens(
    title: Title, rng: Random, track: _Track, names: Sequence[str], share: float, extra: float
) -> Iterator[Token]:
    """Home tokens, then tokens in a share of the open slots of cities on the network, at most one a hex and company."""
    free = {
        StopId(h, CITY, s.number): s.slots for h, tile in track.on_hex.items() for s in tile.stops if s.kind == CITY
    }
    seen = set()
    for c in names:
        company = title.companies[c]
        if company.home:
            cities = [StopId(company.home, CITY, n) for n in company.home_cities]
            city = next((x for x in rng.sample(cities, len(cities)) if free.get(x)), None)
            city = city or StopId(company.home, CITY, 0)  # two OO cities have become one
            seen.add((c, city.hex))
            yield Token(c, city.hex, city.number, extra=not free[city])
            free[city] -= free[city] > 0
    for city in free:
        if city.hex not in track.network:
            continue
        while free[city] or rng.random() < extra:
            others = [c for c in names if (c, city.hex) not in seen]
            if not others or (free[city] and rng.random() >= share):
                break
            c = rng.choice(others)
            seen.add((c, city.hex))
            yield Token(c, city.hex, city.number, extra=not free[city])
            free[city] -= free[city] > 0


def _jewelry_hex(title: Title, rng: Random, track: _Track, wanted: bool | None) -> str:
    if not any(c.placed for c in title.commodities.values()):
        return ""
    if wanted is None:
        wanted = rng.random() < 0.5
    hexes = [h for h, tile in track.on_hex.items() if not tile.stops and tile.color != "blue"]
    near = [h for h in hexes if h in track.network] or hexes
    return rng.choice(near) if wanted else ""
