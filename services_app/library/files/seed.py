"""Drives of a company: rules in versions, papers of customers, things that are closed to you."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.files import texts
from services_app.library.files.access import used_kb
from services_app.library.files.state import File, FilesState, Folder, service
from services_app.library.files.versions import size_of

_SPARE_KB = 700


@service.seed
def fill(state: FilesState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    folders = _drives(state, ctx, cast)
    for path, name, kind, label, contents in texts.STANDING:
        owner = ME if path.startswith("Home") else cast.team("operations")[-1]
        _file(state, ctx, folders[path], owner, name, kind, label, contents)
    for project in cast.projects[: ctx.size(85)]:
        _about(state, ctx, cast, folders, project)
    for project in cast.projects[: ctx.size(9)]:
        _request(state, ctx, cast, folders, project)
    # The drive of the customers is nearly full: large files no longer fit.
    drive = state.drives.first(name="Customers")
    if drive is not None:
        state.drives.patch(drive.id, quota_kb=used_kb(state, drive.id) + _SPARE_KB)


def _drives(state: FilesState, ctx: SeedContext, cast: Cast) -> dict[str, Folder]:
    """Folder by its path within its drive."""
    found: dict[str, Folder] = {}
    for name, quota, external, team, role, paths in texts.DRIVES:
        contact = cast.team(team)[-1] if team else ME
        drive = state.drives.create(
            name=name, quota_kb=ctx.size(quota), external_sharing=external, contact_email=contact.email
        )
        members = [(ME, role)]
        if team:
            members += [(contact, "manager"), *((person, "editor") for person in cast.team(team)[1:4])]
        for email, right in {person.email: right for person, right in members}.items():
            state.drive_members.create(drive_id=drive.id, email=email, role=right)
        for path, restricted in paths:
            above, _, own = path.rpartition("/")
            found[path] = state.folders.create(
                drive_id=drive.id,
                parent_id=found[above].id if above else None,
                name=own,
                restricted=restricted,
                created_at=ctx.moment(-600, 9),
            )
    return found


def _file(
    state: FilesState,
    ctx: SeedContext,
    folder: Folder,
    owner: Person,
    name: str,
    kind: str,
    label: str,
    contents: tuple[str, ...],
) -> File:
    """A file; the first content is the present one, the others are earlier versions."""
    number = len(contents)
    day = -ctx.random.randint(1, 120)
    size = ctx.random.randint(180, 2600) if kind in ("pdf", "image") else size_of(contents[0])
    file = state.files.create(
        folder_id=folder.id,
        name=name,
        kind=kind,
        content=contents[0],
        size_kb=size,
        owner_email=owner.email,
        classification=label,
        version=number,
        modified_at=ctx.moment(day, ctx.random.randint(8, 18), ctx.random.randint(0, 59)),
        modified_by_email=owner.email,
    )
    for back, content in enumerate(contents[1:], start=1):
        state.file_versions.create(
            file_id=file.id,
            number=number - back,
            content=content,
            size_kb=size_of(content),
            saved_at=ctx.moment(day - 20 * back, 11),
            saved_by_email=owner.email,
        )
    return file


def _about(state: FilesState, ctx: SeedContext, cast: Cast, folders: dict[str, Folder], project: Project) -> None:
    facts = people.facts(ctx, project)
    path, name, kind, label, content, earlier = ctx.random.choice(texts.PROJECT)
    folder, title = folders[path], name.format(**facts)
    if state.files.first(folder_id=folder.id, name=title):
        return
    owner = ME if path.startswith("Home") or ctx.random.random() < 0.3 else project.owner
    if folder.restricted:
        owner = project.owner
    contents = tuple(text.format(**facts) for text in (content, earlier) if text)
    file = _file(state, ctx, folder, owner, title, kind, label, contents)
    state.files.patch(
        file.id,
        retain_until=ctx.date(ctx.random.randint(-60, 900)) if path == "Orders" and ctx.random.random() < 0.5 else None,
    )
    _handed_on(state, ctx, file, folder, project)
    draw = ctx.random.random()
    if draw < 0.12:
        holder = ctx.random.choice((ME, project.owner, cast.team("operations")[-1]))
        holder = project.owner if folder.restricted else holder
        state.files.patch(file.id, locked_by_email=holder.email, lock_reason=ctx.random.choice(texts.LOCKS))
    elif draw < 0.26:
        for link in state.shared_links.find(file_id=file.id):
            state.shared_links.delete(link.id)
        state.files.patch(file.id, trashed_on=ctx.date(-ctx.random.choice((1, 5, 12, 45))))


def _handed_on(state: FilesState, ctx: SeedContext, file: File, folder: Folder, project: Project) -> None:
    """Shares and links of a file."""
    if folder.restricted:
        if ctx.random.random() < 0.3:
            state.shares.create(file_id=file.id, email=ME.email, role="viewer", message="For your eyes only.")
        return
    if ctx.random.random() < 0.3:
        person = project.owner if file.classification == "confidential" else project.contact
        if person.email != file.owner_email:
            state.shares.create(
                file_id=file.id, email=person.email, role="viewer", message=ctx.random.choice(texts.SHARES)
            )
    if ctx.random.random() < 0.25:
        audience = "company" if file.classification == "confidential" else ctx.random.choice(("company", "anyone"))
        made = -ctx.random.randint(5, 60)
        state.shared_links.create(
            file_id=file.id,
            url=f"https://files.larkfield.example/s/{ctx.random.randrange(16**10):010x}",
            audience=audience,
            allow_download=ctx.random.random() < 0.7,
            expires_on=ctx.date(made + 85) if audience == "anyone" else None,
            created_by_email=file.owner_email,
            created_on=ctx.date(made),
        )


def _request(state: FilesState, ctx: SeedContext, cast: Cast, folders: dict[str, Folder], project: Project) -> None:
    facts = people.facts(ctx, project)
    title, instructions = ctx.random.choice(texts.REQUESTS)
    request = state.file_requests.create(
        folder_id=folders["Inbox"].id,
        title=title.format(**facts),
        instructions=instructions.format(**facts),
        requested_from_email=project.contact.email,
        due_on=ctx.date(ctx.random.randint(-6, 20)),
        created_by_email=ctx.random.choice((ME, ME, project.owner)).email,
    )
    if ctx.random.random() < 0.5:
        name = f"{request.title} ({project.contact.first}).pdf"
        if state.files.first(folder_id=request.folder_id, name=name):
            return
        content = f"{request.title}\nSent by {project.contact.name}, {project.company.name}\nPages: 4\nAmount: "
        sent = _file(
            state, ctx, folders["Inbox"], project.owner, name, "pdf", "internal", (f"{content}{facts['amount']}",)
        )
        state.files.patch(sent.id, request_id=request.id)
        state.file_requests.patch(request.id, closed=ctx.random.random() < 0.4)
