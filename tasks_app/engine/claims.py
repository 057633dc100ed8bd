"""The claims of a proof, one method each; see `proof`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from services_app.engine.protocol import Environment
from tasks_app.engine.ablation import check_edge, find_leak, readable
from tasks_app.engine.audit import canaries
from tasks_app.engine.columns import DATE, TIMESTAMP
from tasks_app.engine.criteria import idle_criteria
from tasks_app.engine.mutants import Build, Doubles, Survey, survey_mutants, without_idle_reads
from tasks_app.engine.orders import reordered, swapped_writes
from tasks_app.engine.program import (
    Constant,
    Envelope,
    Program,
    ProgramError,
    ProgramRun,
    Sequenced,
    Template,
    evaluate,
    expand,
    run_program,
)
from tasks_app.engine.rubric import evaluate as judge
from tasks_app.engine.rubric import net_changes_of, outcome_of, verify
from tasks_app.engine.soundness import breakdown, shared_name
from tasks_app.engine.task import ClaimResult, TaskSpec
from tasks_app.engine.text import date_forms, human_label, plain_form

ForeignCall = tuple[str, str, dict[str, Any]]
FOREIGN_CALLS = 12
TALK = "Everything is done as you asked."


def through_meta_tools(environment: Environment) -> Callable[[str, str, dict[str, Any]], Envelope]:
    """Tool calls as an agent makes them: by exposed name through `call_tool`."""

    def call(service: str, tool: str, arguments: dict[str, Any]) -> Envelope:
        name = environment.catalogue.tools[service][tool].exposed
        return environment.meta("call_tool", {"tool": name, "arguments": arguments})

    return call


def claim(number: int, name: str, passed: bool, **evidence: Any) -> ClaimResult:
    return ClaimResult(number=number, name=name, passed=passed, evidence=evidence)


def calls_of(run: ProgramRun) -> list[tuple[str, str, dict[str, Any]]]:
    return [(made.service, made.tool, made.arguments) for made in run.calls]


class Prover:
    def __init__(self, task: TaskSpec, build: Build, start: Environment, foreign: Sequence[ForeignCall]) -> None:
        self.task = task
        self._fresh = build
        self.start = start
        self._foreign = foreign
        self._doubles_of = Doubles(start)

    def close(self) -> None:
        self.start.close()

    def build(self, _: TaskSpec) -> Environment:
        """An environment in s0: a fork, which costs nothing; only replays are made in fresh ones."""
        return self.start.fork()

    @property
    def _stale(self) -> list[str]:
        return [edge.register_name for edge in self.task.graph.edges if edge.stale]

    # 1 to 4

    def valid(self) -> ClaimResult:
        mounted = [service.slug for service in self.task.services]
        same = mounted == list(self.start.catalogue.services)
        versions = {slug: info.version_hash for slug, info in self.start.catalogue.services.items()}
        stale = [s.slug for s in self.task.services if versions.get(s.slug) != s.version_hash]
        records = sum(len(rows) for tables in self.start.state().values() for rows in tables.values())
        why = "" if same and not stale else f"services differ: {', '.join(stale) or 'mount order'}"
        why = why or breakdown(self.start, self.task.needed)
        planted, state_hash = len(self.task.initial.edits), self.start.state_hash()
        return claim(1, "valid", not why, why=why, records=records, planted=planted, state_hash=state_hash)

    def replays(self) -> tuple[ClaimResult, ProgramRun]:
        runs, hashes = [], []
        for _ in range(2):
            environment = self._fresh(self.task)
            runs.append(run_program(self.task.reference, through_meta_tools(environment)))
            hashes.append(environment.state_hash())
            environment.close()
        why = ""
        if runs[0] != runs[1] or hashes[0] != hashes[1]:
            why = "two replays differ"
        elif hashes[0] != self.task.goal.state_hash:
            why = "the replay does not reach the goal state"
        return claim(2, "replays", not why, why=why, calls=len(runs[0].calls), state_hash=hashes[0]), runs[0]

    def _after(self, calls: Sequence[tuple[str, str, dict[str, Any]]]) -> Environment:
        environment = self.build(self.task)
        for service, tool, arguments in calls:
            environment.call(service, tool, arguments)
        return environment

    def accepted(self, run: ProgramRun) -> ClaimResult:
        environment = self._after(calls_of(run))
        verdict = verify(self.task.rubric, self.task.scope, environment, run.answer)
        environment.close()
        bad = [result.id for result in verdict.results if result.status != "pass"]
        why = "" if verdict.passed else f"not accepted: {', '.join(bad) or 'collateral'}"
        return claim(3, "accepted", verdict.passed is True, why=why, criteria=len(verdict.results), score=verdict.score)

    def nothing_for_nothing(self, run: ProgramRun) -> ClaimResult:
        reads = [call for call, made in zip(calls_of(run), run.calls, strict=True) if not made.write]
        rewarded = []
        for name, calls, answer in (("do nothing", [], ""), ("only talk", [], TALK), ("only read", reads, TALK)):
            environment = self._after(calls)
            results = judge(self.task.rubric, outcome_of(environment, answer))
            kinds = {criterion.id: criterion.kind for criterion in self.task.rubric}
            rewarded += [f"{name}: {r.id}" for r in results if r.status != "fail" and kinds[r.id] != "constraint"]
            if verify(self.task.rubric, self.task.scope, environment, run.answer or answer).passed is not False:
                rewarded.append(f"{name}: accepted")
            environment.close()
        why = f"rewarded without work: {', '.join(rewarded)}" if rewarded else ""
        return claim(4, "nothing for nothing", not rewarded, why=why)

    # 5 and 6

    def criteria_can_fail(self, run: ProgramRun, known: Survey | None) -> ClaimResult:
        found = known or survey_mutants(self.task, run, self.build)
        never = [criterion.id for criterion in self.task.rubric if criterion.id not in found.killers]
        goals = [criterion for criterion in self.task.rubric if criterion.kind == "goal"]
        why = ""
        if not goals:
            why = "there is no goal criterion"
        elif never:
            why = f"no mutant fails {', '.join(never)}"
        elif found.alive:
            why = f"accepted mutants: {', '.join(found.alive[:3])}"
        return claim(
            5,
            "criteria can fail",
            not why,
            why=why,
            mutants=found.mutants,
            equivalent=found.equivalent,
            alive=list(found.alive),
            kill_rate=round(found.kill_rate, 4),
            killers=found.killers,
            each=[result.to_json() for result in found.results],
            flagged=idle_criteria(self.task.rubric),
        )

    def edges_necessary(self, run: ProgramRun) -> ClaimResult:
        edges: list[dict[str, Any]] = []
        texts = readable(self.start)
        leaks = [find_leak(self.task, edge, texts) for edge in self.task.graph.edges]
        if any(leaks):
            return claim(6, "edges are necessary", False, why=next(leak for leak in leaks if leak), edges=edges)
        literal = without_idle_reads(self.task, run, self.build)
        for edge in self.task.graph.edges:
            edges.append(check_edge(self.task, edge, literal, self.start))
            if not edges[-1]["necessary"]:
                break
        bad = [f"{edge['how']} {edge['why']}" for edge in edges if not edge["necessary"]]
        complete = len(self.task.graph.edges) == len(self.task.graph.walk) - 1
        why = bad[0] if bad else "" if complete else "the graph has too few edges"
        return claim(6, "edges are necessary", not why, why=why, edges=edges)

    # 7 and 8

    def alternatives(self, run: ProgramRun) -> ClaimResult:
        tried, failed = [], []
        answer = f"All done. {run.answer} Let me know if anything else is needed."
        for name, calls in self._variants(run):
            environment = self._after(calls)
            verdict = verify(self.task.rubric, self.task.scope, environment, answer)
            environment.close()
            tried.append(name)
            if verdict.passed is not True:
                failed.append(name)
        for program in swapped_writes(self.task.reference, self._stale):
            environment = self.build(self.task)
            tried.append("writes exchanged")
            try:
                other = run_program(program, environment.call)
                if verify(self.task.rubric, self.task.scope, environment, other.answer).passed is not True:
                    failed.append("writes exchanged")
            except ProgramError:
                failed.append("writes exchanged")
            environment.close()
        why = f"a right solution is rejected: {failed[0]}" if failed else ""
        return claim(7, "alternatives pass", not failed, why=why, tried=tried)

    def _variants(self, run: ProgramRun) -> list[tuple[str, list[tuple[str, str, dict[str, Any]]]]]:
        plain = calls_of(run)
        reads = [call for call, made in zip(plain, run.calls, strict=True) if not made.write]
        extra = [call for pair in plain for call in (*reads[:2], pair)]
        return [
            ("extra reads", extra),
            ("other wording", self._reworded(run, run.registers)),
            ("numbers as floats", [(s, t, {k: _float(v) for k, v in a.items()}) for s, t, a in plain]),
        ]

    def _reworded(self, run: ProgramRun, registers: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
        """Free texts in other words around the values that they have to state."""
        steps = {step.number: step for step in self.task.reference.calls}
        calls = []
        for made in run.calls:
            arguments = dict(made.arguments)
            for name, expression in steps[made.number].arguments.items():
                if made.write and isinstance(expression, Template):
                    arguments[name] = f"Hello, as agreed {evaluate(expression, registers)} Kind regards"
                elif made.write and isinstance(expression, Constant) and expression.origin == "constant":
                    arguments[name] = "Other words." if isinstance(arguments[name], str) else arguments[name]
            calls.append((made.service, made.tool, arguments))
        return calls

    def collateral_fails(self, run: ProgramRun) -> ClaimResult:
        again = [call for call, made in zip(calls_of(run), run.calls, strict=True) if made.write]
        foreign = [*self._doubles(run), *again[-2:], *self._foreign][:FOREIGN_CALLS]
        tried, passed = 0, []
        solved = self._after(calls_of(run))
        meant = _touched(solved)
        for service, tool, arguments in foreign:
            environment = solved.fork()
            made = environment.call(service, tool, arguments)
            if made["success"]:
                outside = bool(_touched(environment) - meant)
                verdict = verify(self.task.rubric, self.task.scope, environment, run.answer)
                tried += outside
                if outside and verdict.passed is True:
                    passed.append(f"{service}.{tool}")
            environment.close()
        solved.close()
        why = f"an extra write is accepted: {', '.join(passed)}" if passed else ""
        if not tried and not why:
            why = "no foreign write could be tried"
        return claim(8, "collateral fails", not why, why=why, tried=tried)

    def _doubles(self, run: ProgramRun) -> list[ForeignCall]:
        """The task's own writes, made on the near-duplicate as well."""
        found: list[ForeignCall] = []
        for made in run.calls:
            for name, value in made.arguments.items() if made.write else ():
                double = self._doubles_of.of(made.service, value)
                if double is not None:
                    found.append((made.service, made.tool, {**made.arguments, name: double}))
        return found[:6]

    # 9 to 11

    def reachable(self, run: ProgramRun) -> ClaimResult:
        """Everything sent was stated, read, or free; what was stated is really in the instruction."""
        steps = {step.number: step for step in self.task.reference.calls}
        unstated, sources = [], {"instruction": 0, "constant": 0, "observation": 0}
        for made in run.calls:
            for name, expression in steps[made.number].arguments.items():
                for source in made.provenance[name]:
                    sources[source.origin] += 1
                for value in _stated_values(expression):
                    said = self.task.meaning.get("said", {}).get(str(value), "")  # a choice in words of its own
                    if not _is_stated(value, self.task.instruction) and not (said and said in self.task.instruction):
                        unstated.append(f"{made.tool}.{name} = {value!r}")
        why = f"not in the instruction: {unstated[0]}" if unstated else ""
        why = why or shared_name(self.start, self.task.initial.edits, _writes(run))
        return claim(9, "reachable", not unstated, why=why, sources=sources, unstated=unstated)

    def no_leak(self) -> ClaimResult:
        text = self.task.instruction
        found = []
        for service, tools in self.start.catalogue.tools.items():
            for tool in tools.values():
                found += [name for name in (tool.exposed, f"{service}.{tool.name}") if name in text]
                if "_" in tool.name and tool.name in text:
                    found.append(tool.name)
        touched = {change["id"] for change in self.task.goal.changes}
        planted = {edit.id for edit in self.task.initial.edits}
        words = set(text.replace(",", " ").replace(".", " ").split())
        found += sorted(identity for identity in touched | planted if identity in words)
        found += [f"{value}, in {where}" for value, where in canaries(self.task, self.start)]
        why = f"the instruction or a description gives away {found[0]}" if found else ""
        return claim(10, "no leak", not found, why=why, order=[service.slug for service in self.task.services])

    def length(self, run: ProgramRun) -> ClaimResult:
        called = {made.service for made in run.calls}
        needed = set(self.task.needed)
        steps = len(self.task.graph.walk)
        why = ""
        if len(run.calls) < steps:
            why = "fewer calls than steps of the walk"
        elif called != needed or needed != set(self.task.graph.walk):
            why = "the services called are not the services needed"
        return claim(11, "length", not why, why=why, calls=len(run.calls), steps=steps)

    # 12 and 13

    def reads_commute(self, run: ProgramRun) -> ClaimResult:
        stale, wanted, why = self._stale, _writes(run), ""
        for early in (True, False):
            program = reordered(self.task.reference, reads_first=early, stale_registers=stale)
            other = self._try(program)
            if other is None or sorted(map(repr, _writes(other))) != sorted(map(repr, wanted)):
                why = f"reading {'early' if early else 'late'} changes what has to be written"
                break
        moved = self._figures_that_moved(run)
        if moved and not why:
            why = f"a figure used is no longer true at the end: {moved[0]}"
        return claim(12, "reads commute", not why, why=why, stale=len(stale))

    def _try(self, program: Program) -> ProgramRun | None:
        environment = self.build(self.task)
        try:
            return run_program(program, environment.call)
        except ProgramError:
            return None
        finally:
            environment.close()

    def _figures_that_moved(self, run: ProgramRun) -> list[str]:
        end = self._after(calls_of(run))
        made = {call.number: call for call in run.calls}
        moved = []
        for edge in self.task.graph.edges:
            if edge.how != "derived":
                continue
            get = next(get for get in self.task.reference.gets if get.register_name == edge.register_name)
            call = made[get.call]
            twin = end.fork()
            envelope = twin.call(call.service, call.tool, call.arguments)
            twin.close()
            found = expand(envelope.get("data"), get.path) if envelope["success"] else []
            if not found or found[0].value != run.registers[edge.register_name]:
                moved.append(edge.name)
        end.close()
        return moved

    def closes(self) -> ClaimResult:
        """Every value that the instruction mentions is defined in it, and no alias is a short cut by search."""
        mentioned = self.task.meaning.get("mentioned", [])
        defined = set(self.task.meaning.get("defined", []))
        open_ones = [name for name in mentioned if name not in defined]
        why = f"mentioned and not defined: {', '.join(open_ones)}" if open_ones else ""
        if not why and not mentioned:
            why = "the meaning of the instruction is not recorded"
        counts = {}
        for edge in self.task.graph.edges:
            if edge.how in ("text", "note", "policy"):
                counts[edge.name] = self._mentions(edge.source, edge.name)
                if counts[edge.name] < 2 and not why:
                    why = f"only one record of {edge.source} mentions the {edge.name}: search finds it at once"
        return claim(13, "the instruction closes", not why, why=why, mentioned=len(mentioned), alias_mentions=counts)

    def _mentions(self, service: str, noun: str) -> int:
        count = 0
        for table in self.start.catalogue.services[service].tables:
            for row in self.start.rows(service, table):
                count += any(isinstance(value, str) and noun.lower() in value.lower() for value in row.values())
        return count


def _touched(environment: Environment) -> set[tuple[str, str, str]]:
    """(service, table, id) of every record that is not as it was in s0."""
    return {(c["service"], c["table"], c["id"]) for c in net_changes_of(environment)}


def _writes(run: ProgramRun) -> list[tuple[str, str, dict[str, Any]]]:
    return [(made.service, made.tool, made.arguments) for made in run.calls if made.write]


def _float(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _stated_values(expression: Any) -> list[Any]:
    if isinstance(expression, Constant):
        return [expression.value] if expression.origin == "instruction" else []
    if isinstance(expression, Sequenced):
        return [value for item in expression.items for value in _stated_values(item)]
    return []


def _is_stated(value: Any, text: str) -> bool:
    folded = text.casefold()
    forms = [str(value), human_label(str(value))]
    if isinstance(value, float):
        money = plain_form("money", value)
        forms += [money, money.removesuffix(".00"), f"{value:g}"]
    if isinstance(value, str) and (DATE.match(value) or TIMESTAMP.match(value)):
        forms = [value, *date_forms(value)]
        if "T" in value:
            return any(form.casefold() in folded for form in forms) and value[11:16] in text
    return any(form.casefold() in folded for form in forms)
