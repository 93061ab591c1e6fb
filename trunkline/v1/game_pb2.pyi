from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trunkline.v1 import solution_pb2 as _solution_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UndoPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNDO_POLICY_UNSPECIFIED: _ClassVar[UndoPolicy]
    UNDO_POLICY_ANY_SEAT: _ClassVar[UndoPolicy]
    UNDO_POLICY_LAST_ACTOR: _ClassVar[UndoPolicy]
    UNDO_POLICY_HOST: _ClassVar[UndoPolicy]
UNDO_POLICY_UNSPECIFIED: UndoPolicy
UNDO_POLICY_ANY_SEAT: UndoPolicy
UNDO_POLICY_LAST_ACTOR: UndoPolicy
UNDO_POLICY_HOST: UndoPolicy

class Game(_message.Message):
    __slots__ = ("name", "options", "action_number", "revision", "stage", "actors", "scores", "create_time", "update_time", "table", "undo_policy")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ACTION_NUMBER_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ACTORS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    name: str
    options: GameOptions
    action_number: int
    revision: int
    stage: str
    actors: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    table: Table
    undo_policy: UndoPolicy
    def __init__(self, name: _Optional[str] = ..., options: _Optional[_Union[GameOptions, _Mapping]] = ..., action_number: _Optional[int] = ..., revision: _Optional[int] = ..., stage: _Optional[str] = ..., actors: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., table: _Optional[_Union[Table, _Mapping]] = ..., undo_policy: _Optional[_Union[UndoPolicy, str]] = ...) -> None: ...

class GameOptions(_message.Message):
    __slots__ = ("players", "start", "variant", "rules", "switches")
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    SWITCHES_FIELD_NUMBER: _ClassVar[int]
    players: _containers.RepeatedScalarFieldContainer[str]
    start: str
    variant: str
    rules: str
    switches: _containers.RepeatedCompositeFieldContainer[RuleSetting]
    def __init__(self, players: _Optional[_Iterable[str]] = ..., start: _Optional[str] = ..., variant: _Optional[str] = ..., rules: _Optional[str] = ..., switches: _Optional[_Iterable[_Union[RuleSetting, _Mapping]]] = ...) -> None: ...

class RuleSetting(_message.Message):
    __slots__ = ("switch_id", "on")
    SWITCH_ID_FIELD_NUMBER: _ClassVar[int]
    ON_FIELD_NUMBER: _ClassVar[int]
    switch_id: str
    on: bool
    def __init__(self, switch_id: _Optional[str] = ..., on: bool = ...) -> None: ...

class SeatToken(_message.Message):
    __slots__ = ("seat", "token")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    seat: int
    token: str
    def __init__(self, seat: _Optional[int] = ..., token: _Optional[str] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("seat", "keep", "draft", "nominate", "bid", "sell", "buy_from_hand", "buy_from_ipo", "buy_from_market", "buy_bond", "convert_bond", "draw_dummy", "place_home", "lay_home", "assign_city", "exchange_token", "answer_offer", "lay_tile", "remove_marker", "place_token", "use_discount", "place_jewelry", "close_private", "run", "dividend", "buy_train", "sell_train", "company_sell", "end_game")
    class Pass(_message.Message):
        __slots__ = ()
        def __init__(self) -> None: ...
    class Keep(_message.Message):
        __slots__ = ("cards",)
        CARDS_FIELD_NUMBER: _ClassVar[int]
        cards: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, cards: _Optional[_Iterable[str]] = ...) -> None: ...
    class Draft(_message.Message):
        __slots__ = ("card",)
        CARD_FIELD_NUMBER: _ClassVar[int]
        card: str
        def __init__(self, card: _Optional[str] = ...) -> None: ...
    class Nominate(_message.Message):
        __slots__ = ("card", "bid")
        CARD_FIELD_NUMBER: _ClassVar[int]
        BID_FIELD_NUMBER: _ClassVar[int]
        card: str
        bid: int
        def __init__(self, card: _Optional[str] = ..., bid: _Optional[int] = ...) -> None: ...
    class Bid(_message.Message):
        __slots__ = ("amount",)
        AMOUNT_FIELD_NUMBER: _ClassVar[int]
        amount: int
        def __init__(self, amount: _Optional[int] = ...) -> None: ...
    class Sell(_message.Message):
        __slots__ = ("certificates",)
        CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
        certificates: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, certificates: _Optional[_Iterable[str]] = ...) -> None: ...
    class BuyFromHand(_message.Message):
        __slots__ = ("cards",)
        CARDS_FIELD_NUMBER: _ClassVar[int]
        cards: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, cards: _Optional[_Iterable[str]] = ...) -> None: ...
    class BuyFromIpo(_message.Message):
        __slots__ = ("row", "count")
        ROW_FIELD_NUMBER: _ClassVar[int]
        COUNT_FIELD_NUMBER: _ClassVar[int]
        row: int
        count: int
        def __init__(self, row: _Optional[int] = ..., count: _Optional[int] = ...) -> None: ...
    class BuyFromMarket(_message.Message):
        __slots__ = ("certificate",)
        CERTIFICATE_FIELD_NUMBER: _ClassVar[int]
        certificate: str
        def __init__(self, certificate: _Optional[str] = ...) -> None: ...
    class BuyBond(_message.Message):
        __slots__ = ()
        def __init__(self) -> None: ...
    class ConvertBond(_message.Message):
        __slots__ = ()
        def __init__(self) -> None: ...
    class DrawDummy(_message.Message):
        __slots__ = ()
        def __init__(self) -> None: ...
    class PlaceHome(_message.Message):
        __slots__ = ("hex", "city")
        HEX_FIELD_NUMBER: _ClassVar[int]
        CITY_FIELD_NUMBER: _ClassVar[int]
        hex: str
        city: int
        def __init__(self, hex: _Optional[str] = ..., city: _Optional[int] = ...) -> None: ...
    class LayHome(_message.Message):
        __slots__ = ("hex", "tile", "rotation")
        HEX_FIELD_NUMBER: _ClassVar[int]
        TILE_FIELD_NUMBER: _ClassVar[int]
        ROTATION_FIELD_NUMBER: _ClassVar[int]
        hex: str
        tile: str
        rotation: int
        def __init__(self, hex: _Optional[str] = ..., tile: _Optional[str] = ..., rotation: _Optional[int] = ...) -> None: ...
    class AssignCity(_message.Message):
        __slots__ = ("company", "city")
        COMPANY_FIELD_NUMBER: _ClassVar[int]
        CITY_FIELD_NUMBER: _ClassVar[int]
        company: str
        city: int
        def __init__(self, company: _Optional[str] = ..., city: _Optional[int] = ...) -> None: ...
    class ExchangeToken(_message.Message):
        __slots__ = ("hex",)
        HEX_FIELD_NUMBER: _ClassVar[int]
        hex: str
        def __init__(self, hex: _Optional[str] = ...) -> None: ...
    class AnswerOffer(_message.Message):
        __slots__ = ("accept",)
        ACCEPT_FIELD_NUMBER: _ClassVar[int]
        accept: bool
        def __init__(self, accept: bool = ...) -> None: ...
    class LayTile(_message.Message):
        __slots__ = ("hex", "tile", "rotation", "private")
        HEX_FIELD_NUMBER: _ClassVar[int]
        TILE_FIELD_NUMBER: _ClassVar[int]
        ROTATION_FIELD_NUMBER: _ClassVar[int]
        PRIVATE_FIELD_NUMBER: _ClassVar[int]
        hex: str
        tile: str
        rotation: int
        private: str
        def __init__(self, hex: _Optional[str] = ..., tile: _Optional[str] = ..., rotation: _Optional[int] = ..., private: _Optional[str] = ...) -> None: ...
    class RemoveMarker(_message.Message):
        __slots__ = ("hexes",)
        HEXES_FIELD_NUMBER: _ClassVar[int]
        hexes: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, hexes: _Optional[_Iterable[str]] = ...) -> None: ...
    class PlaceToken(_message.Message):
        __slots__ = ("hex", "city", "private")
        HEX_FIELD_NUMBER: _ClassVar[int]
        CITY_FIELD_NUMBER: _ClassVar[int]
        PRIVATE_FIELD_NUMBER: _ClassVar[int]
        hex: str
        city: int
        private: str
        def __init__(self, hex: _Optional[str] = ..., city: _Optional[int] = ..., private: _Optional[str] = ...) -> None: ...
    class UseDiscount(_message.Message):
        __slots__ = ()
        def __init__(self) -> None: ...
    class PlaceJewelry(_message.Message):
        __slots__ = ("hex",)
        HEX_FIELD_NUMBER: _ClassVar[int]
        hex: str
        def __init__(self, hex: _Optional[str] = ...) -> None: ...
    class ClosePrivate(_message.Message):
        __slots__ = ("private",)
        PRIVATE_FIELD_NUMBER: _ClassVar[int]
        private: str
        def __init__(self, private: _Optional[str] = ...) -> None: ...
    class Run(_message.Message):
        __slots__ = ("runs",)
        RUNS_FIELD_NUMBER: _ClassVar[int]
        runs: _containers.RepeatedCompositeFieldContainer[Action.TrainRun]
        def __init__(self, runs: _Optional[_Iterable[_Union[Action.TrainRun, _Mapping]]] = ...) -> None: ...
    class TrainRun(_message.Message):
        __slots__ = ("train", "segments")
        TRAIN_FIELD_NUMBER: _ClassVar[int]
        SEGMENTS_FIELD_NUMBER: _ClassVar[int]
        train: str
        segments: _containers.RepeatedCompositeFieldContainer[_solution_pb2.Segment]
        def __init__(self, train: _Optional[str] = ..., segments: _Optional[_Iterable[_Union[_solution_pb2.Segment, _Mapping]]] = ...) -> None: ...
    class Dividend(_message.Message):
        __slots__ = ("pay",)
        PAY_FIELD_NUMBER: _ClassVar[int]
        pay: bool
        def __init__(self, pay: bool = ...) -> None: ...
    class BuyTrain(_message.Message):
        __slots__ = ("train", "source", "price", "side")
        TRAIN_FIELD_NUMBER: _ClassVar[int]
        SOURCE_FIELD_NUMBER: _ClassVar[int]
        PRICE_FIELD_NUMBER: _ClassVar[int]
        SIDE_FIELD_NUMBER: _ClassVar[int]
        train: str
        source: str
        price: int
        side: str
        def __init__(self, train: _Optional[str] = ..., source: _Optional[str] = ..., price: _Optional[int] = ..., side: _Optional[str] = ...) -> None: ...
    class SellTrain(_message.Message):
        __slots__ = ("train",)
        TRAIN_FIELD_NUMBER: _ClassVar[int]
        train: str
        def __init__(self, train: _Optional[str] = ...) -> None: ...
    class CompanySell(_message.Message):
        __slots__ = ("certificates",)
        CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
        certificates: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, certificates: _Optional[_Iterable[str]] = ...) -> None: ...
    class EndGame(_message.Message):
        __slots__ = ()
        def __init__(self) -> None: ...
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PASS_FIELD_NUMBER: _ClassVar[int]
    KEEP_FIELD_NUMBER: _ClassVar[int]
    DRAFT_FIELD_NUMBER: _ClassVar[int]
    NOMINATE_FIELD_NUMBER: _ClassVar[int]
    BID_FIELD_NUMBER: _ClassVar[int]
    SELL_FIELD_NUMBER: _ClassVar[int]
    BUY_FROM_HAND_FIELD_NUMBER: _ClassVar[int]
    BUY_FROM_IPO_FIELD_NUMBER: _ClassVar[int]
    BUY_FROM_MARKET_FIELD_NUMBER: _ClassVar[int]
    BUY_BOND_FIELD_NUMBER: _ClassVar[int]
    CONVERT_BOND_FIELD_NUMBER: _ClassVar[int]
    DRAW_DUMMY_FIELD_NUMBER: _ClassVar[int]
    PLACE_HOME_FIELD_NUMBER: _ClassVar[int]
    LAY_HOME_FIELD_NUMBER: _ClassVar[int]
    ASSIGN_CITY_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_OFFER_FIELD_NUMBER: _ClassVar[int]
    LAY_TILE_FIELD_NUMBER: _ClassVar[int]
    REMOVE_MARKER_FIELD_NUMBER: _ClassVar[int]
    PLACE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    USE_DISCOUNT_FIELD_NUMBER: _ClassVar[int]
    PLACE_JEWELRY_FIELD_NUMBER: _ClassVar[int]
    CLOSE_PRIVATE_FIELD_NUMBER: _ClassVar[int]
    RUN_FIELD_NUMBER: _ClassVar[int]
    DIVIDEND_FIELD_NUMBER: _ClassVar[int]
    BUY_TRAIN_FIELD_NUMBER: _ClassVar[int]
    SELL_TRAIN_FIELD_NUMBER: _ClassVar[int]
    COMPANY_SELL_FIELD_NUMBER: _ClassVar[int]
    END_GAME_FIELD_NUMBER: _ClassVar[int]
    seat: int
    keep: Action.Keep
    draft: Action.Draft
    nominate: Action.Nominate
    bid: Action.Bid
    sell: Action.Sell
    buy_from_hand: Action.BuyFromHand
    buy_from_ipo: Action.BuyFromIpo
    buy_from_market: Action.BuyFromMarket
    buy_bond: Action.BuyBond
    convert_bond: Action.ConvertBond
    draw_dummy: Action.DrawDummy
    place_home: Action.PlaceHome
    lay_home: Action.LayHome
    assign_city: Action.AssignCity
    exchange_token: Action.ExchangeToken
    answer_offer: Action.AnswerOffer
    lay_tile: Action.LayTile
    remove_marker: Action.RemoveMarker
    place_token: Action.PlaceToken
    use_discount: Action.UseDiscount
    place_jewelry: Action.PlaceJewelry
    close_private: Action.ClosePrivate
    run: Action.Run
    dividend: Action.Dividend
    buy_train: Action.BuyTrain
    sell_train: Action.SellTrain
    company_sell: Action.CompanySell
    end_game: Action.EndGame
    def __init__(self, seat: _Optional[int] = ..., keep: _Optional[_Union[Action.Keep, _Mapping]] = ..., draft: _Optional[_Union[Action.Draft, _Mapping]] = ..., nominate: _Optional[_Union[Action.Nominate, _Mapping]] = ..., bid: _Optional[_Union[Action.Bid, _Mapping]] = ..., sell: _Optional[_Union[Action.Sell, _Mapping]] = ..., buy_from_hand: _Optional[_Union[Action.BuyFromHand, _Mapping]] = ..., buy_from_ipo: _Optional[_Union[Action.BuyFromIpo, _Mapping]] = ..., buy_from_market: _Optional[_Union[Action.BuyFromMarket, _Mapping]] = ..., buy_bond: _Optional[_Union[Action.BuyBond, _Mapping]] = ..., convert_bond: _Optional[_Union[Action.ConvertBond, _Mapping]] = ..., draw_dummy: _Optional[_Union[Action.DrawDummy, _Mapping]] = ..., place_home: _Optional[_Union[Action.PlaceHome, _Mapping]] = ..., lay_home: _Optional[_Union[Action.LayHome, _Mapping]] = ..., assign_city: _Optional[_Union[Action.AssignCity, _Mapping]] = ..., exchange_token: _Optional[_Union[Action.ExchangeToken, _Mapping]] = ..., answer_offer: _Optional[_Union[Action.AnswerOffer, _Mapping]] = ..., lay_tile: _Optional[_Union[Action.LayTile, _Mapping]] = ..., remove_marker: _Optional[_Union[Action.RemoveMarker, _Mapping]] = ..., place_token: _Optional[_Union[Action.PlaceToken, _Mapping]] = ..., use_discount: _Optional[_Union[Action.UseDiscount, _Mapping]] = ..., place_jewelry: _Optional[_Union[Action.PlaceJewelry, _Mapping]] = ..., close_private: _Optional[_Union[Action.ClosePrivate, _Mapping]] = ..., run: _Optional[_Union[Action.Run, _Mapping]] = ..., dividend: _Optional[_Union[Action.Dividend, _Mapping]] = ..., buy_train: _Optional[_Union[Action.BuyTrain, _Mapping]] = ..., sell_train: _Optional[_Union[Action.SellTrain, _Mapping]] = ..., company_sell: _Optional[_Union[Action.CompanySell, _Mapping]] = ..., end_game: _Optional[_Union[Action.EndGame, _Mapping]] = ..., **kwargs) -> None: ...

class Table(_message.Message):
    __slots__ = ("options", "stage", "order", "turn", "players", "companies", "absent", "bank", "pool", "ipo", "market", "bonds", "bond_shares", "dummy", "unseen", "gone", "depot", "used_trains", "sides", "phase", "spaces", "tiles", "markers", "unmarked", "jewelry_hex", "unclaimed", "reserved", "round", "operating_round", "line_up", "moves", "passes", "passed_in_a_row", "lot", "stock", "operating", "pending", "closing", "bank_broken", "end_price_reached", "ended_by", "scores")
    class CompaniesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Table.Company
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Table.Company, _Mapping]] = ...) -> None: ...
    class SidesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class TilesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Table.PlacedTile
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Table.PlacedTile, _Mapping]] = ...) -> None: ...
    class ReservedEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Table.ReservedCity
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Table.ReservedCity, _Mapping]] = ...) -> None: ...
    class CardRow(_message.Message):
        __slots__ = ("cards",)
        CARDS_FIELD_NUMBER: _ClassVar[int]
        cards: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, cards: _Optional[_Iterable[str]] = ...) -> None: ...
    class CompanyRow(_message.Message):
        __slots__ = ("companies", "share_price")
        COMPANIES_FIELD_NUMBER: _ClassVar[int]
        SHARE_PRICE_FIELD_NUMBER: _ClassVar[int]
        companies: _containers.RepeatedScalarFieldContainer[str]
        share_price: int
        def __init__(self, companies: _Optional[_Iterable[str]] = ..., share_price: _Optional[int] = ...) -> None: ...
    class Player(_message.Message):
        __slots__ = ("cash", "hand", "open_cards", "kept", "certificates", "counted_certificates", "certificate_limit", "worth")
        CASH_FIELD_NUMBER: _ClassVar[int]
        HAND_FIELD_NUMBER: _ClassVar[int]
        OPEN_CARDS_FIELD_NUMBER: _ClassVar[int]
        KEPT_FIELD_NUMBER: _ClassVar[int]
        CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
        COUNTED_CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
        CERTIFICATE_LIMIT_FIELD_NUMBER: _ClassVar[int]
        WORTH_FIELD_NUMBER: _ClassVar[int]
        cash: int
        hand: _containers.RepeatedScalarFieldContainer[str]
        open_cards: _containers.RepeatedScalarFieldContainer[str]
        kept: Table.CardRow
        certificates: _containers.RepeatedScalarFieldContainer[str]
        counted_certificates: int
        certificate_limit: int
        worth: int
        def __init__(self, cash: _Optional[int] = ..., hand: _Optional[_Iterable[str]] = ..., open_cards: _Optional[_Iterable[str]] = ..., kept: _Optional[_Union[Table.CardRow, _Mapping]] = ..., certificates: _Optional[_Iterable[str]] = ..., counted_certificates: _Optional[int] = ..., certificate_limit: _Optional[int] = ..., worth: _Optional[int] = ...) -> None: ...
    class Company(_message.Message):
        __slots__ = ("guaranty", "cash", "space", "controller", "closed", "certificates", "trains", "tokens", "unplaced", "exchange", "concessions", "share_price")
        GUARANTY_FIELD_NUMBER: _ClassVar[int]
        CASH_FIELD_NUMBER: _ClassVar[int]
        SPACE_FIELD_NUMBER: _ClassVar[int]
        CONTROLLER_FIELD_NUMBER: _ClassVar[int]
        CLOSED_FIELD_NUMBER: _ClassVar[int]
        CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
        TRAINS_FIELD_NUMBER: _ClassVar[int]
        TOKENS_FIELD_NUMBER: _ClassVar[int]
        UNPLACED_FIELD_NUMBER: _ClassVar[int]
        EXCHANGE_FIELD_NUMBER: _ClassVar[int]
        CONCESSIONS_FIELD_NUMBER: _ClassVar[int]
        SHARE_PRICE_FIELD_NUMBER: _ClassVar[int]
        guaranty: bool
        cash: int
        space: int
        controller: int
        closed: bool
        certificates: _containers.RepeatedScalarFieldContainer[str]
        trains: _containers.RepeatedScalarFieldContainer[str]
        tokens: _containers.RepeatedCompositeFieldContainer[Table.PlacedToken]
        unplaced: _containers.RepeatedScalarFieldContainer[int]
        exchange: int
        concessions: _containers.RepeatedScalarFieldContainer[str]
        share_price: int
        def __init__(self, guaranty: bool = ..., cash: _Optional[int] = ..., space: _Optional[int] = ..., controller: _Optional[int] = ..., closed: bool = ..., certificates: _Optional[_Iterable[str]] = ..., trains: _Optional[_Iterable[str]] = ..., tokens: _Optional[_Iterable[_Union[Table.PlacedToken, _Mapping]]] = ..., unplaced: _Optional[_Iterable[int]] = ..., exchange: _Optional[int] = ..., concessions: _Optional[_Iterable[str]] = ..., share_price: _Optional[int] = ...) -> None: ...
    class PlacedToken(_message.Message):
        __slots__ = ("hex", "city", "slot", "exchange")
        HEX_FIELD_NUMBER: _ClassVar[int]
        CITY_FIELD_NUMBER: _ClassVar[int]
        SLOT_FIELD_NUMBER: _ClassVar[int]
        EXCHANGE_FIELD_NUMBER: _ClassVar[int]
        hex: str
        city: int
        slot: int
        exchange: bool
        def __init__(self, hex: _Optional[str] = ..., city: _Optional[int] = ..., slot: _Optional[int] = ..., exchange: bool = ...) -> None: ...
    class PlacedTile(_message.Message):
        __slots__ = ("tile", "rotation")
        TILE_FIELD_NUMBER: _ClassVar[int]
        ROTATION_FIELD_NUMBER: _ClassVar[int]
        tile: str
        rotation: int
        def __init__(self, tile: _Optional[str] = ..., rotation: _Optional[int] = ...) -> None: ...
    class HexPair(_message.Message):
        __slots__ = ("hex", "other_hex")
        HEX_FIELD_NUMBER: _ClassVar[int]
        OTHER_HEX_FIELD_NUMBER: _ClassVar[int]
        hex: str
        other_hex: str
        def __init__(self, hex: _Optional[str] = ..., other_hex: _Optional[str] = ...) -> None: ...
    class ReservedCity(_message.Message):
        __slots__ = ("hex", "city")
        HEX_FIELD_NUMBER: _ClassVar[int]
        CITY_FIELD_NUMBER: _ClassVar[int]
        hex: str
        city: int
        def __init__(self, hex: _Optional[str] = ..., city: _Optional[int] = ...) -> None: ...
    class HexSide(_message.Message):
        __slots__ = ("hex", "side")
        HEX_FIELD_NUMBER: _ClassVar[int]
        SIDE_FIELD_NUMBER: _ClassVar[int]
        hex: str
        side: int
        def __init__(self, hex: _Optional[str] = ..., side: _Optional[int] = ...) -> None: ...
    class Lot(_message.Message):
        __slots__ = ("card", "bid", "bidder", "nominator", "passed", "turn")
        CARD_FIELD_NUMBER: _ClassVar[int]
        BID_FIELD_NUMBER: _ClassVar[int]
        BIDDER_FIELD_NUMBER: _ClassVar[int]
        NOMINATOR_FIELD_NUMBER: _ClassVar[int]
        PASSED_FIELD_NUMBER: _ClassVar[int]
        TURN_FIELD_NUMBER: _ClassVar[int]
        card: str
        bid: int
        bidder: int
        nominator: int
        passed: _containers.RepeatedScalarFieldContainer[int]
        turn: int
        def __init__(self, card: _Optional[str] = ..., bid: _Optional[int] = ..., bidder: _Optional[int] = ..., nominator: _Optional[int] = ..., passed: _Optional[_Iterable[int]] = ..., turn: _Optional[int] = ...) -> None: ...
    class StockTurn(_message.Message):
        __slots__ = ("acted", "source", "what", "bought")
        ACTED_FIELD_NUMBER: _ClassVar[int]
        SOURCE_FIELD_NUMBER: _ClassVar[int]
        WHAT_FIELD_NUMBER: _ClassVar[int]
        BOUGHT_FIELD_NUMBER: _ClassVar[int]
        acted: bool
        source: str
        what: str
        bought: int
        def __init__(self, acted: bool = ..., source: _Optional[str] = ..., what: _Optional[str] = ..., bought: _Optional[int] = ...) -> None: ...
    class CompanyTurn(_message.Message):
        __slots__ = ("company", "step", "track", "line", "ends", "discount", "discount_private", "token", "revenue", "fresh", "from_bank", "terrain")
        COMPANY_FIELD_NUMBER: _ClassVar[int]
        STEP_FIELD_NUMBER: _ClassVar[int]
        TRACK_FIELD_NUMBER: _ClassVar[int]
        LINE_FIELD_NUMBER: _ClassVar[int]
        ENDS_FIELD_NUMBER: _ClassVar[int]
        DISCOUNT_FIELD_NUMBER: _ClassVar[int]
        DISCOUNT_PRIVATE_FIELD_NUMBER: _ClassVar[int]
        TOKEN_FIELD_NUMBER: _ClassVar[int]
        REVENUE_FIELD_NUMBER: _ClassVar[int]
        FRESH_FIELD_NUMBER: _ClassVar[int]
        FROM_BANK_FIELD_NUMBER: _ClassVar[int]
        TERRAIN_FIELD_NUMBER: _ClassVar[int]
        company: str
        step: str
        track: str
        line: _containers.RepeatedScalarFieldContainer[str]
        ends: _containers.RepeatedCompositeFieldContainer[Table.HexSide]
        discount: int
        discount_private: str
        token: bool
        revenue: int
        fresh: _containers.RepeatedScalarFieldContainer[str]
        from_bank: _containers.RepeatedScalarFieldContainer[str]
        terrain: int
        def __init__(self, company: _Optional[str] = ..., step: _Optional[str] = ..., track: _Optional[str] = ..., line: _Optional[_Iterable[str]] = ..., ends: _Optional[_Iterable[_Union[Table.HexSide, _Mapping]]] = ..., discount: _Optional[int] = ..., discount_private: _Optional[str] = ..., token: bool = ..., revenue: _Optional[int] = ..., fresh: _Optional[_Iterable[str]] = ..., from_bank: _Optional[_Iterable[str]] = ..., terrain: _Optional[int] = ...) -> None: ...
    class Pending(_message.Message):
        __slots__ = ("kind", "seat", "company", "hex", "companies", "train", "price")
        KIND_FIELD_NUMBER: _ClassVar[int]
        SEAT_FIELD_NUMBER: _ClassVar[int]
        COMPANY_FIELD_NUMBER: _ClassVar[int]
        HEX_FIELD_NUMBER: _ClassVar[int]
        COMPANIES_FIELD_NUMBER: _ClassVar[int]
        TRAIN_FIELD_NUMBER: _ClassVar[int]
        PRICE_FIELD_NUMBER: _ClassVar[int]
        kind: str
        seat: int
        company: str
        hex: str
        companies: _containers.RepeatedScalarFieldContainer[str]
        train: str
        price: int
        def __init__(self, kind: _Optional[str] = ..., seat: _Optional[int] = ..., company: _Optional[str] = ..., hex: _Optional[str] = ..., companies: _Optional[_Iterable[str]] = ..., train: _Optional[str] = ..., price: _Optional[int] = ...) -> None: ...
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    COMPANIES_FIELD_NUMBER: _ClassVar[int]
    ABSENT_FIELD_NUMBER: _ClassVar[int]
    BANK_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    IPO_FIELD_NUMBER: _ClassVar[int]
    MARKET_FIELD_NUMBER: _ClassVar[int]
    BONDS_FIELD_NUMBER: _ClassVar[int]
    BOND_SHARES_FIELD_NUMBER: _ClassVar[int]
    DUMMY_FIELD_NUMBER: _ClassVar[int]
    UNSEEN_FIELD_NUMBER: _ClassVar[int]
    GONE_FIELD_NUMBER: _ClassVar[int]
    DEPOT_FIELD_NUMBER: _ClassVar[int]
    USED_TRAINS_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    MARKERS_FIELD_NUMBER: _ClassVar[int]
    UNMARKED_FIELD_NUMBER: _ClassVar[int]
    JEWELRY_HEX_FIELD_NUMBER: _ClassVar[int]
    UNCLAIMED_FIELD_NUMBER: _ClassVar[int]
    RESERVED_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    OPERATING_ROUND_FIELD_NUMBER: _ClassVar[int]
    LINE_UP_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    PASSES_FIELD_NUMBER: _ClassVar[int]
    PASSED_IN_A_ROW_FIELD_NUMBER: _ClassVar[int]
    LOT_FIELD_NUMBER: _ClassVar[int]
    STOCK_FIELD_NUMBER: _ClassVar[int]
    OPERATING_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    CLOSING_FIELD_NUMBER: _ClassVar[int]
    BANK_BROKEN_FIELD_NUMBER: _ClassVar[int]
    END_PRICE_REACHED_FIELD_NUMBER: _ClassVar[int]
    ENDED_BY_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    options: GameOptions
    stage: str
    order: _containers.RepeatedScalarFieldContainer[int]
    turn: int
    players: _containers.RepeatedCompositeFieldContainer[Table.Player]
    companies: _containers.MessageMap[str, Table.Company]
    absent: _containers.RepeatedScalarFieldContainer[str]
    bank: int
    pool: _containers.RepeatedScalarFieldContainer[str]
    ipo: _containers.RepeatedCompositeFieldContainer[Table.CardRow]
    market: _containers.RepeatedScalarFieldContainer[str]
    bonds: _containers.RepeatedScalarFieldContainer[str]
    bond_shares: _containers.RepeatedScalarFieldContainer[str]
    dummy: _containers.RepeatedScalarFieldContainer[str]
    unseen: _containers.RepeatedScalarFieldContainer[str]
    gone: _containers.RepeatedScalarFieldContainer[str]
    depot: _containers.RepeatedScalarFieldContainer[str]
    used_trains: _containers.RepeatedScalarFieldContainer[str]
    sides: _containers.ScalarMap[str, str]
    phase: str
    spaces: _containers.RepeatedCompositeFieldContainer[Table.CompanyRow]
    tiles: _containers.MessageMap[str, Table.PlacedTile]
    markers: _containers.RepeatedCompositeFieldContainer[Table.HexPair]
    unmarked: _containers.RepeatedCompositeFieldContainer[Table.HexPair]
    jewelry_hex: str
    unclaimed: _containers.RepeatedScalarFieldContainer[str]
    reserved: _containers.MessageMap[str, Table.ReservedCity]
    round: int
    operating_round: int
    line_up: _containers.RepeatedScalarFieldContainer[str]
    moves: int
    passes: _containers.RepeatedScalarFieldContainer[int]
    passed_in_a_row: int
    lot: Table.Lot
    stock: Table.StockTurn
    operating: Table.CompanyTurn
    pending: _containers.RepeatedCompositeFieldContainer[Table.Pending]
    closing: str
    bank_broken: bool
    end_price_reached: bool
    ended_by: str
    scores: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, options: _Optional[_Union[GameOptions, _Mapping]] = ..., stage: _Optional[str] = ..., order: _Optional[_Iterable[int]] = ..., turn: _Optional[int] = ..., players: _Optional[_Iterable[_Union[Table.Player, _Mapping]]] = ..., companies: _Optional[_Mapping[str, Table.Company]] = ..., absent: _Optional[_Iterable[str]] = ..., bank: _Optional[int] = ..., pool: _Optional[_Iterable[str]] = ..., ipo: _Optional[_Iterable[_Union[Table.CardRow, _Mapping]]] = ..., market: _Optional[_Iterable[str]] = ..., bonds: _Optional[_Iterable[str]] = ..., bond_shares: _Optional[_Iterable[str]] = ..., dummy: _Optional[_Iterable[str]] = ..., unseen: _Optional[_Iterable[str]] = ..., gone: _Optional[_Iterable[str]] = ..., depot: _Optional[_Iterable[str]] = ..., used_trains: _Optional[_Iterable[str]] = ..., sides: _Optional[_Mapping[str, str]] = ..., phase: _Optional[str] = ..., spaces: _Optional[_Iterable[_Union[Table.CompanyRow, _Mapping]]] = ..., tiles: _Optional[_Mapping[str, Table.PlacedTile]] = ..., markers: _Optional[_Iterable[_Union[Table.HexPair, _Mapping]]] = ..., unmarked: _Optional[_Iterable[_Union[Table.HexPair, _Mapping]]] = ..., jewelry_hex: _Optional[str] = ..., unclaimed: _Optional[_Iterable[str]] = ..., reserved: _Optional[_Mapping[str, Table.ReservedCity]] = ..., round: _Optional[int] = ..., operating_round: _Optional[int] = ..., line_up: _Optional[_Iterable[str]] = ..., moves: _Optional[int] = ..., passes: _Optional[_Iterable[int]] = ..., passed_in_a_row: _Optional[int] = ..., lot: _Optional[_Union[Table.Lot, _Mapping]] = ..., stock: _Optional[_Union[Table.StockTurn, _Mapping]] = ..., operating: _Optional[_Union[Table.CompanyTurn, _Mapping]] = ..., pending: _Optional[_Iterable[_Union[Table.Pending, _Mapping]]] = ..., closing: _Optional[str] = ..., bank_broken: bool = ..., end_price_reached: bool = ..., ended_by: _Optional[str] = ..., scores: _Optional[_Iterable[int]] = ...) -> None: ...
