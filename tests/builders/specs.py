"""Small specifications of our own, written to hold one of each kind of tool that the rules know."""

from __future__ import annotations

from typing import Any

from services_app.specs.model import Specification
from tests.specs.helpers import spec_of


def tool(name: str, properties: dict[str, Any] | None = None, required: str = "", **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties or {}, "required": required.split()}
    return {"name": name, "description": more.pop("description", ""), "inputSchema": schema, **more}


TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def garage() -> Specification:
    """Generated ids, foreign keys, filters, paging, sorting, ranges, text, status verbs, copies, links."""
    car = {
        "plate": TEXT,
        "owner_id": TEXT,
        "colour": {"type": "string", "enum": ["red", "green", "blue"]},
        "price": {"type": "number"},
        "extras": {"type": "array", "items": TEXT},
        "doors": {"type": "integer", "default": 5},
    }
    listing = {
        "colour": TEXT,
        "owner_id": TEXT,
        "min_price": {"type": "number"},
        "max_price": {"type": "number"},
        "created_after": {"type": "string", "format": "date-time"},
        "query": TEXT,
        "sort_by": TEXT,
        "order": {"type": "string", "enum": ["asc", "desc"]},
        "limit": {"type": "integer", "default": 3},
        "page": WHOLE,
        "fields": {"type": "array", "items": TEXT},
    }
    return spec_of(
        tool("create_owner", {"name": TEXT, "email": TEXT}, "name"),
        tool("get_owner", {"owner_id": TEXT}, "owner_id"),
        tool("list_owners"),
        tool("create_car", car, "plate owner_id"),
        tool("get_car", {"car_id": TEXT}, "car_id"),
        tool("get_cars_by_ids", {"car_ids": {"type": "array", "items": TEXT}}, "car_ids"),
        tool("list_cars", listing),
        tool("get_cars_count", {"colour": TEXT}),
        tool("update_car", {"car_id": TEXT, **car}, "car_id"),
        tool("sell_car", {"car_id": TEXT}, "car_id", description="Archive a car that is sold."),
        tool("cancel_car", {"car_id": TEXT}, "car_id"),
        tool("copy_car", {"car_id": TEXT, "plate": TEXT}, "car_id"),
        tool("delete_car", {"car_id": TEXT}, "car_id"),
        tool("delete_owners", {"owner_ids": {"type": "array", "items": TEXT}}, "owner_ids"),
        tool("assign_owner_to_car", {"owner_id": TEXT, "car_id": TEXT}, "owner_id car_id"),
        tool("unassign_owner_from_car", {"owner_id": TEXT, "car_id": TEXT}, "owner_id car_id"),
        tool("get_settings"),
        tool("update_settings", {"language": TEXT, "units": TEXT}),
        tool("frobnicate_car", {"car_id": TEXT}, "car_id"),
        name="garage",
    )


def library() -> Specification:
    """Natural keys, integer ids, creation of several, a dry run, a confirmation, output wrappers."""
    text_result = {"type": "object", "properties": {"result": TEXT}, "required": ["result"]}
    shape = {
        "type": "object",
        "properties": {
            "success": {"type": "boolean"},
            "data": {"type": "object", "properties": {"id": WHOLE, "pages": WHOLE, "note": TEXT}, "required": ["note"]},
        },
        "required": ["success", "data"],
    }
    book = {"title": TEXT, "pages": WHOLE, "dry_run": {"type": "boolean"}}
    shelves = {
        "shelves": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": TEXT, "room": TEXT}, "required": ["name"]},
        }
    }
    return spec_of(
        tool("create_book", book, "title"),
        tool("get_book", {"book_id": WHOLE}, "book_id", outputSchema=shape),
        tool("update_book", {"book_id": WHOLE, "title": TEXT, "note": {"type": ["string", "null"]}}, "book_id"),
        tool("list_books", outputSchema=text_result),
        tool("delete_book", {"book_id": WHOLE, "confirm": {"type": "boolean"}}, "book_id confirm"),
        tool("create_shelves", shelves, "shelves"),
        tool("get_shelf", {"name": TEXT}, "name"),
        tool("list_shelves"),
        tool("delete_shelf", {"name": TEXT}, "name"),
        name="library",
    )


def awkward() -> Specification:
    """Property names that Python or Pydantic will not take, all on one creation."""
    properties = {
        "_id": TEXT,
        "class": TEXT,
        "from": TEXT,
        "copy": {"type": "boolean"},
        "json": {"type": "object"},
        "schema": TEXT,
        "model_config": {"type": "object"},
        "model_dump": TEXT,
        "x-ratio": {"type": "number"},
        "date": {"type": ["string", "null"], "format": "date"},
        "größe": WHOLE,
        "self": TEXT,
        "identity": TEXT,
        "fileName": TEXT,
        "file_name": TEXT,
    }
    return spec_of(
        tool("create_thing", properties, "_id class"),
        tool("get_thing", {"_id": TEXT}, "_id"),
        tool("list_things", {"limit": WHOLE}),
        name="9 awkward things",
    )


def weather() -> Specification:
    """Only reads, under keys without end."""
    when = {"city": TEXT, "unit_system": TEXT, "days": WHOLE}
    return spec_of(
        tool("get_forecast", when, "city"),
        tool("list_stations", {"country": {"type": "string", "enum": ["DE", "FR"]}}),
        tool("get_station", {"station_id": TEXT}, "station_id"),
        tool("evaluate_formula", {"formula": TEXT}, "formula"),
        name="weather",
    )
