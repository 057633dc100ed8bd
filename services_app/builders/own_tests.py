"""The tests that a built service brings along: per entity, what is created is got, listed, and gone once deleted.

Data, not code: `{"tests": [{"name", "steps": [{"tool", "arguments", "expect", "keep"?}]}]}`. `expect` is
{"success": bool}, with "holds" (a value that stands somewhere in the result) where it matters; `keep`
names values of a result (path of keys and positions) that later steps write as {"kept": name}; with "text" they are
sent as texts.
"""

from __future__ import annotations

from typing import Any

from services_app.builders.plan import Entity, Plan, ToolKind, ToolPlan
from services_app.specs.model import Specification, ToolSpec
from services_app.specs.vocabulary import types_of
from services_app.verification.arguments import example, resolve

Step = dict[str, Any]


def own_tests(spec: Specification, plan: Plan) -> list[dict[str, Any]]:
    """Tests of a plan; at least one per entity that has a plain tool."""
    specs = {tool.name: tool for tool in spec.tools}
    tests = []
    for known in plan.entities.values():
        writer = _Writer(specs, plan, known)
        made = writer.life() or writer.reading()
        if made:
            tests.append({"name": f"{known.noun.replace('_', ' ')}: {made[0]}", "steps": made[1]})
    for tool in plan.tools:
        steps = [_step(tool, arguments, {"success": True, "holds": result}) for arguments, result in tool.golden]
        if steps:
            tests.append({"name": f"{tool.name}: worked examples", "steps": steps})
    strict = next((tool for tool in plan.tools if specs[tool.name].required), None)
    if strict is not None:
        tests.append({"name": "refuses a call without arguments", "steps": [_step(strict, {}, {"success": False})]})
    return tests


class _Writer:
    """Writes the test of one entity."""

    def __init__(self, specs: dict[str, ToolSpec], plan: Plan, known: Entity) -> None:
        self.specs, self.plan, self.known = specs, plan, known
        self.steps: list[Step] = []
        self.made: Any = {"kept": "made"}

    def tool(self, kind: ToolKind, wraps: tuple[str, ...] = ("", "result")) -> ToolPlan | None:
        """The simplest tool of a kind: the one with the fewest required parameters."""
        found = [
            tool
            for tool in self.plan.tools
            if tool.kind == kind and tool.entity == self.known.noun and not tool.unwraps and tool.wrap in wraps
        ]
        return min(found, key=lambda tool: (self.misses(tool), len(self.specs[tool.name].required)), default=None)

    def misses(self, tool: ToolPlan) -> int:
        """For a creation: how many of the things that another tool looks a record up under it does not set."""
        if tool.kind != "create":
            return 0
        others = [other for other in self.plan.tools if other.kind == "get" and other.entity == tool.entity]
        under = {noun for other in others for noun in other.parents.values()}
        sent = {noun for name, noun in tool.parents.items() if name in self.specs[tool.name].required}
        return len(under - sent)

    def life(self) -> tuple[str, list[Step]] | None:
        """Create, get, list, delete, not found: as much of it as the entity has tools for."""
        create, get, remove = self.tool("create"), self.tool("get"), self.tool("delete")
        arguments = None if create is None or not (get or remove) else self.arguments(create, {})
        if create is None or arguments is None or self.misses(create):
            return None
        self.steps.append(_step(create, arguments, {"success": True}, {"made": [*_inside(create), "id"]}))
        key = next((name for name, known in create.fields.items() if known == self.known.natural_key), "")
        self.made = arguments.get(key, {"kept": "made"})
        words = ["created"]
        for word, tool in (("got", get), ("listed", self.plain_list()), ("deleted", remove)):
            if tool is None:
                continue
            expect = {"success": True, "holds": self.made} if word == "listed" else {"success": True}
            if self.reads(tool, expect) is None:
                return None
            words.append(word)
        if get is not None and remove is not None:
            self.reads(get, {"success": False})
        return ", ".join(words), self.steps

    def plain_list(self) -> ToolPlan | None:
        """A list that shows everything there is."""
        found = self.tool("list")
        small = found is not None and any(value < 20 for value in found.defaults.values())
        some = found is not None and (found.read.fixed or found.read.coming or 0 < found.read.most < 20)
        return None if found is None or small or some or self.specs[found.name].required else found

    def reads(self, tool: ToolPlan, expect: dict[str, Any]) -> Step | None:
        """A step that names the created record; None when its other arguments cannot be told."""
        arguments = self.arguments(tool, {tool.key: self.made})
        if arguments is None or tool.key_field or tool.position is not None:
            return None
        self.steps.append(_step(tool, arguments, expect))
        return self.steps[-1]

    def reading(self) -> tuple[str, list[Step]] | None:
        """A list answers, and answers the same twice."""
        self.steps = []
        kinds: tuple[ToolKind, ...] = ("list", "count", "find")
        found = (self.tool(kind, ("", "result", "text", "fit")) for kind in kinds)
        listing = next((tool for tool in found if tool is not None), None)
        if listing is None:
            return None
        arguments = self.arguments(listing, {})
        if arguments is None:
            return None
        return "read", [*self.steps, _step(listing, arguments, {"success": True})]

    def arguments(self, tool: ToolPlan, given: dict[str, Any]) -> dict[str, Any] | None:
        """Required arguments; parents are taken from the first row of a list of theirs, else None.

        None as well where the description states conditions that made arguments may not meet.
        """
        if any(recipe != "in_format" for recipe, *_ in tool.checks):  # made texts have the formats of their schemas
            return None
        spec = self.specs[tool.name]
        found: dict[str, Any] = {}
        sample = tool.examples[0] if tool.examples else {}
        for name in dict.fromkeys([*spec.required, *(name for name in given if name in spec.properties)]):
            if name in given:
                found[name] = self.kept(tool, name, given[name])
            elif name in tool.parents:
                kept = self.parent(tool.parents[name])
                if kept is None or "array" in types_of(resolve(spec.properties[name], spec.input_schema)):
                    return None
                found[name] = self.kept(tool, name, {"kept": kept})
            elif name in sample:
                found[name] = sample[name]
            elif name in tool.read.known:
                found[name] = tool.read.known[name][0]
            elif name in tool.lookups and not (tool.kind == "list" and tool.derived):
                return None
            else:
                found[name] = example(spec.properties[name], spec.input_schema, name=name)
        return found | ({tool.confirm: True} if tool.confirm else {})

    def kept(self, tool: ToolPlan, name: str, value: Any) -> Any:
        """A kept value as the parameter takes it: an id that is shown as a number is sent as a text if it must be."""
        spec = self.specs[tool.name]
        kinds = types_of(resolve(spec.properties[name], spec.input_schema)) - {"null"}
        texts = isinstance(value, dict) and "kept" in value and kinds == {"string"}
        return {**value, "text": True} if texts else value

    def parent(self, noun: str) -> str | None:
        """Name of a kept id of a parent, from the first row that a list without parameters shows."""
        name = f"{noun}_id"
        if any(name in step.get("keep", {}) for step in self.steps):
            return name
        for tool in self.plan.tools:
            plain = tool.kind == "list" and tool.entity == noun and tool.wrap == "" and not tool.unwraps
            some = tool.read.fixed or tool.read.coming or tool.read.newest  # not the first of all
            if plain and not some and not self.specs[tool.name].required:
                self.steps.append(_step(tool, {}, {"success": True}, {name: [tool.result_key, 0, "id"]}))
                return name
        return None


def _inside(tool: ToolPlan) -> list[str]:
    return ["result"] if tool.wrap == "result" else []


def _step(
    tool: ToolPlan, arguments: dict[str, Any], expect: dict[str, Any], keep: dict[str, list[Any]] | None = None
) -> Step:
    step: Step = {"tool": tool.name, "arguments": arguments, "expect": expect}
    return {**step, "keep": keep} if keep else step
