"""Forms of the services: where a specification comes from, and what is decided about a tool."""

from __future__ import annotations

import shlex
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext_lazy as _

from services_app.models import ToolDecision

MAX_FILE = 10 * 1024 * 1024


class ImportForm(forms.Form):
    """Exactly one source: a file, pasted text, a command, or a URL."""

    file = forms.FileField(label=_("File"), required=False, help_text=_("JSON of a tools/list result, up to 10 MB."))
    text = forms.CharField(
        label=_("Or paste JSON"), required=False, widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"})
    )
    stdio = forms.CharField(
        label=_("Or the command of a server that speaks over stdio"),
        required=False,
        help_text=_("It is run on this machine, without a shell. Such as: python -m my_server"),
    )
    http = forms.URLField(
        label=_("Or the URL of a server that speaks streamable HTTP"), required=False, assume_scheme="https"
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file is not None and file.size > MAX_FILE:
            raise forms.ValidationError(_("The file has more than 10 MB."))
        return file

    def clean_stdio(self) -> str:
        command = str(self.cleaned_data["stdio"]).strip()
        try:
            shlex.split(command)
        except ValueError as error:
            raise forms.ValidationError(_("The command cannot be read: a quote is not closed.")) from error
        return command

    def clean_http(self) -> str:
        url = str(self.cleaned_data["http"])
        if url and urlsplit(url).scheme not in ("http", "https"):
            raise forms.ValidationError(_("Use an address that begins with http:// or https://."))
        return url

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        given = [name for name in ("file", "text", "stdio", "http") if data.get(name)]
        if not self.errors and len(given) != 1:
            raise forms.ValidationError(_("Give exactly one source: a file, pasted JSON, a command or a URL."))
        return data


class BulkForm(forms.Form):
    """A decision over many tools: how many were shown, and why."""

    expected = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    reason_code = forms.ChoiceField(
        label=_("Reason"), required=False, choices=[("", "-"), *ToolDecision.Reason.choices]
    )
    reason = forms.CharField(
        label=_("In words"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2})
    )


class DecisionForm(forms.Form):
    """A curator's decision. A quarantine needs a reason; "other" and an approval need words."""

    kind = forms.ChoiceField(choices=[(kind.value, kind.label) for kind in ToolDecision.Kind if kind != "undo"])
    reason_code = forms.ChoiceField(
        label=_("Reason"), required=False, choices=[("", "-"), *ToolDecision.Reason.choices]
    )
    reason = forms.CharField(
        label=_("In words"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2})
    )
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
