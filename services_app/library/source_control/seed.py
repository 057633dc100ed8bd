"""Eight repositories with half a year of work: merged, open and abandoned pull requests."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import engineering
from services_app.library.cast import ME, Cast, Person
from services_app.library.engineering import Change, Component, Engineering, customer_file, sha
from services_app.library.source_control import texts
from services_app.library.source_control.state import Branch, Commit, PullRequest, SourceState, service
from services_app.library.source_control.trees import Tree, branch_of, tree

_STRICT = ("scanner-firmware", "telematics-gateway")
_MINE = {"customer-config": "write", "runbooks": "admin", "scanner-firmware": "triage", "telematics-gateway": "read"}


@service.seed
def fill(state: SourceState, ctx: SeedContext) -> None:
    cast, world = people.build(ctx), engineering.build(ctx)
    for component in world.components:
        _repository(state, ctx, cast, world, component)
    _archived(state, ctx, world)
    work = [change for change in world.changes[: ctx.size(70)] if change.stage != "planned"]
    for change in sorted(work, key=lambda change: (change.stage != "done", change.day, change.key)):
        if change.stage == "done":
            _merged(state, ctx, change)
        else:
            _open(state, ctx, change)


def _repository(state: SourceState, ctx: SeedContext, cast: Cast, world: Engineering, component: Component) -> None:
    number = world.components.index(component)
    owner = world.engineers[number % len(world.engineers)]
    second = world.engineers[(number + 3) % len(world.engineers)]
    files = _files(cast, world, component, owner, second)
    _add_repository(state, ctx, component.slug, component.purpose, component.language)
    first = _commit(state, component.slug, None, "Move to the new layout", owner, ctx.moment(-200, 9, number), files)
    state.branches.create(
        repo=component.slug,
        branch="main",
        head=first.id,
        protected=True,
        required_approvals=2 if component.slug in _STRICT else 1,
        code_owner_review=not component.settings or component.slug in _STRICT,
    )
    state.collaborators.create(
        repo=component.slug, name=ME.name, email=ME.email, role=_MINE.get(component.slug, "write")
    )
    for person in world.engineers:
        manager = person.title == "Engineering Manager"
        role = "admin" if manager or person is owner else "write"
        state.collaborators.create(repo=component.slug, name=person.name, email=person.email, role=role)


def _archived(state: SourceState, ctx: SeedContext, world: Engineering) -> None:
    """The predecessor of the dock scheduler: still readable, never to be changed."""
    owner = world.engineers[0]
    repo = "dock-scheduler-classic"
    _add_repository(state, ctx, repo, "Predecessor of dock-scheduler. Nothing is maintained here.", "Python")
    files = {"README.md": "# Dock Scheduler Classic\n\nReplaced by dock-scheduler. Settings here have no effect.\n"}
    files["config/settings.yaml"] = "slot_minutes: 60\n\nwaiting_list_size: 5\n"
    first = _commit(state, repo, None, "Archive", owner, ctx.moment(-190, 15), files)
    state.branches.create(repo=repo, branch="main", head=first.id, protected=True)
    state.repositories.patch(repo, archived=True)
    for person, role in ((ME, "write"), (owner, "admin")):
        state.collaborators.create(repo=repo, name=person.name, email=person.email, role=role)


def _add_repository(state: SourceState, ctx: SeedContext, repo: str, description: str, language: str) -> None:
    values = {"name": repo, "description": description, "language": language, "created_at": ctx.moment(-700, 9)}
    state.repositories.add(state.repositories.record_type.model_validate({"id": repo, **values}))


def _files(cast: Cast, world: Engineering, component: Component, owner: Person, second: Person) -> Tree:
    facts = {"title": component.title, "purpose": component.purpose, "key": component.key, "major": component.major}
    facts |= {"owner": owner.name, "owner_email": owner.email, "language": component.language}
    files = {"README.md": texts.README.format(**facts)}
    files["CODEOWNERS"] = f"# The last line that fits counts.\n* {owner.email} {second.email}\n"
    if component.settings:
        files["docs/architecture.md"] = texts.ARCHITECTURE.format(**facts)
        files["config/settings.yaml"] = "\n\n".join(one.line(one.value) for one in component.settings) + "\n"
        path, code = texts.CODE[component.language]
        files[path] = code
    elif component.slug == "runbooks":
        manager = next(person for person in world.engineers if person.title == "Engineering Manager")
        names = {"firmware": _STRICT[0], "gateway": _STRICT[1], "manager": manager.name}
        files |= {path: f"{text.format(**names)}\n" for path, text in texts.RUNBOOKS.items()}
        files["CODEOWNERS"] += f"/steps/ {ME.email} {owner.email}\n"
    else:
        sales = cast.team("sales")[0]
        files["CODEOWNERS"] += f"/customers/ {ME.email} {sales.email}\n"
        files["customers/README.md"] = "One file for each order. The order number is part of the name of the file.\n"
    return files


def _commit(
    state: SourceState, repo: str, parent: str | None, message: str, author: Person, moment: str, files: Tree
) -> Commit:
    values = {"repo": repo, "parent": parent, "message": message, "author_email": author.email}
    rows = [{"id": path, "content": content} for path, content in files.items()]
    commit_id = sha(repo, parent or "", message, moment, *(f"{row['id']}:{row['content']}" for row in rows))
    return state.commits.add(Commit.model_validate({"id": commit_id, **values, "committed_at": moment, "files": rows}))


def _work(state: SourceState, ctx: SeedContext, change: Change, head: str) -> Tree:
    """The files that a piece of work writes, on top of what is there."""
    if change.setting is not None:
        old = tree(state, head)[change.path]
        one = change.setting
        return {change.path: old.replace(one.line(one.value), one.line(one.wanted))}
    if change.path.startswith("customers/"):
        return {change.path: customer_file(ctx, change.project)}
    facts = people.facts(ctx, change.project)
    steps = "1. Tell support.\n2. Look at the last release.\n3. Call {owner}, then {contact} ({contact_email}).\n"
    return {change.path: f"# {change.title}\n\n" + steps.format(**facts)}


def _merged(state: SourceState, ctx: SeedContext, change: Change) -> None:
    repo, main = change.component.slug, branch_of(state, change.component.slug, None)
    opened = ctx.moment(change.day - ctx.random.randint(1, 4), ctx.random.randint(8, 16), ctx.random.randint(0, 59))
    if ctx.random.random() < 0.15:
        early = _pull(state, change, opened, closed_at=opened, body=texts.SUPERSEDED.format(key=change.key))
        state.pull_requests.patch(early.id, state="closed")
    moment = ctx.moment(change.day, ctx.random.randint(8, 17), ctx.random.randint(0, 59))
    pull = _pull(state, change, opened, reviewers=(change.reviewer.email,))
    files = _work(state, ctx, change, main.head)
    title = f"{change.key} {change.title} (#{pull.number})"
    if ctx.random.random() < 0.25:  # a branch that nobody has cleaned up
        own = _commit(state, repo, main.head, f"{change.key} {change.title}", change.author, opened, files)
        state.branches.create(repo=repo, branch=change.branch, head=own.id)
    commit = _commit(state, repo, main.head, title, change.author, moment, files)
    state.branches.patch(main.id, head=commit.id)
    state.pull_requests.patch(pull.id, state="merged", merge_commit=commit.id, closed_at=moment)
    _talk(state, ctx, change, pull, commit.id, settled=True)


def _pull(state: SourceState, change: Change, opened: str, **more: object) -> PullRequest:
    repo = change.component.slug
    number = max((row.number for row in state.pull_requests.find(repo=repo)), default=0) + 1
    values = {
        "id": f"{repo}#{number}",
        "repo": repo,
        "number": number,
        "title": f"{change.key} {change.title}",
        "body": change.why,
        "head": change.branch,
        "base": "main",
        "author_email": change.author.email,
        "opened_at": opened,
    }
    return state.pull_requests.add(PullRequest.model_validate({**values, **more}))


def _open(state: SourceState, ctx: SeedContext, change: Change) -> None:
    """A branch with a commit, and a pull request that waits for somebody (or is still a draft)."""
    main = branch_of(state, change.component.slug, None)
    opened = ctx.moment(-ctx.random.randint(1, 5), ctx.random.randint(8, 16), ctx.random.randint(0, 59))
    behind = state.commits.get(main.head).parent if ctx.random.random() < 0.4 else None
    start = behind or main.head
    files = _work(state, ctx, change, start)
    commit = _commit(state, main.repo, start, f"{change.key} {change.title}", change.author, opened, files)
    branch: Branch = state.branches.create(repo=main.repo, branch=change.branch, head=commit.id)
    if change.stage == "doing" and ctx.random.random() < 0.5:
        return
    mine = not change.component.settings or ctx.random.random() < 0.3
    reviewers = (change.reviewer.email, ME.email) if mine else (change.reviewer.email,)
    ready = change.stage == "review" and _ready(state, change)
    pull = _pull(state, change, opened, reviewers=reviewers, draft=change.stage == "doing")
    if ready:
        _review(state, change, pull, commit.id, "approve", texts.READY, opened)
    elif change.stage == "review":
        _talk(state, ctx, change, pull, branch.head, settled=False)


def _ready(state: SourceState, change: Change) -> bool:
    """Whether this is the one pull request that only has to be merged."""
    if not change.component.settings or change.component.slug in _STRICT:
        return False
    return not any(review.body == texts.READY for review in state.reviews)


def _review(
    state: SourceState, change: Change, pull: PullRequest, commit: str, verdict: str, body: str, moment: str
) -> None:
    state.reviews.create(
        pull_request_id=pull.id,
        author_email=change.reviewer.email,
        verdict=verdict,
        body=body,
        commit=commit,
        submitted_at=moment,
    )


def _talk(
    state: SourceState, ctx: SeedContext, change: Change, pull: PullRequest, commit: str, *, settled: bool
) -> None:
    facts = people.facts(ctx, change.project)
    asked = ctx.random.random() < 0.3
    rows: list[tuple[str, tuple[str, ...]]] = [("request_changes", texts.REQUESTS)] if asked else []
    rows += [("approve", texts.REVIEWS)] if settled or ctx.random.random() < 0.6 else []
    for verdict, choices in rows:
        moment = pull.closed_at or ctx.moment(0, 8, ctx.random.randint(0, 30))
        _review(state, change, pull, commit, verdict, ctx.random.choice(choices).format(**facts), moment)
    for text in ctx.random.sample(texts.COMMENTS, ctx.random.choice((0, 1, 1, 2))):
        state.comments.create(
            pull_request_id=pull.id,
            author_email=ctx.random.choice((change.reviewer.email, change.project.owner.email, ME.email)),
            body=text.format(**facts),
            path=change.path,
            line=1 if change.setting is None else None,
            resolved=settled or ctx.random.random() < 0.6,
            written_at=pull.opened_at,
        )
