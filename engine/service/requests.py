"""Parts of requests to the game service, read and checked. Each raises Refused, which names the field."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from google.rpc import code_pb2

from trunkline.engine.errors import LogError
from trunkline.engine.log import Log
from trunkline.engine.service.kept import Kept
from trunkline.engine.service.refusals import Refused, invalid
from trunkline.engine.wire.messages import undo_policy_from_proto
from trunkline.solver.service.aborts import Context
from trunkline.v1 import game_service_pb2 as pb

COLLECTION = "games/"


def token_of(context: Context) -> str | None:
    """The secret of a call. Raises Refused: the metadata is not of the form."""
    metadata: Iterable[tuple[str, Any]] = context.invocation_metadata() or ()
    values = [str(v) for k, v in metadata if k == "authorization"]
    if not values:
        return None
    scheme, _, token = values[0].partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refused(code_pb2.UNAUTHENTICATED, 'metadata "authorization" is not of the form "Bearer TOKEN"')
    return token.strip()


def game_id(name: str) -> str:
    """The id in a resource name ``games/ID``."""
    id_ = name.removeprefix(COLLECTION)
    if id_ == name or not id_ or "/" in id_:
        raise invalid("name", f"name: {name!r} is not of the form {COLLECTION}GAME")
    return id_


def page_after(token: str) -> tuple[float, str] | None:
    """Where a page begins: after the game that changed then and has this id; None: at the first."""
    if not token:
        return None
    updated, _, id_ = token.partition(" ")
    try:
        return float(updated), id_
    except ValueError:
        raise invalid("page_token", "page_token: not from this list") from None


def require_number(kept: Kept, number: int) -> None:
    """Raises Refused: the game has not so many actions."""
    if number not in range(kept.number + 1):
        raise Refused(code_pb2.OUT_OF_RANGE, f"there is no action {number}; the game has {kept.number}")


@contextlib.contextmanager
def field(name: str) -> Iterator[None]:
    """A value that cannot be read is told with the field it is in."""
    try:
        yield
    except LogError as e:
        raise invalid(name, str(e)) from e


def imported_log(request: pb.ImportGameRequest, import_site: Callable[[str], Log]) -> Log:
    """The log to import, from either form; ``import_site`` reads what 18xx.games exported."""
    source = request.WhichOneof("source")
    if source is None:
        raise invalid("log", "give a log or site_json")
    with field(source):
        if source == "log":
            return Log.loads(request.log)
        return import_site(request.site_json)


def undo_policy(value: int) -> str:
    """The undo policy of a number in the contract."""
    with field("undo_policy"):
        return undo_policy_from_proto(value)
