"""Situations in the knowledge base; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import Env, Situation, case
from tests.library.world import Row, ok, one, patched

S = "knowledge-base"
COLLEAGUE = "someone@larkfield.example"


def section(env: Env, name: str = "How support works") -> str:
    return str(one(env, S, "sections", name=name)["id"])


def article(env: Env, name: str = "How support works", **more: Any) -> Row:
    """A new draft of mine, internal unless a section is named."""
    values = {"section_id": section(env, name), "title": "Something new", "body": "First line."}
    found: Row = ok(env, S, "create_article", **{**values, **more})
    return found


@case(S, "move_article", "duplicate_title")
def _(env: Env) -> Situation:
    other = "Agreements with customers"
    article(env, other)
    return env, {"article_id": article(env)["id"], "section_id": section(env, other)}


@case(S, "move_article", "same_section")
def _(env: Env) -> Situation:
    row = article(env)
    return env, {"article_id": row["id"], "section_id": row["section_id"]}


@case(S, "move_article", "too_open")
def _(env: Env) -> Situation:
    return env, {"article_id": article(env, "Delivery and returns")["id"], "section_id": section(env)}


@case(S, "publish_article", "broken_link")
def _(env: Env) -> Situation:
    draft = article(env, title="Target")["id"]
    return env, {"article_id": article(env, body=f"See [[{draft}]].")["id"]}


@case(S, "verify_article", "broken_link")
def _(env: Env) -> Situation:
    row = article(env, "Agreements with customers")["id"]
    ok(env, S, "publish_article", article_id=row)
    more = {"body": "See [[ART-9999]].", "verified_on": "2026-01-01"}
    return patched(env, S, "articles", row, **more), {"article_id": row}


@case(S, "request_review", "nothing_new")
def _(env: Env) -> Situation:
    row = article(env)["id"]
    return patched(env, S, "articles", row, approved_version=1), {"article_id": row, "reviewer_email": COLLEAGUE}


@case(S, "request_review", "author_cannot_review")
def _(env: Env) -> Situation:
    return env, {"article_id": article(env)["id"], "reviewer_email": ME.email}


@case(S, "request_review", "in_review")
def _(env: Env) -> Situation:
    values = {"article_id": article(env)["id"], "reviewer_email": COLLEAGUE}
    ok(env, S, "request_review", **values)
    return env, values


@case(S, "review_article", "not_reviewer")
def _(env: Env) -> Situation:
    row = article(env)["id"]
    ok(env, S, "request_review", article_id=row, reviewer_email=COLLEAGUE)
    return env, {"article_id": row, "decision": "approved", "remark": "Fine."}


@case(S, "restore_article", "duplicate_title")
def _(env: Env) -> Situation:
    row = article(env)["id"]
    ok(env, S, "archive_article", article_id=row)
    article(env)
    return env, {"article_id": row}


@case(S, "restore_article_version", "duplicate_title")
def _(env: Env) -> Situation:
    row = article(env)["id"]
    ok(env, S, "update_article", article_id=row, title="Another title")
    article(env)
    return env, {"article_id": row, "number": 1}


@case(S, "archive_article", "still_linked")
def _(env: Env) -> Situation:
    target = article(env, title="Target")["id"]
    ok(env, S, "publish_article", article_id=target)
    ok(env, S, "publish_article", article_id=article(env, body=f"See [[{target}]].")["id"])
    return env, {"article_id": target}


@case(S, "archive_article", "bad_replacement")
def _(env: Env) -> Situation:
    row = article(env)["id"]
    return env, {"article_id": row, "replaced_by": row}


@case(S, "translate_article", "up_to_date")
def _(env: Env) -> Situation:
    values = {"article_id": article(env)["id"], "language": "de", "title": "Etwas Neues", "body": "Erste Zeile."}
    ok(env, S, "translate_article", **values)
    return env, values


@case(S, "add_synonym", "duplicate_synonym")
def _(env: Env) -> Situation:
    row = one(env, S, "synonyms")
    return env, {"term": row["same_as"], "same_as": row["term"]}


@case(S, "link_ticket", "no_change")
def _(env: Env) -> Situation:
    use = one(env, S, "ticket_uses")
    env = patched(env, S, "articles", use["article_id"], status="published")
    return env, {"article_id": use["article_id"], "ticket_number": use["ticket_number"], "solved": use["solved"]}


@case(S, "update_article", "article_locked")
def _(env: Env) -> Situation:
    row = article(env)["id"]
    return patched(env, S, "articles", row, locked_by=COLLEAGUE), {"article_id": row, "title": "Mine"}
