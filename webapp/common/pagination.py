"""DRF's paginator over `cursors`: `{"data": [...], "page": {"next", "prev", "limit", "count"?}}` and a Link header."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from webapp.common.cursors import DEFAULT_LIMIT, MAX_LIMIT, Page, paginate, read_limit
from webapp.common.problems import ApiProblem


class CursorPages(BasePagination):
    """Reads `cursor`, `limit`, `count=exact|estimate` and `sort` (allow-listed by the view's `sorts`)."""

    page: Page[Any]
    count: dict[str, Any] | None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self.request = request
        given = request.query_params
        order = read_sort(given.get("sort"), getattr(view, "sorts", ()), getattr(view, "order", ("-id",)))
        self.page = paginate(queryset, cursor=given.get("cursor"), limit=read_limit(given.get("limit")), order=order)
        self.count = count_rows(queryset, given["count"]) if "count" in given else None
        return self.page.rows

    def get_paginated_response(self, data: Any) -> Response:
        page: dict[str, Any] = {"next": self.page.next, "prev": self.page.prev, "limit": self.page.limit}
        if self.count is not None:
            page["count"] = self.count
        links = [
            f'<{self._url(cursor)}>; rel="{rel}"'
            for rel, cursor in (("next", self.page.next), ("prev", self.page.prev))
            if cursor
        ]
        return Response({"data": data, "page": page}, headers={"Link": ", ".join(links)} if links else None)

    def _url(self, cursor: str) -> str:
        query = {**self.request.query_params.dict(), "cursor": cursor}
        return self.request.build_absolute_uri(f"{self.request.path}?{urlencode(query)}")

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        cursor = {"type": ["string", "null"], "description": "Send as `cursor` for the neighbouring page."}
        count = {
            "type": "object",
            "properties": {"value": {"type": "integer"}, "kind": {"enum": ["exact", "estimate"]}},
        }
        page = {
            "type": "object",
            "required": ["next", "prev", "limit"],
            "properties": {"next": cursor, "prev": cursor, "limit": {"type": "integer"}, "count": count},
        }
        return {"type": "object", "required": ["data", "page"], "properties": {"data": schema, "page": page}}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        limit = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT}
        parameters = [
            _parameter("cursor", {"type": "string"}, "From `page.next` or `page.prev`."),
            _parameter("limit", limit, "Rows per page."),
            _parameter("count", {"enum": ["exact", "estimate"]}, "Also count all matching rows."),
        ]
        if sorts := getattr(view, "sorts", ()):
            names = ", ".join(f"`{name}`" for name in sorts)
            text = f"Columns separated by commas, `-` for descending: {names}."
            parameters.append(_parameter("sort", {"type": "string"}, text))
        return parameters


def _parameter(name: str, schema: dict[str, Any], text: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": text}


def read_sort(text: str | None, allowed: Sequence[str], default: Sequence[str]) -> tuple[str, ...]:
    """The order asked for. Raises `unsupported-filter` for a column outside `allowed`."""
    if not text or not allowed:
        return tuple(default)
    order = tuple(part.strip() for part in text.split(","))
    for part in order:
        if part.removeprefix("-") not in allowed:
            detail = _("Cannot sort by '%(name)s'.") % {"name": part[:80]}
            raise ApiProblem("unsupported-filter", detail, parameter="sort", known=sorted(allowed))
    return order


def count_rows(rows: QuerySet[Any], kind: str) -> dict[str, Any]:
    """How many rows match: counted, or as the database's planner guesses."""
    if kind == "exact":
        return {"value": rows.count(), "kind": "exact"}
    if kind == "estimate":
        text = rows.order_by().explain(format="json")  # empty for a filter that nothing can match
        plan = json.loads(text) if text else [{"Plan": {"Plan Rows": 0}}]
        return {"value": int(plan[0]["Plan"]["Plan Rows"]), "kind": "estimate"}
    raise ApiProblem("unsupported-filter", _("count is 'exact' or 'estimate'."), parameter="count")
