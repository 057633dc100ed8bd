"""Servers that take SQL: an embedded engine over tables that are kept as records."""

from __future__ import annotations

from services_app.builders.entities import Reader
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.special.formula import Formula, Slot, match_formula, plan_formula
from services_app.specs.model import ToolSpec

_MODULE = "services_app.recipes.sql_store"
_TABLES = (
    Fixture("sql_objects", "SqlObject", _MODULE, "seed_objects"),
    Fixture("sql_rows", "SqlRow", _MODULE, "seed_rows"),
)
_BOTH = {"state": "state", "ctx": "ctx"}
_QUERY = Slot("query", "query|sql|statement|sql_?query|query_?string|sql_statement")
_VALUES = Slot("values", "(native_|query_)?(params|parameters|args|values|bindings)", "any", True)
_ROWS = Slot("rows", "expect_rows", "flag", True)
_LIMIT = Slot("limit", "limit|max_rows|row_limit", "number", True)
_CONTEXT = "context: the simulated server holds one database"
_WHERE = (
    Slot("connection", "connection(_string|_name|_id)?|(database|db|instance)(_name|_id)?|schema|catalog|warehouse",
         "any", True, inert=_CONTEXT),
    Slot("timeout", "(query_)?timeout(_ms|_seconds)?", "number", True, inert="transport: a statement ends at once"),
    Slot("atomic", "transactional|use_transaction", "flag", True,
         inert="a failed call changes nothing, with or without a transaction of its own"),
)  # fmt: skip
_SQL = r"(?<![a-z])sql(?![a-z])|\bdb\b|select|database|duckdb|clickhouse|postgres|mysql|sqlite|spanner"
_OTHERS = (
    r"kql|kusto|promql|logql|graphql|cypher|sparql|soql|quickbooks|elastic|opensearch|log analytics|insights|athena|"
    r"fetchxml|natural language|lucene|jql|salesforce|sitewise|explain|cost and usage|prolog"
)
_SELECTS = "SELECT name FROM customers WHERE city = 'Bergen' ORDER BY name"
_INSERT = "INSERT INTO products (name, price, stock) VALUES ('Hose', 12.5, 7)"


def _statement(names: str, kind: str, about: str, *examples: str, cue: str = _SQL, unless: str = _OTHERS) -> Formula:
    golden = ((_SELECTS, "Ida Holm"), (_INSERT, 1))
    worked = tuple(({"query": query}, result) for query, result in golden if query in examples)
    return Formula(
        names, "sql.run", (_QUERY, _VALUES, _LIMIT, _ROWS, *_WHERE), about, cue=cue, unless=unless, whole=True,
            context=_BOTH,
        fixed={"kind": kind}, golden=worked, fixtures=_TABLES, parents=True,
        examples=(*({"query": query} for query in examples), {"query": _SELECTS, "limit": 1},
                  {"query": "SELECT * FROM orders WHERE id = $1", "values": [2]}, {"query": _SELECTS, "rows": False},
                  {"query": "SELECT * FROM orders WHERE id = :id", "values": {"id": 2}}),
    )  # fmt: skip


STATEMENTS: tuple[Formula, ...] = (
    _statement("create_table", "define", "Makes a table.", "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)"),
    _statement(
        r"(write|update|modify|insert)_query|(execute|run)_(write|update|insert|mutation|dml)(_query|_sql)?", "change",
        "Changes rows.", _INSERT, "UPDATE products SET price = 20 WHERE id = 1", "DELETE FROM orders WHERE id = 6",
    ),
    Formula(
        r"(pg_)?execute_mutation", "sql.mutation",
        (
            Slot("operation", "operation"), Slot("table", "table(_name)?"), Slot("data", "data|values", "object", True),
            Slot("where", "where", optional=True), Slot("conflict", "conflict_columns", "list", True),
            Slot("returning", "returning", optional=True), *_WHERE,
        ),
        "Inserts, updates, deletes or upserts rows.", whole=True, context=_BOTH, fixtures=_TABLES,
        golden=(({"operation": "insert", "table": "products", "data": {"name": "Hose", "price": 12.5}}, 1),),
        examples=(
            {"operation": "update", "table": "products", "data": {"price": 20}, "where": "id < 3", "returning": "name"},
            {"operation": "upsert", "table": "products", "data": {"id": 1, "name": "Saw", "price": 9},
                "conflict": ["id"]},
            {"operation": "delete", "table": "orders", "where": "id = 6"},
        ),
    ),
    Formula(
        r"(pg_)?execute_query", "sql.counted", (_QUERY, Slot("operation", "operation"), _VALUES, _LIMIT, *_WHERE),
        "Rows of a query, their number, or whether there are any.", whole=True, context=_BOTH, fixtures=_TABLES,
        golden=(({"query": _SELECTS, "operation": "count"}, 2), ({"query": _SELECTS, "operation": "select"},
            "Ida Holm")),
        examples=(
            {"query": _SELECTS, "operation": "select", "limit": 1},
            {"query": "SELECT * FROM orders WHERE id = $1", "operation": "select", "values": [2]},
        ),
    ),
    _statement(
        r"(read|select)_?query|(execute|run)_(read_?only_?)?(read|select)(_query|_sql)?|run_select_query", "read",
        "Rows that a SELECT finds.", _SELECTS,
    ),
    _statement(
        r"(execute|run)?_?(sql|query)|(database|db|sql|mysql|pg|postgres|sqlite|duckdb|clickhouse)_?query|"
        r"(execute|run)_(sql|spanner|mysql|postgres|clickhouse|snowflake|sqllab)_query|query_database|"
        r"sqllab_execute_query|pg_execute_sql|execute_sql(_query)?|run_sql_query",
        "read", "Rows that a SELECT finds.", _SELECTS, cue=r"read[- ]?only|\bSELECT (queries|statements|query)\b",
    ),
    _statement(
        r"(execute|run)?_?(sql|query)|(database|db|sql|mysql|pg|postgres|sqlite|duckdb|clickhouse)_?query|"
        r"(execute|run)_(sql|spanner|mysql|postgres|clickhouse|snowflake|sqllab)_query|query_database|"
        r"sqllab_execute_query|pg_execute_sql|execute_sql(_query)?|run_sql_query",
        "any", "The result of a statement.", _SELECTS, _INSERT,
    ),
    Formula(
        r"(run|execute)_sql_transaction", "sql.run_all", (Slot("queries", "(sql_)?(statements|queries)", "list"),
            *_WHERE),
        "The results of several statements.", whole=True, context=_BOTH, fixtures=_TABLES, parents=True,
        golden=(({"queries": [_INSERT, "SELECT max(id) AS last FROM products"]}, 5),),
    ),
)  # fmt: skip
CATALOGUE: tuple[Formula, ...] = (
    Formula(
        r"(list|show|get)_(all_)?(database_)?tables|tables", "sql.tables",
        (Slot("like", "like|pattern|filter", optional=True), *_WHERE), "The tables of the database.", whole=True,
        context=_BOTH, golden=(({}, "customers"),), examples=({"like": "c%"},), fixtures=_TABLES,
    ),
    Formula(
        r"(describe|get|show)_table(_schema|_info|_structure|_columns)?|describe_table_schema", "sql.described",
        (Slot("table", "table(_name)?"), *_WHERE), "The columns of a table.", whole=True, context=_BOTH,
        golden=(({"table": "orders"}, "quantity"),), examples=({"table": "customers"},), fixtures=_TABLES,
    ),
)  # fmt: skip


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    """A statement for the engine; what is in the database, where some tool of the server takes statements."""
    planned = plan_formula(reader, tool, STATEMENTS)
    if planned is not None or match_formula(reader, tool, CATALOGUE) is None:
        return planned
    takes_statements = any(match_formula(reader, other, STATEMENTS) for other in reader.spec.tools)
    return plan_formula(reader, tool, CATALOGUE) if takes_statements else None
