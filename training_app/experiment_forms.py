"""The form that starts an experiment."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from training_app.engine.config import PRESETS as TRAINERS
from training_app.engine.experiment import Sizes
from training_app.experiments.starting import TITLES
from training_app.launching import TINY

_DEFAULTS = Sizes()
NUMBERS = ("tasks", "held_out", "steps", "grpo_steps", "repeats", "seed")


class ExperimentForm(forms.Form):
    """A preset and its sizes; what is left empty takes the default."""

    preset = forms.ChoiceField(label=_("Question"), choices=list(TITLES.items()))
    source = forms.ChoiceField(
        label=_("Tasks"),
        choices=[
            ("practice", _("practice tasks, written for it")),
            ("catalogue", _("verified tasks of the catalogue")),
        ],
    )
    trainer = forms.ChoiceField(label=_("Preset of the trainings"), choices=[(name, name) for name in TRAINERS])
    start = forms.CharField(
        label=_("Start from"), max_length=500, help_text=_("tiny, model:<directory or hub name> or run:<trn_…>")
    )
    tasks = forms.IntegerField(label=_("Training tasks per arm"), required=False, min_value=2)
    held_out = forms.IntegerField(label=_("Held-out tasks"), required=False, min_value=2)
    steps = forms.IntegerField(label=_("Steps of fine-tuning"), required=False, min_value=1)
    grpo_steps = forms.IntegerField(label=_("Steps of reinforcement learning"), required=False, min_value=1)
    repeats = forms.IntegerField(
        label=_("Training runs per arm"), required=False, min_value=1, max_value=10,
        help_text=_("Each with a seed of its own."),
    )  # fmt: skip
    seed = forms.IntegerField(label=_("Seed"), required=False, min_value=0)
    values = forms.CharField(
        label=_("Points of a sweep"), required=False, max_length=60,
        help_text=_("K, L or numbers of tasks, such as 1, 2, 3. Empty for all."),
    )  # fmt: skip

    @staticmethod
    def first_values(preset: str) -> dict[str, Any]:
        """What the form shows first; each value can be sent as it is."""
        sizes = {
            name: getattr(_DEFAULTS, name) for name in ("tasks", "held_out", "steps", "grpo_steps", "repeats", "seed")
        }
        known = preset if preset in TITLES else next(iter(TITLES))
        return {"preset": known, "source": "practice", "trainer": "cpu-proof", "start": TINY, **sizes, "values": ""}

    def sizes(self) -> dict[str, Any]:
        """What was chosen, in the words of `Sizes`."""
        found = {name: self.cleaned_data[name] for name in NUMBERS if self.cleaned_data[name] is not None}
        points = self.cleaned_data["values"]
        return {**found, "values": points} if points else found

    def clean_values(self) -> list[int]:
        """Whole numbers out of "1, 2, 3"."""
        parts = [part.strip() for part in str(self.cleaned_data["values"]).split(",") if part.strip()]
        if not all(part.isdecimal() and len(part) < 7 for part in parts):
            raise forms.ValidationError(_("Whole numbers, separated by commas."))
        return [int(part) for part in parts]
