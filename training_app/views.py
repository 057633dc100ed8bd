"""Pages of datasets and exports."""

from __future__ import annotations

import asyncio
import mimetypes
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from rest_framework.request import Request

from training_app import actions, datasets, exporting, selectors
from training_app.datasets import DatasetError
from training_app.filters import DatasetFilter
from training_app.forms import DatasetForm, ExportForm, FreezeForm
from training_app.models import Dataset, DatasetVersion, Export
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.filters import chips
from webapp.common.pages import check_role, render_error, render_page, require_role, signed_in
from webapp.common.roles import Role

PREVIEW_ROWS = 20
SHIPPERS = (Role.CURATOR, Role.TRAINER)
_RANGE = re.compile(r"bytes=(\d+)-(\d*)$")
_BLOCK = 1 << 18


def may_ship(request: HttpRequest) -> bool:
    return signed_in(request).has_role(*SHIPPERS)


@require_http_methods(["GET", "HEAD", "POST"])
def dataset_list(request: HttpRequest) -> HttpResponse:
    """The list; a POST makes a dataset."""
    form = DatasetForm(request.POST if request.method == "POST" else None, initial=_from_list(request))
    if request.method == "POST":
        check_role(request, *SHIPPERS)
        if form.is_valid():
            try:
                return redirect(actions.create_dataset(**form.cleaned_data, by=signed_in(request)))
            except DatasetError as error:
                form.add_error(None, str(error))
    filters = DatasetFilter(request.GET, queryset=selectors.dataset_list())
    try:
        page = paginate(filters.qs, cursor=request.GET.get("cursor"), limit=read_limit(request.GET.get("limit")))
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "page": page,
        "filter": filters,
        "chips": chips(filters, request.GET.dict()),
        "kinds": Dataset.Kind.choices,
        "form": form,
        "may_ship": may_ship(request),
        "nav": "datasets",
    }
    status = 422 if request.method == "POST" else 200
    return render_page(request, "training/datasets.html", context, "table", status=status)


def _from_list(request: HttpRequest) -> dict[str, str]:
    """A list of tasks or trajectories links here with its filter, as `?new=sft&from=<query string>`."""
    kind = request.GET.get("new", "")
    return {"kind": kind, "query": request.GET.get("from", "")} if kind in Dataset.Kind.values else {}


@require_safe
def dataset_page(request: HttpRequest, slug: str) -> HttpResponse:
    dataset = get_object_or_404(selectors.dataset_list(), slug=slug)
    return render_page(request, "training/dataset.html", _dataset_context(request, dataset, FreezeForm()))


def _dataset_context(request: HttpRequest, dataset: Dataset, form: FreezeForm) -> dict[str, Any]:
    return {
        "dataset": dataset,
        "versions": list(selectors.versions_of(dataset)[:50]),
        "matching": datasets.selection(dataset.kind, dataset.query).count(),
        "form": form,
        "may_ship": may_ship(request),
        "nav": "datasets",
    }


@require_POST
@require_role(*SHIPPERS)
def dataset_freeze(request: HttpRequest, slug: str) -> HttpResponse:
    dataset = get_object_or_404(selectors.dataset_list(), slug=slug)
    form = FreezeForm(request.POST)
    if form.is_valid():
        try:
            version, created = actions.freeze(
                dataset=dataset, shares=form.shares(), seed=form.cleaned_data["seed"], by=signed_in(request)
            )
        except DatasetError as error:
            form.add_error(None, str(error))
        else:
            text = _("Frozen.") if created else _("Nothing changed since this version, so it stays the newest.")
            messages.success(request, text)
            return redirect(version)
    return render_page(request, "training/dataset.html", _dataset_context(request, dataset, form), status=422)


@require_safe
def version_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    version = get_object_or_404(selectors.version_named(slug, number))
    shown = list(selectors.rows_of(version)[:PREVIEW_ROWS])
    context = {
        "version": version,
        "dataset": version.dataset,
        "stats": version.stats,
        "splits": [
            (name, version.stats["splits"][name]) for name in datasets.SPLITS if name in version.stats["splits"]
        ],
        "leakage": datasets.leakage(version),
        "rows": shown,
        "more": version.stats["rows"] - len(shown),
        "exports": list(version.exports.select_related("run")[:20]),
        "runs": list(version.training_runs.select_related("run")[:20]),
        "form": ExportForm(kind=version.dataset.kind),
        "may_ship": may_ship(request),
        "may_launch": signed_in(request).has_role(Role.TRAINER),
        "methods": ["sft", "grpo"],
        "nav": "datasets",
    }
    return render_page(request, "training/version.html", context)


@require_POST
@require_role(*SHIPPERS)
def version_export(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    version: DatasetVersion = get_object_or_404(selectors.version_named(slug, number))
    form = ExportForm(request.POST, kind=version.dataset.kind)
    if not form.is_valid():
        return render_error(request, 400, _("There is no such format for this dataset."))
    return redirect(actions.start_export(version=version, form=form.cleaned_data["form"], by=signed_in(request)))


@require_safe
def export_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    export = get_object_or_404(selectors.export_list(), pk=pk)
    context = {
        "export": export,
        "run": export.run,
        "manifest": export.manifest,
        "files": _files(request, export),
        "may_download": may_ship(request),
        "nav": "datasets",
    }
    return render_page(request, "training/export.html", context, "export-live")


def _files(request: HttpRequest, export: Export) -> list[dict[str, Any]]:
    """The files of the manifest, each with the line that fetches it from a terminal."""
    base = request.build_absolute_uri("/")[:-1]
    place = f"{base}/api/v1/exports/{export.public_id}/files"
    return [
        {**file, "curl": f'curl -fC - -H "Authorization: Bearer $TOKEN" \\\n  -o {file["name"]} {place}/{file["name"]}'}
        for file in (export.manifest or {}).get("files", ())
    ]


@require_safe
def export_file(request: HttpRequest, pk: UUID, name: str) -> HttpResponseBase:
    check_role(request, *SHIPPERS)
    return send_file(request, get_object_or_404(Export, pk=pk), name)


def send_file(request: HttpRequest | Request, export: Export, name: str) -> HttpResponseBase:
    """A file of a complete export, from `Range` on where one is given, so that a download can be resumed."""
    path = exporting.file_of(export, name)
    if path is None or not path.is_file():
        raise Http404
    size = path.stat().st_size
    wanted = _RANGE.match(request.headers.get("Range", ""))
    first, last = (int(wanted[1]), min(int(wanted[2] or size - 1), size - 1)) if wanted else (0, size - 1)
    if wanted and first > last:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    plain = request._request if isinstance(request, Request) else request
    # Under ASGI a plain iterator would be read to its end, into memory, before the first byte is sent.
    blocks: Any = _blocks_async(path, first, last) if isinstance(plain, ASGIRequest) else _blocks(path, first, last)
    kind = mimetypes.guess_type(name)[0] or "application/x-ndjson"
    response = StreamingHttpResponse(blocks, status=206 if wanted else 200, content_type=kind)
    response["Content-Length"] = str(last - first + 1)
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["Accept-Ranges"] = "bytes"
    if wanted:
        response["Content-Range"] = f"bytes {first}-{last}/{size}"
    return response


def _blocks(path: Path, first: int, last: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(first)
        left = last - first + 1
        while left > 0 and (block := file.read(min(_BLOCK, left))):
            left -= len(block)
            yield block


async def _blocks_async(path: Path, first: int, last: int) -> AsyncIterator[bytes]:
    blocks = _blocks(path, first, last)
    while block := await asyncio.to_thread(next, blocks, b""):
        yield block
