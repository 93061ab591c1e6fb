from .solver import (
    Board as Board,
)
from .solver import (
    Client as Client,
)
from .solver import (
    DrawnRoute as DrawnRoute,
)
from .solver import (
    Evaluation as Evaluation,
)
from .solver import (
    LaidTile as LaidTile,
)
from .solver import (
    Position as Position,
)
from .solver import (
    PositionError as PositionError,
)
from .solver import (
    Rules as Rules,
)
from .solver import (
    Solution as Solution,
)
from .solver import (
    Token as Token,
)
from .solver import (
    TrunklineError as TrunklineError,
)
from .solver import (
    draw_solution as draw_solution,
)
from .solver import (
    evaluate as evaluate,
)
from .solver import (
    get_title as get_title,
)
from .solver import (
    number_train as number_train,
)
from .solver import (
    position_from_json as position_from_json,
)
from .solver import (
    position_to_json as position_to_json,
)
from .solver import (
    solution_to_json as solution_to_json,
)
from .solver import (
    solve as solve,
)
from .solver import (
    title_ids as title_ids,
)
from .solver import (
    train as train,
)
