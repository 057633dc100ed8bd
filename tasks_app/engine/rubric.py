"""Rubrics: CEL expressions over what a rollout did to the state.

Variables of an expression (a `-` in a service name is written `_`):
  before, after   service -> table -> list of records (only the tables that the expression names)
  added, removed  service -> table -> list of records
  changed         service -> table -> list of {id, before, after}
  calls           list of {service, tool, arguments, success}
  answer          the final text
Functions: has_number(text, number), has_text(text, part), norm(text), near(a, b, tolerance).

Three outcomes: pass, fail, unknown (the expression could not be evaluated). Unknown is never a fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Protocol

from cel_expr_python import cel

from services_app.engine.catalogue import Catalogue
from services_app.engine.plain import canonical
from services_app.engine.protocol import Environment
from tasks_app.engine.expressions import plain_words, problems_of
from tasks_app.engine.task import Criterion, WriteScope

Status = Literal["pass", "fail", "unknown"]
NET = ("added", "removed", "changed")
_PATH = re.compile(r"(?<![\w.])(before|after|added|removed|changed)\.(\w+)\.(\w+)")


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """How one criterion came out; `detail` says why it is unknown."""

    id: str
    status: Status
    detail: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "status": self.status, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Verdict:
    """passed: every criterion passes and nothing outside the write scope changed; None if it cannot be told."""

    passed: bool | None
    score: float
    """Share of criteria that pass, 0..1."""
    results: tuple[CriterionResult, ...]
    collateral: tuple[dict[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "score": self.score,
            "results": [result.to_json() for result in self.results],
            "collateral": list(self.collateral),
        }


class Evidence(Protocol):
    """What criteria are evaluated on: an environment as it was left, or the record of a rollout."""

    def data(self, paths: Iterable[tuple[str, str, str]]) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rollout left behind: net changes against s0, calls, answer; tables are read on demand."""

    environment: Environment
    net: dict[str, dict[str, dict[str, list[Any]]]]
    """added|removed|changed -> service -> table -> records, every mounted table present."""
    answer: str

    def data(self, paths: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
        """Variables for CEL; `before` and `after` hold only the tables named in `paths`."""
        tables: dict[str, dict[str, dict[str, Any]]] = {"before": {}, "after": {}}
        slugs = {variable_name(slug): slug for slug in self.environment.catalogue.services}
        start: Environment | None = None
        for root, name, table in paths:
            slug = slugs.get(name)
            if root in NET or slug is None or table not in self.environment.catalogue.services[slug].tables:
                continue
            if root == "before" and start is None:
                start = self.environment.fork()
                start.reset()
            source = start if root == "before" and start is not None else self.environment
            tables[root].setdefault(name, {})[table] = source.rows(slug, table)
        calls = [call.to_json() for call in self.environment.calls]
        return {**tables, **self.net, "calls": calls, "answer": self.answer}


def variable_name(slug: str) -> str:
    """A service's name inside expressions."""
    return slug.replace("-", "_")


def net_changes(changes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Journal entries folded to one per record: first `before`, last `after`; changes that cancel out are gone."""
    folded: dict[tuple[str, str, str], dict[str, Any]] = {}
    for change in changes:
        key = (change["service"], change["table"], change["id"])
        if key in folded:
            folded[key]["after"] = change["after"]
        else:
            folded[key] = {name: change[name] for name in ("service", "table", "id", "before", "after")}
    return [change for change in folded.values() if canonical(change["before"]) != canonical(change["after"])]


def net_changes_of(environment: Environment) -> list[dict[str, Any]]:
    """What was done in `environment` since its initial state, one entry per record."""
    return net_changes(change.to_json() for change in environment.changes)


def outcome_of(environment: Environment, answer: str = "") -> Outcome:
    """The outcome of what was done in `environment` since its initial state."""
    changes = (change.to_json() for change in environment.changes)
    return Outcome(environment, net_tables(environment.catalogue, changes), answer)


def net_tables(
    catalogue: Catalogue, changes: Iterable[Mapping[str, Any]]
) -> dict[str, dict[str, dict[str, list[Any]]]]:
    """added|removed|changed -> service -> table -> records of a journal, every mounted table present."""
    net: dict[str, dict[str, dict[str, list[Any]]]] = {
        kind: {variable_name(slug): {table: [] for table in info.tables} for slug, info in catalogue.services.items()}
        for kind in NET
    }
    for change in net_changes(changes):
        name, table = variable_name(change["service"]), change["table"]
        if change["before"] is None:
            net["added"][name][table].append(change["after"])
        elif change["after"] is None:
            net["removed"][name][table].append(change["before"])
        else:
            net["changed"][name][table].append({key: change[key] for key in ("id", "before", "after")})
    return net


def paths_of(expression: str) -> tuple[tuple[str, str, str], ...]:
    """(root, service, table) of every table that an expression names."""
    return tuple(dict.fromkeys((match[1], match[2], match[3]) for match in _PATH.finditer(expression)))


def evaluate(criteria: Sequence[Criterion], outcome: Evidence) -> tuple[CriterionResult, ...]:
    """Evaluate each criterion on one outcome, with one conversion of the data for all of them."""
    paths = dict.fromkeys(path for criterion in criteria for path in paths_of(criterion.expression))
    try:
        activation = _environment().Activation(outcome.data(paths))
    except (RuntimeError, ValueError, TypeError) as error:
        return tuple(CriterionResult(item.id, "unknown", _said(error)) for item in criteria)
    return tuple(_evaluate_one(criterion, activation) for criterion in criteria)


def _evaluate_one(criterion: Criterion, activation: Any) -> CriterionResult:
    try:
        value = compile_expression(criterion.expression).eval(activation)
    except (RuntimeError, ValueError) as error:  # does not compile, or the iteration budget is used up
        return CriterionResult(criterion.id, "unknown", _said(error))
    # An evaluation error comes back as a value whose content is a truthy string: look at the type first.
    if value.type() != cel.Type.BOOL:
        words = plain_words(str(value.value())) if value.type() == cel.Type.ERROR else "it gives no yes or no"
        return CriterionResult(criterion.id, "unknown", words)
    return CriterionResult(criterion.id, "pass" if value.value() else "fail")


def collateral(changes: Iterable[Mapping[str, Any]], scope: Sequence[WriteScope]) -> list[dict[str, Any]]:
    """Net changes of a journal that no entry of the write scope allows."""
    allowed: dict[tuple[str, str, str], set[str] | None] = {}
    for entry in scope:
        key = (entry.service, entry.table, entry.action)
        known = allowed.get(key, set())
        allowed[key] = None if entry.action == "create" or known is None else known | set(entry.ids)
    found = []
    for change in net_changes(changes):
        action = "create" if change["before"] is None else "delete" if change["after"] is None else "change"
        ids = allowed.get((change["service"], change["table"], action), set())
        if ids is not None and change["id"] not in ids:
            found.append({**change, "action": action})
    return found


def verify(
    rubric: Sequence[Criterion], scope: Sequence[WriteScope], environment: Environment, answer: str = ""
) -> Verdict:
    """Judge what was done in `environment`: passed iff every criterion passes and there is no collateral."""
    journal = (change.to_json() for change in environment.changes)
    return verdict_of(evaluate(rubric, outcome_of(environment, answer)), collateral(journal, scope))


def verdict_of(results: tuple[CriterionResult, ...], damage: Iterable[dict[str, Any]]) -> Verdict:
    """The verdict that criteria and collateral damage add up to."""
    damage = tuple(damage)
    passes = sum(result.status == "pass" for result in results)
    failed = bool(damage) or any(result.status == "fail" for result in results) or not results
    unknown = any(result.status == "unknown" for result in results)
    return Verdict(
        passed=False if failed else None if unknown else True,
        score=passes / len(results) if results else 0.0,
        results=results,
        collateral=damage,
    )


def check_expression(expression: str, catalogue: Catalogue) -> list[str]:
    """Why an expression must not be saved: syntax, types, result not bool, unknown services, tables or fields."""
    try:
        compiled = compile_expression(expression)
    except (RuntimeError, ValueError) as error:
        return [_said(error)]
    problems = problems_of(expression, {variable_name(slug): info for slug, info in catalogue.services.items()})
    if compiled.return_type().name().upper() not in ("BOOL", "DYN"):
        problems.insert(0, f"the expression gives {compiled.return_type().name()}, not a yes or no")
    return problems


@lru_cache(maxsize=4096)
def compile_expression(expression: str) -> Any:
    """A compiled expression. Raises RuntimeError or ValueError with the position of the fault."""
    return _environment().compile(expression)


@lru_cache(maxsize=1)
def _environment() -> Any:
    kinds = cel.Type
    variables = dict.fromkeys(("before", "after", "added", "removed", "changed", "calls"), kinds.DYN)
    numbers = (kinds.INT, kinds.DOUBLE)
    functions = [
        cel.FunctionDecl(
            "has_number", [_overload("has_number", kinds.BOOL, [kinds.STRING, n], has_number) for n in numbers]
        ),
        cel.FunctionDecl("has_text", [_overload("has_text", kinds.BOOL, [kinds.STRING, kinds.STRING], has_text)]),
        cel.FunctionDecl("norm", [_overload("norm", kinds.STRING, [kinds.STRING], norm)]),
        cel.FunctionDecl(
            "near", [_overload("near", kinds.BOOL, [a, b, c], near) for a in numbers for b in numbers for c in numbers]
        ),
    ]
    return cel.NewEnv(variables={**variables, "answer": kinds.STRING}, functions=functions)


def _overload(name: str, result: Any, parameters: list[Any], implementation: Any) -> Any:
    label = "_".join([name, *(parameter.name().lower() for parameter in parameters)])
    return cel.Overload(label, return_type=result, parameters=parameters, impl=implementation)


def norm(text: str) -> str:
    """Lower case, single spaces, no space at the ends."""
    return " ".join(text.casefold().split())


def has_text(text: str, part: str) -> bool:
    """`part` occurs in `text`, apart from case and spacing."""
    return norm(part) in norm(text)


_NUMBER = re.compile(r"(?<![\w.,])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.,])-?\d+(?:\.\d+)?(?![\w])")


def has_number(text: str, number: float) -> bool:
    """`number` is written in `text` as a number of its own: 1250 is in "1,250.00", not in "A1250" or "12500"."""
    return any(abs(float(found.replace(",", "")) - number) < 1e-9 for found in _NUMBER.findall(text))


def near(a: float, b: float, tolerance: float) -> bool:
    """|a - b| <= tolerance."""
    return abs(a - b) <= tolerance


def _said(error: Exception) -> str:
    return plain_words(str(error) or type(error).__name__)
