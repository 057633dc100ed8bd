"""What people do with the checkpoints of a run: free the disk, or go back to one and resume."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from training_app import actions
from training_app.job_views import training_of
from webapp.common.pages import require_role, signed_in
from webapp.common.rendering.numbers import byte_size
from webapp.common.roles import Role


@require_POST
@require_role(Role.TRAINER)
def checkpoint_delete(request: HttpRequest, pk: UUID, name: str) -> HttpResponse:
    training = training_of(pk)
    try:
        freed = actions.delete_checkpoint(training=training, name=name, by=signed_in(request))
    except ValueError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Deleted; %(bytes)s are free again.") % {"bytes": byte_size(freed)})
    return redirect(training)


@require_POST
@require_role(Role.TRAINER)
def checkpoint_resume(request: HttpRequest, pk: UUID, name: str) -> HttpResponse:
    training = training_of(pk)
    try:
        actions.resume_from(training=training, name=name, by=signed_in(request))
    except ValueError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Queued again, from %(name)s.") % {"name": name})
    return redirect(training)
