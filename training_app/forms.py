"""Forms of datasets, exports, launches and evaluations."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from training_app import actions, lab
from training_app.engine.config import PRESETS
from training_app.filters import SELECTIONS
from training_app.launching import CLASSES, OURS, preset_values
from training_app.models import Dataset, DatasetVersion, TrainingRun
from workers.launchers.clusters import Place

SHOWN_FIRST = {
    "sft": ("epochs", "global_batch", "learning_rate", "max_steps", "max_length"),
    "grpo": ("steps", "group_size", "groups_per_step", "learning_rate", "epsilon_high", "lam", "temperature"),
}


class DatasetForm(forms.Form):
    """A new dataset: a name, a kind, and the filter in the words of the REST API."""

    title = forms.CharField(label=_("Title"), max_length=200)
    kind = forms.ChoiceField(label=_("Kind"), choices=Dataset.Kind.choices)
    query = forms.CharField(
        label=_("Filter"),
        required=False,
        help_text=_("As in the address of a list, such as policy=reference&k=3. Only passed and verified by default."),
        widget=forms.TextInput(attrs={"spellcheck": "false"}),
    )

    def clean_query(self) -> dict[str, str]:
        from django.http import QueryDict

        text = str(self.cleaned_data["query"]).strip().lstrip("?")
        query = {name: str(value) for name, value in QueryDict(text).items() if value}
        known = SELECTIONS[self.cleaned_data.get("kind") or Dataset.Kind.SFT].get_filters()
        for name in ("cursor", "limit", "sort"):  # they come along when an address is pasted
            query.pop(name, None)
        unknown = sorted(set(query) - set(known))
        if unknown:
            raise forms.ValidationError(
                _("Unknown: %(unknown)s. Known: %(known)s.")
                % {"unknown": ", ".join(unknown), "known": ", ".join(sorted(known))}
            )
        return query


class FreezeForm(forms.Form):
    """How a version is split. What is left goes to train."""

    test = forms.FloatField(label=_("Test share"), min_value=0, max_value=0.9, initial=0.2)
    validation = forms.FloatField(label=_("Validation share"), min_value=0, max_value=0.9, initial=0)
    seed = forms.IntegerField(label=_("Seed"), min_value=0, max_value=2**31, initial=0)

    def shares(self) -> dict[str, float]:
        test, validation = self.cleaned_data["test"], self.cleaned_data["validation"]
        return {"train": round(1 - test - validation, 6), "validation": validation, "test": test}


class ExportForm(forms.Form):
    """Which format; only those that the kind of dataset has rows for."""

    form = forms.ChoiceField(label=_("Format"))

    def __init__(self, *args: Any, kind: str, **options: Any) -> None:
        super().__init__(*args, **options)
        from training_app.models import Export

        allowed = actions.FORMATS[Dataset.Kind(kind)]
        field = self.fields["form"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(value, label) for value, label in Export.Format.choices if value in allowed]


class LaunchForm(forms.Form):
    """What, how and within which limits; the fields of the configuration are made from the trainer's own."""

    method = forms.ChoiceField(label=_("Method"), choices=TrainingRun.Method.choices)
    preset = forms.ChoiceField(label=_("Preset"), choices=[(name, name) for name in PRESETS])
    version = forms.ModelChoiceField(label=_("Dataset version"), queryset=DatasetVersion.objects.none())
    start = forms.CharField(
        label=_("Start from"),
        max_length=500,
        help_text=_("tiny, model:<directory or hub name>, or run:<id of a training run>[@checkpoint]"),
    )
    mode = forms.ChoiceField(
        label=_("Tools"),
        required=False,
        choices=[("", _("as the data")), ("meta", _("through the meta-tools")), ("direct", _("directly"))],
    )
    hours = forms.FloatField(
        label=_("Hours"), required=False, min_value=0.01, max_value=10_000, help_text=_("Stop and keep after so long.")
    )
    max_simulated = forms.FloatField(
        label=_("Simulated share at most"), required=False, min_value=0, max_value=1, initial=1
    )
    launcher = forms.ChoiceField(
        label=_("Where it runs"),
        required=False,
        choices=[("local", _("this machine")), ("slurm", _("a Slurm cluster")), ("skypilot", _("SkyPilot"))],
    )
    resources = forms.CharField(
        label=_("Resources"),
        required=False,
        max_length=100,
        help_text=_("Slurm: the partition. SkyPilot: accelerators of one node, such as H100:8."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        versions = DatasetVersion.objects.select_related("dataset").order_by("-id")
        field = self.fields["version"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = versions
        self.method_name = str(self.data.get("method") or self.initial.get("method") or "sft")
        if self.method_name not in CLASSES:
            self.method_name = "sft"
        self.preset_name = str(self.data.get("preset") or self.initial.get("preset") or "cpu-proof")
        if self.preset_name not in PRESETS:
            self.preset_name = "cpu-proof"

    def settings(self) -> list[dict[str, Any]]:
        """Rows for the configuration: name, meaning, value of the preset, what was typed, whether it stands first."""
        usual = preset_values(self.method_name, self.preset_name)
        rows = []
        for name, info in CLASSES[self.method_name].model_fields.items():
            if name in OURS:
                continue
            typed = str(self.data.get(f"set-{name}", ""))
            rows.append(
                {
                    "name": name,
                    "meaning": info.description or "",
                    "usual": "" if usual[name] is None else usual[name],
                    "typed": typed,
                    "first": name in SHOWN_FIRST[self.method_name] or bool(typed),
                }
            )
        return rows

    def place(self) -> Place:
        """Where the run is to work."""
        data = self.cleaned_data
        return Place(data["launcher"] or "local", data["resources"].strip())

    def overrides(self) -> dict[str, Any]:
        """What was typed and differs from the preset, as text; the configuration reads numbers from it."""
        usual = preset_values(self.method_name, self.preset_name)
        typed = {row["name"]: row["typed"].strip() for row in self.settings() if row["typed"].strip()}
        return {name: read_value(text) for name, text in typed.items() if read_value(text) != usual.get(name)}


def read_value(text: str) -> Any:
    """A typed value: JSON where it is some (numbers, true, null, objects), else the text itself."""
    import json

    try:
        return json.loads(text)
    except ValueError:
        return text


class EvaluateForm(forms.Form):
    """Which checkpoint of a run is judged on which split, and how often."""

    split = forms.CharField(max_length=12)
    checkpoint = forms.CharField(required=False, max_length=60)
    attempts = forms.IntegerField(label=_("Attempts per task"), min_value=1, max_value=actions.MAX_ATTEMPTS, initial=1)
    temperature = forms.FloatField(label=_("Temperature"), min_value=0, max_value=2, initial=0)
    seed = forms.IntegerField(label=_("Seed"), min_value=0, max_value=2**31, initial=0, required=False)


class LabForm(forms.Form):
    """A group as text and how it is rewarded."""

    text = forms.CharField(
        label=_("Rollouts"),
        help_text=_("One line per rollout: 1 met, 0 not met, ? unknown, or the word crashed. JSON lines work as well."),
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "class": "mono"}),
    )
    lam = forms.FloatField(
        label="λ", min_value=0, max_value=1, widget=forms.NumberInput(attrs={"step": "any", "class": "num"})
    )
    scale = forms.ChoiceField(
        label=_("Advantage"),
        choices=[("group", _("divided by the deviation")), ("none", _("distance from the mean"))],
    )
    min_valid = forms.IntegerField(label=_("Valid rollouts at least"), min_value=2, max_value=64)
    unknown = forms.ChoiceField(
        label=_("A criterion nobody could judge"),
        choices=[("exclude_criterion", _("leaves the weights")), ("drop_group", _("drops the group"))],
    )

    def settings(self, dead: list[str], broken: list[str]) -> lab.Settings:
        """What was chosen, and the boxes ticked in the table."""
        data = self.cleaned_data
        return lab.Settings(
            lam=data["lam"],
            scale=data["scale"],
            min_valid=data["min_valid"],
            unknown_everywhere=data["unknown"],
            dead=frozenset(int(text) for text in dead if text.isdecimal() and len(text) < 4),
            broken=frozenset(broken),
        )
