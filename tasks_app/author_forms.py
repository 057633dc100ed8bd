"""The form for who writes the tasks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from services_app.builders.model.limits import MODEL_NAME
from services_app.session_forms import ModelForm
from tasks_app.model_writing import ModelAuthoring, model_authoring

REPHRASED = "rephrased"
CHOICES = (
    ("rules", _("Rules")),
    (REPHRASED, _("Rules, and a model rewords the instruction")),
    ("model", _("A model")),
)


class AuthorForm(ModelForm):
    """Rules, a model, or rules with a model that rewords; the limits are those of the session of each task."""

    author = forms.ChoiceField(
        label=_("Author"), choices=CHOICES, initial="rules", required=False, widget=forms.RadioSelect
    )
    solver = forms.CharField(
        label=_("Solver"),
        max_length=MODEL_NAME,
        required=False,
        help_text=_("Another model that has to solve what a model wrote. Empty: none has to."),
    )
    field_order = ("author", "model", "solver")
    by_model: ModelAuthoring | None = None

    def ask(self, data: dict[str, Any]) -> None:
        author = data["author"] or "rules"
        if author == "rules":
            return
        asked = {"model": data["model"], "solver": data["solver"], "limits": self.limits(data)}
        given = {name: value for name, value in asked.items() if value}
        language = self.data.get("language") or "en"
        self.by_model = model_authoring(self.author_name, given, rephrase=author == REPHRASED, language=language)

    @property
    def author_name(self) -> str:
        """The author as jobs name it."""
        return "model" if self.cleaned_data["author"] == "model" else "rules"
