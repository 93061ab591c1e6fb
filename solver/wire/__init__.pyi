from .codec import (
    drawn_from_proto as drawn_from_proto,
)
from .codec import (
    drawn_to_proto as drawn_to_proto,
)
from .codec import (
    evaluation_from_proto as evaluation_from_proto,
)
from .codec import (
    evaluation_to_json as evaluation_to_json,
)
from .codec import (
    evaluation_to_proto as evaluation_to_proto,
)
from .codec import (
    position_from_json as position_from_json,
)
from .codec import (
    position_from_proto as position_from_proto,
)
from .codec import (
    position_to_json as position_to_json,
)
from .codec import (
    position_to_proto as position_to_proto,
)
from .codec import (
    question_from_json as question_from_json,
)
from .codec import (
    routes_from_json as routes_from_json,
)
from .codec import (
    solution_from_json as solution_from_json,
)
from .codec import (
    solution_from_proto as solution_from_proto,
)
from .codec import (
    solution_to_dict as solution_to_dict,
)
from .codec import (
    solution_to_json as solution_to_json,
)
from .codec import (
    solution_to_proto as solution_to_proto,
)
from .status import (
    NothingFound as NothingFound,
)
from .status import (
    ServiceError as ServiceError,
)
