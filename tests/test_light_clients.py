"""What clients load: a program that only asks a server needs no kernels, no checker, no rules and no database."""

import subprocess
import sys

import pytest

HEAVY = {
    "trunkline.solver.service.client": [
        "numba",
        "networkx",
        "sqlite3",
        "trunkline.solver.search",
        "trunkline.solver.check",
    ],
    "trunkline.engine.service.client": [
        "numba",
        "networkx",
        "sqlite3",
        "trunkline.engine.rules",
        "trunkline.engine.game",
        "trunkline.engine.service.store",
        "trunkline.solver.check",
    ],
}


@pytest.mark.parametrize("client", HEAVY)
def test_a_client_loads_only_what_it_needs(client):
    code = f"import sys, {client}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert client in loaded
    assert not set(HEAVY[client]) & set(loaded)
