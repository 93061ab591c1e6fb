"""The arrays of the search: every column, row and place has its name here, once, and every array its shape.

A name begins with its array: ``NODE_OWN`` is a column of ``node``. The kernels are compiled with these numbers in
them; a change here compiles them anew (:mod:`trunkline.solver.search.kernel.cache`). Everything is int64 unless a
field says otherwise. Sets (resources, features, kinds of stops, nodes, links) are the bits of one or more words.

Sizes: N nodes, A arcs (two for each link), L links, W words of resources, T trains, C limits of a train, X bonuses of
the kind ``all_of``, Y of ``one_of``, Z rows of ``reach``, P payable nodes of a train, D levels of a walk, B how many
paid nodes a walk keeps sorted, R rooms for routes, E rooms for their links, S states in the table, M runs, Q routes
in all lists.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from trunkline.solver.board import MARKER, STOP_KINDS

Ints = npt.NDArray[np.int64]
SmallInts = npt.NDArray[np.int32]

KINDS = (*STOP_KINDS, MARKER)
"""What a train may have limits for: kinds of stops, and gauge markers."""
K = len(KINDS)
STOPS = (1 << len(STOP_KINDS)) - 1
"""All kinds of stops as bits."""

# What a kernel returns: it has used up its steps, is done, or has no room to store more routes.
RUNNING, DONE, FULL = range(3)

# ``arc``; a problem has the columns before ARC_COST.
(
    ARC_LINK,  # the link it goes over
    ARC_NODE,  # the node it leads to
    ARC_COST,  # what it counts in the tightest limit of the train
) = range(3)

# ``node``; a problem has the columns before NODE_VALUE.
(
    NODE_GROUP,  # its groups as bits: nodes that share one exclude each other on a route
    NODE_OWN,  # 0 or 1: a route needs a node that is own
    NODE_THROUGH,  # 0 or 1: a route may pass it
    NODE_END,  # 0 or 1: a route may begin and end here
    NODE_LIFT,  # what it offers as the lifting value of the route
    NODE_PLUS,  # -1, or it is a variable node: worth so much more than the lifting value
    NODE_FEATURE,  # features of a route that visits it
    NODE_COUNT,  # K columns: what a visit adds to the counters of the kinds
) = range(8)
NODE_VALUE = NODE_COUNT + K  # paid when counted, if it is not variable
NODE_PAYABLE = NODE_VALUE + 1  # 0: this train never counts it
NODE_COLUMNS = NODE_PAYABLE + 1

# ``link``; a problem has the columns before LINK_WORTH.
LINK_FEATURE = 0  # features of a route that uses it
LINK_COUNT = 1  # K columns: what it adds to the counters of the kinds
LINK_WORTH = LINK_COUNT + K  # what it pays this train
LINK_CLASH_FIRST = LINK_WORTH + 1  # its links in ``clash`` begin here
LINK_CLASH_END = LINK_WORTH + 2  # and end before here
LINK_COLUMNS = LINK_WORTH + 3

# ``train``
(
    TRAIN_PAY_ALL,  # 1: all nodes visited are counted
    TRAIN_PAY_BEST,  # n: the n best payable nodes are counted (the simple rule); -1: another rule, told by ``limit``
    TRAIN_OWN_COUNTS,  # 1: a counted node must be own
    TRAIN_FACTOR,  # multiplies the counted values
) = range(4)
TRAIN_COLUMNS = 4

# ``worth``
WORTH_VALUE, WORTH_PAYABLE = range(2)  # see NODE_VALUE, NODE_PAYABLE

# ``limit``: its planes and columns. The counters of the kinds add up to at most so much.
LIMIT_VISIT, LIMIT_PAY = range(2)
LIMIT_KINDS, LIMIT_MOST = range(2)

# ``all_of`` and ``reach`` (the first two columns), ``one_of`` (all), and the rows of a task's ``bonus``
(
    BONUS_FEATURES,
    BONUS_AMOUNT,
    BONUS_REACH_FIRST,  # the rows of ``reach`` that belong to a row of ``one_of``
    BONUS_REACH_END,
    BONUS_REACH_SUM,  # 1: all that are reached are paid; 0: the best
) = range(5)
BONUS_COLUMNS = 5

# ``general``
(
    GENERAL_LIFT_LEAST,  # the lifting value is at least this
    GENERAL_COUNTED_BONUS,  # features that ``all_of`` looks for at counted nodes only
) = range(2)

# ``rule``: a row of ``train``, ``general``, and what follows from the other arrays
(
    RULE_PAY_ALL,
    RULE_PAY_BEST,
    RULE_OWN_COUNTS,
    RULE_FACTOR,
    RULE_LIFT_LEAST,
    RULE_COUNTED_BONUS,
    RULE_ALL_OFS,  # number of rows of ``bonus`` that are of the kind all_of: they come first
    RULE_ONE_OFS,  # number of those that are one_of: they come next, those of ``reach`` last
    RULE_TIGHT,  # the row of the tightest visit limit; -1: none can bind
    RULE_KINDS,  # kinds that any visit limit counts
    RULE_APART,  # 1: no node has two of the features that are looked for at counted nodes
) = range(11)
RULE_PLACES = 11

# ``order``
ORDER_VARIABLE, ORDER_PLAIN = range(2)  # where the variable nodes begin; where the plain ones do

# ``control``
(
    CONTROL_DEPTH,  # the level that the walk is at; -1: before or between roots
    CONTROL_ROOT,  # the root it is at; -1: before the first
    CONTROL_STEPS,  # steps made
    CONTROL_WANTED,  # only routes worth more are looked for
    CONTROL_COLLECT,  # 1: store every such route; 0: keep the best, and want more than that
    CONTROL_ROUTES,  # routes stored
    CONTROL_STORED,  # links of stored routes
    CONTROL_BEST,  # value of the best route found; -1: none
    CONTROL_DEEP,  # 1: the deep gear
    CONTROL_STAMP,  # marks the rows of the table of states that this walk wrote
    CONTROL_ENOUGH,  # no route is worth more: the first worth as much ends the walk
    CONTROL_MUST,  # features without which a route does not count
) = range(12)
CONTROL_PLACES = 12

# ``level``: one row for each step of the way, level 0 is the root. A level that begins the second arm is at the root
# again and adds no node.
(
    LEVEL_NODE,
    LEVEL_ARC,  # the next arc to try; past the end of the node's arcs: the second arm has been tried too
    LEVEL_ARM,  # 0: the first arm, 1: the second
    LEVEL_LINK,  # the link that led here; -1: none, a root
    LEVEL_PREFIX,  # the most that a part of the way up to here earns as a route; -1: none is a route
    LEVEL_BOUND,  # what nothing that begins with this way can exceed (deep gear)
    LEVEL_UNION,  # features of all that is within reach (deep gear), and of the way
    LEVEL_UNION_BONUS,  # the bonuses of those
    LEVEL_MATTERS,  # those of them that are part of a bonus within reach
    LEVEL_LIFTS,  # 1: a variable node is within reach, so that the lifting value matters
    LEVEL_BONUS,  # bonuses of the way
    LEVEL_FEATURE,  # features of the way
    LEVEL_COUNT,  # K columns: the counters of the kinds
) = range(13)
(
    LEVEL_PAID,  # what all counted nodes and the links pay, but for the lifting value (factor not applied)
    LEVEL_VARIABLES,  # number of counted variable nodes
    LEVEL_LIFTED,  # the lifting value
    LEVEL_OWN_BEST,  # under the simple rule: value of the best own plain node; -1: none
    LEVEL_OWN_BEST_PLUS,  # plus of the best own variable node; -1: none
    LEVEL_TOP,  # B columns with the best plain values, highest first, then B with the best plus; -1: none
) = range(LEVEL_COUNT + K, LEVEL_COUNT + K + 6)

# ``scratch``: rows of working room. Each is used by the functions named, and holds nothing between two steps.
(
    SCRATCH_NODES,  # best_set: payable nodes of the way, best first
    SCRATCH_WORTH,  # best_set: what each of these pays
    SCRATCH_STATE,  # fill_up: 0 not looked at, 1 chosen, 2 counted, 3 left out
    SCRATCH_WANT,  # best_set: features that must be counted, one a place
    SCRATCH_CHOICE,  # best_set: for each of these the place of the node that has it
    SCRATCH_COST,  # flood: for each node, the least cost to reach it
    SCRATCH_QUEUE,  # flood: nodes to go on from, a ring
    SCRATCH_QUEUED,  # flood: 1 for nodes in it
    SCRATCH_INSIDE,  # flood, ceiling: for each node 0 out of reach, 1 within reach, 2 on the way
    SCRATCH_FOUND,  # blocks: when each node was found; 0: not
    SCRATCH_LOW,  # blocks: the earliest found node that it is tied to
    SCRATCH_FROM,  # blocks: the node it was found from; -1: tip or root
    SCRATCH_NEXT,  # blocks: its next arc
    SCRATCH_STACK,  # blocks: nodes whose block is not known yet
    SCRATCH_HOME,  # blocks, dead_ends: for each node the block through which it is entered
    SCRATCH_GAIN,  # blocks: for each node, features of it and of links that were found from it
    SCRATCH_HANGS,  # blocks: for each block the node it hangs at; -1: tip or root
    SCRATCH_CHOSEN,  # largest: columns of the sets that are part of no other
    SCRATCH_SETS,  # from here on a column for each set of what one arm may have: features, then words of nodes
) = range(19)

# ``seen``: what of a state is compared; the columns after its links are those of ``level`` from LEVEL_FEATURE on, and
# last, words of nodes.
SEEN_KEY, SEEN_LINKS = range(2)

# ``best_links`` of a walk; ``control`` and ``best`` of a combination
BEST_NUMBER, BEST_LINKS = range(2)
COMBINE_DEPTH, COMBINE_STEPS = range(2)
COMBINED_TOTAL, COMBINED_ROUTES = range(2)


class Problem(NamedTuple):
    """A position as arrays, in no word of 18xx (:func:`trunkline.solver.search.problem.model`).

    - ``first`` (N + 1): the arcs of node n are the rows ``first[n]`` to ``first[n + 1]`` of ``arc``.
    - ``arc`` (A, ARC_COST), ``node`` (N, NODE_VALUE), ``link`` (L, LINK_WORTH): see their columns.
    - ``use`` (L, W): resources; two links may both be on routes only if these are disjoint.
    - ``train`` (T, TRAIN_COLUMNS): what a train is paid for.
    - ``worth`` (T, N, 2): what nodes pay it.
    - ``link_worth`` (T, L): what links pay it.
    - ``limit`` (T, 2, C, 2): what it may visit, and what of that may be paid. Rows without kinds fill up.
    - ``all_of`` (T, X, 2): a route of the train with all these features earns the amount, once.
    - ``one_of`` (Y, BONUS_COLUMNS): a route with one of these features earns the best (or the sum) of the amounts of
      those rows of ``reach`` of which it has a feature.
    - ``reach`` (Z, 2): for ``one_of``.
    - ``general`` (2): rules that hold for every train.
    """

    first: Ints
    arc: Ints
    node: Ints
    link: Ints
    use: Ints
    train: Ints
    worth: Ints
    link_worth: Ints
    limit: Ints
    all_of: Ints
    one_of: Ints
    reach: Ints
    general: Ints


class Task(NamedTuple):
    """One train on a problem, as the walk wants it (:func:`trunkline.solver.search.tasks.task_of`).

    - ``first`` (N + 1), ``arc`` (A, ARC_COST + 1), ``node`` (N, NODE_COLUMNS), ``link`` (L, LINK_COLUMNS): as in the
      problem, with what is so for this train.
    - ``clash`` (F): for each link the others that may not be used with it; F of them.
    - ``rule`` (RULE_PLACES): the train, and general rules.
    - ``limit`` (2, C, 2): as in the problem.
    - ``bonus`` (X + Y + Z, BONUS_COLUMNS): the rows of ``all_of``, ``one_of`` and ``reach``.
    - ``order`` (1 + P): ORDER_VARIABLE; then the payable plain nodes, then the variable ones, best first each.
    """

    first: Ints
    arc: Ints
    node: Ints
    link: Ints
    clash: Ints
    rule: Ints
    limit: Ints
    bonus: Ints
    order: Ints


class Walk(NamedTuple):
    """State of a walk (:func:`trunkline.solver.search.tasks.new_walk`).

    - ``control`` (CONTROL_PLACES): the scalars.
    - ``level`` (D, LEVEL_TOP + 2 * B): the stack; its last row is working room of the deep gear.
    - ``shut_node`` (N), ``shut_link`` (L): how many reasons there are not to go there; int32.
    - ``route_value`` (R): values of the stored routes.
    - ``route_first`` (R + 1): where the links of each begin in ``route_links``, and those of the next.
    - ``route_links`` (E): their links; int32.
    - ``best_links`` (BEST_LINKS + D): how many links the best route has, then the links; int32.
    - ``scratch`` (SCRATCH_SETS + 2 + N // 64, 4 * D): see its rows.
    - ``open_links`` (-(-L // 64)): the links within reach (deep gear).
    - ``stamps`` (S): who wrote a row of ``seen``.
    - ``seen`` (S, SEEN_LINKS - (-L // 64) + LEVEL_TOP + 2 * B - LEVEL_FEATURE + N // 64 + 1): the table of states
      (deep gear; S is 0 without it, and it has no columns then).
    """

    control: Ints
    level: Ints
    shut_node: SmallInts
    shut_link: SmallInts
    route_value: Ints
    route_first: Ints
    route_links: SmallInts
    best_links: SmallInts
    scratch: Ints
    open_links: Ints
    stamps: Ints
    seen: Ints


class Combination(NamedTuple):
    """State of the choice of one route for each run (:mod:`trunkline.solver.search.combine`).

    - ``control`` (2): depth and steps.
    - ``first`` (T + 1): train t has the routes ``first[t]`` to ``first[t + 1]``, best first.
    - ``value`` (Q), ``use`` (Q, W): what a route earns, and its resources.
    - ``train`` (M): the train of each run.
    - ``rest`` (M + 1): what this run and all later ones can add at most.
    - ``at`` (M + 1), ``total`` (M + 1), ``used`` (M + 1, W): the stack: next route; what earlier runs earn and use.
    - ``choice`` (M): the route of each run; -1: idle.
    - ``best`` (COMBINED_ROUTES + M): the best total, and its routes.
    """

    control: Ints
    first: Ints
    value: Ints
    use: Ints
    train: Ints
    rest: Ints
    at: Ints
    total: Ints
    used: Ints
    choice: Ints
    best: Ints


def signed_word(bits: int) -> int:
    """64 bits as the signed number that int64 holds them in."""
    return bits - (1 << 64) if bits >> 63 else bits
