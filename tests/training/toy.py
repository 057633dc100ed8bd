"""A small world for the trainers' tests: a directory of people, a price list, an outbox.

Tasks ask to mail somebody the price of something. `direct` mode offers the tools as `service__tool`, `meta`
mode offers `call_tool(service, tool, arguments)`. Faults can be planted by task id.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any, Literal

PEOPLE = ["Mia", "Leo", "Zoe", "Max", "Eva", "Ian", "Amy", "Bob", "Kim", "Tom"]
ITEMS = ["lamp", "desk", "sofa", "vase", "clock", "stool", "rug", "shelf", "chair", "bench"]
ADDRESSES = ["zorba", "mixer", "tango", "polka", "rumba", "salsa", "bebop", "disco", "swing", "jazz"]
PRICES = list(range(10, 30))
Mode = Literal["direct", "meta"]

SIGNATURES = {
    ("contacts", "find"): {"name": "person"},
    ("shop", "price"): {"item": "item"},
    ("mail", "send"): {"to": "address", "text": "text"},
}


@dataclass(frozen=True)
class Task:
    task_id: str
    person: str
    item: str
    addresses: dict[str, str]
    prices: dict[str, int]

    @property
    def instruction(self) -> str:
        return f'Mail "{self.person}" the price of the "{self.item}".'


def make_task(task_id: str) -> Task:
    """Drawn from the id alone, so that a task id is all that a process needs."""
    rng = random.Random(task_id)
    people, items = rng.sample(PEOPLE, 3), rng.sample(ITEMS, 3)
    addresses = dict(zip(people, rng.sample(ADDRESSES, 3), strict=True))
    prices = dict(zip(items, rng.sample(PRICES, 3), strict=True))
    return Task(task_id, rng.choice(people), rng.choice(items), addresses, prices)


def schema(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    properties = {
        key: {"type": "object" if text == "object" else "string", "description": text}
        for key, text in parameters.items()
    }
    wanted = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": name, "parameters": wanted}}


def tools_of(mode: Mode) -> list[dict[str, Any]]:
    if mode == "meta":
        return [schema("call_tool", {"service": "service", "tool": "tool", "arguments": "object"})]
    return [schema(f"{service}__{tool}", parameters) for (service, tool), parameters in SIGNATURES.items()]


@dataclass
class ToyEpisode:
    task: Task
    mode: Mode
    instruction: str = ""
    tools: list[dict[str, Any]] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    sent: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.instruction = self.task.instruction
        self.tools = tools_of(self.mode)

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        if "crash" in self.task.task_id:
            raise RuntimeError("the sandbox died")
        if self.mode == "meta":
            name = f"{arguments.get('service')}__{arguments.get('tool')}"
            arguments = arguments.get("arguments") or {}
        self.calls.append(name)
        return json.dumps(self._answer(name, arguments))

    def finish(self, answer: str) -> dict[str, bool | None]:
        address, price = self.task.addresses[self.task.person], str(self.task.prices[self.task.item])
        verdict: dict[str, bool | None] = {
            "looked_up": {"contacts__find", "shop__price"} <= set(self.calls),
            "right_person": any(to == address for to, _ in self.sent),
            "right_price": any(text == price for _, text in self.sent),
            "one_mail": len(self.sent) == 1,
            "says_done": "Done" in answer,
        }
        return dict.fromkeys(verdict) if "unknown" in self.task.task_id else verdict

    def _answer(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == "contacts__find" and arguments.get("name") in self.task.addresses:
            return {"success": True, "data": {"address": self.task.addresses[arguments["name"]]}}
        if name == "shop__price" and arguments.get("item") in self.task.prices:
            return {"success": True, "data": {"price": self.task.prices[arguments["item"]]}}
        if name == "mail__send" and {"to", "text"} <= set(arguments):
            self.sent.append((str(arguments["to"]), str(arguments["text"])))
            return {"success": True, "data": {}}
        return {"success": False, "error": {"code": 404, "type": "not_found", "message": "no such thing"}}


class ToyFactory:
    def __init__(self, mode: Mode = "direct") -> None:
        self.mode = mode
        self.started: list[str] = []

    def start(self, task_id: str) -> ToyEpisode:
        if not task_id.startswith("toy-"):
            raise KeyError(task_id)
        self.started.append(task_id)
        return ToyEpisode(make_task(task_id), self.mode)


def reference_calls(task: Task) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("contacts__find", {"name": task.person}),
        ("shop__price", {"item": task.item}),
        ("mail__send", {"to": task.addresses[task.person], "text": str(task.prices[task.item])}),
    ]


def offered_calls(task: Task, mode: Mode) -> list[tuple[str, dict[str, Any]]]:
    if mode == "direct":
        return reference_calls(task)
    parts = [(name.split("__"), arguments) for name, arguments in reference_calls(task)]
    return [("call_tool", {"service": s, "tool": t, "arguments": arguments}) for (s, t), arguments in parts]


def trajectory(task_id: str, mode: Mode = "direct") -> dict[str, Any]:
    """The reference trajectory of a task in stored (wire) form."""
    episode = ToyEpisode(make_task(task_id), mode)
    messages: list[dict[str, Any]] = [{"role": "user", "content": episode.instruction}]
    for number, (name, arguments) in enumerate(offered_calls(episode.task, mode)):
        call = {"name": name, "arguments": json.dumps(arguments)}
        messages += [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}],
            },
            {
                "role": "tool",
                "tool_call_id": f"c{number}",
                "name": name,
                "content": episode.call(name, arguments),
            },
        ]
    messages.append({"role": "assistant", "content": "Done."})
    verdict = episode.finish("Done.")
    assert all(verdict.values())
    return {
        "id": f"trajectory-{task_id}",
        "task_id": task_id,
        "family": f"family-{task_id}",
        "status": "completed",
        "messages": messages,
        "tools": episode.tools,
        "verdict": {"passed": True, "score": 1.0, "criteria": verdict},
        "simulated_share": 0.0,
    }
