"""Every tag and filter a page needs to look like this product: `{% load ui %}`.

Each is documented where it is defined and shown at /help/components/. All of them escape what they are given.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField, Form
from django.shortcuts import resolve_url
from django.template import Context
from django.utils.html import format_html

from webapp.common.rendering import code as _code
from webapp.common.rendering import diff as _diff
from webapp.common.rendering import json_tree as _json
from webapp.common.rendering import numbers, shell, widgets
from webapp.common.rendering import schema_form as _schema
from webapp.common.rendering.status import look
from webapp.common.rendering.text import Markup, cut, visible_html

register = template.Library()
LINE = 400


@register.simple_tag
def status(value: object, compact: bool = False) -> Markup:
    """`{% status "verified" %}`, `{% status run %}`: icon and word of a state, enum member or object."""
    return widgets.status_pill(value, compact=compact)


@register.filter
def status_word(value: object) -> str:
    """`{{ run|status_word }}`: the word alone, for sentences and option lists."""
    return str(look(value)[1].word)


@register.simple_tag
def icon(name: str, label: str = "") -> Markup:
    """`{% icon "flask" %}` decorative, `{% icon "flask" label="In validation" %}` with a name."""
    return widgets.icon(name, label)


@register.simple_tag
def json_tree(value: object, open_depth: int = 2, download_url: str = "", name: str = "") -> Markup:
    """`{% json_tree value name="state" %}`: bounded tree; `download_url` is offered when something is left out."""
    return _json.json_tree(value, open_depth=open_depth, download_url=download_url, name=name)


@register.simple_tag
def code(
    text: str, lang: str = "text", start: int = 1, mark: object = "", title: str = "", download_url: str = ""
) -> Markup:
    """`{% code source "python" mark="3,7" title="tools.py" %}`: at most 400 highlighted lines."""
    marked = [int(part) for part in str(mark).split(",") if part.strip().isdigit()]
    return _code.code_block(str(text), lang, start=start, mark=marked, title=title, download_url=download_url)


@register.simple_tag
def diff(
    before: object,
    after: object,
    before_label: str = "",
    after_label: str = "",
    relevant: Collection[str] | None = None,
) -> Markup:
    """`{% diff before after %}`: two JSON records by path; rows outside `relevant` pointers are dimmed."""
    return _diff.diff_table(before, after, before_label=before_label, after_label=after_label, relevant=relevant)


@register.simple_tag
def text_diff(before: str, after: str) -> Markup:
    """`{% text_diff old new %}`: two texts by line, equal stretches folded."""
    return _diff.text_diff(str(before), str(after))


@register.simple_tag
def score_pair(mean: float | None, complete: float | None, n: int | None = None) -> Markup:
    """`{% score_pair 0.73 0.32 n=8 %}`: both shares in [0, 1], never one without the other."""
    return widgets.score_pair(mean, complete, n=n)


@register.simple_tag
def progress(run: object) -> Markup:
    """`{% progress run %}`: needs state, and done, total, unit, phase, started_at where known."""
    return widgets.progress_line(run)


@register.simple_tag
def reltime(moment: datetime | None) -> Markup:
    """`{% reltime run.created_at %}`: how long ago, the absolute time as title."""
    return widgets.relative_time(moment)


@register.simple_tag
def provenance_bar(verified: int = 0, simulated: int = 0, quarantined: int = 0) -> Markup:
    """`{% provenance_bar 5 2 1 %}`: tools by provenance."""
    return widgets.provenance_bar(verified or 0, simulated or 0, quarantined or 0)


@register.simple_tag
def num(value: object, digits: int = 3) -> str:
    """`{% num 12345 %}` 12,345; `{% num 0.7314 %}` 0.731; a dash when there is none."""
    return numbers.plain_number(value, digits)


@register.simple_tag
def pct(share: object, digits: int = 0) -> str:
    """`{% pct 0.32 %}` 32 %."""
    return numbers.percent(share, digits)


@register.simple_tag
def duration_ms(milliseconds: float | None) -> str:
    """`{% duration_ms 85 %}` 85 ms; `{% duration_ms 125000 %}` 2 min 05 s."""
    return numbers.span(None if milliseconds is None else milliseconds / 1000)


@register.simple_tag
def seconds(value: float | None) -> str:
    """`{% seconds 125 %}` 2 min 05 s."""
    return numbers.span(value)


@register.simple_tag(name="bytes")
def byte_size(count: int | None) -> str:
    """`{% bytes 2048 %}` 2.0 KiB."""
    return numbers.byte_size(count)


@register.simple_tag(name="visible")
def visible_tag(text: object, limit: int = LINE) -> Markup:
    """`{% visible text limit=80 %}`: untrusted text, control characters spelled out, cut with an ellipsis."""
    return visible_html(cut(str(text), limit))


@register.filter(name="visible")
def visible_filter(text: object) -> Markup:
    """`{{ text|visible }}`: the same, cut at 400 characters. Safe markup passes as it is."""
    return _visible(text, LINE)


@register.filter
def shown(text: object) -> Markup:
    """`{{ text|shown }}`: untrusted text whole, control characters spelled out. Safe markup passes as it is."""
    return _visible(text, None)


def _visible(text: object, limit: int | None) -> Markup:
    if hasattr(text, "__html__"):
        return Markup(text.__html__())
    whole = str(text)
    return visible_html(whole if limit is None else cut(whole, limit))


@register.simple_tag
def copy(text: object, label: str = "") -> Markup:
    """`{% copy run.public_id %}`: a button that copies the text."""
    from django.utils.translation import gettext

    return _json.copy_button(str(text), label or gettext("Copy"))


@register.inclusion_tag("components/kv.html")
def kv(rows: Sequence[Sequence[Any]], copy: bool = False) -> dict[str, object]:
    """`{% kv rows %}`: rows of (label, value) or (label, None, reason for its absence)."""
    return {"rows": [(row[0], row[1], row[2] if len(row) > 2 else "") for row in rows], "copy": copy}


@register.inclusion_tag("components/chips.html")
def chips(filters: Sequence[Mapping[str, str]] | None, clear_url: str = "") -> dict[str, object]:
    """`{% chips filters clear_url="?" %}`: filters of label, value, remove_url."""
    return {"filters": filters or [], "clear_url": clear_url}


@register.inclusion_tag("components/empty.html")
def empty(
    title: str,
    text: str = "",
    action_url: str = "",
    action_label: str = "",
    link_url: str = "",
    link_label: str = "",
) -> dict[str, object]:
    """`{% empty "No services yet" "Import a spec to start." url "New from spec" %}`: why, and what to do."""
    return {
        "title": title,
        "text": text,
        "action_url": action_url,
        "action_label": action_label,
        "link_url": link_url,
        "link_label": link_label,
    }


@register.inclusion_tag("components/tabs.html")
def tabs(items: Sequence[Mapping[str, object]], current: str) -> dict[str, object]:
    """`{% tabs items tab %}`: items of key, label, url and perhaps count, error."""
    return {"items": items, "current": current}


@register.inclusion_tag("components/stepper.html")
def stepper(steps: Sequence[Sequence[str]], current: str = "") -> dict[str, object]:
    """`{% stepper steps "probing" %}`: steps of (key, label, done|current|failed|waiting).

    Without states, the steps before the current one count as done.
    """
    keys = [step[0] for step in steps]
    place = keys.index(current) if current in keys else -1
    shown = [
        {
            "label": step[1],
            "number": number + 1,
            "state": step[2] if len(step) > 2 and step[2] else _step_state(number, place),
        }
        for number, step in enumerate(steps)
    ]
    return {"steps": shown}


def _step_state(number: int, place: int) -> str:
    if number == place:
        return "current"
    return "done" if number < place else "waiting"


@register.inclusion_tag("components/banner.html")
def banner(level: str, title: str, text: str = "", url: str = "", label: str = "") -> dict[str, object]:
    """`{% banner "warning" "Stale" "A used tool changed." url "Verify again" %}`: info, ok, warning, error, run."""
    icons = {"ok": "check-circle", "warning": "warning", "error": "x-circle", "run": "loader"}
    return {"level": level, "icon": icons.get(level, "info"), "title": title, "text": text, "url": url, "label": label}


@register.inclusion_tag("components/log.html")
def log(lines: Sequence[object], id: str = "log", follow: bool = False, url: str = "") -> dict[str, object]:
    """`{% log events follow=True %}`: lines with at, level, message (mappings or RunEvents); `url` downloads all."""
    return {"lines": lines, "id": id, "follow": follow, "url": url}


@register.inclusion_tag("components/graph.html")
def graph(svg: str, listing: str = "", distractors: bool = False) -> dict[str, object]:
    """`{% graph svg list distractors=True %}`: the drawing with zoom buttons and its list."""
    return {"svg": svg, "listing": listing, "distractors": distractors}


@register.inclusion_tag("components/chart.html")
def chart(svg: str, table: str = "", note: str = "", id: str = "", csv: str = "") -> dict[str, object]:
    """`{% chart svg table=table note="n=8, seed 7" %}`: a chart with its data as a table and what it rests on.

    `id` lets the opened table survive a refresh; `csv` is the address of the same numbers as a file.
    """
    return {"svg": svg, "table": table, "note": note, "id": id, "csv": csv}


@register.inclusion_tag("components/field.html")
def form_field(field: BoundField) -> dict[str, object]:
    """`{% form_field form.name %}`: label, control, hint and errors, tied together for screen readers."""
    described = [f"{field.auto_id}-hint"] if field.help_text else []
    attributes: dict[str, str | bool] = {}
    if field.errors:
        described.append(f"{field.auto_id}-error")
        attributes["aria-invalid"] = "true"
    if described:
        attributes["aria-describedby"] = " ".join(described)
    single = getattr(field.field.widget, "input_type", "") == "checkbox" and not field.use_fieldset
    return {"field": field, "control": field.as_widget(attrs=attributes), "inline": single}


@register.inclusion_tag("components/form_fields.html")
def form_fields(form: Form) -> dict[str, object]:
    """`{% form_fields form %}`: errors of the whole form, hidden fields, then each field."""
    return {"form": form}


@register.inclusion_tag("components/schema_form.html")
def schema_form(
    schema: Mapping[str, object],
    values: object = None,
    errors: Mapping[str, str] | None = None,
    prefix: str = "arg",
) -> dict[str, object]:
    """`{% schema_form tool.input_schema values errors %}`: inputs for a JSON Schema object; errors by pointer."""
    return {"fields": _schema.fields(schema, values, errors or {}, prefix), "errors": errors or {}}


@register.simple_tag(takes_context=True)
def query(context: Context, **changes: object) -> str:
    """`{% query status="failed" cursor=None %}`: the current query string with changes; None removes."""
    return _query(context, changes)


def _query(context: Context, changes: Mapping[str, object]) -> str:
    request = context.get("request")
    params = request.GET.copy() if request is not None else None
    if params is None:
        from django.http import QueryDict

        params = QueryDict(mutable=True)
    for name, value in changes.items():
        if value is None or value == "":
            params.pop(name, None)
        else:
            params[name] = str(value)
    return f"?{params.urlencode()}" if params else "?"


@register.simple_tag(takes_context=True)
def sort_link(context: Context, field: str, label: str) -> str:
    """`{% sort_link "name" "Name" %}`: a heading link that sorts by `?sort=`, then the other way round."""
    request = context.get("request")
    current = request.GET.get("sort", "") if request is not None else ""
    direction = {field: "asc", f"-{field}": "desc"}.get(current, "")
    url = _query(context, {"sort": f"-{field}" if direction == "asc" else field, "cursor": None})
    mark = widgets.icon("arrow", {"asc": "ascending", "desc": "descending"}[direction]) if direction else ""
    return format_html('<a href="{}" class="{}">{}{}</a>', url, f"sort-{direction}" if direction else "", label, mark)


@register.inclusion_tag("components/pager.html", takes_context=True)
def pager(context: Context, page: object, target: str = "") -> dict[str, object]:
    """`{% pager page target="#table" %}`: page has next and prev (cursors or addresses), perhaps count, shown."""

    def read(name: str) -> Any:
        return page.get(name) if isinstance(page, Mapping) else getattr(page, name, None)

    def address(cursor: object) -> str:
        text = str(cursor)
        return text if text.startswith(("?", "/", "http")) else _query(context, {"cursor": cursor})

    following, previous = read("next"), read("prev")
    return {
        "next_url": address(following) if following else "",
        "prev_url": address(previous) if previous else "",
        "count": read("count"),
        "shown": read("shown"),
        "target": target,
    }


@register.inclusion_tag("components/rail.html", takes_context=True)
def rail(context: Context) -> dict[str, object]:
    """The navigation rail; the section comes from the address, or from `nav` in the context."""
    request = context.get("request")
    current = context.get("nav") or shell.current_section(request.path if request is not None else "")
    return {"groups": shell.RAIL, "current": current, "your_turn": context.get("your_turn")}


@register.simple_tag(takes_context=True)
def is_plain(context: Context) -> bool:
    """Whether the page is shown without rail and bar: on request, and where one signs in."""
    request = context.get("request")
    login = resolve_url(settings.LOGIN_URL)
    return bool(context.get("plain")) or (request is not None and request.path == login)


@register.simple_tag(takes_context=True)
def shell_attributes(context: Context) -> Markup:
    """Attributes of `<html>`: theme, density, rail, keys and where to sign in."""
    chosen = shell.preferences(context.get("request"))
    pairs = [f'data-{name}="{value}"' for name, value in chosen.items()]
    return Markup(" ".join([*pairs, f'data-login="{resolve_url(settings.LOGIN_URL)}"']))


@register.inclusion_tag("components/shortcuts.html")
def shortcut_list() -> dict[str, object]:
    """The overlay of keys, from static/js/shortcuts.json."""
    return {"groups": shell.shortcuts()}
