"""Forms of the services: what is decided about tools."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from services_app.models import ToolDecision


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
