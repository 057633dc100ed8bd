"""Arithmetic expressions as people write them: `2 * (3 + 4)^2`, `sqrt(16)`, `sin(PI / 2)`. Nothing is executed."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from services_app.engine.errors import ToolError
from services_app.recipes.numbers import tidy

_LONGEST = 500


def _factorial(a: float) -> int:
    if a != int(a) or not 0 <= a <= 170:
        raise OverflowError("a factorial is taken of a whole number from 0 to 170")
    return math.factorial(int(a))


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: math.pow,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(math, name)
        for name in (
            "sqrt sin cos tan asin acos atan atan2 sinh cosh tanh exp log log2 log10 floor ceil trunc hypot degrees "
            "radians cbrt fabs"
        ).split()
    },
    "ln": math.log,
    "abs": abs,
    "min": min,
    "max": max,
    "pow": math.pow,
    "round": lambda a, digits=0: round(a, int(digits)),
    "factorial": _factorial,
    "fac": _factorial,
    "gcd": lambda a, b: math.gcd(int(a), int(b)),
    "sign": lambda a: (a > 0) - (a < 0),
}
_CONSTANTS: dict[str, Any] = {
    "pi": math.pi,
    "PI": math.pi,
    "e": math.e,
    "E": math.e,
    "tau": math.tau,
    "true": True,
    "false": False,
}


def evaluate(expression: str, variables: Mapping[str, Any] | None = None) -> Any:
    """The value of an expression; 400 for anything that is none."""
    text = str(expression).strip()
    if not text or len(text) > _LONGEST:
        raise _bad(f"An expression has between 1 and {_LONGEST} characters.")
    for other, own in (("^", "**"), ("×", "*"), ("÷", "/"), ("−", "-"), ("π", "pi"), ("&&", " and "), ("||", " or ")):
        text = text.replace(other, own)
    try:
        tree = ast.parse(text, mode="eval")
        value = _value(tree.body, variables or {})
    except ToolError:
        raise
    except ZeroDivisionError as error:
        raise _bad("Division by zero.") from error
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise _bad(f"{expression!r} is not an arithmetic expression.") from error
    except (ValueError, TypeError, OverflowError) as error:
        raise _bad(f"The expression has no value: {error}.") from error
    return value if isinstance(value, bool) else tidy(value)


def _bad(message: str) -> ToolError:
    return ToolError(400, "bad_expression", message)


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.Name):
        return _named(node.id, known)
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, known)
        return (not inner) if isinstance(node.op, ast.Not) else -inner if isinstance(node.op, ast.USub) else +inner
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return tidy(_BINARY[type(node.op)](_value(node.left, known), _value(node.right, known)))
    if isinstance(node, ast.Call):
        return _called(node, known)
    if isinstance(node, ast.IfExp):
        return _value(node.body if _value(node.test, known) else node.orelse, known)
    return _truth(node, known)


def _named(name: str, known: Mapping[str, Any]) -> Any:
    if name in known:
        return known[name]
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    raise _bad(f"Nothing is known under the name {name!r}.")


def _truth(node: ast.expr, known: Mapping[str, Any]) -> bool:
    if isinstance(node, ast.BoolOp):
        values = (_value(part, known) for part in node.values)
        return all(values) if isinstance(node.op, ast.And) else any(values)
    if isinstance(node, ast.Compare) and all(type(op) in _COMPARE for op in node.ops):
        sides = [_value(part, known) for part in (node.left, *node.comparators)]
        return all(_COMPARE[type(op)](a, b) for op, a, b in zip(node.ops, sides, sides[1:], strict=False))
    raise _bad("Only numbers, operators, comparisons and mathematical functions may stand in an expression.")


def _called(node: ast.Call, known: Mapping[str, Any]) -> Any:
    function = _FUNCTIONS.get(node.func.id) if isinstance(node.func, ast.Name) else None
    if function is None or node.keywords:
        raise _bad("The expression calls something that is no mathematical function.")
    return tidy(function(*(_value(argument, known) for argument in node.args)))
