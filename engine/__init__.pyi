from .actions import (
    Action as Action,
)
from .actions import (
    action_from_json as action_from_json,
)
from .actions import (
    action_to_json as action_to_json,
)
from .errors import (
    LogError as LogError,
)
from .errors import (
    RuleError as RuleError,
)
from .game import (
    actors as actors,
)
from .game import (
    allowed as allowed,
)
from .game import (
    apply as apply,
)
from .game import (
    best_run as best_run,
)
from .game import (
    legal_actions as legal_actions,
)
from .game import (
    new_game as new_game,
)
from .log import (
    Log as Log,
)
from .options import (
    Options as Options,
)
from .service import (
    Games as Games,
)
from .state import (
    State as State,
)
from .views import (
    view as view,
)
from .wire import (
    Imported as Imported,
)
from .wire import (
    SiteGameError as SiteGameError,
)
from .wire import (
    import_game as import_game,
)
