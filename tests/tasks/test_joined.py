"""A later visit adds to an earlier request: its text tells more, or a value takes the place of a stated one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from tasks_app.authors.joined import anew, goes_with, has_room, lists, open_goals, tell_too
from tasks_app.authors.phrasebook import Act
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Carried, Goal, Place, Stated
from tasks_app.authors.tongue import CHINESE, ENGLISH
from tasks_app.engine.program import Call, Constant, Get, Register, Template

ACT = Act(
    tool="post",
    say=("let {to} know {text} by {due}", "在{due}前告诉{to}{text}"),
    tells="text",
    takes={"due": ("due date",)},
)


def carried(number: int, source: Place | None = None) -> Carried:
    return Carried(f"value_{number}", "date", "field", number, "due date", source, called=("the day of {}", "{}的日期"))


class Steps(SimpleNamespace):
    """A plan as far as requests are added to."""

    def __init__(self) -> None:
        text = Template(parts=(Register(name="value_1", style="date"),))
        first = Call(
            number=1,
            service="chat",
            tool="post",
            arguments={"text": text, "due": Constant(value="x")},
            visit=1,
            write=True,
        )
        read = Call(number=2, service="orders", tool="get", arguments={}, visit=2)
        super().__init__(steps=[first, read], goals=[], numbers=3)

    def call(self, service: str, tool: str, arguments: Any, visit: int, *, write: bool = False) -> int:
        number, self.numbers = self.numbers, self.numbers + 1
        made = Call(number=number, service=service, tool=tool, arguments=arguments, visit=visit, write=write)
        self.steps.append(made)
        return number


def plan() -> tuple[Plan, Goal]:
    steps = Steps()
    goal = Goal(1, "chat", "post", 1, {"due": Stated("2026-04-01", "date")}, {"text": carried(1)}, ACT)
    steps.goals.append(goal)
    return cast(Plan, steps), goal


def test_a_text_tells_one_thing_more_after_the_reads_that_the_later_visit_makes() -> None:
    story, goal = plan()
    tell_too(story, goal, carried(2), 3)
    call = story.steps[-1]
    assert isinstance(call, Call)
    assert [step.number for step in story.steps if isinstance(step, Call)] == [2, 3]
    assert (goal.call, call.visit, call.write) == (3, 3, True)
    text = call.arguments["text"]
    assert isinstance(text, Template)
    assert [part.name for part in text.parts if isinstance(part, Register)] == ["value_1", "value_2"]
    assert goal.also[0].used


def test_a_value_takes_the_place_of_what_was_stated() -> None:
    story, goal = plan()
    assert has_room(goal, "due")
    anew(story, goal, "due", Register(name="value_2"), 3)
    assert cast(Call, story.steps[-1]).arguments["due"] == Register(name="value_2")
    goal.slots["due"] = carried(2)
    assert not has_room(goal, "due")


def test_nothing_is_added_to_what_others_rest_on_or_what_is_full() -> None:
    story, goal = plan()
    assert list(open_goals(story, "chat")) == [goal]
    assert not list(open_goals(story, "orders"))
    goal.also += [carried(2), carried(3)]
    assert not has_room(goal, "text")
    story.steps.append(Get(register_name="made", call=1, path="$.id"))
    assert not list(open_goals(story, "chat"))


def test_words_about_one_thing_are_not_used_for_several() -> None:
    assert not lists("{text} is what they asked for", "text")
    assert not lists("tell them that we arrive after {text}", "text")
    assert lists("write to {to} and mention {text}", "text")
    assert goes_with(ACT, "text", "text")
    assert goes_with(ACT, "text", "due")
    assert not goes_with(ACT, "due", "text"), "a text that tells nothing yet states nothing"


def test_facts_of_one_record_are_said_together() -> None:
    assert ENGLISH.together(["the due date of {}", "the price of {}"]) == "the due date and the price of {}"
    assert ENGLISH.together(["the day that {} ends", "the price of {}"]) == ""
    assert CHINESE.together(["{}的日期", "{}的价格"]) == "{}的日期和价格"
    assert ENGLISH.listed(["a", "b", "c"]) == "a, b and c"
    assert CHINESE.listed(["a", "b", "c"]) == "a、b和c"
    assert ENGLISH.listed(["a"]) == "a"
