"""Playing a game of a file at a terminal: hot seat, bots, or lines of a script.

A :class:`Session` asks who is to act, takes numbers, texts of :mod:`trunkline.engine.wire.notation` or commands
(``COMMANDS``), and writes every action to the file at once. Hands are shown only to the player who is alone at the
screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rich.console import Console, RenderableType
from rich.text import Text

from trunkline.engine import game
from trunkline.engine.actions import Action, DrawDummy, EndGame, type_name
from trunkline.engine.bots.bots import Bot
from trunkline.engine.cli import choices, tables
from trunkline.engine.cli.book import Book
from trunkline.engine.cli.log_lines import log_line, log_lines
from trunkline.engine.cli.manual import COMMANDS, explained, two_columns
from trunkline.engine.cli.picture import picture
from trunkline.engine.cli.seats import addressed
from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.rules import run
from trunkline.engine.rules.run import Solver
from trunkline.engine.rules.setup import kept
from trunkline.engine.state import AUCTION, DRAFT, KEEP, OPERATE, RUN, STOCK, State
from trunkline.engine.views import view
from trunkline.engine.wire import notation
from trunkline.solver.board import Solution
from trunkline.solver.cli.output import distinct, replacing


class Stop(Exception):
    """The player leaves."""


class Refusal(Exception):
    """A line of a script that cannot be taken."""


@dataclass(slots=True)
class Session:
    """A game being played. ``bots``: by seat; ``spare``: for the command ``bot``;

    ``hide``: hand the screen over between players who have secrets.
    """

    book: Book
    console: Console
    solver: Solver
    bots: dict[int, Bot] = field(default_factory=dict)
    spare: Bot | None = None
    hide: bool = True
    ask: Callable[[str], str] | None = None
    shown_to: int = -1
    shown_turn: tuple[int, int, str] | None = None
    listed: tuple[int, int, list[Action], Solution | None] | None = None

    # --- what is asked

    @property
    def state(self) -> State:
        """The state now."""
        return self.book.state

    def bots_act(self, most: int | None = None) -> int:
        """Let the bots play until a human is to act, or the game is over; gives how many actions they took."""
        taken = 0
        while (seats := game.actors(self.state)) and (most is None or taken < most):
            seat = next((s for s in seats if s in self.bots), None)
            if seat is None:
                break
            self.take(self.bots[seat](view(self.state, seat), seat))
            taken += 1
        return taken

    def take(self, action: Action) -> None:
        """Take an action, write it, say it. Raises RuleError."""
        before = self.state
        self.book.append(action)
        self.say(log_line(before, self.book.number, action, self.state))

    def say(self, *what: RenderableType) -> None:
        """Print."""
        for part in what:
            self.console.print(part, highlight=False)

    # --- a script

    def script(self, lines: Iterable[str]) -> None:
        """Take each line: an action, for a certain seat as ``NAME: action``, or a command; # begins a comment.

        Raises Refusal: names the line; what was taken before it stays.
        """
        for number, line in enumerate(lines, 1):
            seat, text = addressed(self.state, line)
            if text:
                try:
                    self.bots_act()
                    self.line((game.actors(self.state) or (0,))[0] if seat is None else seat, text)
                except Stop:
                    return
                except (RuleError, LogError) as e:
                    shown = text if seat is None else line.partition("#")[0].strip() or line.strip()
                    raise Refusal(f"line {number}, {shown!r}: {e}") from e
        self.bots_act()

    # --- a terminal

    def play(self, ask: Callable[[str], str]) -> None:
        """Ask the players until somebody leaves; after the end of the game whether the last action was meant."""
        self.ask = ask
        try:
            while True:
                self.bots_act()
                seats = game.actors(self.state)
                if not seats:
                    self._end(ask)
                else:
                    self._decision(seats[0], ask)
        except Stop:
            self.say(Text(f"\nkept in {self.book.path} after action {self.book.number}", style="dim"))

    def _decision(self, seat: int, ask: Callable[[str], str]) -> None:
        """Show what the player needs and take lines until an action is taken."""
        self._hand_over(seat, ask)
        before = self.book.number
        self._show_table(seat)
        if self._secret_stage:
            self.say(tables.hand(self.state, seat))
        if self.state.stage == KEEP:
            self.say(Text(f"keep {kept(self.state.options)} of the {len(self.state.players[seat].hand)} cards"))
        self._list(seat, ())
        while self.book.number == before:
            text = ask(f"{self.state.options.players[seat]}> ").strip()
            self._typed(seat, text or "?")

    def _typed(self, seat: int, text: str) -> None:
        """A line that somebody typed; what is wrong with it is said."""
        try:
            self.line(seat, text)
        except OSError as e:
            self.say(Text(f"cannot write {e.filename}: {e.strerror}" if e.filename else str(e), style="red"))
        except (RuleError, LogError) as e:
            self.say(Text(str(e), style="red"))

    def _end(self, ask: Callable[[str], str]) -> None:
        """Show the result and take lines until an action is taken back: the last one may have been a mistake."""
        self.say(tables.report(view(self.state, None)))
        self.say(Text("undo takes the last action back, quit ends; show, log and draw FILE look at it", style="dim"))
        while not game.actors(self.state):
            if text := ask("undo or quit> ").strip():
                self._typed(0, text)

    def _show_table(self, seat: int) -> None:
        """The table; within the turn of a company only the turn."""
        seen = view(self.state, seat)
        at = (seen.round, seen.operating_round, seen.operating.company) if seen.stage == OPERATE else None
        if at is not None and at == self.shown_turn:
            self.say(tables.turn(seen))
        else:
            self.say(tables.report(seen, full=False))
        self.shown_turn = at

    @property
    def _secret_stage(self) -> bool:
        pending = self.state.pending
        return self.state.stage in (KEEP, DRAFT, AUCTION, STOCK) or bool(pending and pending[0].kind == "dummy")

    def _hand_over(self, seat: int, ask: Callable[[str], str]) -> None:
        """Before a hand is shown to another player, clear the screen and wait until that player sits there."""
        if not self._secret_stage or self.shown_to == seat:
            return
        if self._hides:
            if self.shown_to != -1:
                ask("Enter hides your hand ")
            self.clear()
            name = self.state.options.players[seat]
            ask(f"{name}, press Enter when nobody else can see the screen ")
        self.shown_to = seat

    @property
    def _hides(self) -> bool:
        """Whether hands are hidden between players: unless all may see all, or there is only one human."""
        return self.hide and len(self.state.options.players) - len(self.bots) > 1

    def clear(self) -> None:
        """Clear the screen, and what could be scrolled back to."""
        if self.console.is_terminal:
            self.console.clear()
            self.console.file.write("\x1b[3J")
            self.console.file.flush()

    # --- a line

    def line(self, seat: int, text: str) -> None:
        """A number, an action, or a command. Raises RuleError, LogError, Stop."""
        word, *rest = text.split()
        command = getattr(self, f"_c_{_ALIASES.get(word.lower(), word.lower())}", None)
        if not game.actors(self.state) and (command is None or command.__name__ not in _AFTER_THE_END):
            raise RuleError("11", "the game is over", "undo")
        if word.lower() == "hand" and rest:
            command = None  # to buy from the hand
        if word.lower() == "draw" and not rest and game.allowed(self.state, DrawDummy(seat)):
            command = None  # to draw from the dummy hand
        if word.isascii() and word.isdigit() and not rest:
            self.take(self._numbered(seat, int(word)))
        elif command is not None:
            command(seat, rest)
        elif word.startswith("?"):
            self._list(seat, [w for w in [word[1:], *rest] if w])
        else:
            self._act(self._read(seat, text))

    def _act(self, action: Action) -> None:
        """Take an action; when nothing of its kind can be done now, the error lists what can be typed."""
        try:
            self.take(action)
        except RuleError as e:
            if action.seat not in game.actors(self.state) and not isinstance(action, EndGame):
                name = self.state.options.players[action.seat]
                raise RuleError(e.section, f"it is not {name}'s turn", e.legal) from None
            verb, now = notation.verb(action), self._verbs(action.seat)
            if not now or (verb in now and not e.legal.startswith("step ")):
                raise
            kind = type_name(type(action))
            message = f"{verb}{e.message.removeprefix(kind)}" if e.message.startswith(f"{kind} ") else e.message
            raise RuleError(e.section, message, ", ".join(now)) from None

    def _verbs(self, seat: int) -> list[str]:
        """The first words of what the seat can do now."""
        found = game.legal_actions(self.state, seat)
        if game.allowed(self.state, EndGame(seat)):  # never in the list: it would be taken by mistake
            found = [*found, EndGame(seat)]
        return list(dict.fromkeys(notation.verb(x) for x in found))

    def _numbered(self, seat: int, number: int) -> Action:
        legal, _ = self._legal(seat)
        if number not in range(1, len(legal) + 1):
            raise notation.ActionTextError(f"there is no number {number}; the list goes from 1 to {len(legal)}")
        return legal[number - 1]

    def _read(self, seat: int, text: str) -> Action:
        words = text.split()
        if words[0].lower() == "run" and [w.lower() for w in words[1:]] == ["best"]:
            return run.best(self.state, self.solver)
        if words[0].lower() in ("keep", "hand"):  # numbers are those of the hand as it is shown
            own = self.state.players[seat].hand
            words[1:] = [own[int(w) - 1] if w.isdigit() and 0 < int(w) <= len(own) else w for w in words[1:]]
        if words[0].lower() not in notation.TEXTS:
            now = ", ".join(self._verbs(seat)) or "nothing"
            raise notation.ActionTextError(f"{words[0]!r} is no action and no command; now: {now}; help lists commands")
        return notation.read_action(self.state, seat, " ".join(words))

    def _legal(self, seat: int) -> tuple[list[Action], Solution | None]:
        """What the seat can do; while trains run, the best run first, and the solution."""
        if self.listed is None or self.listed[:2] != (self.book.number, seat):
            found, solution = game.legal_actions(self.state, seat), None
            if self._running:
                solution = self.solver(run.position(self.state))
                best = run.best(self.state, lambda _: solution)
                found = [best, *(x for x in found if x != best)]
            self.listed = (self.book.number, seat, found, solution)
        return self.listed[2], self.listed[3]

    @property
    def _running(self) -> bool:
        return self.state.stage == OPERATE and not self.state.pending and self.state.operating.step == RUN

    def _list(self, seat: int, words: Sequence[str]) -> None:
        from trunkline.solver.cli.report import solution_report

        legal, solution = self._legal(seat)
        if solution is not None and not words:
            self.say(solution_report(run.position(self.state), solution))
        self.say(choices.choices(self.state, legal, words, every=bool(words)))
        if not words:
            self.say(Text("a number, an action, ? to filter, help for more", style="dim"))

    # --- commands

    def _c_show(self, seat: int, words: list[str]) -> None:
        self.say(tables.report(view(self.state, seat), full=True))

    def _c_hand(self, seat: int, words: list[str]) -> None:
        ask = self.ask if self._hides and not self._secret_stage else None
        if ask:
            ask(f"{self.state.options.players[seat]}, press Enter when nobody else can see the screen ")
        self.say(tables.hand(self.state, seat))
        if ask:
            ask("Enter hides your hand ")
            self.clear()
            self._show_table(seat)
            self._list(seat, ())

    def _c_best(self, seat: int, words: list[str]) -> None:
        from trunkline.solver.cli.report import solution_report

        company = words[0].upper() if words else self.state.operating.company
        if company not in self.state.companies:
            raise notation.ActionTextError(f"name a company: {', '.join(self.state.companies)}")
        position = run.position(self.state, company)
        self.say(solution_report(position, self.solver(position)))

    def _c_draw(self, seat: int, words: list[str]) -> None:
        if len(words) != 1:
            raise notation.ActionTextError("draw FILE: name one file, such as board.svg")
        distinct(words[0], self.book.path, "-")
        with replacing(words[0]) as target:
            target.write(picture(self.state, self.solver if self._running else None))
        self.say(f"drawn into {words[0]}")

    def _c_log(self, seat: int, words: list[str]) -> None:
        count = _count(words, 10)
        first = max(0, self.book.number - count)
        self.say(*log_lines(self.book.log, first, self.book.number))

    def _c_undo(self, seat: int, words: list[str]) -> None:
        number = self.book.number - _count(words, 1)
        if number < 0:
            raise notation.ActionTextError(f"there are {self.book.number} actions, no more to take back")
        self.book.undo(number)
        self.listed, self.shown_to, self.shown_turn = None, -1, None
        self.say(Text(f"back to action {number}", style="yellow"))

    def _c_bot(self, seat: int, words: list[str]) -> None:
        if self.spare is None:
            return
        for _ in range(_count(words, 1)):
            seats = game.actors(self.state)
            if not seats:
                return
            self.take((self.bots.get(seats[0]) or self.spare)(view(self.state, seats[0]), seats[0]))

    def _c_help(self, seat: int, words: list[str]) -> None:
        if not words:
            now = {notation.verb(x) for x in self._legal(seat)[0]}
            possible = [(t.form, t.meaning) for verb, t in notation.TEXTS.items() if verb in now]
            self.say(two_columns([*COMMANDS.items(), *possible]))
        elif words[0].lower() == "all":
            self.say(two_columns((t.form, t.meaning) for t in notation.TEXTS.values()))
        else:
            self.say(*explained(_ALIASES.get(words[0].lower(), words[0].lower())))

    def _c_quit(self, seat: int, words: list[str]) -> None:
        raise Stop


_AFTER_THE_END = {f"_c_{name}" for name in ("show", "best", "draw", "log", "undo", "help", "quit")}
_ALIASES = {"q": "quit", "exit": "quit", "h": "help", "s": "show", "u": "undo"}


def _count(words: Sequence[str], default: int) -> int:
    if not words:
        return default
    if len(words) > 1 or not (words[0].isascii() and words[0].isdigit()):
        raise notation.ActionTextError(f"{' '.join(words)!r} is no number")
    return int(words[0].lstrip("0")[:20] or "0")  # no game has more actions; int() refuses thousands of digits
