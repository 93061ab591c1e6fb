"""The walk: all routes of one train, depth first, each exactly once; docs/how-it-works.md has an example."""

from __future__ import annotations

from trunkline.solver.search.kernel.bound import promising
from trunkline.solver.search.kernel.cache import ONE, inlined, inner, kernel
from trunkline.solver.search.kernel.value import bonus_of, keep_best, value_at_end
from trunkline.solver.search.layout import (
    ARC_LINK,
    ARC_NODE,
    BEST_LINKS,
    BEST_NUMBER,
    CONTROL_BEST,
    CONTROL_COLLECT,
    CONTROL_DEEP,
    CONTROL_DEPTH,
    CONTROL_ENOUGH,
    CONTROL_MUST,
    CONTROL_ROOT,
    CONTROL_ROUTES,
    CONTROL_STEPS,
    CONTROL_STORED,
    CONTROL_WANTED,
    DONE,
    FULL,
    LEVEL_ARC,
    LEVEL_ARM,
    LEVEL_BONUS,
    LEVEL_COUNT,
    LEVEL_FEATURE,
    LEVEL_LIFTED,
    LEVEL_LINK,
    LEVEL_NODE,
    LEVEL_OWN_BEST,
    LEVEL_PAID,
    LEVEL_PREFIX,
    LEVEL_VARIABLES,
    LIMIT_KINDS,
    LIMIT_MOST,
    LIMIT_VISIT,
    LINK_CLASH_END,
    LINK_CLASH_FIRST,
    LINK_COUNT,
    LINK_FEATURE,
    LINK_WORTH,
    NODE_COUNT,
    NODE_END,
    NODE_FEATURE,
    NODE_GROUP,
    NODE_LIFT,
    NODE_OWN,
    NODE_PLUS,
    NODE_THROUGH,
    NODE_VALUE,
    RULE_PAY_ALL,
    RULE_PAY_BEST,
    RUNNING,
    Ints,
    K,
    SmallInts,
    Task,
    Walk,
)


@kernel
def walk(task: Task, w: Walk, budget: int) -> int:
    """Go on with a walk for up to ``budget`` steps.

    Collecting (CONTROL_COLLECT) stores every route that is worth more than WANTED and more than any part of it that
    the walk went through. Else only the best is kept, in ``best_links``, and WANTED rises with it, until it is ENOUGH.
    Routes without all features of MUST do not count.

    Parameters
    ----------
    task
        The train and the problem.
    w
        State of the walk, changed in place.
    budget
        Steps at most; a step tries one arc, begins a root or a second arm, or goes back.

    Returns
    -------
    int
        RUNNING; DONE: no route is left, or one is worth ENOUGH; FULL: no room to store more routes.
    """
    first, node, control, level = task.first, task.node, w.control, w.level
    d = control[CONTROL_DEPTH]
    steps = 0
    status = RUNNING
    while steps < budget and status == RUNNING:
        if control[CONTROL_COLLECT] and (
            control[CONTROL_ROUTES] + 1 >= w.route_value.shape[0]
            or control[CONTROL_STORED] + level.shape[0] > w.route_links.shape[0]
        ):
            status = FULL
            break
        steps += 1
        x = level[max(d, 0), LEVEL_NODE]
        if d < 0:
            if not next_root(task, w):
                status = DONE
                break
            entered = enter(task, level, d + 1, control[CONTROL_ROOT], d)
            if not entered:
                continue
        elif level[d, LEVEL_ARC] < first[x + 1]:
            if not follow_arc(task, w, d):
                continue
            entered = True
            if may_end(node, level, d + 1) and keep_route(task, w, d + 1):
                status = DONE
                break
        else:
            entered = begin_second_arm(task, w, d)
        if not entered:
            step_back(task, w, d)
            d -= 1
            continue
        d += 1
        x = level[d, LEVEL_NODE]
        if d == 0 or level[d, LEVEL_LINK] >= 0:
            shut(node, w.shut_node, x, ONE)
        if control[CONTROL_DEEP] and not promising(task, w, d):
            level[d, LEVEL_ARC] = first[x + 1] + 1
    control[CONTROL_DEPTH] = d
    control[CONTROL_STEPS] += steps
    return status


@inlined
def next_root(task: Task, w: Walk) -> bool:
    """Move CONTROL_ROOT on to the next own node and begin there; False if there is none. No later walk passes the last.

    So every route is found from the lowest-numbered own node on it.
    """
    node = task.node
    root = w.control[CONTROL_ROOT] + 1
    if root > 0:
        w.shut_node[root - 1] += node[root - 1, NODE_OWN]
    while root < node.shape[0] and not node[root, NODE_OWN]:
        root += 1
    w.control[CONTROL_ROOT] = root
    if root == node.shape[0]:
        return False
    w.level[0, LEVEL_ARM], w.level[0, LEVEL_ARC] = 0, task.first[root]
    return True


@inner
def enter(task: Task, level: Ints, d: int, x: int, over: int) -> bool:
    """Fill level d from level d - 1 (none for the root) with node x, reached over a link.

    False if the train may not visit so much.
    """
    rule, node, link = task.rule, task.node, task.link
    for k in range(K):
        level[d, LEVEL_COUNT + k] = node[x, NODE_COUNT + k]
        if d > 0:
            level[d, LEVEL_COUNT + k] += level[d - 1, LEVEL_COUNT + k] + link[over, LINK_COUNT + k]
    if not may_visit(task.limit, level, d):
        return False
    level[d, LEVEL_NODE] = x
    level[d, LEVEL_LINK] = over
    if d == 0:
        begin_level(level)
    else:
        copy_level(level, d)
    if rule[RULE_PAY_ALL]:
        if node[x, NODE_PLUS] < 0:
            level[d, LEVEL_PAID] += node[x, NODE_VALUE]
        else:
            level[d, LEVEL_PAID] += node[x, NODE_PLUS]
            level[d, LEVEL_VARIABLES] += 1
    elif rule[RULE_PAY_BEST] >= 0:
        keep_best(rule, node, level, d, x)
    if node[x, NODE_LIFT] > level[d, LEVEL_LIFTED]:
        level[d, LEVEL_LIFTED] = node[x, NODE_LIFT]
    feature = level[d, LEVEL_FEATURE] | node[x, NODE_FEATURE]
    if d > 0:
        feature |= link[over, LINK_FEATURE]
        level[d, LEVEL_PAID] += link[over, LINK_WORTH]
    if feature != level[d, LEVEL_FEATURE]:
        level[d, LEVEL_FEATURE] = feature
        level[d, LEVEL_BONUS] = bonus_of(rule, task.bonus, feature, feature)
    return True


@inlined
def may_visit(limit: Ints, level: Ints, d: int) -> bool:
    """Whether the counters of level d are within all limits of what is visited."""
    for i in range(limit.shape[1]):
        left = limit[LIMIT_VISIT, i, LIMIT_MOST]
        for k in range(K):
            if limit[LIMIT_VISIT, i, LIMIT_KINDS] >> k & 1:
                left -= level[d, LEVEL_COUNT + k]
        if left < 0:
            return False
    return True


@inlined
def begin_level(level: Ints) -> None:
    """What level 0 has before a node is entered, but for its counters."""
    for i in range(LEVEL_PREFIX, LEVEL_COUNT):
        level[0, i] = 0
    for i in range(LEVEL_PAID, LEVEL_OWN_BEST):
        level[0, i] = 0
    for i in range(LEVEL_OWN_BEST, level.shape[1]):
        level[0, i] = -1
    level[0, LEVEL_PREFIX] = -1


@inner
def copy_level(level: Ints, d: int) -> None:
    """What level d has from level d - 1, but for its counters."""
    for i in range(LEVEL_PREFIX, LEVEL_COUNT):
        level[d, i] = level[d - 1, i]
    for i in range(LEVEL_PAID, level.shape[1]):
        level[d, i] = level[d - 1, i]


@inlined
def follow_arc(task: Task, w: Walk, d: int) -> bool:
    """Try the next arc of level d: fill level d + 1 and shut what clashes with the link; False if it cannot be used."""
    first, node, link, level = task.first, task.node, task.link, w.level
    a = level[d, LEVEL_ARC]
    level[d, LEVEL_ARC] = a + 1
    over, y = task.arc[a, ARC_LINK], task.arc[a, ARC_NODE]
    if w.shut_node[y] or w.shut_link[over] or not enter(task, level, d + 1, y, over):
        return False
    level[d + 1, LEVEL_ARM] = level[d, LEVEL_ARM]
    level[d + 1, LEVEL_ARC] = first[y] if node[y, NODE_THROUGH] else first[y + 1]
    for i in range(link[over, LINK_CLASH_FIRST], link[over, LINK_CLASH_END]):
        w.shut_link[task.clash[i]] += 1
    return True


@inlined
def may_end(node: Ints, level: Ints, d: int) -> bool:
    """Whether the way to level d may be a route: its other end is the root or, in the second arm, that of the first."""
    x, root = level[d, LEVEL_NODE], level[0, LEVEL_NODE]
    other: bool = level[d, LEVEL_ARM] == 1 or node[root, NODE_END] == 1
    return node[x, NODE_END] == 1 and other


@inlined
def begin_second_arm(task: Task, w: Walk, d: int) -> bool:
    """Leave the first arm at level d, where a route may end, and begin the second; False if that cannot be.

    It begins at the root, after the arc where the first began: of the two arms of a route the earlier comes first.
    """
    first, node, level = task.first, task.node, w.level
    x, root = level[d, LEVEL_NODE], level[0, LEVEL_NODE]
    if level[d, LEVEL_ARC] != first[x + 1] or level[d, LEVEL_ARM] != 0 or level[d, LEVEL_LINK] < 0:
        return False
    if not node[x, NODE_END] or not node[root, NODE_THROUGH]:
        return False
    level[d, LEVEL_ARC] += 1
    level[d + 1, LEVEL_NODE] = root
    level[d + 1, LEVEL_LINK] = -1
    level[d + 1, LEVEL_ARM] = 1
    level[d + 1, LEVEL_ARC] = level[0, LEVEL_ARC]
    copy_level(level, d + 1)
    for k in range(K):
        level[d + 1, LEVEL_COUNT + k] = level[d, LEVEL_COUNT + k]
    return True


@inlined
def keep_route(task: Task, w: Walk, d: int) -> bool:
    """Keep the route that ends at level d, if it is wanted; True if it is worth ENOUGH and the walk may end."""
    control, level = w.control, w.level
    value = value_at_end(task, w, d)
    if value <= level[d, LEVEL_PREFIX] or control[CONTROL_MUST] & ~level[d, LEVEL_FEATURE]:
        return False
    level[d, LEVEL_PREFIX] = value
    if value <= control[CONTROL_WANTED]:
        return False
    if control[CONTROL_COLLECT]:
        stored = control[CONTROL_STORED]
        stored += write_links(level, d, w.route_links, stored)
        w.route_value[control[CONTROL_ROUTES]] = value
        control[CONTROL_ROUTES] += 1
        w.route_first[control[CONTROL_ROUTES]] = stored
        control[CONTROL_STORED] = stored
        return False
    w.best_links[BEST_NUMBER] = write_links(level, d, w.best_links, ONE * BEST_LINKS)
    control[CONTROL_WANTED] = value
    control[CONTROL_BEST] = value
    return bool(value >= control[CONTROL_ENOUGH])


@inner
def write_links(level: Ints, d: int, links: SmallInts, at: int) -> int:
    """Write the links of the walk at level d into an array from a place on; returns how many."""
    n = 0
    for i in range(1, d + 1):
        if level[i, LEVEL_LINK] >= 0:
            links[at + n] = level[i, LEVEL_LINK]
            n += 1
    return n


@inlined
def step_back(task: Task, w: Walk, d: int) -> None:
    """Open what level d has shut."""
    over = w.level[d, LEVEL_LINK]
    if over >= 0:
        for i in range(task.link[over, LINK_CLASH_FIRST], task.link[over, LINK_CLASH_END]):
            w.shut_link[task.clash[i]] -= 1
    if over >= 0 or d == 0:
        shut(task.node, w.shut_node, w.level[d, LEVEL_NODE], -ONE)


@inner
def shut(node: Ints, shut_node: SmallInts, x: int, more: int) -> None:
    """Shut (+1) or open (-1) a node and all that share a group with it."""
    shut_node[x] += more
    if node[x, NODE_GROUP]:
        for y in range(node.shape[0]):
            if node[y, NODE_GROUP] & node[x, NODE_GROUP]:
                shut_node[y] += more
