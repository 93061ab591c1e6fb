"""Files of compiled kernels: never of other sources; broken or not to be written, they cost time but no answer."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core.caching import IndexDataCacheFile

from trunkline.solver.search.kernel import cache as kernels
from trunkline.solver.search.kernel.combine import combine
from trunkline.solver.search.kernel.states import TIP_ROWS
from trunkline.solver.search.kernel.walk import walk
from trunkline.solver.search.layout import LEVEL_PAID

ROOT = Path(kernels.__file__).parents[4]
PROBE = """
from trunkline.solver.search.kernel.cache import kernel
from trunkline.solver.search.kernel.states import TIP_ROWS
from trunkline.solver.search.layout import LEVEL_PAID

@kernel
def constants():
    return LEVEL_PAID, TIP_ROWS

print(*constants(), sum(constants.stats.cache_hits.values()))
"""


def square(x):
    return x * x


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(kernels.config, "CACHE_DIR", str(tmp_path))
    assert kernels.kernel(square)(3) == 9
    assert len(files(tmp_path, "nbi")) == len(files(tmp_path, "nbc")) == 1
    return tmp_path


def files(folder, kind):
    return list(folder.glob(f"**/*.{kind}"))


def hits():
    """Whether a kernel made now is read from its files."""
    compiled: Any = kernels.kernel(square)
    assert compiled(3) == 9
    return sum(compiled.stats.cache_hits.values())


def test_a_kernel_is_read_from_its_files(folder):
    assert hits() == 1


def test_the_log_tells_of_a_compilation_and_not_of_what_is_read(folder, caplog):
    caplog.set_level("INFO", logger="trunkline.solver.search.kernel.cache")
    assert hits() == 1
    assert caplog.messages == []
    files(folder, "nbi")[0].unlink()
    assert hits() == 0
    assert caplog.messages == ["compiling the search for this machine, which is kept: square"]


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("length", [0, 5, 60])
def test_a_file_cut_short_is_compiled_and_written_anew(folder, kind, length):
    (file,) = files(folder, kind)
    file.write_bytes(file.read_bytes()[:length])
    assert hits() == 0
    assert hits() == 1


def test_a_file_of_something_else_is_compiled_and_written_anew(folder):
    files(folder, "nbi")[0].write_bytes(b"not a pickle")
    assert hits() == 0
    assert hits() == 1


@pytest.mark.parametrize("step", ["_save_index", "_save_data"])
def test_without_room_each_process_compiles_for_itself(monkeypatch, tmp_path, step):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(kernels.config, "CACHE_DIR", str(tmp_path))
    with monkeypatch.context() as disk:
        disk.setattr(IndexDataCacheFile, step, full)
        assert hits() == hits() == 0
    assert files(tmp_path, "nbi") == []  # it would lead to a file that is missing or old
    assert hits() == 0
    assert hits() == 1


def test_an_index_without_its_new_file_does_not_lead_to_an_old_one(monkeypatch, folder):
    (old,) = files(folder, "nbi")
    stamp = "another version of the source"
    monkeypatch.setattr(kernels.KernelCache, "__init__", stamped(kernels.KernelCache.__init__, stamp))
    with monkeypatch.context() as disk:
        disk.setattr(IndexDataCacheFile, "_save_data", lambda *_: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
        assert hits() == 0
    assert not old.exists()
    assert files(folder, "nbc")  # of the version before


def stamped(make, stamp):
    def init(self, function):
        make(self, function)
        self._cache_file._source_stamp = stamp

    return init


def test_the_kernels_of_the_search_are_kept_this_way():
    compiled: list[Any] = [walk, combine]
    for one in compiled:
        assert isinstance(one._cache, kernels.KernelCache)
        assert isinstance(one, numba.core.dispatcher.Dispatcher)


def test_a_constant_that_is_compiled_in_is_never_an_old_one(tmp_path):
    """A kernel in a copy of the package, run each time in a process of its own."""
    copy = tmp_path / "trunkline"
    shutil.copytree(ROOT / "trunkline", copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert not (copy / "solver").is_symlink()
    (tmp_path / "probe.py").write_text(PROBE, encoding="utf-8")

    def constants_and_hits():
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "probe.py"]
        found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return [int(n) for n in found.stdout.split()]

    def edit(module, before, after):
        file = copy / "solver" / "search" / module
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, after), encoding="utf-8")

    assert constants_and_hits() == [LEVEL_PAID, TIP_ROWS, 0]
    assert constants_and_hits() == [LEVEL_PAID, TIP_ROWS, 1]
    edit("layout.py", "range(LEVEL_COUNT + K, LEVEL_COUNT + K + 6)", "range(LEVEL_COUNT + K + 1, LEVEL_COUNT + K + 7)")
    assert constants_and_hits() == [LEVEL_PAID + 1, TIP_ROWS, 0]
    edit("kernel/states.py", f"TIP_ROWS = {TIP_ROWS}", f"TIP_ROWS = {TIP_ROWS + 1}")
    assert constants_and_hits() == [LEVEL_PAID + 1, TIP_ROWS + 1, 0]
    assert constants_and_hits() == [LEVEL_PAID + 1, TIP_ROWS + 1, 1]
