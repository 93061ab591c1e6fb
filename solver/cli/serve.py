"""The command ``serve``, with the options of the services that other packages add to the server."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

import click

from trunkline.solver.cli.exits import example
from trunkline.solver.cli.options import not_empty


def _services() -> list[Callable[..., Any]]:
    """What other packages serve beside the solver: entry points ``trunkline.services``, with options of their own.

    Called with the values of its options each gives an ``Addition`` for the server.
    """
    return [e.load() for e in sorted(entry_points(group="trunkline.services"))]


def _options_of(service: Callable[..., Any]) -> list[click.Parameter]:
    return list(reversed(getattr(service, "__click_params__", [])))


class _Serve(click.Command):
    """``serve``, with the options of the services that are added."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Own parameters, those of the services, then --help."""
        *own, help_ = super().get_params(ctx)
        return [*own, *(option for service in _services() for option in _options_of(service)), help_]


@click.command(
    cls=_Serve, short_help="Serve the solver over gRPC.", epilog=example("trunkline serve --host 0.0.0.0 --port 50051")
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=50051, show_default=True, help="0 takes a free one.")
@click.option("--workers", type=click.IntRange(1, 256), help="Worker processes; by default one for each core.")
@click.option(
    "--max-queue", type=click.IntRange(0, 100_000), default=64, show_default=True, help="Requests that may wait."
)
@click.option(
    "--max-message-bytes",
    type=click.IntRange(1000, 1 << 30),
    default=1 << 20,
    show_default=True,
    help="Largest request.",
)
@click.option(
    "--max-search-seconds", type=click.FloatRange(0), default=300, show_default=True, help="Most a search may take."
)
@click.option(
    "--max-worker-bytes",
    type=click.IntRange(0),
    default=1 << 30,
    show_default=True,
    help="Most memory of a worker process; 0 for no limit.",
)
@click.option(
    "--drain-seconds", type=click.FloatRange(0, 3600), default=30, show_default=True, help="Time to end on SIGTERM."
)
@click.option(
    "--tls-cert",
    callback=not_empty,
    metavar="PEM",
    help="Encrypt, with this certificate (and those that vouch for it),",
)
@click.option("--tls-key", callback=not_empty, metavar="PEM", help="of which this is the private key.")
@click.option(
    "--tls-client-ca", callback=not_empty, metavar="PEM", help="Only clients with a certificate of these authorities."
)
def serve(
    host: str,
    port: int,
    workers: int | None,
    max_queue: int,
    max_message_bytes: int,
    max_search_seconds: float,
    max_worker_bytes: int,
    drain_seconds: float,
    tls_cert: str | None,
    tls_key: str | None,
    tls_client_ca: str | None,
    **others: Any,
) -> int:
    """Serve the solver over gRPC (trunkline.v1.SolverService) until SIGTERM or Ctrl-C, and what is installed beside it.

    With health checking and reflection. On SIGTERM running requests end, new ones are refused. Without --tls-cert
    there is no encryption. There is no login: where strangers can reach it, use --tls-client-ca, or put a proxy in
    front.
    """
    import asyncio
    import logging

    from trunkline.solver.service.pool import cores
    from trunkline.solver.service.server import Server, Settings
    from trunkline.solver.service.server import serve as serve_until_signal
    from trunkline.solver.service.tls import Tls

    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
    if bool(tls_cert) != bool(tls_key) or (tls_client_ca and not tls_cert):
        raise click.UsageError("TLS needs both --tls-cert and --tls-key")
    tls = Tls(tls_client_ca or "", tls_cert, tls_key) if tls_cert and tls_key else None
    begin = time.monotonic()
    additions = [add(**{o.name: others[o.name] for o in _options_of(add) if o.name}) for add in _services()]

    def started(server: Server) -> None:
        seconds = time.monotonic() - begin
        name = f"[{host}]" if ":" in host else host
        click.echo(
            f"serving on {name}:{server.port} with {server.settings.workers} workers, warm after {seconds:.1f} s"
            f"{', TLS' if tls else ''}"
        )

    async def run() -> None:
        settings = Settings(
            host=host,
            port=port,
            workers=workers or cores(),
            max_queue=max_queue,
            max_message_bytes=max_message_bytes,
            max_search_seconds=max_search_seconds,
            max_worker_bytes=max_worker_bytes,
            drain_seconds=drain_seconds,
            tls=tls,
        )
        await serve_until_signal(Server(settings, additions=additions), started)

    asyncio.run(run())
    return 0
