"""What is in the box and holds for a whole game, as the message Box for front ends."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from trunkline.engine.box import box
from trunkline.engine.box.box import BOX, FOURTH, NATIONAL, TITLE
from trunkline.engine.options import RULE_SETS, STARTS, SWITCHES, VARIANTS, Options
from trunkline.engine.rules import setup
from trunkline.engine.wire import notation
from trunkline.engine.wire.messages import options_to_proto
from trunkline.solver.wire import describe
from trunkline.v1 import box_pb2


def box_to_proto(options: Options) -> box_pb2.Box:
    """What is in the box and holds for a whole game under these options, for front ends."""
    title = describe.title_by_name(describe.COLLECTION + TITLE.id)
    message = box_pb2.Box(title=title.name, options=options_to_proto(options), tiles=title.tiles)
    message.setup.CopyFrom(_setup(len(options.players), options.variant))
    message.setups.extend(_setup(n, v) for n in map(int, BOX.players) for v in VARIANTS if not v or n == 2)
    _add_options(message, options)
    _add_certificates(message, title)
    _add_trains(message, title)
    for price in BOX.market:
        of = [c.id for c in TITLE.companies.values() if c.ipo_price == price]
        message.market.add(share_price=price, ipo_companies=of, closes=price == 0, ends=price >= BOX.end_price)
    message.connections.extend(title.connections)
    for described in title.commodities:
        good = TITLE.commodities[described.commodity_id]
        each = bool(good.each_destination) and options.on(good.each_destination)
        message.commodities.add(commodity=described, placed=good.placed, each_destination=each)
    message.figures.CopyFrom(
        box_pb2.Box.Figures(
            bank=BOX.bank,
            director_percent=BOX.director_percent,
            share_percent=BOX.share_percent,
            forming_percent=BOX.forming_percent,
            train_limit=BOX.train_limit,
            company_certificate_limit=BOX.company_certificate_limit,
            operating_rounds=BOX.operating_rounds,
            yellow_tiles=BOX.yellow_tiles_of_a_turn,
            end_price=BOX.end_price,
            companies_of_a_region=BOX.companies_of_a_region,
        )
    )
    return message


@lru_cache(maxsize=16)
def _setup(players: int, variant: str) -> box_pb2.Box.Setup:
    """A set-up as a deal shows it: only the cards themselves depend on the seed."""
    options = Options(tuple(f"Player {i}" for i in range(1, players + 1)), variant=variant)
    state = setup.deal(options, 0)
    message = box_pb2.Box.Setup(
        players=players,
        variant=variant,
        cash=state.players[0].cash,
        dealt=len(state.players[0].hand),
        kept=setup.kept(options),
        ipo_rows=len(state.ipo),
        ipo_row=len(state.ipo[0]),
        open_market=len(state.market),
        unseen=len(state.unseen),
        dummy=len(state.dummy),
    )
    for gone, limit in enumerate(box.player_row(players).limit):
        message.certificate_limits.add(companies=len(state.companies) - gone, certificates=limit)
    return message


def _add_options(message: box_pb2.Box, options: Options) -> None:
    for name, values in (("start", STARTS), ("variant", VARIANTS), ("rules", RULE_SETS)):
        option = message.game_options.add(option_id=name)
        for value in values:
            option.values.add(value=value, description=BOX.options[name][value])
    for name, (*settings, description) in SWITCHES.items():
        sets = dict(zip(RULE_SETS, map(bool, settings), strict=True))
        message.switches.add(switch_id=name, description=description, on=options.on(name), rule_sets=sets)


def _add_certificates(message: box_pb2.Box, title: Any) -> None:
    for company in title.companies:
        name = company.company_id
        charter = message.charters.add(
            company=company,
            national=name == NATIONAL,
            exchange_tokens=TITLE.companies[name].exchange_tokens,
            director_certificate=box.director(name),
            shares=box.shares(name),
        )
        if charter.national:
            charter.bond_shares.extend(box.bond_shares())
            charter.home_tiles.extend(BOX.national_home_tiles)
            charter.excluded_home_hexes.extend(BOX.national_home_excluded)
    for name, private in BOX.privates.items():
        message.private_companies.add(
            private_id=name,
            display_name=private.name,
            face_value=private.face,
            income=private.income,
            power=private.power,
            section=private.section,
            discount=private.discount,
        )
    bonds = box_pb2.Box.RailroadBonds(certificates=box.bonds(), price=BOX.bonds.price, income=BOX.bonds.income)
    message.bonds.CopyFrom(bonds)
    for card in box.certificates():
        message.certificates.add(
            certificate_id=card,
            kind=_kind(card),
            company=box.company_of(card),
            percent=box.percent(card),
            face_value=box.face(card),
            display_name=notation.card_name(card),
            from_bond=card in box.bond_shares(),
        )


def _kind(card: str) -> str:
    if box.is_private(card):
        return "private"
    if box.is_bond(card):
        return "bond"
    return "director" if box.is_director(card) else "share"


def _add_trains(message: box_pb2.Box, title: Any) -> None:
    for card in title.cards:
        message.trains.add(
            card=card,
            sides=[side for side in title.trains if side.name in card.trains],
            trains=[f"{card.card}-{i}" for i in range(card.count)],
            phase_four=card.card in FOURTH,
        )
    for phase in title.phases:
        words = BOX.phases[phase.phase]
        message.phases.add(phase=phase, begins_with=words.begins, effect=words.effect)
