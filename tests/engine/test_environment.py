"""Calls, failures, copies, hashes and replays of product environments."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services_app.engine import Edit, EngineError, ProductEnvironment, ServiceDefect
from services_app.engine.observation import OBSERVATION_LIMIT
from tests.engine.desk import make_desk

DESK = make_desk()


def desk(**options: object) -> ProductEnvironment:
    return ProductEnvironment([DESK], scale="normal", **options)


def error_of(observation: dict) -> dict:
    assert observation["success"] is False
    return observation["error"]


def test_read_gives_a_copy_that_cannot_reach_the_state() -> None:
    environment = desk()
    before = environment.state_hash()
    seen = environment.call("desk", "get_ticket", {"ticket_id": "TKT-0001"})
    seen["data"]["tags"].append("mine")
    seen["data"]["subject"] = "mine"
    assert environment.call("desk", "get_ticket", {"ticket_id": "TKT-0001"})["data"]["subject"] == "Printer 0"
    assert environment.state_hash() == before


def test_write_is_journalled_and_moves_clock_and_ids() -> None:
    environment = desk()
    first = environment.call("desk", "create_ticket", {"subject": "A", "requester": "a@b.example"})["data"]
    second = environment.call("desk", "create_ticket", {"subject": "B", "requester": "a@b.example"})["data"]
    assert (first["id"], second["id"]) == ("TKT-0021", "TKT-0022")
    assert (first["created_at"], second["created_at"]) == ("2026-03-02T09:00:00Z", "2026-03-02T09:01:00Z")
    assert [change.to_json()["after"]["subject"] for change in environment.changes] == ["A", "B"]
    assert environment.now == "2026-03-02T09:02:00Z"


@pytest.mark.parametrize("how", ["refuse", "crash", "invalid", "identity", "set", "nan", "bytes", "int", "deep"])
def test_failed_call_changes_nothing_not_even_order_or_ids(how: str) -> None:
    environment = desk()
    environment.call("desk", "create_ticket", {"subject": "A", "requester": "a@b.example"})
    before, rows, now = environment.state_hash(), environment.state(), environment.now
    code = error_of(environment.call("desk", "break_half_way", {"how": how}))["code"]
    assert code == (409 if how == "refuse" else 500)
    assert (environment.state_hash(), environment.state(), environment.now) == (before, rows, now)
    assert len(environment.defects) == (0 if how == "refuse" else 1)
    created = environment.call("desk", "create_ticket", {"subject": "B", "requester": "a@b.example"})["data"]
    assert created["id"] == "TKT-0022"


def test_all_argument_errors_at_once_with_paths() -> None:
    arguments = {"subject": 5, "x": 1, "parts": [{"name": "a", "price": "dear"}]}
    error = error_of(desk().call("desk", "create_ticket", arguments))
    assert error["code"] == 400
    assert {detail["path"] for detail in error["details"]} >= {"subject", "requester", "parts.0.price", ""}


def test_a_whole_number_written_with_a_point_is_one() -> None:
    assert len(desk().call("desk", "list_tickets", {"limit": 2.0})["data"]["tickets"]) == 2


def test_absent_null_and_default_are_three_things() -> None:
    environment = desk()
    environment.call("desk", "update_ticket", {"ticket_id": "TKT-0001", "due": "2026-05-01"})
    unchanged = environment.call("desk", "update_ticket", {"ticket_id": "TKT-0001"})
    assert unchanged["data"]["due"] == "2026-05-01"
    cleared = environment.call("desk", "update_ticket", {"ticket_id": "TKT-0001", "due": None})
    assert cleared["data"]["due"] is None
    for arguments in ({"subject": None}, {"limit": None}):
        error = error_of(environment.call("desk", "update_ticket", {"ticket_id": "TKT-0001", **arguments}))
        assert error["details"][0]["path"] == next(iter(arguments))
    assert environment.calls[1].arguments == {"ticket_id": "TKT-0001"}  # stored as sent


def test_json_text_is_decoded_only_where_the_schema_wants_structure() -> None:
    environment = desk()
    sent = {
        "subject": '{"k":1}',
        "requester": "a@b.example",
        "tags": '["a", "b"]',
        "parts": '[{"name": "p", "price": 2}]',
    }
    made = environment.call("desk", "create_ticket", sent)["data"]
    assert made["subject"] == '{"k":1}'
    assert made["tags"] == ["a", "b"]
    assert made["parts"] == [{"name": "p", "price": 2.0}]
    assert environment.calls[-1].coerced == ("tags", "parts")
    error = error_of(environment.call("desk", "create_ticket", {**sent, "tags": '{"a": 1}'}))
    assert error["details"][0]["path"] == "tags"


@pytest.mark.parametrize("arguments", [None, "", "null", {}])
def test_a_tool_without_arguments_takes_every_empty_form(arguments: object) -> None:
    assert desk().call("desk", "roll", arguments)["success"]


@pytest.mark.parametrize("arguments", ["[1]", "nonsense", [1], 5, {"a": {1}}, {"a": float("nan")}, {"a": "\ud83d"}])
def test_arguments_that_are_no_object_are_refused(arguments: object) -> None:
    assert error_of(desk().call("desk", "roll", arguments))["code"] == 400


def test_unknown_names_say_what_to_do_next() -> None:
    environment = desk()
    error = error_of(environment.call("desk", "get_tickt", {}))
    assert "desk__get_ticket" in error["message"]
    assert error["code"] == 404
    assert "list_services" in error_of(environment.call("dask", "get_ticket", {}))["message"]


def test_long_observation_is_cut_and_says_so() -> None:
    data = desk().call("desk", "flood")["data"]
    assert data["truncated"] is True
    assert str(OBSERVATION_LIMIT) in data["message"]


def test_forks_do_not_see_each_other() -> None:
    environment = desk()
    twin = environment.fork()
    environment.call("desk", "close_ticket", {"ticket_id": "TKT-0001"})
    twin.call("desk", "delete_ticket", {"ticket_id": "TKT-0002"})
    assert environment.record("desk", "tickets", "TKT-0002") is not None
    assert twin.record("desk", "tickets", "TKT-0001")["status"] == "open"
    assert desk().state_hash() not in (environment.state_hash(), twin.state_hash())
    assert ProductEnvironment([DESK]).rows("desk", "tickets") == desk().rows("desk", "tickets")


def test_reset_snapshot_and_rewind() -> None:
    environment = desk()
    start = environment.state_hash()
    environment.call("desk", "close_ticket", {"ticket_id": "TKT-0001"})
    saved, middle = environment.snapshot(), environment.state()
    environment.call("desk", "delete_ticket", {"ticket_id": "TKT-0002"})
    environment.call("desk", "create_ticket", {"subject": "A", "requester": "a@b.example"})
    environment.rewind(1)
    assert environment.state() == middle
    assert len(environment.calls) == 1
    environment.call("desk", "delete_ticket", {"ticket_id": "TKT-0005"})
    environment.restore(saved)
    assert environment.state() == middle
    environment.rewind(0)
    assert environment.state_hash() == start
    environment.reset()
    assert (environment.state_hash(), environment.calls, list(environment.changes)) == (start, [], [])
    with pytest.raises(EngineError, match="cannot rewind"):
        environment.rewind(5)


def test_hash_does_not_depend_on_the_way() -> None:
    one, other = desk(), desk()
    one.call("desk", "close_ticket", {"ticket_id": "TKT-0001"})
    one.call("desk", "close_ticket", {"ticket_id": "TKT-0002"})
    other.call("desk", "close_ticket", {"ticket_id": "TKT-0002"})
    other.state_hash()
    other.call("desk", "close_ticket", {"ticket_id": "TKT-0001"})
    assert one.state_hash() == other.state_hash()
    fresh = ProductEnvironment([DESK], state=one.state())
    assert fresh.state_hash() == one.state_hash()


def test_edits_make_a_new_initial_state() -> None:
    environment = desk()
    planted = {**environment.rows("desk", "tickets")[0], "id": "TKT-0002x", "subject": "Planted"}
    edited = environment.edited(
        [
            Edit("desk", "tickets", "TKT-0002x", planted),
            Edit("desk", "tickets", "TKT-0001", patch={"cost": 9.999}),
            Edit("desk", "comments", "CMT-0001"),
        ]
    )
    assert [row["id"] for row in edited.rows("desk", "tickets")][:3] == ["TKT-0001", "TKT-0002", "TKT-0002x"]
    assert edited.record("desk", "tickets", "TKT-0001")["cost"] == 10.0
    assert edited.record("desk", "comments", "CMT-0001") is None
    assert list(edited.changes) == []
    edited.call("desk", "close_ticket", {"ticket_id": "TKT-0002x"})
    edited.reset()
    assert edited.record("desk", "tickets", "TKT-0002x")["status"] == "open"
    with pytest.raises(ServiceDefect, match="status"):
        environment.edited([Edit("desk", "tickets", "TKT-0001", patch={"status": "lost"})])
    with pytest.raises(EngineError, match="no record"):
        environment.edited([Edit("desk", "tickets", "TKT-9", patch={"status": "open"})])


def test_saved_environment_goes_on_elsewhere() -> None:
    environment = desk(seed=5)
    environment.call("desk", "create_ticket", {"subject": "A", "requester": "a@b.example"})
    environment.call("desk", "delete_ticket", {"ticket_id": "TKT-0021"})
    loaded = ProductEnvironment.from_json(environment.to_json(), [make_desk()])
    for each in (environment, loaded):
        each.call("desk", "create_ticket", {"subject": "B", "requester": "a@b.example"})
    assert loaded.state_hash() == environment.state_hash()
    assert loaded.record("desk", "tickets", "TKT-0022") is not None
    other = make_desk()
    other.tools.pop("flood")
    with pytest.raises(EngineError, match="differs"):
        ProductEnvironment.from_json(environment.to_json(), [other])


def test_bad_states_are_refused_with_the_reason() -> None:
    row = desk().rows("desk", "tickets")[0]
    with pytest.raises(ServiceDefect, match="occurs twice"):
        ProductEnvironment([DESK], state={"desk": {"tickets": [row, row]}})
    with pytest.raises(ServiceDefect, match="requester"):
        ProductEnvironment([DESK], state={"desk": {"tickets": [{**row, "requester": "nobody"}]}})
    with pytest.raises(ServiceDefect, match="no tables"):
        ProductEnvironment([DESK], state={"desk": {"cars": []}})
    with pytest.raises(EngineError, match="twice"):
        ProductEnvironment([DESK, DESK])


def test_a_call_changes_only_its_own_service() -> None:
    environment = ProductEnvironment([make_desk("north"), make_desk("south")])
    before = environment.service_hash("south")
    environment.call("north", "close_ticket", {"ticket_id": "TKT-0001"})
    assert environment.service_hash("south") == before
    assert {change.service for change in environment.changes} == {"north"}


def test_seeds_and_scales() -> None:
    small, large = ProductEnvironment([DESK], scale="small"), ProductEnvironment([DESK], scale="large")
    assert (len(small.rows("desk", "tickets")), len(large.rows("desk", "tickets"))) == (8, 80)
    assert desk(seed=1).state_hash() == ProductEnvironment([make_desk()], seed=1).state_hash()
    assert desk(seed=1).state_hash() != desk(seed=2).state_hash()


def test_random_stream_and_clock_follow_writes_only() -> None:
    environment = desk(seed=3)
    first = environment.call("desk", "roll")
    assert environment.call("desk", "roll") == first
    assert first["data"]["week"] == "2026-03-09"
    environment.call("desk", "close_ticket", {"ticket_id": "TKT-0001"})
    assert environment.call("desk", "roll") != first


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("close_ticket"), st.integers(1, 8).map(lambda n: {"ticket_id": f"TKT-{n:04d}"})),
        st.tuples(st.just("delete_ticket"), st.integers(1, 8).map(lambda n: {"ticket_id": f"TKT-{n:04d}"})),
        st.tuples(
            st.just("create_ticket"), st.text(max_size=5).map(lambda s: {"subject": s, "requester": "a@b.example"})
        ),
        st.tuples(st.just("break_half_way"), st.sampled_from(["refuse", "crash", "set"]).map(lambda h: {"how": h})),
        st.tuples(st.just("get_ticket"), st.integers(1, 9).map(lambda n: {"ticket_id": f"TKT-{n:04d}"})),
    ),
    max_size=12,
)


@settings(max_examples=60)
@given(actions=ACTIONS, cut=st.integers(0, 12))
def test_laws_replay_equals_record_and_rewind_is_exact(actions: list, cut: int) -> None:
    environment = ProductEnvironment([DESK], scale="small")
    hashes, states = [environment.state_hash()], [environment.state()]
    observations = []
    for tool, arguments in actions:
        before = environment.state_hash()
        observation = environment.call("desk", tool, arguments)
        if not observation["success"]:
            assert environment.state_hash() == before
        observations.append(observation)
        hashes.append(environment.state_hash())
        states.append(environment.state())
    again = ProductEnvironment([DESK], scale="small")
    assert again.replay(environment.calls) == observations
    assert again.state() == environment.state()
    cut = min(cut, len(actions))
    environment.rewind(cut)
    assert (environment.state_hash(), environment.state()) == (hashes[cut], states[cut])
    assert environment.replay(again.calls[cut:]) == observations[cut:]
