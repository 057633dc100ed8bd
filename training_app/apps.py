"""The application as Django knows it."""

from django.apps import AppConfig


class TrainingAppConfig(AppConfig):
    name = "training_app"
    label = "training_app"
    default_auto_field = "django.db.models.BigAutoField"
