from trunkline.v1 import game_pb2 as _game_pb2
from trunkline.v1 import position_pb2 as _position_pb2
from trunkline.v1 import title_pb2 as _title_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Box(_message.Message):
    __slots__ = ("title", "options", "setup", "setups", "game_options", "switches", "charters", "private_companies", "bonds", "certificates", "market", "trains", "phases", "tiles", "connections", "commodities", "figures")
    class Setup(_message.Message):
        __slots__ = ("players", "variant", "cash", "dealt", "kept", "ipo_rows", "ipo_row", "open_market", "unseen", "dummy", "certificate_limits")
        PLAYERS_FIELD_NUMBER: _ClassVar[int]
        VARIANT_FIELD_NUMBER: _ClassVar[int]
        CASH_FIELD_NUMBER: _ClassVar[int]
        DEALT_FIELD_NUMBER: _ClassVar[int]
        KEPT_FIELD_NUMBER: _ClassVar[int]
        IPO_ROWS_FIELD_NUMBER: _ClassVar[int]
        IPO_ROW_FIELD_NUMBER: _ClassVar[int]
        OPEN_MARKET_FIELD_NUMBER: _ClassVar[int]
        UNSEEN_FIELD_NUMBER: _ClassVar[int]
        DUMMY_FIELD_NUMBER: _ClassVar[int]
        CERTIFICATE_LIMITS_FIELD_NUMBER: _ClassVar[int]
        players: int
        variant: str
        cash: int
        dealt: int
        kept: int
        ipo_rows: int
        ipo_row: int
        open_market: int
        unseen: int
        dummy: int
        certificate_limits: _containers.RepeatedCompositeFieldContainer[Box.CertificateLimit]
        def __init__(self, players: _Optional[int] = ..., variant: _Optional[str] = ..., cash: _Optional[int] = ..., dealt: _Optional[int] = ..., kept: _Optional[int] = ..., ipo_rows: _Optional[int] = ..., ipo_row: _Optional[int] = ..., open_market: _Optional[int] = ..., unseen: _Optional[int] = ..., dummy: _Optional[int] = ..., certificate_limits: _Optional[_Iterable[_Union[Box.CertificateLimit, _Mapping]]] = ...) -> None: ...
    class CertificateLimit(_message.Message):
        __slots__ = ("companies", "certificates")
        COMPANIES_FIELD_NUMBER: _ClassVar[int]
        CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
        companies: int
        certificates: int
        def __init__(self, companies: _Optional[int] = ..., certificates: _Optional[int] = ...) -> None: ...
    class GameOption(_message.Message):
        __slots__ = ("option_id", "values")
        OPTION_ID_FIELD_NUMBER: _ClassVar[int]
        VALUES_FIELD_NUMBER: _ClassVar[int]
        option_id: str
        values: _containers.RepeatedCompositeFieldContainer[Box.OptionValue]
        def __init__(self, option_id: _Optional[str] = ..., values: _Optional[_Iterable[_Union[Box.OptionValue, _Mapping]]] = ...) -> None: ...
    class OptionValue(_message.Message):
        __slots__ = ("value", "description")
        VALUE_FIELD_NUMBER: _ClassVar[int]
        DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
        value: str
        description: str
        def __init__(self, value: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...
    class Switch(_message.Message):
        __slots__ = ("switch_id", "description", "on", "rule_sets")
        class RuleSetsEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: bool
            def __init__(self, key: _Optional[str] = ..., value: bool = ...) -> None: ...
        SWITCH_ID_FIELD_NUMBER: _ClassVar[int]
        DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
        ON_FIELD_NUMBER: _ClassVar[int]
        RULE_SETS_FIELD_NUMBER: _ClassVar[int]
        switch_id: str
        description: str
        on: bool
        rule_sets: _containers.ScalarMap[str, bool]
        def __init__(self, switch_id: _Optional[str] = ..., description: _Optional[str] = ..., on: bool = ..., rule_sets: _Optional[_Mapping[str, bool]] = ...) -> None: ...
    class Charter(_message.Message):
        __slots__ = ("company", "national", "exchange_tokens", "director_certificate", "shares", "bond_shares", "home_tiles", "excluded_home_hexes")
        COMPANY_FIELD_NUMBER: _ClassVar[int]
        NATIONAL_FIELD_NUMBER: _ClassVar[int]
        EXCHANGE_TOKENS_FIELD_NUMBER: _ClassVar[int]
        DIRECTOR_CERTIFICATE_FIELD_NUMBER: _ClassVar[int]
        SHARES_FIELD_NUMBER: _ClassVar[int]
        BOND_SHARES_FIELD_NUMBER: _ClassVar[int]
        HOME_TILES_FIELD_NUMBER: _ClassVar[int]
        EXCLUDED_HOME_HEXES_FIELD_NUMBER: _ClassVar[int]
        company: _title_pb2.Company
        national: bool
        exchange_tokens: int
        director_certificate: str
        shares: _containers.RepeatedScalarFieldContainer[str]
        bond_shares: _containers.RepeatedScalarFieldContainer[str]
        home_tiles: _containers.RepeatedScalarFieldContainer[str]
        excluded_home_hexes: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, company: _Optional[_Union[_title_pb2.Company, _Mapping]] = ..., national: bool = ..., exchange_tokens: _Optional[int] = ..., director_certificate: _Optional[str] = ..., shares: _Optional[_Iterable[str]] = ..., bond_shares: _Optional[_Iterable[str]] = ..., home_tiles: _Optional[_Iterable[str]] = ..., excluded_home_hexes: _Optional[_Iterable[str]] = ...) -> None: ...
    class PrivateCompany(_message.Message):
        __slots__ = ("private_id", "display_name", "face_value", "income", "power", "section", "discount")
        PRIVATE_ID_FIELD_NUMBER: _ClassVar[int]
        DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
        FACE_VALUE_FIELD_NUMBER: _ClassVar[int]
        INCOME_FIELD_NUMBER: _ClassVar[int]
        POWER_FIELD_NUMBER: _ClassVar[int]
        SECTION_FIELD_NUMBER: _ClassVar[int]
        DISCOUNT_FIELD_NUMBER: _ClassVar[int]
        private_id: str
        display_name: str
        face_value: int
        income: int
        power: str
        section: str
        discount: int
        def __init__(self, private_id: _Optional[str] = ..., display_name: _Optional[str] = ..., face_value: _Optional[int] = ..., income: _Optional[int] = ..., power: _Optional[str] = ..., section: _Optional[str] = ..., discount: _Optional[int] = ...) -> None: ...
    class RailroadBonds(_message.Message):
        __slots__ = ("certificates", "price", "income")
        CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
        PRICE_FIELD_NUMBER: _ClassVar[int]
        INCOME_FIELD_NUMBER: _ClassVar[int]
        certificates: _containers.RepeatedScalarFieldContainer[str]
        price: int
        income: int
        def __init__(self, certificates: _Optional[_Iterable[str]] = ..., price: _Optional[int] = ..., income: _Optional[int] = ...) -> None: ...
    class Certificate(_message.Message):
        __slots__ = ("certificate_id", "kind", "company", "percent", "face_value", "display_name", "from_bond")
        CERTIFICATE_ID_FIELD_NUMBER: _ClassVar[int]
        KIND_FIELD_NUMBER: _ClassVar[int]
        COMPANY_FIELD_NUMBER: _ClassVar[int]
        PERCENT_FIELD_NUMBER: _ClassVar[int]
        FACE_VALUE_FIELD_NUMBER: _ClassVar[int]
        DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
        FROM_BOND_FIELD_NUMBER: _ClassVar[int]
        certificate_id: str
        kind: str
        company: str
        percent: int
        face_value: int
        display_name: str
        from_bond: bool
        def __init__(self, certificate_id: _Optional[str] = ..., kind: _Optional[str] = ..., company: _Optional[str] = ..., percent: _Optional[int] = ..., face_value: _Optional[int] = ..., display_name: _Optional[str] = ..., from_bond: bool = ...) -> None: ...
    class MarketSpace(_message.Message):
        __slots__ = ("share_price", "ipo_companies", "closes", "ends")
        SHARE_PRICE_FIELD_NUMBER: _ClassVar[int]
        IPO_COMPANIES_FIELD_NUMBER: _ClassVar[int]
        CLOSES_FIELD_NUMBER: _ClassVar[int]
        ENDS_FIELD_NUMBER: _ClassVar[int]
        share_price: int
        ipo_companies: _containers.RepeatedScalarFieldContainer[str]
        closes: bool
        ends: bool
        def __init__(self, share_price: _Optional[int] = ..., ipo_companies: _Optional[_Iterable[str]] = ..., closes: bool = ..., ends: bool = ...) -> None: ...
    class TrainType(_message.Message):
        __slots__ = ("card", "sides", "trains", "phase_four")
        CARD_FIELD_NUMBER: _ClassVar[int]
        SIDES_FIELD_NUMBER: _ClassVar[int]
        TRAINS_FIELD_NUMBER: _ClassVar[int]
        PHASE_FOUR_FIELD_NUMBER: _ClassVar[int]
        card: _title_pb2.TrainCard
        sides: _containers.RepeatedCompositeFieldContainer[_position_pb2.Train]
        trains: _containers.RepeatedScalarFieldContainer[str]
        phase_four: bool
        def __init__(self, card: _Optional[_Union[_title_pb2.TrainCard, _Mapping]] = ..., sides: _Optional[_Iterable[_Union[_position_pb2.Train, _Mapping]]] = ..., trains: _Optional[_Iterable[str]] = ..., phase_four: bool = ...) -> None: ...
    class PhaseRules(_message.Message):
        __slots__ = ("phase", "begins_with", "effect")
        PHASE_FIELD_NUMBER: _ClassVar[int]
        BEGINS_WITH_FIELD_NUMBER: _ClassVar[int]
        EFFECT_FIELD_NUMBER: _ClassVar[int]
        phase: _title_pb2.Phase
        begins_with: str
        effect: str
        def __init__(self, phase: _Optional[_Union[_title_pb2.Phase, _Mapping]] = ..., begins_with: _Optional[str] = ..., effect: _Optional[str] = ...) -> None: ...
    class CommodityRules(_message.Message):
        __slots__ = ("commodity", "placed", "each_destination")
        COMMODITY_FIELD_NUMBER: _ClassVar[int]
        PLACED_FIELD_NUMBER: _ClassVar[int]
        EACH_DESTINATION_FIELD_NUMBER: _ClassVar[int]
        commodity: _title_pb2.Commodity
        placed: bool
        each_destination: bool
        def __init__(self, commodity: _Optional[_Union[_title_pb2.Commodity, _Mapping]] = ..., placed: bool = ..., each_destination: bool = ...) -> None: ...
    class Figures(_message.Message):
        __slots__ = ("bank", "director_percent", "share_percent", "forming_percent", "train_limit", "company_certificate_limit", "operating_rounds", "yellow_tiles", "end_price", "companies_of_a_region")
        BANK_FIELD_NUMBER: _ClassVar[int]
        DIRECTOR_PERCENT_FIELD_NUMBER: _ClassVar[int]
        SHARE_PERCENT_FIELD_NUMBER: _ClassVar[int]
        FORMING_PERCENT_FIELD_NUMBER: _ClassVar[int]
        TRAIN_LIMIT_FIELD_NUMBER: _ClassVar[int]
        COMPANY_CERTIFICATE_LIMIT_FIELD_NUMBER: _ClassVar[int]
        OPERATING_ROUNDS_FIELD_NUMBER: _ClassVar[int]
        YELLOW_TILES_FIELD_NUMBER: _ClassVar[int]
        END_PRICE_FIELD_NUMBER: _ClassVar[int]
        COMPANIES_OF_A_REGION_FIELD_NUMBER: _ClassVar[int]
        bank: int
        director_percent: int
        share_percent: int
        forming_percent: int
        train_limit: int
        company_certificate_limit: int
        operating_rounds: int
        yellow_tiles: int
        end_price: int
        companies_of_a_region: int
        def __init__(self, bank: _Optional[int] = ..., director_percent: _Optional[int] = ..., share_percent: _Optional[int] = ..., forming_percent: _Optional[int] = ..., train_limit: _Optional[int] = ..., company_certificate_limit: _Optional[int] = ..., operating_rounds: _Optional[int] = ..., yellow_tiles: _Optional[int] = ..., end_price: _Optional[int] = ..., companies_of_a_region: _Optional[int] = ...) -> None: ...
    TITLE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SETUP_FIELD_NUMBER: _ClassVar[int]
    SETUPS_FIELD_NUMBER: _ClassVar[int]
    GAME_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SWITCHES_FIELD_NUMBER: _ClassVar[int]
    CHARTERS_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_COMPANIES_FIELD_NUMBER: _ClassVar[int]
    BONDS_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
    MARKET_FIELD_NUMBER: _ClassVar[int]
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    CONNECTIONS_FIELD_NUMBER: _ClassVar[int]
    COMMODITIES_FIELD_NUMBER: _ClassVar[int]
    FIGURES_FIELD_NUMBER: _ClassVar[int]
    title: str
    options: _game_pb2.GameOptions
    setup: Box.Setup
    setups: _containers.RepeatedCompositeFieldContainer[Box.Setup]
    game_options: _containers.RepeatedCompositeFieldContainer[Box.GameOption]
    switches: _containers.RepeatedCompositeFieldContainer[Box.Switch]
    charters: _containers.RepeatedCompositeFieldContainer[Box.Charter]
    private_companies: _containers.RepeatedCompositeFieldContainer[Box.PrivateCompany]
    bonds: Box.RailroadBonds
    certificates: _containers.RepeatedCompositeFieldContainer[Box.Certificate]
    market: _containers.RepeatedCompositeFieldContainer[Box.MarketSpace]
    trains: _containers.RepeatedCompositeFieldContainer[Box.TrainType]
    phases: _containers.RepeatedCompositeFieldContainer[Box.PhaseRules]
    tiles: _containers.RepeatedCompositeFieldContainer[_title_pb2.TileType]
    connections: _containers.RepeatedCompositeFieldContainer[_title_pb2.Connection]
    commodities: _containers.RepeatedCompositeFieldContainer[Box.CommodityRules]
    figures: Box.Figures
    def __init__(self, title: _Optional[str] = ..., options: _Optional[_Union[_game_pb2.GameOptions, _Mapping]] = ..., setup: _Optional[_Union[Box.Setup, _Mapping]] = ..., setups: _Optional[_Iterable[_Union[Box.Setup, _Mapping]]] = ..., game_options: _Optional[_Iterable[_Union[Box.GameOption, _Mapping]]] = ..., switches: _Optional[_Iterable[_Union[Box.Switch, _Mapping]]] = ..., charters: _Optional[_Iterable[_Union[Box.Charter, _Mapping]]] = ..., private_companies: _Optional[_Iterable[_Union[Box.PrivateCompany, _Mapping]]] = ..., bonds: _Optional[_Union[Box.RailroadBonds, _Mapping]] = ..., certificates: _Optional[_Iterable[_Union[Box.Certificate, _Mapping]]] = ..., market: _Optional[_Iterable[_Union[Box.MarketSpace, _Mapping]]] = ..., trains: _Optional[_Iterable[_Union[Box.TrainType, _Mapping]]] = ..., phases: _Optional[_Iterable[_Union[Box.PhaseRules, _Mapping]]] = ..., tiles: _Optional[_Iterable[_Union[_title_pb2.TileType, _Mapping]]] = ..., connections: _Optional[_Iterable[_Union[_title_pb2.Connection, _Mapping]]] = ..., commodities: _Optional[_Iterable[_Union[Box.CommodityRules, _Mapping]]] = ..., figures: _Optional[_Union[Box.Figures, _Mapping]] = ...) -> None: ...
