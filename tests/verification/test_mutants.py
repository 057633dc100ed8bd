"""The suite must kill mutants: a healthy built service with one line changed is no longer verified whole."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.verification.gate import verify_service
from tests.builders.specs import garage
from workers.sandbox.process import SandboxProcess

# name -> (tool, line of its source, what the mutant says instead)
MUTANTS: dict[str, tuple[str, str, str]] = {
    "get gives another record": ("get_car", "return show(record)", "return show(next(iter(state.cars)))"),
    "get forgets to refuse": (
        "get_car",
        "record = pick(state.cars, args.get('car_id'))",
        "record = state.cars.first(id=args['car_id']) or next(iter(state.cars))",
    ),
    "several: none is found": ("get_cars_by_ids", "if value in state.cars:", "if value not in state.cars:"),
    "list ignores a filter": ("list_cars", "'colour': 'colour', ", ""),
    "list filters by the wrong field": ("list_cars", "'colour': 'colour'", "'colour': 'plate'"),
    "list ignores the limit": ("list_cars", "limit=args.get('limit')", "limit=3"),
    "list is off by one": ("list_cars", "limit=args.get('limit')", "limit=args.get('limit', 3) + 1"),
    "list is empty": ("list_cars", "rows = list(state.cars)", "rows = list(state.cars)[:0]"),
    "list writes": ("list_owners", "rows = list(state.owners)", "rows = [state.owners.create(name='x')]"),
    "count is a constant": ("get_cars_count", '{"count": len(rows)}', '{"count": 7}'),
    "creation keeps nothing": (
        "create_car",
        "state.cars.add(state.cars.record_type(id=identity, **values))",
        "state.cars.record_type(id=identity, **values)",
    ),
    "creation drops a field": ("create_car", "'plate': 'plate',", ""),
    "creation swaps two fields": (
        "create_car",
        "'plate': 'plate',\n            'owner_id': 'owner_id',",
        "'plate': 'owner_id',\n            'owner_id': 'plate',",
    ),
    "creation takes any parent": ("create_car", "require(state.owners, args.get('owner_id'))", "pass"),
    "creation answers with another id": (
        "create_car",
        "return show_written(record)",
        "return {**show_written(record), 'id': 'CAR-9999'}",
    ),
    "creation shouts": ("create_owner", "'name': 'name'", "'name': 'email', 'email': 'name'"),
    "update writes nothing": ("update_car", "record = state.cars.patch(record.id, ", "_ = dict("),
    "update hits another record": (
        "update_car",
        "record = state.cars.patch(record.id, ",
        "record = state.cars.patch(list(state.cars)[-1].id, ",
    ),
    "update forgets to refuse": (
        "update_car",
        "record = pick(state.cars, args.get('car_id'))",
        "record = state.cars.first(id=args['car_id']) or next(iter(state.cars))",
    ),
    "status is not set": ("cancel_car", "record = state.cars.patch(record.id, **changes)", "pass"),
    "status forgets to refuse": (
        "cancel_car",
        "record = pick(state.cars, args.get('car_id'))",
        "record = state.cars.first(id=args['car_id']) or next(iter(state.cars))",
    ),
    "copy makes no copy": (
        "copy_car",
        "twin = copied(state.cars, record,",
        "twin = record or copied(state.cars, record,",
    ),
    "deletion keeps the record": ("delete_car", "state.cars.delete(record.id)", "state.cars.patch(record.id, doors=0)"),
    "deletion takes another": (
        "delete_car",
        "state.cars.delete(record.id)",
        "state.cars.delete(list(state.cars)[-1].id)",
    ),
    "deletion forgets to refuse": (
        "delete_car",
        "record = pick(state.cars, args.get('car_id'))",
        "record = state.cars.first(id=args['car_id']) or next(iter(state.cars))",
    ),
    "deletion of several does nothing": ("delete_owners", "state.owners.delete(record.id)", "record.id"),
    "link makes nothing": (
        "assign_owner_to_car",
        "pairs = linked(",
        "return {'id': 'COA-0001'}\n    pairs = linked(",
    ),
    "settings do not change": ("update_settings", "take(args, {'language': 'language', 'units': 'units'})", "{}"),
    "result is text": (
        "get_owner",
        "return show(record)",
        "return str(show(record)) if record.id[-1] == '1' else show(record)",
    ),
    "unknown id is a crash": (
        "get_owner",
        "pick(state.owners, args.get('owner_id'))",
        "dict((r.id, r) for r in state.owners)[args['owner_id']]",
    ),
}


def mutated(service: BuiltService, number: int, tool: str, old: str, new: str) -> dict[str, str]:
    """Files of the service under another package name, with one change in the function of one tool."""
    text = service.files["tools.py"]
    start = text.index(f"@service.spec_tool({tool!r}")
    end = text.find("\n\n\n", start)
    function = text[start:end]
    assert old in function, function
    files = {**service.files, "tools.py": text[:start] + function.replace(old, new) + text[end:]}
    return {
        f"mutant_{number}/{name}": body.replace(service.module, f"mutant_{number}")
        for name, body in files.items()
        if name.endswith(".py")
    }


@pytest.fixture(scope="module")
def service() -> BuiltService:
    return build_with_rules(garage())


@pytest.fixture(scope="module")
def process(service: BuiltService) -> Iterator[SandboxProcess]:
    files = service.packaged()
    for number, (tool, old, new) in enumerate(MUTANTS.values()):
        files |= mutated(service, number, tool, old, new)
    with SandboxProcess("services_app.engine.host", files=files) as made:
        yield made


def quarantined(process: SandboxProcess, module: str) -> set[str]:
    host = ServiceHost(process, {"garage": module})
    report = verify_service("garage", "", lambda: host.mount(["garage"]), timer=time.monotonic)
    assert not report.problems
    return set(report.quarantined)


@pytest.mark.slow
def test_suite_kills_mutants_and_lets_the_original_through(process: SandboxProcess, service: BuiltService) -> None:
    assert quarantined(process, service.module) == set()
    survivors = [name for number, name in enumerate(MUTANTS) if not quarantined(process, f"mutant_{number}")]
    assert len(survivors) <= len(MUTANTS) // 10, survivors
