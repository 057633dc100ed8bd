"""The application as Django knows it."""

from django.apps import AppConfig


class TasksAppConfig(AppConfig):
    name = "tasks_app"
    label = "tasks_app"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say what a quarantined tool means for tasks: `services_app` must not import this app."""
        from services_app import dependants
        from tasks_app import actions

        dependants.register(
            dependants.Dependants(actions.impact_of_tools, actions.mark_stale, actions.restore, actions.mark_mounting)
        )
