"""The application as Django knows it."""

from django.apps import AppConfig


class ServicesAppConfig(AppConfig):
    name = "services_app"
    label = "services_app"
    default_auto_field = "django.db.models.BigAutoField"
