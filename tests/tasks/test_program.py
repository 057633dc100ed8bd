"""The reference program: paths, row choice, texts, policies, provenance."""

from __future__ import annotations

from typing import Any

import pytest

from tasks_app.engine.program import (
    Call,
    Constant,
    Get,
    Program,
    ProgramError,
    Rank,
    Register,
    Sequenced,
    Source,
    Template,
    Where,
    expand,
    run_program,
)
from tasks_app.engine.text import NoValueError, days_in, extract, read_policy, render, stands_in

TICKETS = {
    "tickets": [
        {"id": "T-1", "subject": "Roof", "comments": [{"at": "2026-01-02", "text": "The fee is 300.00."}]},
        {
            "id": "T-2",
            "subject": "roof",
            "comments": [
                {"at": "2026-01-01", "text": "The fee is 100.00."},
                {"at": "2026-01-03", "text": "The fee is 250.00."},
            ],
        },
    ]
}


def run(*steps: Any, data: Any = TICKETS, answer: Template | None = None) -> Any:
    calls: list[tuple[str, str, dict[str, Any]]] = []

    def call(service: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        calls.append((service, tool, arguments))
        return {"success": True, "data": data}

    return run_program(Program(steps=steps, answer=answer), call), calls


READ = Call(number=1, service="desk", tool="search", arguments={"q": Constant(value="roof")})


def test_expand_follows_lists_and_skips_missing_keys() -> None:
    found = expand(TICKETS, "$.tickets[*].comments[*].at")
    assert [match.value for match in found] == ["2026-01-02", "2026-01-01", "2026-01-03"]
    assert found[2].path == "$.tickets[1].comments[1].at"
    assert found[2].positions == (1, 1)
    assert expand(TICKETS, "$.tickets[*].owner") == []


def test_where_picks_the_row_whatever_the_order() -> None:
    get = Get(
        register_name="id",
        call=1,
        path="$.tickets[*].id",
        where=(Where(path="$.tickets[*].id", value=Constant(value="T-2")),),
    )
    assert run(READ, get)[0].registers == {"id": "T-2"}
    turned = {"tickets": TICKETS["tickets"][::-1]}
    assert run(READ, get, data=turned)[0].registers == {"id": "T-2"}


def test_rows_that_differ_are_an_error_that_names_the_step() -> None:
    get = Get(
        register_name="id",
        call=1,
        path="$.tickets[*].id",
        where=(Where(path="$.tickets[*].subject", value=Constant(value="Roof")),),
    )
    with pytest.raises(ProgramError, match=r"step 2: id: 2 rows fit") as caught:
        run(READ, get)
    assert caught.value.step == 1


def test_where_on_an_outer_row_keeps_its_inner_rows_and_rank_takes_the_latest() -> None:
    get = Get(
        register_name="fee",
        call=1,
        path="$.tickets[*].comments[*].text",
        where=(Where(path="$.tickets[*].id", value=Constant(value="T-2")),),
        rank=Rank(path="$.tickets[*].comments[*].at", order="max"),
        operation="text",
        kind="money",
    )
    result, _ = run(READ, get)
    assert result.registers == {"fee": 250.0}


def test_ties_are_errors() -> None:
    data = {"rows": [{"n": 1, "v": "a"}, {"n": 1, "v": "b"}]}
    get = Get(register_name="v", call=1, path="$.rows[*].v", rank=Rank(path="$.rows[*].n", order="max"))
    with pytest.raises(ProgramError, match="tie"):
        run(READ, get, data=data)


def test_sum_each_and_null() -> None:
    data = {"rows": [{"n": 1.1}, {"n": 2.2}], "none": None}
    total = Get(register_name="total", call=1, path="$.rows[*].n", operation="sum")
    second = Get(register_name="second", call=1, path="$.rows[*].n", operation="each", index=1, count=2)
    assert run(READ, total, second, data=data)[0].registers == {"total": 3.3, "second": 2.2}
    with pytest.raises(ProgramError, match="2 rows instead of 3"):
        run(READ, second.model_copy(update={"count": 3}), data=data)
    with pytest.raises(ProgramError, match="null"):
        run(READ, Get(register_name="x", call=1, path="$.none"), data=data)


def test_provenance_names_instruction_constant_and_observation() -> None:
    get = Get(register_name="id", call=1, path="$.tickets[0].id".replace("[0]", "[*]"), rank=None)
    data = {"tickets": [{"id": "T-9"}]}
    write = Call(
        number=2,
        service="desk",
        tool="comment",
        arguments={
            "ids": Sequenced(items=(Register(name="id"),)),
            "text": Template(parts=(Constant(value="See ", origin="constant"), Register(name="id"))),
        },
        write=True,
    )
    result, calls = run(READ, get, write, data=data)
    assert calls[1][2] == {"ids": ["T-9"], "text": "See T-9"}
    seen = Source(origin="observation", call=1, path="$.tickets[0].id")
    assert result.calls[0].provenance == {"q": (Source(origin="instruction"),)}
    assert result.calls[1].provenance == {"ids": (seen,), "text": (Source(origin="constant"), seen)}


def test_refused_calls_stop_the_program() -> None:
    def refuse(service: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return {"success": False, "error": {"code": 409, "type": "closed", "message": "It is closed."}}

    with pytest.raises(ProgramError, match=r"step 1: desk.search refused: closed"):
        run_program(Program(steps=(READ,)), refuse)


def test_a_value_that_is_not_of_its_kind_stops_the_program() -> None:
    get = Get(register_name="fee", call=1, path="$.fee")
    note = Template(parts=(Constant(value="Fee: ", origin="constant"), Register(name="fee", style="money")))
    write = Call(number=2, service="desk", tool="comment", arguments={"text": note}, write=True)
    with pytest.raises(ProgramError, match="step 3: fee: 'private' cannot be said as money"):
        run(READ, get, write, data={"fee": "private"})


def test_policy_reads_the_branch_of_the_number() -> None:
    number = Get(register_name="sum", call=1, path="$.sum")
    rule = Get(
        register_name="who",
        call=1,
        path="$.rules",
        operation="policy",
        kind="email",
        argument=Register(name="sum"),
    )
    data = {"sum": 500.0, "rules": "Approval by amount.\nUp to 500.00: ana@a.example.\nOver 500.00: bo@b.example."}
    assert run(READ, number, rule, data=data)[0].registers["who"] == "ana@a.example"
    assert run(READ, number, rule, data={**data, "sum": 500.5})[0].registers["who"] == "bo@b.example"


def test_answer_and_json_round_trip() -> None:
    answer = Template(parts=(Constant(value="Fee: ", origin="constant"), Register(name="fee", style="money")))
    get = Get(register_name="fee", call=1, path="$.fee")
    result, _ = run(READ, get, data={"fee": 1250.5}, answer=answer)
    assert result.answer == "Fee: 1,250.50"
    program = Program(steps=(READ, get), answer=answer)
    assert Program.model_validate_json(program.model_dump_json()) == program


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("money", 1250.0),
        ("money", 37.5),
        ("date", "2026-04-03"),
        ("timestamp", "2026-04-13T09:30:00Z"),
        ("email", "ana.lopez@north.example"),
        ("code", "INV-2026-0042"),
        ("count", 12),
        ("duration", 45),
        ("percent", 7.5),
        ("title", "Spring audit"),
        ("person", "Noor Kessler"),
        ("organisation", "Greyhaven Freight"),
        ("phone", "+44 20 7123 4567"),
        ("place", "Upper Ashford"),
    ],
)
def test_rendered_values_are_read_back_from_sentences(kind: str, value: Any) -> None:
    for sentence in ("As discussed, the thing is {}.", "{} it is, as settled.", "Please use {} from now on, thanks."):
        assert extract(kind, sentence.format(render(kind, value))) == value


def test_choices_are_recognised_by_their_words_and_longest_first() -> None:
    choices = ("open", "in_progress", "progress", "on-hold")
    assert extract("label", "It stays in progress for now.", choices) == "in_progress"
    assert extract("label", "Put it on hold.", choices) == "on-hold"
    with pytest.raises(NoValueError):
        extract("label", "From open to on hold.", choices)


def test_two_values_of_a_kind_are_not_guessed() -> None:
    with pytest.raises(NoValueError, match="2 values"):
        extract("money", "First 10.00, then 20.00.")


@pytest.mark.parametrize(
    ("rules", "number", "expected"),
    [
        ("For 500.00 or less take 10.00.\nAbove 500.00 take 20.00.", 500.0, 10.0),
        ("For 500.00 or less take 10.00.\nAbove 500.00 take 20.00.", 501.0, 20.0),
        ("If it is no more than 30, 4 May 2026.\nBeyond 30, 5 May 2026.", 31, "2026-05-05"),
    ],
)
def test_policies_in_other_words(rules: str, number: float, expected: Any) -> None:
    assert read_policy("money" if isinstance(expected, float) else "date", rules, number) == expected


def test_days_are_found_in_digits_and_in_words() -> None:
    text = "Due 2026-05-07, moved from 24 May 2026 to 3 june 2026 (2026-05-09T10:00:00Z); not 12026-05-07x or May 2026."
    assert days_in(text) == {"2026-05-07", "2026-05-24", "2026-06-03", "2026-05-09"}


def test_a_form_stands_in_a_text_only_where_it_begins_a_word() -> None:
    assert stands_in("9 may 2026", "on 19 may 2026, then 9 may 2026")
    assert not stands_in("9 may 2026", "on 19 may 2026 and 29 may 2026")
    assert stands_in("2026-05-07", "at 2026-05-07t10:00:00z")
    assert stands_in("ana@a.example", "ana@a.example")
    assert not stands_in("88.0", "it was 188.05")
    assert stands_in("+44 20", "call+44 20")
    assert stands_in("ana@a.example", "负责人ana@a.example"), "Chinese is written without spaces"
