"""Named reads with bounded queries."""

from django.db.models import QuerySet

from webapp.common.models import Activity, ApiToken, Run, RunEvent, User
from webapp.common.run_models import LIVE, RunState
from webapp.common.run_queue import waiting

LOG_PAGE = 300


def run_list() -> QuerySet[Run]:
    return Run.objects.select_related("created_by").defer("payload", "result")


def run_detail() -> QuerySet[Run]:
    return Run.objects.select_related("created_by", "parent")


def running_count() -> int:
    return Run.objects.filter(state__in=LIVE).count()


def live_runs(limit: int = 8) -> list[Run]:
    return list(run_list().filter(state__in=LIVE).order_by("-id")[:limit])


def run_kinds_seen() -> list[str]:
    return list(Run.objects.order_by("kind").values_list("kind", flat=True).distinct())


def events_after(run: Run, after: int, limit: int = LOG_PAGE) -> list[RunEvent]:
    return list(run.events.filter(seq__gt=after).order_by("seq")[:limit])


def last_events(run: Run, limit: int = LOG_PAGE) -> list[RunEvent]:
    return list(run.events.order_by("-seq")[:limit])[::-1]


def last_words(run: Run, limit: int = 20) -> list[RunEvent]:
    """The end of a failed run's log, for its failure card."""
    return last_events(run, limit) if run.failure_kind else []


def place_in_line(run: Run) -> tuple[int, int] | None:
    """Which of how many a queued run is in its queue; None for any other."""
    if run.state != RunState.QUEUED:
        return None
    keys = list(waiting(run.queue).values_list("pk", flat=True)[:1_000])
    return (keys.index(run.pk) + 1, len(keys)) if run.pk in keys else None


def activity_list() -> QuerySet[Activity]:
    return Activity.objects.select_related("actor", "token")


def tokens_of(user: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=user)


def people() -> QuerySet[User]:
    return User.objects.order_by("username")
