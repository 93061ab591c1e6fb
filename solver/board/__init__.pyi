from .board import (
    Board as Board,
)
from .board import (
    City as City,
)
from .board import (
    LaidTile as LaidTile,
)
from .board import (
    Position as Position,
)
from .board import (
    Rules as Rules,
)
from .board import (
    Token as Token,
)
from .board import (
    train as train,
)
from .solution import (
    DrawnRoute as DrawnRoute,
)
from .solution import (
    Evaluation as Evaluation,
)
from .solution import (
    IdleTrain as IdleTrain,
)
from .solution import (
    RevenueLine as RevenueLine,
)
from .solution import (
    Route as Route,
)
from .solution import (
    Solution as Solution,
)
from .solution import (
    Statistics as Statistics,
)
from .tile import (
    Tile as Tile,
)
from .tile import (
    TileStop as TileStop,
)
from .tile import (
    format_tile as format_tile,
)
from .tile import (
    parse_tile as parse_tile,
)
from .title import (
    COMMON as COMMON,
)
from .title import (
    Border as Border,
)
from .title import (
    Commodity as Commodity,
)
from .title import (
    Company as Company,
)
from .title import (
    Connection as Connection,
)
from .title import (
    Hex as Hex,
)
from .title import (
    StopId as StopId,
)
from .title import (
    TileType as TileType,
)
from .title import (
    Title as Title,
)
from .title import (
    Track as Track,
)
from .title import (
    Train as Train,
)
from .title import (
    TrainCard as TrainCard,
)
from .title import (
    Visits as Visits,
)
from .title import (
    border as border,
)
from .title import (
    load_title as load_title,
)
from .title import (
    number_train as number_train,
)
from .title import (
    title as title,
)
from .title import (
    titles as titles,
)
