"""Compile kernels with numba, and keep the machine code on disk for other processes.

What is kept holds for one version of the sources: all modules of the kernel and the layout of the arrays, whose
constants are compiled in. numba itself would look only at the file that a kernel is defined in.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import config as _config
from numba import njit as _njit
from numba.core.caching import FunctionCache

from trunkline.solver.search.layout import KINDS

log = logging.getLogger(__name__)
config: Any = _config
njit: Any = _njit  # its types leave options out
Function = TypeVar("Function", bound=Callable[..., object])

# 0 and 1 as variables: numba compiles a function once more for each literal that it is called with.
ZERO, ONE = cast(int, np.int64(0)), cast(int, np.int64(1))


# The kernels allocate nothing, and their caller holds the arrays: without numba's counting of references a tuple of
# arrays can be handed on for nothing. (With it, the search takes half as long again.)
OPTIONS: Any = {"nogil": True, "_nrt": False}


def inner(function: Function) -> Function:
    """Compile a function that only kernels call: without wrappers for Python, which take long to compile.

    Parameters
    ----------
    function
        In the subset of Python that numba compiles.

    Returns
    -------
    Function
        The same, compiled when the first kernel that calls it is.
    """
    compiled = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **OPTIONS)
    return cast(Function, compiled(function))


def inlined(function: Function) -> Function:
    """Make a function part of the one that calls it, before that is compiled: for functions that one place calls.

    So a long function can be cut where the thought is cut, and is compiled as if it were not: as functions of their
    own (:func:`inner`) these took a tenth longer to compile, hard boards a quarter longer to solve (one noisy run).

    Parameters
    ----------
    function
        In the subset of Python that numba compiles; only kernels call it.

    Returns
    -------
    Function
        The same, written out at each call.
    """
    return cast(Function, njit(inline="always", **OPTIONS)(function))


def kernel(function: Function) -> Function:
    """Compile a function that Python calls, and keep it on disk for other processes.

    Where neither the folder of the package nor the user's cache can be written, a folder for temporary files is used
    that nobody else can write to; if there is none either, or no room, each process compiles for itself.

    Parameters
    ----------
    function
        In the subset of Python that numba compiles.

    Returns
    -------
    Function
        The same, compiled at its first call or read from disk then; it releases the GIL.
    """
    compiled: Any = njit(**OPTIONS)(function)
    try:
        compiled._cache = KernelCache(function)
    except RuntimeError:  # numba finds no place for its files
        before = config.CACHE_DIR
        with suppress(OSError, RuntimeError):
            config.CACHE_DIR = _temporary_folder()
            compiled._cache = KernelCache(function)
        config.CACHE_DIR = before
    return cast(Function, compiled)


@cache
def source_stamp() -> str:
    """A hash of everything that is compiled in: the kernel's modules, the layout, and what the layout counts."""
    found = hashlib.sha256(repr(KINDS).encode())
    modules = [m for m in files(__package__).iterdir() if m.name.endswith(".py")]
    for module in [*sorted(modules, key=lambda m: m.name), files("trunkline.solver.search") / "layout.py"]:
        found.update(module.name.encode() + b"\0" + module.read_bytes())
    return found.hexdigest()


class KernelCache(FunctionCache):
    """numba's files of a kernel. If they cannot be read or written, the kernel is compiled, and the search goes on.

    Without its index no other file is read: neither what is broken nor, where only the index was written, what is old.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        file = self._cache_file
        file._source_stamp = (file._source_stamp, source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, or None: compile, which the log tells since it takes seconds."""
        found = None
        try:
            found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # of a file cut short anything can come
            self._forget()
        if found is None:
            log.info("compiling the search for this machine, which is kept: %s", self._py_func.__name__)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function, if that can be."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except Exception:
            self._forget()

    def _forget(self) -> None:
        with suppress(OSError):
            Path(self._cache_file._index_path).unlink()


def _temporary_folder() -> str:
    """A folder of this user alone: what is in it will be run. Raises OSError."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir(), f"trunkline-{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "getuid") and (found.st_uid != user or found.st_mode & 0o022)):
        raise PermissionError(f"{folder} belongs to somebody else")
    return str(folder)
