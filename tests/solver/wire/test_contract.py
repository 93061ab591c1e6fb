"""The contract in proto/ is clean and compatible, and the checked-in stubs are those it generates."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("grpc_tools", reason="needs the extra dev")
ROOT = Path(__file__).parents[3]
WHOLE = ("proto", "trunkline", "buf.yaml", ".ci/contract", "tests/solver/wire/contract.binpb")


@pytest.fixture
def copy(tmp_path):
    for name in WHOLE:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        copy_of = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy_of(ROOT / name, target)
    return tmp_path


def check(folder, *options):
    return subprocess.run(
        ["bash", folder / ".ci/contract", *options],
        capture_output=True,
        text=True,
        env={"PYTHON": sys.executable, "PATH": "/usr/bin:/bin", "HOME": str(folder)},
        check=False,
    )


def edit(folder, file, old, new):
    path = folder / "proto/trunkline/v1" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_contract_is_clean_and_its_stubs_are_fresh(copy):
    result = check(copy)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_change_without_new_stubs_is_caught(copy):
    edit(
        copy,
        "position.proto",
        "  // The name of the place,",
        "  // Text.\n  string memo = 7;\n  // The name of the place,",
    )
    assert "stubs are stale" in check(copy).stdout
    assert check(copy, "--write").returncode == 0
    assert check(copy).returncode == 0


@pytest.mark.parametrize(
    ("old", "new"), [("string hex = 1;", "string hex = 11;"), ("int32 rotation", "string rotation")]
)
def test_a_change_that_breaks_the_wire_is_caught(copy, old, new):
    edit(copy, "position.proto", old, new)
    result = check(copy, "--write")
    assert result.returncode != 0
    assert "position.proto" in result.stdout


def test_a_field_without_a_comment_is_caught(copy):
    edit(copy, "position.proto", "  // The hex it lies on.\n", "")
    assert "non-empty comment" in check(copy).stdout
