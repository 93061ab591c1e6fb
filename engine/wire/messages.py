"""The engine's values as protobuf messages (package trunkline.v1) and back.

Messages have the fields of the values, under the same names, so that the exact JSON form (``json_values``) leads from
one to the other by the descriptors. Only what protobuf cannot nest differs: a list in a list or a map is a message
whose first field is the list, a tuple is a message with its fields in order (``_LISTS``, ``_TUPLES``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from google.protobuf.message import Message

from trunkline.engine.actions import KINDS, Action, action_from_json, action_to_json
from trunkline.engine.box import box
from trunkline.engine.box.box import BOX, FOURTH, NATIONAL, TITLE
from trunkline.engine.errors import LogError
from trunkline.engine.json_values import decode, encode
from trunkline.engine.options import RULE_SETS, STARTS, SWITCHES, VARIANTS, Options
from trunkline.engine.rules import finish, setup, shares
from trunkline.engine.state import State
from trunkline.engine.undo import ANY_SEAT, require_policy
from trunkline.engine.wire import notation
from trunkline.solver.wire import describe
from trunkline.v1 import box_pb2, game_pb2

_LISTS = {"CardRow", "CompanyRow", "Segment"}
_TUPLES = {"RuleSetting", "PlacedTile", "HexPair", "ReservedCity", "HexSide", "Track"}
_WORKED_OUT = {"counted_certificates", "certificate_limit", "worth", "share_price"}
"""Fields that follow from others, and are not read back."""
_RENAMED = {("TrainRun", "track"): "segments", ("Company", "price"): "space"}


def action_to_proto(action: Action) -> game_pb2.Action:
    """The message of an action."""
    value = action_to_json(action)
    kind, seat = value.pop("type"), value.pop("seat")
    message = game_pb2.Action(seat=seat)
    part = getattr(message, kind)
    part.SetInParent()
    _write(part, value)
    return message


def action_from_proto(message: game_pb2.Action, at: str = "action") -> Action:
    """The inverse of :func:`action_to_proto`. Raises LogError: names the field that does not fit."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise LogError(f"{at}: say what is done: one of {', '.join(KINDS)}")
    value = _read(getattr(message, kind))
    return action_from_json({"type": kind, "seat": message.seat, **value}, f"{at}.{kind}")


def options_to_proto(options: Options) -> game_pb2.GameOptions:
    """The message of options."""
    message = game_pb2.GameOptions()
    _write(message, encode(options))
    return message


def options_from_proto(message: game_pb2.GameOptions) -> Options:
    """The inverse of :func:`options_to_proto`; empty fields are the defaults. Raises LogError: names the option."""
    value = _read(message)
    value = {k: v for k, v in value.items() if v or k == "players"}
    return decode(Options, value, "options")


def undo_policy_to_proto(policy: str) -> Any:
    """The number of an undo policy in the contract. Raises LogError: there is no such policy."""
    require_policy(policy)
    return game_pb2.UndoPolicy.Value(f"UNDO_POLICY_{policy.upper()}")


def undo_policy_from_proto(value: int) -> str:
    """The inverse of :func:`undo_policy_to_proto`; 0 is the default. Raises LogError: there is no such policy."""
    if value == game_pb2.UNDO_POLICY_UNSPECIFIED:
        return ANY_SEAT
    if value not in game_pb2.UndoPolicy.values():
        raise LogError(f"undo_policy: there is no policy {value}")
    return game_pb2.UndoPolicy.Name(value).removeprefix("UNDO_POLICY_").lower()


def state_to_proto(state: State) -> game_pb2.Table:
    """The message of a state, which must be a view: nothing is hidden here."""
    message = game_pb2.Table()
    _write(message, state.to_json())
    for name, company in message.companies.items():
        company.share_price = 0 if company.closed else state.price(name)
    for space, price in zip(message.spaces, BOX.market, strict=True):
        space.share_price = price
    for seat, player in enumerate(message.players):
        player.counted_certificates = shares.counted(state, seat)
        player.certificate_limit = shares.limit(state, seat)
        player.worth = finish.score(state, seat)
    return message


def state_from_proto(message: game_pb2.Table) -> State:
    """The inverse of :func:`state_to_proto`. Raises LogError: names the field that does not fit."""
    state = State.from_json(_read(message))
    known = [c for c in TITLE.companies if c in state.companies]  # maps of messages have no order
    state.companies = {c: state.companies[c] for c in (*known, *(c for c in state.companies if c not in known))}
    return state


# --- the box


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


# --- messages by their descriptors


def _write(message: Message, value: Mapping[str, Any]) -> None:
    kind = message.DESCRIPTOR.name
    for name, part in value.items():
        target = message.DESCRIPTOR.fields_by_name[_RENAMED.get((kind, name), name)]
        if part is not None:
            _set(message, target, part)


def _set(message: Message, target: Any, part: Any) -> None:
    of = target.message_type
    held = getattr(message, target.name)
    if of is not None and of.GetOptions().map_entry:
        entry = of.fields_by_name["value"].message_type
        for key, item in part.items():
            if entry is None:
                held[key] = item
            else:
                _write(held[key], _named(entry.name, held[key], item))
    elif target.is_repeated:
        if of is None:
            held.extend(part)
        else:
            for item in part:
                one = held.add()
                _write(one, _named(of.name, one, item))
    elif of is not None:
        held.SetInParent()
        _write(held, _named(of.name, held, part))
    else:
        setattr(message, target.name, part)


def _named(kind: str, message: Message, item: Any) -> Mapping[str, Any]:
    """The fields of a list or tuple by name; a record as it is."""
    fields = message.DESCRIPTOR.fields
    if kind in _LISTS:
        return {fields[0].name: item}
    if kind in _TUPLES:
        return dict(zip((f.name for f in fields), item, strict=True))
    record: Mapping[str, Any] = item
    return record


def _read(message: Message) -> Any:
    kind, fields = message.DESCRIPTOR.name, message.DESCRIPTOR.fields
    if kind in _LISTS:
        return _part(message, fields[0])
    if kind in _TUPLES:
        return [_part(message, f) for f in fields]
    names = {new: old for (of, old), new in _RENAMED.items() if of == kind}
    return {names.get(f.name, f.name): _part(message, f) for f in fields if f.name not in _WORKED_OUT}


def _part(message: Message, source: Any) -> Any:
    of, held = source.message_type, getattr(message, source.name)
    if of is not None and of.GetOptions().map_entry:
        return {k: v if of.fields_by_name["value"].message_type is None else _read(v) for k, v in held.items()}
    if source.is_repeated:
        return list(held) if of is None else [_read(item) for item in held]
    if of is None:
        return held
    return _read(held) if message.HasField(source.name) else None
