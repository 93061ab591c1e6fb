"""The direction of imports: each part of the packages may use only the parts that are listed for it.

``errors`` ← ``board`` ← ``search``, ``check``, ``draw``, ``wire`` ← ``service``, ``cli``; the solver never imports the
engine; the checker, which proves the search right, shares nothing with it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BOARD = {"solver.errors", "solver.board"}
TABLE = {f"engine.{part}" for part in ("errors", "json_values", "options", "undo", "box", "state", "actions")}
GAME = TABLE | {"engine.rules", "engine.game"}
RECORD = GAME | {"engine.log", "engine.views", "engine.invariants"}
MAY_IMPORT = {
    "solver.errors": set(),
    "solver.board": {"solver.errors"},
    "solver.search": BOARD,
    "solver.check": BOARD,
    "solver.draw": BOARD,
    "solver.generate": BOARD,
    "solver.wire": BOARD | {"v1"},
    "solver.pipeline": BOARD | {"solver.search", "solver.check"},
    "solver.service": BOARD | {"solver.wire", "v1"},
    "solver.cli": {"solver", "v1"},
    "engine.errors": {"solver"},
    "engine.json_values": {"engine.errors"},
    "engine.options": {"engine.errors"},
    "engine.undo": {"engine.errors"},
    "engine.box": {"engine.errors", "engine.json_values", "solver"},
    "engine.state": {f"engine.{part}" for part in ("errors", "json_values", "options", "box")},
    "engine.actions": {"engine.errors", "engine.json_values"},
    "engine.rules": TABLE | {"solver"},
    "engine.game": TABLE | {"engine.rules"},
    "engine.log": GAME,
    "engine.views": TABLE,
    "engine.invariants": GAME | {"solver"},
    "engine.bots": RECORD,
    "engine.wire": RECORD | {"solver", "v1"},
    "engine.service": RECORD | {"engine.wire", "solver", "v1"},
    "engine.cli": RECORD | {"engine.wire", "engine.service", "engine.bots", "solver"},
}


def part_of(module: str) -> str:
    """``solver.board`` of ``trunkline.solver.board.tile``; ``v1`` of generated code."""
    names = module.split(".")[1:]
    return "v1" if names[0] == "v1" else ".".join(names[:2])


def imports(path: Path) -> Iterator[str]:
    """Every part of Trunkline that a file imports, at its head or later."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                yield whole if node.module.count(".") < 2 else node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


FILES = [
    path
    for package in ("solver", "engine")
    for path in sorted((ROOT / package).rglob("*.py"))
    if path != ROOT / package / "__init__.py"
]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_one_way(path):
    here = ".".join(path.relative_to(ROOT).with_suffix("").parts[:2])
    for module in imports(path):
        if module.startswith("trunkline."):
            there = part_of(module)
            allowed = MAY_IMPORT[here] | {here}
            assert there in allowed or (there.startswith("solver.") and "solver" in allowed), f"{here} imports {module}"


def test_every_part_has_its_place():
    found = {".".join(p.relative_to(ROOT).with_suffix("").parts[:2]) for p in FILES}
    assert found == set(MAY_IMPORT)


@pytest.mark.parametrize("package", ["solver", "engine"])
def test_no_module_is_imported_from_outside_the_package(package):
    """``import solver`` would work in a checkout, and nowhere else."""
    for path in [p for folder in ("solver", "engine", "tests", "benchmarks") for p in (ROOT / folder).rglob("*.py")]:
        assert not any(module.split(".")[0] == package for module in imports(path)), path
