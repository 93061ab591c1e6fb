"""Who owns what: moving certificates, control of companies, formation, certificate limits (rules section 4).

Control follows the players only. A company with its Director's certificate bought is *directed*, any other formed
company is *managed* by the player with most shares.
"""

from __future__ import annotations

from trunkline.engine.box.box import (
    BOX,
    NATIONAL,
    TITLE,
    company_of,
    director,
    face,
    is_bond,
    is_director,
    percent,
    player_row,
)
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import homes
from trunkline.engine.rules.money import Party
from trunkline.engine.state import NOBODY, State

# --- limits


def limit(state: State, party: Party) -> int:
    """How many certificates a player or a company may own (1.1)."""
    if not isinstance(party, int):
        return BOX.company_certificate_limit
    limits = player_row(len(state.players)).limit
    return limits[min(max(len(state.companies) - len(state.alive), 0), len(limits) - 1)]


def counted(state: State, party: Party) -> int:
    """How many certificates count against the limit: shares and privates, not bonds."""
    return sum(not is_bond(c) for c in owned(state, party))


def owned(state: State, party: Party) -> list[str]:
    """The certificates of a player or a company (the list itself)."""
    return state.players[party].certificates if isinstance(party, int) else state.companies[party].certificates


def require_room(state: State, party: Party, certificates: int = 1) -> None:
    """Raises RuleError when one more certificate is over the limit."""
    have, most = counted(state, party), limit(state, party)
    if have + certificates > most:
        raise RuleError("1.1", f"{have} certificates and {certificates} more are over the limit of {most}")


# --- control


def holdings(state: State, company: str) -> dict[int, int]:
    """Percent of a company that each player holds, only those who hold some."""
    held = {seat: state.percent(seat, company) for seat in state.options.seats}
    return {seat: p for seat, p in held.items() if p}


def out(state: State, company: str) -> int:
    """Percent that counts for the 30 %: with players or in the open market; by options also with companies, and
    shares from converted bonds (C3, C16b)."""
    places = [c for p in state.players for c in p.certificates] + state.market
    if state.options.on("company_shares_form"):
        places += [c for other in state.companies.values() for c in other.certificates]
    return sum(
        percent(c)
        for c in places
        if company_of(c) == company and (state.options.on("bond_shares_form") or not _from_bond(c))
    )


def _from_bond(certificate: str) -> bool:
    return company_of(certificate) == NATIONAL and int(certificate.rpartition("_")[2]) >= BOX.shares_of_the_national


def by_distance(state: State, seat: int) -> list[int]:
    """All seats in turn order, from ``seat`` on."""
    at = state.order.index(seat) if seat in state.order else 0
    return state.order[at:] + state.order[:at]


def update_control(state: State, company: str) -> None:
    """Who has strictly more than the Director or manager takes over; the Director's certificate is swapped."""
    c = state.companies[company]
    held = holdings(state, company)
    if not held:
        return  # if all sell out, the last manager stays
    best = max(held.values())
    if c.controller == NOBODY:
        c.controller = next(iter(held)) if len(held) == 1 else _first(held, best, state.order)
        return
    if held.get(c.controller, 0) >= best:
        return
    new = _first(held, best, by_distance(state, c.controller))
    if state.directed(company):
        give_director(state, company, c.controller, new)
    c.controller = new


def _first(held: dict[int, int], best: int, seats: list[int]) -> int:
    return next(seat for seat in seats if held.get(seat, 0) == best)


def give_director(state: State, company: str, old: int, new: int) -> None:
    """Swap the Director's certificate of ``old`` for two ten-percent shares of ``new``."""
    if old == new:
        return
    certificate = director(company)
    mine, theirs = owned(state, old), owned(state, new)
    if certificate not in mine:
        return
    two = [c for c in theirs if company_of(c) == company and not is_director(c)][:2]
    mine.remove(certificate)
    theirs.append(certificate)
    for c in two:
        theirs.remove(c)
        mine.append(c)


def director_bought(state: State, company: str, buyer: int) -> None:
    """The Director's certificate, already with the buyer, decides who directs the company (4)."""
    c = state.companies[company]
    manager = c.controller
    if not c.formed or manager == NOBODY:
        c.controller = buyer
        return
    held = holdings(state, company)
    best = max(held.values())
    ties = [buyer, *by_distance(state, manager)]
    if not state.options.on("director_tie_to_buyer"):
        ties = [manager, buyer, *by_distance(state, manager)]
    new = next(seat for seat in ties if held.get(seat, 0) == best)
    give_director(state, company, buyer, new)
    c.controller = new


# --- formation


def form_if_due(state: State, company: str) -> None:
    """Form a company that is directed, or that has 30 % out and a manager."""
    c = state.companies[company]
    if c.formed or c.closed:
        return
    if c.controller != NOBODY and (state.directed(company) or out(state, company) >= BOX.forming_percent):
        form(state, company)


def form(state: State, company: str) -> None:
    """Put the marker on the IPO price, behind those already there, and place the home token (8.4)."""
    c = state.companies[company]
    c.price = BOX.market.index(TITLE.companies[company].ipo_price)
    state.spaces[c.price].append(company)
    homes.place_home(state, company)


def acquire(state: State, party: Party, *certificates: str) -> None:
    """Give certificates, taken from where they were, to a player or company at one time: control and formation follow.

    Who runs a company is decided once all of them are there, so their order means nothing (6: any number at a time).
    """
    owned(state, party).extend(certificates)
    for company in dict.fromkeys(name for c in certificates if (name := company_of(c))):
        if isinstance(party, int):
            if director(company) in certificates:
                director_bought(state, company, party)
            else:
                update_control(state, company)
        form_if_due(state, company)


def to_market(state: State, party: Party, certificates: list[str]) -> None:
    """Move certificates to the open market (bonds to the bank), passing on the Director's certificate first.

    Raises RuleError: the Director's certificate is among them and the directorship cannot pass (5).
    """
    own = owned(state, party)
    for c in certificates:
        if is_director(c) and isinstance(party, int):
            _pass_directorship(state, party, company_of(c), certificates)
    for c in certificates:
        if is_director(c):
            # the successor has it already; the two shares he gave for it are sold in its place
            two = [o for o in own if company_of(o) == company_of(c) and o not in certificates][-2:]
            for o in two:
                own.remove(o)
                state.market.append(o)
            continue
        own.remove(c)
        (state.bonds if is_bond(c) else state.market).append(c)
    if isinstance(party, int):
        for company in {company_of(c) for c in certificates if company_of(c)}:
            update_control(state, company)


def check_directorship(state: State, seat: int, certificates: list[str]) -> None:
    """Raises RuleError unless a Director's certificate among them can pass to another player."""
    for c in certificates:
        if is_director(c):
            _successor(state, seat, company_of(c), certificates)


def _successor(state: State, seat: int, company: str, certificates: list[str]) -> int:
    left = state.percent(seat, company) - sum(percent(c) for c in certificates if company_of(c) == company)
    others = {s: p for s, p in holdings(state, company).items() if s != seat}
    best = max(others.values(), default=0)
    if best < BOX.director_percent or best <= left:
        text = f"{director(company)} can be sold only if another player with 20 % or more becomes Director"
        raise RuleError("5", text, f"sell ten-percent shares of {company}")
    return _first(others, best, by_distance(state, seat))


def _pass_directorship(state: State, seat: int, company: str, certificates: list[str]) -> None:
    new = _successor(state, seat, company, certificates)
    give_director(state, company, seat, new)
    state.companies[company].controller = new


def value(state: State, certificate: str) -> int:
    """What a certificate costs in, or brings from, the open market: current price, IPO price if unformed, face."""
    company = company_of(certificate)
    if not company:
        return face(certificate)
    return state.price(company) * percent(certificate) // BOX.share_percent
