"""The compiled part of the search: the walk of one train, and the choice of one route for each.

``walk`` and ``combine`` are what Python calls; everything else is compiled into them. Their data and its shapes are
described in :mod:`trunkline.solver.search.layout`; why they are exact, in docs/how-it-works.md. ``task`` is the
question (:class:`~trunkline.solver.search.layout.Task`), ``w`` the state of the walk
(:class:`~trunkline.solver.search.layout.Walk`) and ``d`` a level of its stack, in every function.
"""
