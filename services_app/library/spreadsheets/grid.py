"""The cells of a workbook with their formulas worked out, whatever the order in which they depend on each other."""

from __future__ import annotations

from typing import Any

from services_app.library.shared import fold
from services_app.library.spreadsheets.formulas import (
    MAX_COLUMNS,
    MAX_ROWS,
    FormulaError,
    Node,
    Ref,
    Span,
    parse,
    span_of,
    uses,
)
from services_app.library.spreadsheets.functions import (
    FUNCTIONS,
    HOLDS,
    Block,
    Fault,
    compare,
    number,
    shown,
    text_of,
    typed,
)
from services_app.library.spreadsheets.state import Cell, SpreadsheetState

Place = tuple[str, int, int]  # sheet id, row, column
_LONGEST = 2000  # characters of a text that a formula gives


class Grid:
    """One workbook as it is now. Values are worked out when asked for and kept for this one call."""

    def __init__(self, state: SpreadsheetState, workbook_id: str, today: str) -> None:
        self.today = today
        self.sheets = {fold(row.title): row.id for row in state.sheets.find(workbook_id=workbook_id)}
        ids = set(self.sheets.values())
        self.cells: dict[Place, Cell] = {
            (row.sheet_id, row.row, row.column): row for row in state.cells if row.sheet_id in ids
        }
        self.names = {
            fold(row.name): (row.sheet_id, span_of(row.range)) for row in state.named_ranges if row.sheet_id in ids
        }
        self._known: dict[Place, Any] = {}

    def used(self, sheet_id: str) -> Span | None:
        """The block from A1 to the last row and column that hold something."""
        places = [(row, column) for sheet, row, column in self.cells if sheet == sheet_id]
        if not places:
            return None
        return Span(1, 1, max(row for row, _ in places), max(column for _, column in places))

    def content(self, place: Place) -> str:
        cell = self.cells.get(place)
        return cell.content if cell else ""

    def shown(self, place: Place) -> Any:
        """The value of a cell as answers give it; None for an empty one."""
        return shown(self.value(place))

    def value(self, place: Place) -> Any:
        """The value of a cell. What it depends on is worked out first, without recursion: chains may be long."""
        open_: list[Place] = [place]
        waiting: set[Place] = set()
        while open_:
            here = open_[-1]
            if here in self._known:
                waiting.discard(open_.pop())
                continue
            waiting.add(here)
            needs = [other for other in self._needs(here) if other not in self._known]
            for other in waiting.intersection(needs):  # what waits for this cell: it would need itself
                self._known[other] = Fault("#REF!")
            needs = [other for other in needs if other not in waiting]
            if needs:
                open_ += needs
                continue
            self._known[here] = self._result(here)
        return self._known[place]

    def reads(self, place: Place) -> list[tuple[str, Span]]:
        """Sheets and blocks that the formula of a cell names."""
        node = self._tree(place)
        return [self._where(use, place[0]) for use in uses(node)] if node else []

    def _needs(self, place: Place) -> list[Place]:
        """Cells with formulas that a cell depends on; all others need no work."""
        return [
            (sheet, row, column)
            for sheet, span in self.reads(place)
            for row, column in (span.places() if sheet else ())
            if self.content((sheet, row, column)).startswith("=")
        ]

    def _tree(self, place: Place) -> Node | None:
        content = self.content(place)
        if not content.startswith("="):
            return None
        try:
            return parse(content)
        except FormulaError:
            return ("lost",)

    def _where(self, node: Node, own: str) -> tuple[str, Span]:
        """Sheet and block that an address or a name means; no sheet when there is none."""
        if node[0] == "name":
            return self.names.get(fold(node[1]), ("", Span(1, 1, 1, 1)))
        ref: Ref = node[1]
        inside = ref.span.bottom <= MAX_ROWS and ref.span.right <= MAX_COLUMNS
        sheet = self.sheets.get(fold(ref.sheet), "") if ref.sheet else own
        return (sheet if inside else ""), ref.span

    def _result(self, place: Place) -> Any:
        node = self._tree(place)
        if node is None:
            content = self.content(place)
            return typed(content) if content else None
        try:
            found = self._work(node, place[0])
            if isinstance(found, list):
                found = found[0][0] if len(found) == len(found[0]) == 1 else Fault("#VALUE!")
            if isinstance(found, str):
                return found[:_LONGEST]
            return 0.0 if found is None else found
        except Fault as fault:
            return fault
        except (OverflowError, ZeroDivisionError, TypeError):  # a number out of bounds, or a wrong count of arguments
            return Fault("#VALUE!")

    def _work(self, node: Node, own: str) -> Any:
        kind = node[0]
        if kind == "value":
            return node[1]
        if kind == "lost":
            raise Fault("#REF!")
        if kind in ("ref", "name"):
            return self._block(node, own)
        if kind == "call":
            return self._call(node[1], node[2], own)
        left, right = self._single(node[2], own), self._single(node[3], own)
        return _combined(node[1], left, right)

    def _block(self, node: Node, own: str) -> Any:
        sheet, span = self._where(node, own)
        if not sheet:
            raise Fault("#NAME?" if node[0] == "name" else "#REF!")
        block: Block = [[self._plain((sheet, row, column)) for column in span.columns()] for row in span.rows()]
        return block[0][0] if len(block) == len(block[0]) == 1 else block

    def _plain(self, place: Place) -> Any:
        """The value of a cell that is worked out already, or holds no formula."""
        if place not in self._known:
            content = self.content(place)
            if content.startswith("="):
                return Fault("#REF!")
            self._known[place] = typed(content) if content else None
        return self._known[place]

    def _single(self, node: Node, own: str) -> Any:
        found = self._work(node, own)
        if isinstance(found, Fault):
            raise found
        if isinstance(found, list):
            raise Fault("#VALUE!")
        return found

    def _call(self, name: str, arguments: tuple[Node, ...], own: str) -> Any:
        if name == "TODAY":
            return self.today
        if name == "IF" and 2 <= len(arguments) <= 3:
            if number(self._single(arguments[0], own)):
                return self._single(arguments[1], own)
            return self._single(arguments[2], own) if len(arguments) == 3 else False
        if name == "IFERROR" and len(arguments) == 2:
            try:
                return self._single(arguments[0], own)
            except Fault:
                return self._single(arguments[1], own)
        function = FUNCTIONS.get(name)
        if function is None:
            raise Fault("#NAME?")
        found = function(*(self._work(argument, own) for argument in arguments))
        if isinstance(found, Fault):
            raise found
        return found


def _combined(sign: str, left: Any, right: Any) -> Any:
    if sign == "&":
        return text_of(left) + text_of(right)
    if sign in HOLDS:
        return HOLDS[sign](compare(left, right))
    a, b = number(left), number(right)
    if sign == "+":
        return a + b
    if sign == "-":
        return a - b
    if sign == "*":
        return a * b
    if sign == "/":
        if b == 0:
            raise Fault("#DIV/0!")
        return a / b
    if abs(b) > 64 or abs(a) > 1e6 or (a == 0 and b < 0) or (a < 0 and not b.is_integer()):
        raise Fault("#NUM!")
    return float(a**b)
