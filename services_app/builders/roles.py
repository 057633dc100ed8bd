"""What a parameter is for, by its name and type: paging, sorting, a text query, a range, transport, a value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from services_app.builders.plan import FilterKind, PageKind
from services_app.specs.vocabulary import types_of, words_of

Role = Literal["header", "transport", "presentation", "select", "dry_run", "confirm", "value"]

_PAGES: dict[PageKind, frozenset[str]] = {
    "limit": frozenset(
        (
            "limit per_page page_size pagesize size max_results max_count count top first take num_results n max "
            "rows results_per_page max_items num page_limit result_limit maxresults numresults max_records top_k "
            "page_length limit_page_length hits_per_page entries_per_page items_per_page records_per_page "
            "results_wanted return_limit"
        ).split()
    ),
    "offset": frozenset("offset skip start_index from_index start_at result_offset start_position".split()),
    "page": frozenset("page page_number page_num pagenumber page_no page_index p".split()),
    "cursor": frozenset(
        (
            "cursor page_token next_token after starting_after continuation_token next_cursor pagination_token "
            "next_page_token after_cursor page_cursor paging_token start_cursor skiptoken skip_token marker page_after "
            "continuation bookmark nextlink next_page scroll_id starting_after after_id last_id since_id last_seen_id "
            "min_id after_key"
        ).split()
    ),
}
_TEXT = frozenset(
    (
        "q query search keyword keywords term search_term search_query text pattern filter_text search_text terms "
        "search_string query_string query_text search_keywords search_keyword "
        "search_terms search_words phrase name_contains title_contains free_text fulltext contains"
    ).split()
)
_SORT = frozenset(
    "sorting ordering sort sorts sort_by order_by orderby sort_field sortby sort_key sort_column order_field".split()
)
_ORDER = frozenset("order direction sort_order sort_direction desc descending sort_dir order_direction".split())
_FROM = ("since", "from", "start", "after", "begin", "gte", "gt")
_UNTIL = ("until", "to", "end", "before", "lte", "lt")
_MEDIA = frozenset(("accept", "content_type"))
_HEADERS = frozenset(
    (
        "if_match if_none_match if_modified_since user_agent authorization consistency_level prefer accept_language "
        "accept_encoding x_early_access idempotency_key client_token client_request_id"
    ).split()
)
_TRANSPORT = frozenset(
    (
        "include_headers exclude_response timeout timeout_ms timeout_seconds api_key apikey access_token auth_token "
        "auth_method debug retry retries max_retries refresh no_cache use_cache cache api_version pretty "
        "retry_after custom_headers headers random_string dummy force_refresh bypass_cache skip_cache "
        "bearer_token client_secret api_secret secret_key request_timeout notion_version "
        "requires_confirmation notify send_notifications send_notification send_updates send_update "
        "supports_all_drives user_google_email api_token"
    ).split()
)
_CREDENTIALS = frozenset(
    (
        "api_key apikey access_token auth_token token authorization bearer_token client_secret api_secret secret_key "
        "password auth_method user_google_email api_token tenant profile_name aws_profile"
    ).split()
)
_WAITS = frozenset("retries max_retries retry_after delay wait_seconds".split())
_PRESENTATION = frozenset(
    (
        "format response_format output_format output verbose verbosity detail details detail_level detailed lang "
        "language locale timezone time_zone tz units unit_system unit currency_format expand embed populate view "
        "summary_only compact full raw markdown as_json return_format response_mode include_metadata projection "
        "temperature_unit translate convert resolution"
    ).split()
)
_SELECT = frozenset(
    "fields select columns attributes return_fields properties_to_return field_list only filter_properties".split()
)
_DRY = frozenset("dry_run dryrun preview_only validate_only simulate check_only".split())
_CONFIRM = frozenset("confirm confirmed confirmation i_am_sure yes_really".split())
# Free material of functions that compute something rather than look something up.
_MATERIAL = frozenset(
    (
        "code html css script expression formula equation input data content json xml yaml markdown csv numbers values "
        "matrix a b x y z prompt sql command commands selector image image_url instructions"
    ).split()
)


_LANGUAGE = re.compile(
    r"\b(SQL|JQL|CQL|SOQL|SOSL|PromQL|LogQL|TraceQL|Cypher|SPARQL|GraphQL|KQL|FetchXML|XPath|XQuery|JSONPath|OData|"
    r"NRQL|AQL|N1QL|GAQL|MDX|DAX|Datalog|SELECT (?:quer|statement)\w*)\b"
)
_CARRIERS = frozenset(
    "query sql statement jql cql soql promql logql cypher expression filter q where search query_string".split()
)


def language_of(name: str, schema: Mapping[str, Any], about: str) -> str:
    """The query language that a text parameter takes, by what its descriptions say; "" for plain words."""
    key = key_of(name)
    if key not in _CARRIERS and not key.endswith(("_query", "_sql", "_expression")):
        return ""
    if "string" not in types_of(schema):
        return ""
    said = _LANGUAGE.search(f"{schema.get('description', '')} {about}") or _LANGUAGE.search(key.upper())
    return said[1] if said else ""


def key_of(name: str) -> str:
    """A parameter name in lower-case words joined by `_`."""
    return "_".join(words_of(name))


def role_of(name: str, schema: Mapping[str, Any], *, reads: bool) -> Role:
    """The role of a parameter; `presentation` and `select` only exist for tools that read."""
    key = key_of(name)
    if key in _MEDIA and not (key == "content_type" and _OF_FILE.search(str(schema.get("description") or ""))):
        return "header"
    custom = name.startswith("X-") or (name.startswith("x-") and "string" in types_of(schema))
    waits = key.startswith(("retry_", "timeout_")) or key.endswith("_timeout")
    if custom or key in _TRANSPORT or key in _HEADERS or waits or _is_login(key, schema):
        return "transport"
    if key in _DRY:
        return "dry_run"
    if key in _CONFIRM and "boolean" in types_of(schema):
        return "confirm"
    kinds = types_of(schema)
    if reads and key in _SELECT and (kinds & {"string", "array"} or not kinds):
        return "select"
    if key == "view" and not schema.get("enum") and "boolean" not in kinds:
        return "value"
    if reads and (key in _PRESENTATION or _is_inclusion(key, schema)):
        return "presentation"
    return "value"


_OF_FILE = re.compile(
    r"^(?!.*\b(?:header|request|response)\b).*\b(?:file|attachment|upload|document|image|asset|content being)",
    re.I | re.S,
)
_LOGIN = re.compile(r"\b(?:entra|azure ad|active directory|sign(?:ed)? in|login)\b", re.IGNORECASE)


def _is_login(key: str, schema: Mapping[str, Any]) -> bool:
    """Whether a parameter says under which directory or profile the caller is known."""
    said = str(schema.get("description") or "")
    return (key == "tenant" and _LOGIN.search(said) is not None) or (
        key in ("profile_name", "aws_profile") and "aws" in said.lower()
    )


def is_media(name: str) -> bool:
    """Whether a parameter is a header that names a media type."""
    return key_of(name) in _MEDIA


def is_credential(name: str) -> bool:
    """Whether a parameter is what a caller proves who they are with."""
    return key_of(name) in _CREDENTIALS


def is_version(name: str) -> bool:
    """Whether a parameter is a version of the interface."""
    return key_of(name) in ("api_version", "version_header", "x_api_version", "notion_version")


def is_wait(name: str) -> bool:
    """Whether a parameter is a waiting time or a number of tries."""
    key = key_of(name)
    return key in _WAITS or "timeout" in key.split("_") or key.startswith("retry_")


def is_format(name: str) -> bool:
    """Whether a parameter says how a result is rendered."""
    return key_of(name) in ("format", "response_format", "output_format", "detail_level", "verbosity", "detail")


_INCLUDES = ("include", "exclude", "expand_")
_FLAGS = ("with_", "show_", "fetch_", "return_", "hide_", "omit_", "without_", "in_trash")


def _is_inclusion(key: str, schema: Mapping[str, Any]) -> bool:
    kinds = types_of(schema)
    if key.endswith(("_id", "_ids")) and "boolean" not in kinds:
        return False
    if key.startswith(_INCLUDES):
        return bool(kinds & {"boolean", "array", "string"})
    return key.startswith(_FLAGS) and "boolean" in kinds


def page_kind(name: str) -> PageKind | None:
    key = key_of(name)
    return next((kind for kind, names in _PAGES.items() if key in names), None)


def is_text_query(name: str) -> bool:
    return key_of(name) in _TEXT


def is_sort(name: str) -> bool:
    return key_of(name) in _SORT


def is_order(name: str) -> bool:
    return key_of(name) in _ORDER


def is_material(name: str) -> bool:
    """Whether a parameter is what a function works on: code, markup, numbers."""
    return key_of(name) in _MATERIAL


def range_kind(name: str, kinds: set[str]) -> tuple[FilterKind, str] | None:
    """(kind, field name or "") of a parameter that bounds a range: `min_price`, `created_after`, `since`."""
    words = words_of(name)
    if words and words[0] in ("min", "minimum") and len(words) > 1:
        return "least", "_".join(words[1:])
    if words and words[0] in ("max", "maximum") and len(words) > 1:
        return "most", "_".join(words[1:])
    if len(words) > 1 and words[-1] in ("gte", "gt", "lte", "lt") and kinds & {"number", "integer"}:
        return ("least" if words[-1].startswith("g") else "most"), "_".join(words[:-1])
    if len(words) > 1 and words[-1] in ("min", "max", "from", "to") and kinds & {"number", "integer"}:
        return ("least" if words[-1] in ("min", "from") else "most"), "_".join(words[:-1])
    rest = [word for word in words if word not in ("date", "time", "at", "timestamp", "day", "datetime")]
    if "string" not in kinds or not rest:
        return None
    last = [rest[-1] in marks for marks in (_FROM, _UNTIL)]  # startDateUntil: the last word tells, where it can
    for kind, marks, tells in (("from", _FROM, last[0]), ("until", _UNTIL, last[1])):
        if tells or (not any(last) and rest[0] in marks and len(words) > len(rest)):
            stem = "_".join(word for word in words if word not in marks and word not in ("date", "time"))
            return kind, stem  # type: ignore[return-value]
    return None


def scalar_choices(schema: Mapping[str, Any]) -> tuple[Any, ...]:
    """The enum of a schema (or of its items) when all its values are texts or numbers."""
    items = schema.get("items")
    items = items if isinstance(items, Mapping) else {}
    source = schema.get("enum") or items.get("enum") or ((items["const"],) if "const" in items else ())
    values = [value for value in source if value is not None]
    return tuple(dict.fromkeys(values)) if all(isinstance(value, str | int) for value in values) else ()
