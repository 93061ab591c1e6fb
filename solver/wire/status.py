"""Errors as they travel over gRPC: the project's exceptions as google.rpc.Status and back.

A PositionError becomes INVALID_ARGUMENT with a google.rpc.BadRequest that holds one field violation per fault. Texts
are cut where they would not fit the header of an answer (8 KiB).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.rpc import code_pb2, error_details_pb2, status_pb2

from trunkline.solver.errors import BudgetError, Cancelled, CheckError, Fault, PositionError, TrunklineError

if TYPE_CHECKING:
    from trunkline.v1 import solver_service_pb2

MAX_FAULTS, MAX_TEXT = 12, 300
IN_POSITION, BESIDE_POSITION = "position.", ("routes[", "time_limit")


class ServiceError(TrunklineError):
    """A server could not answer. ``code`` is the name of the gRPC status, such as ``UNAVAILABLE``."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(f"{message} ({code})")


class NothingFound(TrunklineError):
    """The deadline of the call passed before any route was found."""


def status_of(error: BaseException) -> status_pb2.Status:
    """The status of an exception; of one that is not the project's only its type is told."""
    if isinstance(error, PositionError):
        return _bad_request(error)
    codes: list[tuple[type[BaseException], int]] = [
        (CheckError, code_pb2.INTERNAL),
        (Cancelled, code_pb2.CANCELLED),
        (BudgetError, code_pb2.RESOURCE_EXHAUSTED),
        (NothingFound, code_pb2.DEADLINE_EXCEEDED),
        (TrunklineError, code_pb2.INVALID_ARGUMENT),
        (MemoryError, code_pb2.RESOURCE_EXHAUSTED),
    ]
    for kind, code in codes:
        if isinstance(error, kind):
            return status_pb2.Status(code=code, message=_cut(str(error) or kind.__name__))
    text = f"the solver failed with {type(error).__name__}; its log says more"
    return status_pb2.Status(code=code_pb2.INTERNAL, message=text)


def _bad_request(error: PositionError) -> status_pb2.Status:
    shown = error.faults[:MAX_FAULTS]
    lines = [_cut(str(v)) for v in shown]
    if len(error.faults) > len(shown):
        lines.append(f"and {len(error.faults) - len(shown)} more faults")
    status = status_pb2.Status(code=code_pb2.INVALID_ARGUMENT, message=_cut("; ".join(lines)))
    details = error_details_pb2.BadRequest()
    for v in shown:
        details.field_violations.add(field=_cut(_sent(v.field)), description=_cut(v.message))
    if len(error.faults) > len(shown):
        details.field_violations.add(description=lines[-1])
    status.details.add().Pack(details)
    return status


def _sent(field: str) -> str:
    """A field of the position as a field of the request, which has the position in a field."""
    return field if not field or field.startswith(BESIDE_POSITION) else IN_POSITION + field


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 3] + "..."


def faults_of(status: status_pb2.Status) -> tuple[Fault, ...]:
    """The faults in the details of a status, as the solver named them."""
    details = error_details_pb2.BadRequest()
    for packed in status.details:
        if packed.Unpack(details):
            return tuple(Fault(v.field.removeprefix(IN_POSITION), v.description) for v in details.field_violations)
    return ()


def error_of(status: status_pb2.Status) -> TrunklineError:
    """The exception of a status: a PositionError where it names faults, else a ServiceError."""
    faults = faults_of(status)
    return PositionError(faults) if faults else ServiceError(_name(status.code), status.message)


def write_error(error: BaseException, into: solver_service_pb2.Error) -> None:
    """Write an exception as the error of one position of a batch."""
    status = status_of(error)
    into.code, into.message = status.code, status.message
    for v in faults_of(status):
        into.faults.add(field=v.field, message=v.message)


def read_error(message: solver_service_pb2.Error) -> TrunklineError:
    """The exception of one position of a batch; the inverse of :func:`write_error`."""
    if message.faults:
        return PositionError([Fault(f.field, f.message) for f in message.faults])
    return ServiceError(_name(message.code), message.message)


def _name(code: int) -> str:
    return code_pb2.Code.Name(code) if code in code_pb2.Code.values() else f"code {code}"
