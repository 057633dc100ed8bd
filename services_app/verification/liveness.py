"""Live parameters: for each one, two calls that differ in it alone and do different things.

What only repeats the arguments does not count: an answer is compared without the value that was sent.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from services_app.engine.protocol import Environment
from services_app.specs.vocabulary import READS, id_target
from services_app.verification.attempts import attempts
from services_app.verification.bench import Bench
from services_app.verification.checks import make_check
from services_app.verification.parameters import Parameter, drop, parameters_of, part_of, put, value_at
from services_app.verification.report import Check, cut
from services_app.verification.results import masked, next_tokens, rows_in
from services_app.verification.subject import Outcome, Subject, related
from services_app.verification.values import values_for

Json = Any
Verdict = Literal["live", "dead", "inert", "untold"]
_CALLS_PER_PARAMETER = 90
_CALLS_PER_TOOL = 700
_CALLS_PER_STATE = 16
_WORKING_TRIED = 14
_STATED = ("transport:", "credential:")


@dataclass
class Finding:
    """What came of trying one parameter. `witness` are two calls that show that it is live."""

    parameter: Parameter
    verdict: Verdict
    tried: list[Json] = field(default_factory=list)
    witness: tuple[dict[str, Json], dict[str, Json]] | None = None
    both_succeed: bool = False
    """Whether both calls of the witness succeed; else one of them is refused."""
    state: Environment | None = None
    """Where they were made; None: where the tool is known to work."""
    reason: str = ""
    """Why the builder says that it has no effect."""


def find_live(bench: Bench, subject: Subject) -> list[Finding]:
    """A finding per parameter; [] for a tool that never worked."""
    if subject.working is None:
        return []
    parameters = parameters_of(subject.schema)
    calls = working_calls(bench, subject) if parameters else []
    rows = bench.records_of(subject)
    left = _CALLS_PER_TOOL
    findings = []
    for parameter in parameters:
        before = bench.calls
        search = _Search(bench, subject, parameter, parameters, calls, rows)
        findings.append(search.run(min(left, _CALLS_PER_PARAMETER)))
        left = max(24, left - (bench.calls - before))
    return [_again(bench, subject, finding, parameters, rows) for finding in findings]


def _again(
    bench: Bench, subject: Subject, finding: Finding, parameters: list[Parameter], rows: list[dict[str, Json]]
) -> Finding:
    """A second search for a parameter that seems dead: around the calls that showed most, then in other states."""
    if finding.verdict != "dead":
        return finding
    calls = [arguments for _, arguments in sorted(subject.showed, key=lambda pair: -pair[0])]
    telling: list[dict[str, Json]] = []
    for arguments in calls[:40]:
        if all(bench.probe(subject, arguments) != bench.probe(subject, other) for other in telling):
            telling.append(arguments)
    again = _Search(bench, subject, finding.parameter, parameters, telling[:5], rows).run(_CALLS_PER_PARAMETER)
    if again.verdict == "live" or subject.changed:
        return again
    for state in states_after_writes(bench, subject):
        search = _Search(bench, subject, finding.parameter, parameters, telling[:2], rows, state)
        found = search.run(_CALLS_PER_STATE)
        if found.verdict == "live":
            return found
    return again


def states_after_writes(bench: Bench, subject: Subject) -> Iterator[Environment]:
    """States in which a related tool has written: an archived record may be what a flag shows or hides."""
    for other in bench.subjects.values():
        if other is subject or other.working is None or not other.changed or not related(other, subject):
            continue
        trial = bench.fork(other)
        bench.call(trial, other.info.name, other.working)
        yield trial


def working_calls(bench: Bench, subject: Subject) -> list[dict[str, Json]]:
    """Different calls that work: the one that shows most first, then as found, then with most parameters."""
    assert subject.working is not None
    sized = []
    shown = [dict(example["arguments"]) for example in subject.info.examples if not example["after"]]
    found_here = itertools.islice(attempts(bench.pool, subject), _WORKING_TRIED)
    for arguments in itertools.chain([subject.working], shown, found_here):
        outcome = bench.probe(subject, arguments)
        if outcome.success:
            sized.append((len(repr(outcome.observation["data"])), arguments))
    richest = max(sized, key=lambda pair: pair[0])[1] if sized else subject.working
    fullest = max((arguments for _, arguments in sized), key=len, default=subject.working)
    order = [richest, subject.working] if subject.reading.action in READS else [subject.working]
    found: list[dict[str, Json]] = []
    for arguments in [*order, fullest]:
        if arguments not in found:
            found.append(arguments)
    return found


@dataclass
class _Search:
    """The search for two calls that show one parameter to be live."""

    bench: Bench
    subject: Subject
    parameter: Parameter
    siblings: list[Parameter]
    calls: list[dict[str, Json]]
    rows: list[dict[str, Json]]
    state: Environment | None = None
    """Where calls are made; None: where the tool is known to work."""
    tried: list[Json] = field(default_factory=list)
    refused: dict[str, Json] | None = None
    """A valid call that differs in this parameter alone and is refused, after `accepted` one that is not."""
    accepted: dict[str, Json] | None = None
    accepted_values: int = 0

    def run(self, most: int) -> Finding:
        reason = self.subject.info.inert.get(self.parameter.name, self.subject.info.inert.get(self.parameter.last, ""))
        values = values_for(self.bench, self.subject, self.parameter, self.rows)
        end = self.bench.calls + (8 if reason else most)
        for base in self._bases():
            witness = self._vary(base, [*self._tokens(base), *values], end)
            if witness is not None:
                return Finding(self.parameter, "live", self.tried, witness, both_succeed=True, state=self.state)
            if self.bench.calls >= end:
                break
        named = id_target(self.parameter.last, self.subject.reading.noun) is not None
        if self.refused is not None and self.accepted is not None and not (named and self.accepted_values > 1):
            return Finding(self.parameter, "live", self.tried, (self.accepted, self.refused), state=self.state)
        if reason:
            return Finding(self.parameter, "inert", self.tried, reason=reason)
        return Finding(self.parameter, "dead" if len(self.tried) > 1 else "untold", self.tried)

    def _vary(
        self, base: dict[str, Json], values: list[Json], end: int
    ) -> tuple[dict[str, Json], dict[str, Json]] | None:
        """Two successful calls around `base` that do different things; notes what is accepted and refused."""
        first: tuple[dict[str, Json], Outcome] | None = None
        accepted: dict[str, Json] | None = None
        refused: dict[str, Json] | None = None
        worked: list[Json] = []  # the call around which it turns comes up again among what refusals offer
        hinted: list[Json] = []
        variants = itertools.chain(self._variants(base, values), self._variants(base, hinted))
        for value, arguments in variants:
            if self.bench.calls >= end:
                break
            outcome = self.bench.probe(self.subject, arguments, self.state)
            if value is not None and value not in self.tried:
                self.tried.append(value)
            if outcome.success:
                worked += [value] if value is not None and value not in worked else []
                accepted = accepted or (arguments if value is not None else None)
                if first is None:
                    first = arguments, outcome
                elif not _same(self.parameter, first, (arguments, outcome)):
                    return first[0], arguments
            elif not outcome.broke:
                refused = refused or arguments
                hinted += [word for word in named_values(outcome.observation) if word not in (*values, *hinted)][:6]
        if accepted is not None and refused is not None:
            self.accepted, self.refused = self.accepted or accepted, self.refused or refused
        self.accepted_values = max(self.accepted_values, len(worked))
        return None

    def _variants(self, base: dict[str, Json], values: list[Json]) -> Iterator[tuple[Json, dict[str, Json]]]:
        """(value, call) pairs that the schema admits; value None: not sent."""
        path = self.parameter.path
        seen: list[dict[str, Json]] = []
        pairs = [(value_at(base, path), base), (None, drop(base, path)), *((v, put(base, path, v)) for v in values)]
        for value, arguments in pairs:
            if arguments not in seen and self.subject.validator.is_valid(arguments):
                seen.append(arguments)
                yield value, arguments

    def _bases(self) -> Iterator[dict[str, Json]]:
        """Calls around which to vary: small pages for paging, with a sort key for direction, then as they work."""
        part = part_of(self.parameter, self.subject.reading.noun)
        if part in ("page", "offset", "cursor"):
            yield from self._with("limit", [1], self.calls[:1])
        if part == "order":
            keys = [p for p in self.siblings if part_of(p, "") == "sort"]
            values = [v for p in keys for v in values_for(self.bench, self.subject, p, self.rows)]
            yield from self._with("sort", values[:4], self.calls[:1])
        yield from self.calls[:2]
        if self.accepted_values == 0:  # refused beside another: what may exclude it is left out in turn
            sent = [p for p in self.siblings if p is not self.parameter and not p.required]
            held = [p for p in sent if value_at(self.calls[0], p.path) is not None] if self.calls else []
            yield from (drop(self.calls[0], p.path) for p in held)
        yield from self.calls[2:]
        if self.parameter.schema.get("type") == "boolean":  # "fetch all pages" says nothing while one page holds all
            yield from self._with("limit", [1], self.calls[:1])
        yield from self._modes()

    def _with(self, part: str, values: list[Json], calls: list[dict[str, Json]]) -> Iterator[dict[str, Json]]:
        for other in self.siblings:
            if other is not self.parameter and part_of(other, "") == part:
                for base, value in itertools.product(calls, values):
                    arguments = put(base, other.path, value)
                    if self.subject.validator.is_valid(arguments):
                        yield arguments

    def _modes(self) -> Iterator[dict[str, Json]]:
        """The same call in each mode: what another parameter says may decide whether this one matters."""
        for other in self.siblings:
            choices = other.schema.get("enum") or ([True, False] if other.schema.get("type") == "boolean" else [])
            if part_of(other, "") == "text":
                choices = values_for(self.bench, self.subject, other, self.rows)[:8]
            if other is self.parameter or len(choices) > 10:
                continue
            for value in choices:
                arguments = put(self.calls[0], other.path, value)
                if self.subject.validator.is_valid(arguments):
                    yield arguments

    def _tokens(self, base: dict[str, Json]) -> list[Json]:
        """For a cursor: what the page before gave to go on with."""
        if part_of(self.parameter, self.subject.reading.noun) != "cursor":
            return []
        outcome = self.bench.probe(self.subject, drop(base, self.parameter.path), self.state)
        data = outcome.observation.get("data")
        last = [
            row[name] for row in rows_in(data)[-1:] for name in ("cursor", "id") if isinstance(row.get(name), str | int)
        ]
        return [*itertools.islice(next_tokens(data), 3), *last]


_OFFER = re.compile(
    r"\b(?:there is|there are|use one of|one of|use|allowed|available|valid|accepts|supported)\b:?(.*)", re.I
)


def named_values(observation: Mapping[str, Any]) -> list[str]:
    """The values that a refusal offers instead: "expand cannot be x; there is members, owner."."""
    found = _OFFER.search(str(observation.get("error", {}).get("message", "")))
    words = re.split(r"[,;]|\bor\b|\band\b", found[1]) if found else []
    plain = [word.strip(" .'\"`()[]") for word in words]
    return [word for word in plain if word and len(word) < 60 and " " not in word]


def _same(parameter: Parameter, one: tuple[dict[str, Json], Outcome], other: tuple[dict[str, Json], Outcome]) -> bool:
    """Whether two successful calls did the same, but for the value of the parameter that they repeat."""
    if one[1].changes != other[1].changes:
        return False
    first, second = one[1].observation["data"], other[1].observation["data"]
    if first == second:
        return True
    sent = [value_at(arguments, parameter.path) for arguments in (one[0], other[0])]
    return bool(masked(first, parameter.key, sent) == masked(second, parameter.key, sent))


def replay(bench: Bench, subject: Subject, finding: Finding) -> Check:
    """The check of a live parameter again, with the two calls that showed it."""
    name, expected = f"live:{finding.parameter.name}", "some value changes the observation or the state"
    assert finding.witness is not None
    one, other = ((arguments, bench.probe(subject, arguments, finding.state)) for arguments in finding.witness)
    if one[1].success and other[1].success:
        return make_check(subject, name, not _same(finding.parameter, one, other), finding.witness[1], expected)
    return make_check(subject, name, one[1].success != other[1].success, finding.witness[1], expected)


def live_checks(subject: Subject, findings: list[Finding]) -> Iterator[Check]:
    """One check per parameter, and one for the tool: at least half of its parameters are live."""
    for finding in findings:
        yield _check(subject, finding)
    told = [finding for finding in findings if finding.verdict != "untold" and not _is_credential(finding)]
    live = [finding for finding in told if finding.verdict == "live"]
    if not told:
        note = "no parameter has two values to try" if findings else "there is no parameter to vary"
        yield make_check(subject, "live", None, note=note)
        return
    expected = "at least half of the parameters change the result or the state"
    without = ", ".join(finding.parameter.name for finding in told if finding.verdict != "live")
    yield make_check(
        subject, "live", 2 * len(live) >= len(told), None, expected, f"no effect of {without}" if without else None
    )


def _is_credential(finding: Finding) -> bool:
    """Whether a parameter only says who calls: no half of anything is asked of it."""
    return finding.verdict == "inert" and finding.reason.startswith("credential")


def _check(subject: Subject, finding: Finding) -> Check:
    name = f"live:{finding.parameter.name}"
    expected = "some value changes the observation or the state"
    if finding.verdict == "live":
        return make_check(subject, name, True, None, expected)
    if finding.verdict == "untold":
        return make_check(subject, name, None, None, expected, note="there are no two values to try")
    if finding.verdict == "inert":
        stated = not finding.parameter.required or finding.reason.startswith(_STATED)
        note = f"declared without effect: {finding.reason}"
        if not stated:
            note = f"required, and {note}; only a reason of transport or a credential allows that"
        return make_check(subject, name, None if stated else False, None, expected, note=note)
    tried = ", ".join(str(cut(repr(value), 40)) for value in finding.tried[:8])
    note = f"no value of it changed the observation or the state: tried {tried}"
    return make_check(subject, name, False, None, expected, note=note)
