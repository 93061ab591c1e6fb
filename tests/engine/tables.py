"""Small tables for rule tests: a game in which certain companies are in play, brought to the point a rule speaks of."""

from trunkline.engine import game
from trunkline.engine.box.box import TITLE, director, is_private
from trunkline.engine.box.box import shares as ten_percent
from trunkline.engine.options import Options
from trunkline.engine.rules import money, shares
from trunkline.engine.state import DRAFT, OPERATE, STOCK, TRACK, CompanyTurn, State, StockTurn

NAMES = ("Ann", "Bob", "Cem", "Dan", "Eva")


def options(players=3, **kwargs) -> Options:
    """Options for a number of players."""
    switches = tuple(kwargs.pop("switches", {}).items())
    return Options(players=NAMES[:players], switches=switches, **kwargs)


def dealt(*companies, players=3, also=(), without=(), **kwargs) -> State:
    """A fresh deal in which these companies, and ``also``, are in play, and none of ``without``."""
    opts = options(players, **kwargs)
    for seed in range(1000):
        state = game.new_game(opts, seed)
        if {*companies, *also} <= set(state.companies) and not set(without) & set(state.companies):
            return state
    raise AssertionError(f"no deal with {companies} and {also} without {without}")


def stock_round(*companies, number=2, **kwargs) -> State:
    """A buying turn of the first player; hands, rows, market and pool are set aside, to be filled by the test."""
    state = dealt(*companies, **kwargs)
    aside = [state.pool, state.market, *state.ipo, *(p.hand for p in state.players)]
    state.gone = [c for place in aside for c in place]
    for place in aside:
        place.clear()
    for c in state.companies.values():
        state.bank += c.cash
        c.cash, c.guaranty = 0, False
    state.stage, state.round, state.moves = STOCK, number, len(state.order)
    state.stock = StockTurn()
    return state


def take(state, *certificates):
    """Take certificates from the set-aside ones or the bank."""
    for c in certificates:
        place = state.bonds if c in state.bonds else state.bond_shares if c in state.bond_shares else state.gone
        place.remove(c)
    return list(certificates)


def hold(state, party, *certificates):
    """Let a player or company own certificates, with what follows for control and formation."""
    for c in take(state, *certificates):
        shares.acquire(state, party, c)


def give(state, party, amount):
    """Money from the bank."""
    money.pay(state, money.BANK, party, amount)


def cash(state, party, amount):
    """Set the cash of a party; the bank has the rest."""
    give(state, party, amount - money.cash(state, party))


def operating(company, *others, seat=0, cash_=1000, phase="I", step=TRACK, number=2, **kwargs) -> State:
    """The turn of a company, directed by ``seat``; ``others`` are formed as well, by the next seats."""
    state = stock_round(company, *(o for o in others if o != "GIPR"), number=number, **kwargs)
    state.phase = phase
    for i, name in enumerate((company, *others)):
        own = director(name) or ten_percent(name)[0]
        hold(state, (seat + i) % len(state.players), own)
        if name == "GIPR":
            hold(state, (seat + i) % len(state.players), *ten_percent(name)[1:3])
    state.stage, state.operating_round = OPERATE, 1
    state.line_up = [name for space in reversed(state.spaces) for name in space]
    state.turn = state.line_up.index(company)
    state.operating = CompanyTurn(company, step)
    cash(state, company, cash_)
    return state


def lay(state, hex_, tile, rotation=0):
    """Put a tile on the map, whoever paid for it."""
    state.tiles[hex_] = (tile, rotation)
    state.map_changed()


def train(state, company, name, side=""):
    """Give a company a new train: ``2`` or ``4x2`` with a side."""
    card = next(t for t in state.depot if t.startswith(f"{name}-"))
    state.depot.remove(card)
    state.companies[company].trains.append(card)
    state.sides[card] = side or TITLE.cards[name].sides[0]
    return card


def all_pass(state):
    """Every player passes once."""
    from trunkline.engine.actions import Pass

    for _ in state.order:
        state = game.apply(state, Pass(game.actors(state)[0]))
    return state


def privates_in(cards):
    """The privates among cards."""
    return [c for c in cards if is_private(c)]


__all__ = [
    "DRAFT",
    "all_pass",
    "cash",
    "dealt",
    "give",
    "hold",
    "lay",
    "operating",
    "options",
    "privates_in",
    "stock_round",
    "take",
    "train",
]
