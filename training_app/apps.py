"""The application as Django knows it."""

from django.apps import AppConfig


class TrainingAppConfig(AppConfig):
    name = "training_app"
    label = "training_app"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say which datasets and runs stand on a tool: `services_app` must not import this app."""
        from services_app import dependants
        from training_app import impact

        dependants.register(dependants.Dependants(impact.impact_of_tools, impact.mark_stale, impact.restore))
