"""Tools that create, change and share presentations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
from services_app.library.shared import Json, Name, check_date, check_text, same, some_changes, with_fields
from services_app.library.slides.access import PresentationId, described, editable, my_role, slides_of, touch
from services_app.library.slides.state import Audience, Collaborator, Role, SlidesState, service

SlotMinutes = Annotated[int, f.duration("minutes"), Field(ge=1, le=240)]
TemplateName = Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=120)]


@service.tool(phrase="create the presentation {title} from the template {template}")
def create_presentation(
    state: SlidesState,
    ctx: CallContext,
    title: Name,
    template: TemplateName,
    audience: Audience = "internal",
    slot_minutes: SlotMinutes = 20,
    presented_on: f.Date | None = None,
) -> Json:
    """Create a presentation of yours; it starts with the slides of the template's outline.

    Errors: `unknown_template`, `template_retired`, `duplicate_title` (you have one with this title), `invalid_date`,
    `blank_text`.

    Args:
        title: Title, also of the first slide.
        template: Name of the template.
        audience: Who will see it.
        slot_minutes: How long the presenter has.
        presented_on: Day on which it is given.
    """
    clean = check_text(title, "title")
    found = next((row for row in state.templates if same(row.name, template)), None)
    if found is None:
        raise invalid(f"There is no template {template}; see list_templates.", type="unknown_template")
    if found.retired:
        raise conflict(f"{found.name} is retired; choose another template.", type="template_retired")
    if any(same(row.title, clean) for row in state.presentations.find(owner_email=ME.email)):
        raise conflict(f"You have a presentation {clean} already.", type="duplicate_title")
    deck = state.presentations.create(
        title=clean,
        template_id=found.id,
        owner_email=ME.email,
        audience=audience,
        slot_minutes=slot_minutes,
        presented_on=check_date(presented_on) if presented_on else None,
        created_at=ctx.now,
        modified_at=ctx.now,
    )
    state.slides.create(presentation_id=deck.id, position=1, layout="title", title=clean)
    for position, line in enumerate(found.outline, 2):
        layout = "closing" if position == len(found.outline) + 1 else "content"
        state.slides.create(presentation_id=deck.id, position=position, layout=layout, title=line)
    return with_fields(deck, slides=slides_of(state, deck.id))


@service.tool(phrase="change the settings of the presentation {presentation_id}")
def update_presentation(
    state: SlidesState,
    ctx: CallContext,
    presentation_id: PresentationId,
    title: Name | Unset = UNSET,
    audience: Audience | Unset = UNSET,
    slot_minutes: SlotMinutes | Unset = UNSET,
    presented_on: f.Date | Unset | None = UNSET,
) -> Json:
    """Change a presentation; what is left out stays. An approved one becomes a draft again.

    Errors: `not_found`, `read_only`, `in_review`, `nothing_to_change`, `shared_outside` (an internal one cannot have
    readers outside), `invalid_date`, `blank_text`.

    Args:
        presentation_id: Id of the presentation.
        title: New title; the slides keep theirs.
        audience: Who will see it.
        slot_minutes: How long the presenter has.
        presented_on: Day on which it is given; null for none.
    """
    editable(state, presentation_id)
    changes = some_changes(given(title=title, audience=audience, slot_minutes=slot_minutes, presented_on=presented_on))
    if "title" in changes:
        changes["title"] = check_text(changes["title"], "title")
    if changes.get("presented_on"):
        check_date(changes["presented_on"])
    collaborators = state.collaborators.find(presentation_id=presentation_id)
    strangers = [row.email for row in collaborators if outside(row.email)]
    if audience == "internal" and strangers:
        raise conflict(f"{', '.join(strangers)} can see it; remove them first.", type="shared_outside")
    touch(state, ctx, presentation_id)
    return described(state, state.presentations.patch(presentation_id, **changes))


@service.tool(phrase="share the presentation {presentation_id} with {email} as {role}")
def share_presentation(
    state: SlidesState, ctx: CallContext, presentation_id: PresentationId, email: f.Email, role: Role = "viewer"
) -> Collaborator:
    """Give someone a role in a presentation of yours. People outside see only what has been published.

    Errors: `not_found`, `not_owner`, `already_shared` (with this role), `own_presentation`, `internal_only`,
    `outside_view_only`, `not_published`.

    Args:
        presentation_id: Id of the presentation.
        email: Address of the person.
        role: What the person may do.
    """
    deck = state.presentations.get(presentation_id)
    if my_role(state, deck) != "owner":
        raise forbidden(f"Only {deck.owner_email} may share {deck.title}.", type="not_owner")
    if same(email, ME.email):
        raise invalid(f"{deck.title} is yours.", type="own_presentation")
    if outside(email):
        if deck.audience == "internal":
            raise forbidden(f"{deck.title} is internal; {email} is outside Larkfield.", type="internal_only")
        if role != "viewer":
            raise forbidden(f"{email} is outside Larkfield and can only be a viewer.", type="outside_view_only")
        if not state.releases.count(presentation_id=presentation_id):
            raise conflict("Nothing is published yet; use publish_presentation first.", type="not_published")
    row = next((r for r in state.collaborators.find(presentation_id=presentation_id) if same(r.email, email)), None)
    if row is None:
        return state.collaborators.create(presentation_id=presentation_id, email=email, role=role)
    if row.role == role:
        raise conflict(f"{email} is a {role} already.", type="already_shared")
    return state.collaborators.patch(row.id, role=role)


@service.tool(phrase="stop sharing the presentation {presentation_id} with {email}")
def remove_collaborator(
    state: SlidesState, ctx: CallContext, presentation_id: PresentationId, email: f.Email
) -> Collaborator:
    """Take someone's role in a presentation of yours away.

    Errors: `not_found`, `not_owner`, `not_shared`.

    Args:
        presentation_id: Id of the presentation.
        email: Address of the person.
    """
    deck = state.presentations.get(presentation_id)
    if my_role(state, deck) != "owner":
        raise forbidden(f"Only {deck.owner_email} may share {deck.title}.", type="not_owner")
    for row in state.collaborators.find(presentation_id=presentation_id):
        if same(row.email, email):
            return state.collaborators.delete(row.id)
    raise invalid(f"{deck.title} is not shared with {email}; see get_presentation.", type="not_shared")
