"""Imported by the process that the server forks its workers from: warm kernels, shared by all of them."""

from __future__ import annotations

import contextlib
import gc
import pkgutil

from trunkline.solver.service.worker import Engine

with contextlib.suppress(Exception):  # a worker does the same again and reports what is wrong
    pkgutil.resolve_name(Engine().warm_up)()
gc.collect()
gc.freeze()  # the collector writes to every object it looks at, which would copy the shared memory
