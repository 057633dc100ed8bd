"""Tools for the clause library and for the clauses of a draft."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.contracts.drafting import AgreementId
from services_app.library.contracts.state import AgreementClause, ContractsState, service
from services_app.library.contracts.terms import clause_json, clauses_of, draft
from services_app.library.shared import Body, Json, Query, brief, check_text, keep, search, with_fields

ClauseId = Annotated[str, f.ref("clauses")]


@service.tool()
def search_clauses(
    state: ContractsState, ctx: CallContext, query: Query | None = None, mandatory: bool | None = None
) -> Json:
    """Find clauses of the library by words; get_clause has wording, fallback and guidance.

    Args:
        query: Words in the title, wording, fallback or guidance.
        mandatory: Only clauses that no agreement may lack, or only the others.
    """
    found = search(state.clauses, query, lambda row: (row.title, row.text, row.fallback, row.guidance))
    rows = [
        {**brief(row, "id", "title", "mandatory"), "has_fallback": bool(row.fallback)}
        for row in keep(found, mandatory=mandatory)
    ]
    return {"clauses": rows, "total": len(rows)}


@service.tool()
def get_clause(state: ContractsState, ctx: CallContext, clause_id: ClauseId) -> Json:
    """Read a clause of the library: its wording, the fallback, when to use which, and where it deviates now.

    Errors: `not_found`.

    Args:
        clause_id: Id of the clause.
    """
    clause = state.clauses.get(clause_id)
    used = state.agreement_clauses.find(clause_id=clause_id)
    own = {row.agreement_id for row in used if row.text not in (clause.text, clause.fallback)}
    numbers = sorted(state.agreements.get(key).number for key in own)
    return with_fields(clause, used_in=len(used), deviating_agreements=numbers)


def _clause_of_draft(state: ContractsState, agreement_id: str, clause_id: str) -> AgreementClause:
    """A clause as it stands in a draft of mine; 409 `not_included`."""
    agreement, clause = draft(state, agreement_id), state.clauses.get(clause_id)
    found = state.agreement_clauses.first(agreement_id=agreement.id, clause_id=clause.id)
    if found is None:
        raise conflict(f"{agreement.number} has no clause {clause.title}; include it first.", type="not_included")
    return found


@service.tool(phrase="add the clause {clause_id} to the draft {agreement_id}")
def include_clause(state: ContractsState, ctx: CallContext, agreement_id: AgreementId, clause_id: ClauseId) -> Json:
    """Add a clause of the library at the end of a draft of yours, in its standard wording.

    Errors: `not_found`, `not_owner`, `not_draft`, `already_included`.

    Args:
        agreement_id: Id of the draft.
        clause_id: Id of the clause.
    """
    agreement, clause, rows = draft(state, agreement_id), state.clauses.get(clause_id), clauses_of(state, agreement_id)
    if any(row.clause_id == clause_id for row in rows):
        raise conflict(f"{agreement.number} has the clause {clause.title} already.", type="already_included")
    row = state.agreement_clauses.create(
        agreement_id=agreement_id,
        clause_id=clause_id,
        position=max((row.position for row in rows), default=0) + 1,
        text=clause.text,
    )
    return clause_json(state, row)


@service.tool(phrase="reword the clause {clause_id} of the draft {agreement_id}")
def reword_clause(
    state: ContractsState, ctx: CallContext, agreement_id: AgreementId, clause_id: ClauseId, text: Body
) -> Json:
    """Give a clause of a draft of yours a wording of its own; unless it is that of the library, legal has to review.

    Errors: `not_found`, `not_owner`, `not_draft`, `not_included`, `blank_text`.

    Args:
        agreement_id: Id of the draft.
        clause_id: Id of the clause.
        text: New wording; slots such as {{value}} are filled in the document.
    """
    row = _clause_of_draft(state, agreement_id, clause_id)
    return clause_json(state, state.agreement_clauses.patch(row.id, text=check_text(text, "text")))


@service.tool(phrase="use the fallback wording for the clause {clause_id} of the draft {agreement_id}")
def apply_fallback(state: ContractsState, ctx: CallContext, agreement_id: AgreementId, clause_id: ClauseId) -> Json:
    """Put the fallback of the library in place of the present wording of a clause in a draft of yours.

    Errors: `not_found`, `not_owner`, `not_draft`, `not_included`, `no_fallback`, `already_fallback`.

    Args:
        agreement_id: Id of the draft.
        clause_id: Id of the clause.
    """
    row = _clause_of_draft(state, agreement_id, clause_id)
    clause = state.clauses.get(row.clause_id)
    if not clause.fallback:
        raise conflict(f"The clause {clause.title} has no fallback; edit it and ask legal.", type="no_fallback")
    if row.text == clause.fallback:
        raise conflict(f"The clause {clause.title} has its fallback wording already.", type="already_fallback")
    return clause_json(state, state.agreement_clauses.patch(row.id, text=clause.fallback))


@service.tool(phrase="take the clause {clause_id} out of the draft {agreement_id}")
def strike_clause(state: ContractsState, ctx: CallContext, agreement_id: AgreementId, clause_id: ClauseId) -> Json:
    """Take a clause out of a draft of yours; mandatory clauses stay.

    Errors: `not_found`, `not_owner`, `not_draft`, `not_included`, `mandatory_clause`.

    Args:
        agreement_id: Id of the draft.
        clause_id: Id of the clause.
    """
    row = _clause_of_draft(state, agreement_id, clause_id)
    clause = state.clauses.get(row.clause_id)
    if clause.mandatory:
        raise forbidden(f"No agreement may lack the clause {clause.title}; edit it instead.", type="mandatory_clause")
    state.agreement_clauses.delete(row.id)
    return {"removed": row.id, "title": clause.title, "clauses_left": len(clauses_of(state, row.agreement_id))}
