"""Servers with a store of their own, from specifications of ours: key-value, SQL, JQL; called in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from services_app.specs.model import Specification
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

Call = Callable[..., Any]
NUMBER = {"type": "number"}
BOTH = {"key": TEXT, "value": TEXT}


def stores() -> Specification:
    redis = {"description": "Redis command."}
    return spec_of(
        tool("set", {**BOTH, "expiration": WHOLE}, "key value", **redis),
        tool("get", {"key": TEXT}, "key", **redis),
        tool("rpush", {"name": TEXT, "value": TEXT}, "name value", **redis),
        tool("lrange", {"name": TEXT, "start": WHOLE, "stop": WHOLE}, "name start stop", **redis),
        tool("rename", {"old_key": TEXT, "new_key": TEXT}, "old_key new_key", **redis),
        tool("json_set", {"name": TEXT, "path": TEXT, "value": {}}, "name path value", **redis),
        tool("json_get", {"name": TEXT, "path": TEXT}, "name", **redis),
        title="Redis",
    )


def database() -> Specification:
    about = {"description": "Execute a SQL query on a database."}
    return spec_of(
        tool("read_query", {"query": TEXT}, "query", description="Execute a SELECT query on the database."),
        tool("execute_sql", {"sql": TEXT, "params": {"type": "array", "items": {}}}, "sql", **about),
        tool("list_tables"),
        tool("describe_table", {"table_name": TEXT}, "table_name"),
    )


def tracker() -> Specification:
    issue = {"summary": TEXT, "project": TEXT, "status": {"type": "string", "enum": ["To Do", "Done"]}}
    return spec_of(
        tool("create_issue", issue, "summary project"),
        tool("search_issues", {"jql": TEXT, "limit": WHOLE}, "jql", description="Search issues with JQL."),
    )


@pytest.fixture(scope="module")
def host() -> Iterator[tuple[ServiceHost, dict[str, str]]]:
    built = {}
    for make in (stores, database, tracker):
        spec = make().model_copy(update={"slug": make.__name__})
        built[make.__name__] = build_with_rules(spec)
    files = {name: text for service in built.values() for name, text in service.packaged().items()}
    with SandboxProcess("services_app.engine.host", files=files) as process:
        yield ServiceHost(process, {service.slug: service.module for service in built.values()}), {}


@pytest.fixture
def environment(host: tuple[ServiceHost, Any]) -> Environment:
    return host[0].mount(["stores", "database", "tracker"])


@pytest.fixture
def call(environment: Environment) -> Call:
    def make(service: str, name: str, /, **arguments: object) -> Any:
        observation = environment.call(service, name, arguments)
        return observation["data"] if observation["success"] else observation["error"]

    return make


def test_a_text_expires_by_the_session_clock_and_a_list_keeps_its_order(call: Call) -> None:
    call("stores", "set", key="a", value="1", expiration=90)
    assert call("stores", "get", key="a") == {"result": "1"}
    for value in ("x", "y"):
        call("stores", "rpush", name="letters", value=value)
    assert call("stores", "get", key="a")["type"] == "no_such_key"
    assert call("stores", "lrange", name="letters", start=0, stop=-1)["values"] == ["x", "y"]
    assert call("stores", "lrange", name="letters", start=-1, stop=-1)["values"] == ["y"]
    assert call("stores", "get", key="letters")["type"] == "wrong_type"


def test_a_document_is_changed_at_a_path(call: Call) -> None:
    call("stores", "json_set", name="doc", path="$", value={"a": [1, {"b": 2}]})
    call("stores", "json_set", name="doc", path="$.a[1].b", value="new")
    assert call("stores", "json_get", name="doc", path="$.a[1].b") == {"result": ["new"]}
    assert call("stores", "json_set", name="doc", path="$.x.y", value=1)["type"] == "no_such_path"


def test_renaming_a_key_that_is_not_there_changes_nothing(call: Call, environment: Environment) -> None:
    before = environment.state_hash()
    assert call("stores", "rename", old_key="nothing", new_key="b")["code"] == 404
    assert environment.state_hash() == before


def test_sql_writes_are_kept_as_records_and_a_fork_does_not_see_them(call: Call, environment: Environment) -> None:
    other = environment.fork()
    assert (
        call("database", "execute_sql", sql="UPDATE products SET stock = ? WHERE id = 1", params=[3])["affected_rows"]
        == 1
    )
    stock = "SELECT stock FROM products WHERE id = 1"
    assert call("database", "read_query", query=stock)["rows"] == [{"stock": 3}]
    assert other.call("database", "read_query", {"query": stock})["data"]["rows"] == [{"stock": 40}]
    rows = {row["id"]: row["cells"] for row in environment.state()["database"]["sql_rows"]}
    assert rows["products:1"][3] == 3


def test_a_select_leaves_the_state_alone(call: Call, environment: Environment) -> None:
    before = environment.state_hash()
    assert call("database", "execute_sql", sql="SELECT count(*) AS n FROM orders")["rows"] == [{"n": 6}]
    assert environment.state_hash() == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT random()",
        "ATTACH DATABASE 'x' AS y",
        "PRAGMA user_version = 3",
        "CREATE VIRTUAL TABLE t USING fts5(a)",
        "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a",
        "SELECT 1; DROP TABLE orders",
        "INSERT INTO orders (customer_id, quantity) VALUES (99, 1)",
        "nonsense",
        "",
    ],
)
def test_the_engine_refuses_chance_files_and_endless_work(call: Call, environment: Environment, sql: str) -> None:
    before = environment.state_hash()
    assert call("database", "execute_sql", sql=sql)["code"] == 400
    assert environment.state_hash() == before


def test_dates_in_sql_come_from_the_session_clock(call: Call) -> None:
    row = call("database", "read_query", query="SELECT date('now') AS d, current_timestamp AS t")["rows"][0]
    assert row == {"d": "2026-03-02", "t": "2026-03-02 09:00:00"}


def test_tables_are_listed_and_described(call: Call) -> None:
    call("database", "execute_sql", sql="CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
    assert {row["name"] for row in call("database", "list_tables")["tables"]} == {
        "customers",
        "notes",
        "orders",
        "products",
    }
    assert [column["name"] for column in call("database", "describe_table", table_name="notes")["columns"]] == [
        "id",
        "text",
    ]
    assert call("database", "describe_table", table_name="nothing")["code"] == 404


def test_jql_finds_what_was_created(call: Call) -> None:
    call("tracker", "create_issue", summary="Mend the pump", project="WATER", status="To Do")
    found = call("tracker", "search_issues", jql='project = WATER AND text ~ "pump"')
    assert [row["summary"] for row in found["issues"]] == ["Mend the pump"]
    assert call("tracker", "search_issues", jql="project = WATER AND status = Done")["issues"] == []
    assert call("tracker", "search_issues", jql="nonsense ~ 1")["type"] == "bad_query"
