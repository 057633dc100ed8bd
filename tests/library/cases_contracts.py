"""Situations in contracts; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import COMPANIES, PEOPLE, Env, Situation, case
from tests.library.driver import SPECIAL, Driver
from tests.library.world import Row, ok, one, patched

PEOPLE += [("contracts", "users")]
COMPANIES += [("contracts", "counterparties")]
SLUG = "contracts"
THEM = {"name": "Ines Weiss", "email": "ines.weiss@elsewhere.example"}


def draft(env: Env, template: str = "Mutual NDA", **more: Any) -> Row:
    """A fresh draft of mine."""
    arguments = {
        "template_id": one(env, SLUG, "templates", name=template)["id"],
        "counterparty_id": one(env, SLUG, "counterparties")["id"],
        "title": "Fresh",
        "value": 900.0,
        "effective_on": "2026-03-10",
        **more,
    }
    found: Row = ok(env, SLUG, "create_agreement", **arguments)
    return found


def clause(env: Env, title: str) -> str:
    return str(one(env, SLUG, "clauses", title=title)["id"])


def _with_clause(env: Env, title: str, template: str = "Mutual NDA", **more: Any) -> Situation:
    return env, {"agreement_id": draft(env, template)["id"], "clause_id": clause(env, title), **more}


def with_signers(env: Env, status: str = "approved") -> tuple[Env, Row]:
    """An agreement of mine that I sign first and somebody else after me."""
    row = draft(env)
    ok(env, SLUG, "add_recipient", agreement_id=row["id"], name=ME.name, email=ME.email, routing_order=1)
    ok(env, SLUG, "add_recipient", agreement_id=row["id"], routing_order=2, **THEM)
    return patched(env, SLUG, "agreements", row["id"], status=status), row


def sent(env: Env) -> tuple[Env, Row]:
    env, row = with_signers(env)
    found: Row = ok(env, SLUG, "send_for_signature", agreement_id=row["id"], message="Please sign.")
    return env, found


def running(env: Env, **changes: Any) -> tuple[Env, Row]:
    """A signed agreement of mine that runs until the end of the year."""
    row = draft(env)
    terms = {"status": "signed", "signed_on": "2026-01-01", "effective_on": "2026-01-01", "end_date": "2026-12-31"}
    return patched(env, SLUG, "agreements", row["id"], **{**terms, **changes}), row


def in_review(env: Env) -> tuple[Env, Row]:
    """An agreement of somebody else whose review waits for me."""
    row = draft(env, "Statement of work")
    owner = one(env, SLUG, "users", role="sales")["email"]
    env = patched(env, SLUG, "agreements", row["id"], owner_email=owner)
    legal = one(env, SLUG, "users", email=ME.email)
    env = patched(env, SLUG, "users", legal["id"], role="legal")
    ok(env, SLUG, "request_review", agreement_id=row["id"])
    review = one(env, SLUG, "reviews", agreement_id=row["id"])
    env = patched(env, SLUG, "users", legal["id"], role="operations")
    return patched(env, SLUG, "reviews", review["id"], reviewer_email=ME.email), row


def _fallback(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    """A clause that has a fallback and stands in a draft of mine, in another wording."""
    clauses = {row["id"]: row for row in driver.env.rows(SLUG, "clauses")}
    mine = {
        row["id"]
        for row in driver.env.rows(SLUG, "agreements")
        if row["status"] == "draft" and row["owner_email"] == ME.email
    }
    fitting = [
        row
        for row in driver.env.rows(SLUG, "agreement_clauses")
        if row["agreement_id"] in mine and clauses[row["clause_id"]]["fallback"] not in ("", row["text"])
    ]
    found = driver.rng.choice(fitting) if fitting else {}
    return {name: found[name] for name in ("agreement_id", "clause_id") if name in found}


SPECIAL[SLUG, "apply_fallback"] = _fallback


@case(SLUG, "create_agreement", "blank_text")
def _(env: Env) -> Situation:
    template, party = one(env, SLUG, "templates")["id"], one(env, SLUG, "counterparties")["id"]
    arguments = {"template_id": template, "counterparty_id": party, "title": " ", "value": 5.0}
    return env, {**arguments, "effective_on": "2026-03-10"}


@case(SLUG, "update_agreement", "blank_text")
def _(env: Env) -> Situation:
    return env, {"agreement_id": draft(env)["id"], "title": "  "}


@case(SLUG, "update_agreement", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"agreement_id": draft(env)["id"], "end_date": "2026-02-30"}


@case(SLUG, "update_agreement", "invalid_range")
def _(env: Env) -> Situation:
    return env, {"agreement_id": draft(env)["id"], "end_date": "2026-03-09"}


@case(SLUG, "include_clause", "already_included")
def _(env: Env) -> Situation:
    return _with_clause(env, "Confidentiality")


@case(SLUG, "reword_clause", "not_included")
def _(env: Env) -> Situation:
    return _with_clause(env, "Service levels", text="Other")


@case(SLUG, "reword_clause", "blank_text")
def _(env: Env) -> Situation:
    return _with_clause(env, "Confidentiality", text=" ")


@case(SLUG, "apply_fallback", "not_included")
def _(env: Env) -> Situation:
    return _with_clause(env, "Service levels")


@case(SLUG, "apply_fallback", "no_fallback")
def _(env: Env) -> Situation:
    return _with_clause(env, "Term and termination")


@case(SLUG, "apply_fallback", "already_fallback")
def _(env: Env) -> Situation:
    env, arguments = _with_clause(env, "Confidentiality")
    ok(env, SLUG, "apply_fallback", **arguments)
    return env, arguments


@case(SLUG, "strike_clause", "not_included")
def _(env: Env) -> Situation:
    return _with_clause(env, "Service levels")


@case(SLUG, "strike_clause", "mandatory_clause")
def _(env: Env) -> Situation:
    return _with_clause(env, "Governing law")


@case(SLUG, "request_review", "clause_missing")
def _(env: Env) -> Situation:
    extra = one(env, SLUG, "clauses", title="Service levels")
    env = patched(env, SLUG, "clauses", extra["id"], mandatory=True)
    return env, {"agreement_id": draft(env)["id"]}


@case(SLUG, "request_review", "no_order_number")
def _(env: Env) -> Situation:
    return env, {"agreement_id": draft(env, "Order form, hardware")["id"]}


@case(SLUG, "approve_review", "not_your_review")
def _(env: Env) -> Situation:
    row = draft(env, "Statement of work")
    ok(env, SLUG, "request_review", agreement_id=row["id"])
    return env, {"agreement_id": row["id"]}


@case(SLUG, "return_for_changes", "not_your_review")
def _(env: Env) -> Situation:
    row = draft(env, "Statement of work")
    ok(env, SLUG, "request_review", agreement_id=row["id"])
    return env, {"agreement_id": row["id"], "reason": "Other dates"}


@case(SLUG, "return_for_changes", "blank_text")
def _(env: Env) -> Situation:
    env, row = in_review(env)
    return env, {"agreement_id": row["id"], "reason": " "}


def _recipient(env: Env, **more: Any) -> dict[str, Any]:
    return {"agreement_id": draft(env)["id"], **THEM, **more}


@case(SLUG, "add_recipient", "blank_text")
def _(env: Env) -> Situation:
    return env, _recipient(env, name="  ")


@case(SLUG, "add_recipient", "unknown_user")
def _(env: Env) -> Situation:
    return env, _recipient(env, email="nobody@larkfield.example")


@case(SLUG, "add_recipient", "no_signing_authority")
def _(env: Env) -> Situation:
    row = draft(env, value=20_000.0)
    return env, {"agreement_id": row["id"], "name": ME.name, "email": ME.email}


@case(SLUG, "add_recipient", "duplicate_recipient")
def _(env: Env) -> Situation:
    arguments = _recipient(env)
    ok(env, SLUG, "add_recipient", **arguments)
    return env, {**arguments, "email": arguments["email"].upper()}


def _correct(env: Env, side: str, **changes: Any) -> Situation:
    env, row = with_signers(env)
    return env, {"recipient_id": one(env, SLUG, "recipients", agreement_id=row["id"], side=side)["id"], **changes}


@case(SLUG, "correct_recipient", "duplicate_recipient")
def _(env: Env) -> Situation:
    return _correct(env, "us", email=THEM["email"])


@case(SLUG, "correct_recipient", "wrong_side")
def _(env: Env) -> Situation:
    return _correct(env, "us", email="someone@third.example")


@case(SLUG, "correct_recipient", "unknown_user")
def _(env: Env) -> Situation:
    return _correct(env, "us", email="nobody@larkfield.example")


@case(SLUG, "correct_recipient", "no_signing_authority")
def _(env: Env) -> Situation:
    return _correct(env, "us", email=one(env, SLUG, "users", signing_limit=0.0)["email"])


@case(SLUG, "correct_recipient", "already_sent")
def _(env: Env) -> Situation:
    env, row = sent(env)
    return env, {"recipient_id": row["recipients"][1]["id"], "routing_order": 1}


@case(SLUG, "correct_recipient", "already_signed")
def _(env: Env) -> Situation:
    env, row = sent(env)
    ok(env, SLUG, "sign_agreement", agreement_id=row["id"])
    return env, {"recipient_id": row["recipients"][0]["id"], "name": "Other"}


@case(SLUG, "send_for_signature", "blank_text")
def _(env: Env) -> Situation:
    env, row = with_signers(env)
    return env, {"agreement_id": row["id"], "message": " "}


@case(SLUG, "send_for_signature", "signer_missing")
def _(env: Env) -> Situation:
    row = draft(env)
    return patched(env, SLUG, "agreements", row["id"], status="approved"), {"agreement_id": row["id"], "message": "Hi"}


@case(SLUG, "send_for_signature", "no_signing_authority")
def _(env: Env) -> Situation:
    env, row = with_signers(env)
    return patched(env, SLUG, "agreements", row["id"], value=90_000.0), {"agreement_id": row["id"], "message": "Hi"}


@case(SLUG, "send_for_signature", "unknown_user")
def _(env: Env) -> Situation:
    env, row = with_signers(env)
    ours = one(env, SLUG, "recipients", agreement_id=row["id"], side="us")
    env = patched(env, SLUG, "recipients", ours["id"], email="left@larkfield.example")
    return env, {"agreement_id": row["id"], "message": "Hi"}


@case(SLUG, "sign_agreement", "not_your_turn")
def _(env: Env) -> Situation:
    env, row = sent(env)
    ok(env, SLUG, "sign_agreement", agreement_id=row["id"])
    return env, {"agreement_id": row["id"]}


@case(SLUG, "sign_agreement", "no_signing_authority")
def _(env: Env) -> Situation:
    env, row = sent(env)
    return patched(env, SLUG, "agreements", row["id"], value=90_000.0), {"agreement_id": row["id"]}


@case(SLUG, "decline_to_sign", "not_your_turn")
def _(env: Env) -> Situation:
    env, row = sent(env)
    ok(env, SLUG, "sign_agreement", agreement_id=row["id"])
    return env, {"agreement_id": row["id"], "reason": "Late"}


@case(SLUG, "decline_to_sign", "blank_text")
def _(env: Env) -> Situation:
    env, row = sent(env)
    return env, {"agreement_id": row["id"], "reason": " "}


@case(SLUG, "remind_recipient", "too_soon")
def _(env: Env) -> Situation:
    env, row = sent(env)
    return env, {"recipient_id": row["recipients"][0]["id"]}


@case(SLUG, "remind_recipient", "not_waiting")
def _(env: Env) -> Situation:
    env, row = sent(env)
    return env, {"recipient_id": row["recipients"][1]["id"]}


@case(SLUG, "void_envelope", "blank_text")
def _(env: Env) -> Situation:
    env, row = sent(env)
    return env, {"agreement_id": row["id"], "reason": " "}


def _notice(env: Env, day: str, reason: str = "Moved") -> Situation:
    env, row = running(env)
    return env, {"agreement_id": row["id"], "terminates_on": day, "reason": reason}


@case(SLUG, "terminate_agreement", "invalid_date")
def _(env: Env) -> Situation:
    return _notice(env, "2026-02-30")


@case(SLUG, "terminate_agreement", "notice_too_short")
def _(env: Env) -> Situation:
    return _notice(env, "2026-03-31")


@case(SLUG, "terminate_agreement", "after_end")
def _(env: Env) -> Situation:
    return _notice(env, "2027-01-01")


@case(SLUG, "terminate_agreement", "blank_text")
def _(env: Env) -> Situation:
    return _notice(env, "2026-08-31", " ")


@case(SLUG, "renew_agreement", "already_renewed")
def _(env: Env) -> Situation:
    env, row = running(env)
    ok(env, SLUG, "renew_agreement", agreement_id=row["id"])
    return env, {"agreement_id": row["id"]}


@case(SLUG, "renew_agreement", "uplift_too_high")
def _(env: Env) -> Situation:
    env, row = running(env)
    return env, {"agreement_id": row["id"], "uplift_percent": 8.5}


@case(SLUG, "complete_obligation", "not_signed")
def _(env: Env) -> Situation:
    row = one(env, SLUG, "obligations", done_on=None)
    env = patched(env, SLUG, "agreements", row["agreement_id"], status="draft")
    return env, {"obligation_id": row["id"], "evidence": "Done"}


@case(SLUG, "complete_obligation", "blank_text")
def _(env: Env) -> Situation:
    return env, {"obligation_id": one(env, SLUG, "obligations", done_on=None)["id"], "evidence": " "}
