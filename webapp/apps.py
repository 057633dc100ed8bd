"""The project itself as an application, so that its commands and checks are found."""

from django.apps import AppConfig


class WebappConfig(AppConfig):
    name = "webapp"
    label = "webapp"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from webapp import checks  # noqa: F401 - registers the system checks
