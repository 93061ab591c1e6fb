"""Options that several commands share: the servers to ask, TLS, deadline, rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from trunkline.solver.service.client import Client
    from trunkline.solver.service.tls import Tls


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers that a command shall ask, and how; false if there are none."""

    addresses: tuple[str, ...]
    tls: bool = False
    ca: str = ""
    cert: str = ""
    key: str = ""
    name: str = ""

    def __bool__(self) -> bool:
        return bool(self.addresses)

    @property
    def encryption(self) -> Tls | None:
        """What clients are given."""
        from trunkline.solver.service.tls import Tls

        return Tls(self.ca, self.cert, self.key, self.name) if self.tls else None

    def client(self) -> Client:
        """A client of the solver of all of them."""
        from trunkline.solver.service.client import Client

        return Client(self.addresses, tls=self.encryption)


def not_empty(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    """Nothing instead of a file, as of a variable that is not set, must not turn encryption off."""
    if given == "":
        raise click.BadParameter("is empty")
    return given


_TLS_OPTIONS = (
    click.option(
        "--tls", is_flag=True, envvar="TRUNKLINE_TLS", help="The server uses TLS; implied by the other options of TLS."
    ),
    click.option(
        "--tls-ca",
        callback=not_empty,
        metavar="PEM",
        envvar="TRUNKLINE_TLS_CA",
        help="Trust the authorities (or the certificate) in it.",
    ),
    click.option(
        "--tls-cert",
        callback=not_empty,
        metavar="PEM",
        envvar="TRUNKLINE_TLS_CERT",
        help="Show the server this certificate,",
    ),
    click.option(
        "--tls-key",
        callback=not_empty,
        metavar="PEM",
        envvar="TRUNKLINE_TLS_KEY",
        help="of which this is the private key.",
    ),
    click.option(
        "--tls-name",
        callback=not_empty,
        metavar="NAME",
        envvar="TRUNKLINE_TLS_NAME",
        help="The name in the server's certificate.",
    ),
)


def server_options(server: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[..., Any]:
    """Adds an option ``server`` and how to reach it; the command gets both as one ``server``, of type Servers."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def call(*arguments: Any, **values: Any) -> Any:
            values["server"] = _servers(values)
            return command(*arguments, **values)

        decorated: Callable[..., Any] = call
        for option in reversed((server, *_TLS_OPTIONS)):
            decorated = option(decorated)
        return decorated

    return decorate


def _servers(values: dict[str, Any]) -> Servers:
    """Takes what :func:`server_options` added out of the values of a command."""
    given = values.pop("server") or ()
    texts = {n: values.pop(f"tls_{n}") or "" for n in ("ca", "cert", "key", "name")}
    tls = values.pop("tls") or any(texts.values())
    addresses = (given,) if isinstance(given, str) else tuple(a for x in given for a in x.replace(",", " ").split())
    if not addresses and any(typed(n) for n in ("tls", *(f"tls_{n}" for n in texts))):
        raise click.UsageError("the options of TLS say how to reach a --server; there is none")
    if addresses:
        if bool(texts["cert"]) != bool(texts["key"]):
            raise click.UsageError("--tls-cert and --tls-key go together")
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # else gRPC logs beside it what the error message says
    return Servers(addresses or tuple(given), bool(tls), **texts)  # what is empty is told as no address


def typed(option: str) -> bool:
    """Whether an option is on the command line; click looks at those before the others."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def solver_option(text: str, **more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option --server of a command that solves, there or here; for one server or several."""
    return server_options(
        click.option("--server", "-s", metavar="HOST:PORT", multiple=True, envvar="TRUNKLINE_SERVER", help=text, **more)
    )


server_option = solver_option("Ask this server instead of working here; give several for several servers.")


def ask_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that say how to solve: deadline and rules."""
    options = [
        click.option(
            "--deadline",
            type=float,
            callback=_seconds,
            metavar="SECONDS",
            help="Give the best found by then; compiling at the very first use does not count.",
        ),
        *rule_options(),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def rule_options() -> list[Callable[..., Any]]:
    """The options for rules other than those of the position."""
    return [
        click.option("--rules", metavar="SET", default="", help="A named set of rules instead of the position's."),
        click.option(
            "--switch",
            "switches",
            metavar="NAME=on|off",
            multiple=True,
            callback=switch_values,
            help="A single rule switch; repeatable. `trunkline titles NAME` lists them.",
        ),
    ]


def _seconds(_: click.Context, __: click.Parameter, seconds: float | None) -> float | None:
    if seconds is not None and not 0 <= seconds <= 1e6:  # not a number is refused as well
        raise click.BadParameter(f"{seconds} is not from 0 to a million")
    return seconds


def switch_values(_: click.Context, __: click.Parameter, given: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    """Read the texts of a repeatable option, each NAME=on or NAME=off."""
    switches = {}
    for text in given:
        name, _sign, value = text.partition("=")
        if value not in ("on", "off"):
            raise click.BadParameter(f"{text!r} is not of the form NAME=on or NAME=off")
        switches[name] = value == "on"
    return tuple(switches.items())
