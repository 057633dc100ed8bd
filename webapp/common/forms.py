"""Forms of the account and people pages."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from webapp.common.models import User
from webapp.common.roles import Role, Scope
from webapp.common.tokens import DEFAULT_DAYS

if TYPE_CHECKING:
    UserForm = forms.ModelForm[User]
    NewUserForm = BaseUserCreationForm[User]
else:  # the classes take no parameter at run time
    UserForm, NewUserForm = forms.ModelForm, BaseUserCreationForm


class ProfileForm(UserForm):
    class Meta:
        model = User
        fields = ("first_name", "last_name", "email")


class AppearanceForm(UserForm):
    class Meta:
        model = User
        fields = ("theme", "density", "language", "shortcuts_enabled")
        labels = {  # noqa: RUF012 - Django reads it once
            "theme": _("Theme"),
            "density": _("Density"),
            "language": _("Language"),
            "shortcuts_enabled": _("Single-key shortcuts"),
        }


class TokenForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80)
    scopes = forms.MultipleChoiceField(
        label=_("May"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=["catalog:read", "jobs:read"],
    )
    days = forms.IntegerField(label=_("Days until it expires"), min_value=1, max_value=366, initial=DEFAULT_DAYS)

    def expires_at(self) -> Any:
        return timezone.now() + timedelta(days=self.cleaned_data["days"])


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(label=_("Roles"), choices=Role.choices, widget=forms.CheckboxSelectMultiple)
    is_active = forms.BooleanField(label=_("May sign in"), required=False)
    version = forms.IntegerField(widget=forms.HiddenInput)


class PersonForm(NewUserForm):
    roles = forms.MultipleChoiceField(
        label=_("Roles"), choices=Role.choices, widget=forms.CheckboxSelectMultiple, initial=[Role.VIEWER.value]
    )

    class Meta:
        model = User
        fields = ("username", "email", "roles")
