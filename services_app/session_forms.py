"""The form of a build with a model."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from services_app.builders.model.limits import MODEL_NAME, Limits
from services_app.pipelines.model_building import AskedError, ModelBuild, model_build

DEFAULTS = Limits()
STARTS = (("rules", _("What the rules builder makes")), ("scratch", _("Empty files")))


class ModelBuildForm(forms.Form):
    """Which model, where it begins, and what it may take."""

    model = forms.CharField(
        label=_("Model"), max_length=MODEL_NAME, required=False, help_text=_("A name that LiteLLM knows.")
    )
    start = forms.ChoiceField(label=_("Begin with"), choices=STARTS, initial="rules", widget=forms.RadioSelect)
    adversary = forms.BooleanField(
        label=_("Write test cases first, in a session of its own that sees the specification only"),
        required=False,
        initial=True,
    )
    turns = forms.IntegerField(label=_("Turns at most"), min_value=1, max_value=500, initial=DEFAULTS.turns)
    tokens = forms.IntegerField(label=_("Tokens at most"), min_value=1, initial=DEFAULTS.tokens)
    minutes = forms.FloatField(label=_("Minutes at most"), min_value=0.1, initial=DEFAULTS.seconds / 60)
    cost_usd = forms.FloatField(
        label=_("US dollars at most"),
        required=False,
        min_value=0.000001,
        help_text=_("Can only be kept for a model whose price is known. Empty: no bound."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["model"].initial = settings.WORKBENCH_MODEL
        self.asked: ModelBuild | None = None

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            self._ask(data)
        return data

    def _ask(self, data: dict[str, Any]) -> None:
        limits = {name: data[name] for name in ("turns", "tokens", "cost_usd")} | {"seconds": data["minutes"] * 60}
        asked = {"model": data["model"], "limits": limits, "adversary": data["adversary"]}
        try:
            self.asked = model_build(asked | {"scratch": data["start"] == "scratch"})
        except AskedError as error:
            self.add_error("model" if error.field == "model" else None, str(error))
