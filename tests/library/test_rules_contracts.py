"""The rules of contracts, as short stories."""

from __future__ import annotations

import pytest

from services_app.library.cast import ME
from services_app.library.contracts.terms import add_months
from tests.library.cases_contracts import SLUG, clause, draft, in_review, running, sent
from tests.library.driver import environment
from tests.library.test_invariants import wander
from tests.library.world import ok, patched, refused


def test_only_what_deviates_or_weighs_is_reviewed() -> None:
    env = environment(SLUG)
    plain, odd = draft(env), draft(env, value=12_000.0)
    assert ok(env, SLUG, "request_review", agreement_id=plain["id"])["status"] == "approved"
    place = {"agreement_id": odd["id"], "clause_id": clause(env, "Fees and payment")}
    assert ok(env, SLUG, "reword_clause", **place, text="Due in 90 days.")["wording"] == "deviating"
    shown = env.fork()
    assert ok(shown, SLUG, "apply_fallback", **place)["wording"] == "fallback"
    roles = {row["role"] for row in ok(shown, SLUG, "request_review", agreement_id=odd["id"])["reviews"]}
    assert roles == {"finance"}
    roles = {row["role"] for row in ok(env, SLUG, "request_review", agreement_id=odd["id"])["reviews"]}
    assert roles == {"legal", "finance"}
    assert refused(env, SLUG, "reword_clause", **place, text="Other") == "not_draft"


def test_a_review_approves_or_returns() -> None:
    env, row = in_review(environment(SLUG))
    returned = env.fork()
    assert ok(env, SLUG, "approve_review", agreement_id=row["id"])["status"] == "approved"
    shown = ok(returned, SLUG, "return_for_changes", agreement_id=row["id"], reason="Dates do not fit")
    assert (shown["status"], shown["comments"][-1]["text"]) == ("draft", "Dates do not fit")


def test_an_envelope_goes_round_in_order_and_a_void_one_starts_again() -> None:
    env, row = sent(environment(SLUG))
    assert [item["status"] for item in row["recipients"]] == ["sent", "created"]
    assert ok(env, SLUG, "search_agreements", waiting_for_my_signature=True, query="Fresh")["total"] == 1
    shown = ok(env, SLUG, "sign_agreement", agreement_id=row["id"])
    assert [item["status"] for item in shown["recipients"]] == ["signed", "sent"]
    assert shown["status"] == "out_for_signature"
    assert ok(env, SLUG, "search_agreements", waiting_for_my_signature=True, query="Fresh")["total"] == 0
    shown = ok(env, SLUG, "void_envelope", agreement_id=row["id"], reason="Wrong value")
    assert (shown["status"], [item["status"] for item in shown["recipients"]]) == ("draft", ["created", "created"])


def test_the_last_signature_signs_the_agreement() -> None:
    env, row = sent(environment(SLUG))
    theirs = row["recipients"][1]
    env = patched(env, SLUG, "recipients", theirs["id"], status="signed", signed_at="2026-03-01T10:00:00Z")
    shown = ok(env, SLUG, "sign_agreement", agreement_id=row["id"])
    assert (shown["status"], shown["signed_on"]) == ("signed", "2026-03-02")
    assert refused(env, SLUG, "void_envelope", agreement_id=row["id"], reason="Late") == "not_out"


def test_notice_and_renewal_follow_the_terms() -> None:
    env, row = running(environment(SLUG))
    renewal = ok(env, SLUG, "renew_agreement", agreement_id=row["id"], term_months=6, uplift_percent=5)
    assert (renewal["effective_on"], renewal["end_date"]) == ("2027-01-01", "2027-06-30")
    assert renewal["value"] == pytest.approx(945.0)
    assert ok(env, SLUG, "get_agreement", agreement_id=row["id"])["renewed_by"] == renewal["number"]
    notice = {"agreement_id": row["id"], "reason": "Moved"}
    assert refused(env, SLUG, "terminate_agreement", **notice, terminates_on="2026-03-31") == "notice_too_short"
    ok(env, SLUG, "terminate_agreement", **notice, terminates_on="2026-04-01")
    assert refused(env, SLUG, "terminate_agreement", **notice, terminates_on="2026-05-01") == "not_running"


def test_the_document_has_no_open_slot() -> None:
    env = environment(SLUG)
    for row in env.rows(SLUG, "agreements"):
        text = ok(env, SLUG, "get_agreement_document", agreement_id=row["id"])["text"]
        assert "{{" not in text
        assert row["number"] in text


def test_terms_of_months() -> None:
    assert add_months("2026-01-01", 12) == "2026-12-31"
    assert add_months("2026-08-31", 6) == "2027-02-27"
    assert add_months("2024-01-30", 1) == "2024-02-28"


@pytest.mark.parametrize("seed", [1, 2])
def test_signed_means_signed_by_everybody(seed: int) -> None:
    env = wander(SLUG, seed)
    for row in env.rows(SLUG, "agreements"):
        signers = [
            item
            for item in env.rows(SLUG, "recipients")
            if item["agreement_id"] == row["id"] and item["role"] == "signer"
        ]
        if row["status"] in ("signed", "terminated"):
            assert signers
            assert all(item["status"] == "signed" for item in signers)
        assert row["effective_on"] <= row["end_date"]
        assert (row["status"] in ("signed", "terminated")) == (row["signed_on"] is not None)


@pytest.mark.parametrize("scale", ["small", "normal"])
def test_the_seed_keeps_its_own_rules(scale: str) -> None:
    env = environment(SLUG, scale=scale)
    numbers = [row["number"] for row in env.rows(SLUG, "agreements")]
    assert len(numbers) == len(set(numbers))
    limits = {row["email"]: row["signing_limit"] for row in env.rows(SLUG, "users")}
    values = {row["id"]: row for row in env.rows(SLUG, "agreements")}
    for recipient in env.rows(SLUG, "recipients"):
        if recipient["side"] == "us":
            assert limits[recipient["email"]] >= values[recipient["agreement_id"]]["value"]
    for review in env.rows(SLUG, "reviews"):
        assert review["reviewer_email"] != values[review["agreement_id"]]["owner_email"]
    assert any(row["reviewer_email"] == ME.email and row["decision"] == "pending" for row in env.rows(SLUG, "reviews"))
    assert ok(env, SLUG, "search_agreements", waiting_for_my_signature=True)["total"] > 0
