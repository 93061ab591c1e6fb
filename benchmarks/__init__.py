"""Speed, memory and growth of solver, service and engine, in one command: ``python -m benchmarks`` (--help).

Each module measures one thing and gives Findings: tables, samples for CSV files and plots, and the figures that are
held against the targets of :mod:`benchmarks.targets`. Beside the solver runs a plain Python search on the same
positions (:mod:`benchmarks.reference`). Times are wall time unless a column says CPU. See docs/benchmarks.md.
"""
