"""The form that asks where specifications come from."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

MAX_FILE = 10 * 1024 * 1024
MOST_FILES = 100
MOST_HEADERS = 20
SOURCES = ("file", "text", "stdio", "http", "registry")
OFFICIAL_REGISTRY = "https://registry.modelcontextprotocol.io"
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")


class HeaderError(ValueError):
    """Headers that cannot be sent; the message names the one at fault, never its value."""


def read_headers(lines: Iterable[str]) -> dict[str, str]:
    """Headers from lines of the form `Name: value`. Raises HeaderError."""
    headers: dict[str, str] = {}
    for number, line in enumerate((line for line in lines if line.strip()), 1):
        name, colon, value = line.partition(":")
        name, value = name.strip(), value.strip()
        if not colon or not _HEADER_NAME.fullmatch(name):
            raise HeaderError(_("Header %(number)d is not of the form Name: value.") % {"number": number})
        if not value or not value.isascii() or not value.isprintable() or len(value) > 8_000:
            raise HeaderError(_("The value of the header %(name)s cannot be sent.") % {"name": name})
        headers[name] = value
    if len(headers) > MOST_HEADERS:
        raise HeaderError(_("There are more than %(most)d headers.") % {"most": MOST_HEADERS})
    return headers


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files at once; cleans to a list."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        given = data if isinstance(data, list | tuple) else [data] if data else []
        return [super(FilesField, self).clean(file, initial) for file in given]


class ImportForm(forms.Form):
    """Exactly one source: files, pasted text, a command, a URL, or a registry."""

    file = FilesField(
        label=_("Files"),
        required=False,
        help_text=_(
            "JSON of a tools/list result, or an OpenAPI 3 document as JSON or YAML; up to 10 MB each, 100 files."
        ),
    )
    text = forms.CharField(
        label=_("Or paste JSON or YAML"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    stdio = forms.CharField(
        label=_("Or the command of a server that speaks over stdio"),
        required=False,
        help_text=_("It is run on this machine, without a shell. Such as: python -m my_server"),
    )
    http = forms.URLField(
        label=_("Or the URL of a server that speaks streamable HTTP"), required=False, assume_scheme="https"
    )
    headers = forms.CharField(
        label=_("Headers for that URL"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "autocomplete": "off"}),
        help_text=_("One a line, such as: Authorization: Bearer … They are sealed, sent, and never shown again."),
    )
    registry = forms.URLField(
        label=_("Or the address of a registry of MCP servers"),
        required=False,
        assume_scheme="https",
        help_text=_("Only its list is read; you choose afterwards what to import. The official one: %(url)s")
        % {"url": OFFICIAL_REGISTRY},
    )

    def clean_file(self) -> list[UploadedFile[Any]]:
        files: list[UploadedFile[Any]] = self.cleaned_data["file"]
        if len(files) > MOST_FILES:
            raise forms.ValidationError(_("There are more than 100 files; import them in parts."))
        large = next((file.name for file in files if (file.size or 0) > MAX_FILE), None)
        if large is not None:
            raise forms.ValidationError(_("%(name)s has more than 10 MB."), params={"name": large})
        return files

    def clean_stdio(self) -> str:
        command = str(self.cleaned_data["stdio"]).strip()
        try:
            shlex.split(command)
        except ValueError as error:
            raise forms.ValidationError(_("The command cannot be read: a quote is not closed.")) from error
        return command

    def clean_http(self) -> str:
        return _web_address(str(self.cleaned_data["http"]))

    def clean_registry(self) -> str:
        return _web_address(str(self.cleaned_data["registry"]))

    def clean_headers(self) -> dict[str, str]:
        try:
            return read_headers(str(self.cleaned_data["headers"]).splitlines())
        except HeaderError as error:
            raise forms.ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        given = [name for name in SOURCES if data.get(name)]
        if not self.errors and len(given) != 1:
            raise forms.ValidationError(
                _("Give exactly one source: files, pasted text, a command, a URL or a registry.")
            )
        if data.get("headers") and not data.get("http"):
            self.add_error("headers", _("Headers are sent to a server at a URL only."))
        return data


def _web_address(url: str) -> str:
    if url and urlsplit(url).scheme not in ("http", "https"):
        raise forms.ValidationError(_("Use an address that begins with http:// or https://."))
    return url
