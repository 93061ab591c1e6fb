"""What the game service refuses: every exception as a status code, a text, and details for programs."""

from __future__ import annotations

import logging

from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2

from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.service.errors import Stale, StoreError, UndoRefused, UnknownGame
from trunkline.solver.wire.status import ServiceError

DOMAIN = "trunkline"

log = logging.getLogger(__name__)


class Refused(Exception):
    """A call that is not answered: a status code, a text, and details for programs."""

    def __init__(self, code: int, message: str, details: Message | None = None) -> None:
        self.code, self.message, self.details = code, message, details


class WrongToken(Refused):
    """The token is of no seat of the game; who guesses tokens is kept waiting."""


def invalid(field: str, message: str) -> Refused:
    """A field of the request that cannot be."""
    request = error_details_pb2.BadRequest()
    request.field_violations.add(field=field, description=message[:300])
    return Refused(code_pb2.INVALID_ARGUMENT, message, request)


def _told(code: int, message: str, reason: str, /, **metadata: object) -> Refused:
    values = {k: str(v)[:300] for k, v in metadata.items()}
    return Refused(code, message, error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=values))


def _rule(error: RuleError) -> dict[str, str]:
    return {"section": error.section, "message": error.message, "legal": error.legal}


STORE_CODES = {
    "read-only": (code_pb2.FAILED_PRECONDITION, "STORE_READ_ONLY"),
    "full": (code_pb2.RESOURCE_EXHAUSTED, "STORE_FULL"),
    "locked": (code_pb2.UNAVAILABLE, "STORE_LOCKED"),
    "corrupt": (code_pb2.DATA_LOSS, "STORE_CORRUPT"),
    "unusable": (code_pb2.FAILED_PRECONDITION, "STORE_UNUSABLE"),
    "outgrown": (code_pb2.FAILED_PRECONDITION, "GAME_OUTGROWN"),
}


def refusal(error: BaseException) -> Refused:
    """How an exception is told to the caller."""
    match error:
        case Refused():
            return error
        case RuleError():
            return _told(code_pb2.FAILED_PRECONDITION, str(error), "RULE", **_rule(error))
        case Stale():
            text = {"action_number": error.number, "revision": error.revision}
            return _told(code_pb2.ABORTED, str(error), "STALE", **text)
        case UndoRefused():
            return _told(code_pb2.PERMISSION_DENIED, str(error), "UNDO_POLICY")
        case UnknownGame():
            return Refused(code_pb2.NOT_FOUND, str(error))
        case StoreError():
            code, reason = STORE_CODES[error.kind]
            if error.kind not in ("locked", "outgrown"):
                log.error("%s", error)
            return _told(code, error.message, reason)
        case ServiceError():
            return Refused(code_pb2.Code.Value(error.code), str(error))
        case LogError():
            return Refused(code_pb2.INVALID_ARGUMENT, str(error))
    log.error("the game service failed", exc_info=error)
    return Refused(code_pb2.INTERNAL, f"the game service failed with {type(error).__name__}; its log says more")
