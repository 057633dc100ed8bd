from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class CommonConfig(AppConfig):
    name = "webapp.common"
    label = "common"
    verbose_name = "Workbench"

    def ready(self) -> None:
        from webapp.common import home_cards

        home_cards.register()
        # `jobs` registers run kinds, `panels` registers cards on Home. The web process needs both: it names
        # the queue of a kind and may run a job inline.
        autodiscover_modules("jobs", "panels")
