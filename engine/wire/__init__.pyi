from .box_message import (
    box_to_proto as box_to_proto,
)
from .importer import (
    Imported as Imported,
)
from .importer import (
    SiteGameError as SiteGameError,
)
from .importer import (
    import_game as import_game,
)
from .messages import (
    action_from_proto as action_from_proto,
)
from .messages import (
    action_to_proto as action_to_proto,
)
from .messages import (
    options_from_proto as options_from_proto,
)
from .messages import (
    options_to_proto as options_to_proto,
)
from .messages import (
    state_from_proto as state_from_proto,
)
from .table_message import (
    state_to_proto as state_to_proto,
)
