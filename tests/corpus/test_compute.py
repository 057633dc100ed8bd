"""Tools of public servers that compute, built from their specifications and called in the sandbox."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.specs.files import load_file
from workers.sandbox.process import SandboxProcess

CORPUS = Path(__file__).parents[3] / "shared/data/mcp"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the public specifications are not here")


class Server:
    """One mounted server: `call(tool, **arguments)` gives the data or the error."""

    def __init__(self, environment: Any, slug: str) -> None:
        self.environment, self.slug = environment, slug

    def call(self, tool: str, **arguments: object) -> Any:
        observation = self.environment.call(self.slug, tool, arguments)
        return observation["data"] if observation["success"] else observation["error"]


@contextmanager
def served(name: str) -> Iterator[Server]:
    built = build_with_rules(load_file(CORPUS / f"{name}.json"))
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        yield Server(ServiceHost(process, {built.slug: built.module}).mount([built.slug]), built.slug)


def test_corrected_calcium_is_paynes_formula_with_a_default_of_four() -> None:
    with served("vitaldb-medcalc") as server:
        assert server.call("corrected_calcium", serum_calcium=8.0, patient_albumin=2.0)["corrected_calcium"] == 9.6
        other = server.call("corrected_calcium", serum_calcium=8.0, patient_albumin=2.0, normal_albumin=4.5)
        assert other["corrected_calcium"] == 10.0


def test_aes_is_the_standard_and_decryption_gives_the_text_back() -> None:
    with served("1595901624-crypto-mcp") as server:
        key, iv = "your-key-0123456", "your-iv-01234567"
        assert server.call("aes_encrypt", content="hello", key=key)["result"] == "KNf765OwfwZ0ISKyOrWCTw=="
        chained = server.call("aes_encrypt", content="hello", key=key, iv=iv, mode="CBC")["result"]
        assert chained == "5SWLBmjv38f4mliqFW9l3g=="
        assert server.call("aes_decrypt", content=chained, key=key, iv=iv, mode="CBC")["result"] == "hello"
        assert server.call("aes_decrypt", content=chained, key="another-key-0123", iv=iv, mode="CBC")["code"] == 422
        in_hex = server.call("aes_encrypt", content="hello", key=key, outputFormat="hex")["result"]
        assert in_hex == base64.b64decode("KNf765OwfwZ0ISKyOrWCTw==").hex()
        assert server.call("aes_decrypt", content=in_hex, key=key, inputFormat="hex")["result"] == "hello"
        assert server.call("aes_encrypt", content="hello", key=key, padding="NoPadding")["code"] == 422
        assert server.call("aes_encrypt", content="hello", key="short")["type"] == "bad_key"


def test_convert_time_knows_daylight_saving_and_refuses_what_is_no_zone_or_time() -> None:
    with served("yokingma-time-mcp") as server:

        def target(time: str) -> str:
            zones = {"sourceTimezone": "America/New_York", "targetTimezone": "Europe/London"}
            return str(server.call("convert_time", time=time, **zones)["target"]["datetime"])

        assert target("2025-01-15 12:00:00") == "2025-01-15T17:00:00+00:00"
        assert target("2025-03-20 12:00:00") == "2025-03-20T16:00:00+00:00"  # New York has changed, London has not
        assert target("2025-07-15 12:00:00") == "2025-07-15T17:00:00+01:00"
    with served("mcp-server-time") as server:
        found = server.call(
            "convert_time", time="16:30", source_timezone="America/New_York", target_timezone="Asia/Tokyo"
        )
        assert (found["target"]["datetime"], found["time_difference"]) == ("2026-03-03T06:30:00+09:00", "+14.0h")
        zones = {"source_timezone": "Europe/Berlin", "target_timezone": "UTC"}
        assert server.call("convert_time", time="25:00", **zones)["type"] == "bad_date"
        bad = server.call("convert_time", time="12:00", source_timezone="Mars/Olympus", target_timezone="UTC")
        assert (bad["code"], bad["type"]) == (400, "unknown_timezone")


def test_write_query_changes_rows_and_refuses_a_select() -> None:
    with served("mcp-server-sqlite") as server:
        select = "SELECT name FROM products WHERE price < 20 ORDER BY name"
        before = server.call("read_query", query=select)["rows"]
        assert [row["name"] for row in before] == ["Seed box", "Watering can"]
        insert = "INSERT INTO products (name, price, stock) VALUES ('Hose', 12.5, 7)"
        assert server.call("write_query", query=insert)["affected_rows"] == 1
        assert [row["name"] for row in server.call("read_query", query=select)["rows"]] == [
            "Hose",
            "Seed box",
            "Watering can",
        ]
        assert server.call("write_query", query=select)["type"] == "wrong_statement"
        assert server.call("read_query", query="DELETE FROM products")["type"] == "wrong_statement"
        assert "no such table" in server.call("read_query", query="SELECT * FROM ghosts")["message"]
        server.call("create_table", query="CREATE TABLE notes (text TEXT)")
        assert server.call("describe_table", table_name="notes")["columns"][0]["name"] == "text"


def test_a_sorted_set_keeps_scores_updates_them_and_expires_by_the_session_clock() -> None:
    with served("redis-mcp-redis") as server:
        members = {"ida": 3, "tom": 1, "ana": 2}
        for member, score in members.items():
            assert server.call("zadd", key="race", member=member, score=score)["added"] == 1
        assert server.call("zrange", key="race", start=0, end=-1)["members"] == ["tom", "ana", "ida"]
        assert server.call("zadd", key="race", member="tom", score=9)["added"] == 0
        found = server.call("zrange", key="race", start=-1, end=-1, with_scores=True)["members"]
        assert found == [{"member": "tom", "score": 9}]
        server.call("zadd", key="race", member="tom", score=9, expiration=90)
        assert server.call("type", key="race")["type"] == "zset"
        for number in range(2):  # each write moves the clock by a minute
            server.call("set", key=f"other:{number}", value="x")
        assert server.call("type", key="race")["type"] == "none"
        assert server.call("zadd", key="page:views", member="a", score=1)["type"] == "wrong_type"


def test_jira_search_speaks_a_part_of_jql() -> None:
    with served("mcp-atlassian") as server:

        def found(jql: str, **more: object) -> list[dict[str, Any]]:
            return list(json.loads(server.call("jira_search", jql=jql, **more)["result"])["issues"])

        everything = found("ORDER BY created DESC", limit=50, fields="id,status,created,summary")
        assert len(everything) > 3
        times = [row["created"] for row in everything]
        assert times == sorted(times, reverse=True)
        done = found("status = Done", limit=50, fields="id,status")
        others = found("status != Done", limit=50, fields="id,status")
        assert {row["status"] for row in done} == {"Done"}
        assert len(done) + len(others) == len(everything)
        word = everything[0]["summary"].split()[0]
        assert everything[0]["id"] in {row["id"] for row in found(f'text ~ "{word}"', limit=50, fields="id")}
        assert len(found("ORDER BY created", limit=2)) == 2
        assert server.call("jira_search", jql="nonsense = 1")["code"] == 400
        assert server.call("jira_search", jql="status =")["code"] == 400


def test_a_chart_shows_its_title_and_takes_its_size() -> None:
    with served("mcp-server-chart") as server:
        data = [{"category": "a", "value": 1}, {"category": "b", "value": 3}]
        chart = server.call("generate_pie_chart", data=data, title="Shares <1>", width=300)
        assert (chart["width"], chart["height"]) == (300, 400)
        assert "Shares &lt;1&gt;" in chart["svg"]
        assert "75.0%" in chart["svg"]
        assert server.call("generate_pie_chart", data=[{"category": "a", "value": -1}])["code"] == 422
