"""Forms that ask for a model at work: which one, and what it may take."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from services_app.builders.model.limits import MODEL_NAME, Limits
from services_app.pipelines.model_building import ModelBuild, model_build
from services_app.pipelines.model_requests import AskedError

DEFAULTS = Limits()
STARTS = (("rules", _("What the rules builder makes")), ("scratch", _("Empty files")))


class ModelForm(forms.Form):
    """A model and its limits; a field that is left empty keeps its default."""

    model = forms.CharField(
        label=_("Model"), max_length=MODEL_NAME, required=False, help_text=_("A name that LiteLLM knows.")
    )
    turns = forms.IntegerField(
        label=_("Turns at most"), required=False, min_value=1, max_value=500, initial=DEFAULTS.turns
    )
    tokens = forms.IntegerField(label=_("Tokens at most"), required=False, min_value=1, initial=DEFAULTS.tokens)
    minutes = forms.FloatField(label=_("Minutes at most"), required=False, min_value=0.1, initial=DEFAULTS.seconds / 60)
    cost_usd = forms.FloatField(
        label=_("US dollars at most"),
        required=False,
        min_value=0.000001,
        help_text=_("Can only be kept for a model whose price is known. Empty: no bound."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["model"].initial = settings.WORKBENCH_MODEL

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            try:
                self.ask(data)
            except AskedError as error:
                self.add_error(error.field if error.field in self.fields else None, str(error))
        return data

    def ask(self, data: dict[str, Any]) -> None:
        """Make the request out of the fields. Raises AskedError."""
        raise NotImplementedError

    @staticmethod
    def limits(data: dict[str, Any]) -> dict[str, Any]:
        """The limits that were filled in."""
        minutes = data.get("minutes")
        given = {name: data.get(name) for name in ("turns", "tokens", "cost_usd")}
        given["seconds"] = minutes * 60 if minutes else None
        return {name: value for name, value in given.items() if value is not None}


class ModelBuildForm(ModelForm):
    """A build with a model, and where it begins."""

    start = forms.ChoiceField(label=_("Begin with"), choices=STARTS, initial="rules", widget=forms.RadioSelect)
    adversary = forms.BooleanField(
        label=_("Write test cases first, in a session of its own that sees the specification only"),
        required=False,
        initial=True,
    )
    field_order = ("model", "start", "adversary")
    asked: ModelBuild | None = None

    def ask(self, data: dict[str, Any]) -> None:
        asked = {"model": data["model"], "limits": self.limits(data), "adversary": data["adversary"]}
        self.asked = model_build(asked | {"scratch": data["start"] == "scratch"})
