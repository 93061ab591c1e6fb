from .board import (
    Assignment as Assignment,
)
from .board import (
    Board as Board,
)
from .board import (
    Bonus as Bonus,
)
from .board import (
    DrawnRoute as DrawnRoute,
)
from .board import (
    Evaluation as Evaluation,
)
from .board import (
    IdleTrain as IdleTrain,
)
from .board import (
    LaidTile as LaidTile,
)
from .board import (
    Position as Position,
)
from .board import (
    RevenueLine as RevenueLine,
)
from .board import (
    Route as Route,
)
from .board import (
    Rules as Rules,
)
from .board import (
    Solution as Solution,
)
from .board import (
    Statistics as Statistics,
)
from .board import (
    StopId as StopId,
)
from .board import (
    Stops as Stops,
)
from .board import (
    Terms as Terms,
)
from .board import (
    Token as Token,
)
from .board import (
    Track as Track,
)
from .board import (
    Train as Train,
)
from .board import (
    Visits as Visits,
)
from .board import (
    border as border,
)
from .board import (
    get_title as get_title,
)
from .board import (
    number_train as number_train,
)
from .board import (
    parse_tile as parse_tile,
)
from .board import (
    title_ids as title_ids,
)
from .board import (
    train as train,
)
from .check import evaluate as evaluate
from .draw import draw_solution as draw_solution
from .errors import (
    BudgetError as BudgetError,
)
from .errors import (
    Cancelled as Cancelled,
)
from .errors import (
    CheckError as CheckError,
)
from .errors import (
    Fault as Fault,
)
from .errors import (
    NotationError as NotationError,
)
from .errors import (
    PositionError as PositionError,
)
from .errors import (
    TrunklineError as TrunklineError,
)
from .pipeline import solve as solve
from .pipeline import warm_up as warm_up
from .service import Client as Client
from .service import Tls as Tls
from .wire import (
    ServiceError as ServiceError,
)
from .wire import (
    position_from_json as position_from_json,
)
from .wire import (
    position_to_json as position_to_json,
)
from .wire import (
    solution_from_json as solution_from_json,
)
from .wire import (
    solution_to_json as solution_to_json,
)
