"""What the applicant tracking system holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

JobStatus = Annotated[Literal["draft", "open", "on_hold", "closed"], LABEL]
ApplicationStatus = Annotated[Literal["active", "rejected", "hired", "withdrawn"], LABEL]
Source = Annotated[Literal["referral", "job_board", "career_site", "agency", "sourced"], LABEL]
RejectionReason = Annotated[
    Literal["missing_skills", "salary_expectation", "no_work_permit", "position_filled", "weak_interview", "other"],
    LABEL,
]
InterviewStatus = Annotated[Literal["scheduled", "cancelled"], LABEL]
Recommendation = Annotated[Literal["strong_no", "no", "yes", "strong_yes"], LABEL]
OfferStatus = Annotated[Literal["draft", "sent", "accepted", "declined"], LABEL]
Role = Annotated[Literal["recruiter", "hiring_manager", "finance_approver", "interviewer"], LABEL]


class User(Record):
    about: ClassVar[About] = About("hiring team member", "hiring team members", prefix="USR-", width=3, key="email")

    name: f.Person
    email: f.Email
    role: Role
    interviews_per_week: Annotated[int, f.count("interviews")]


class Stage(Record):
    about: ClassVar[About] = About("pipeline stage", "pipeline stages", prefix="STG-", width=2, key="name")

    name: f.Label
    position: Annotated[int, f.count("steps")]
    has_interviews: bool
    scorecards_needed: Annotated[int, f.count("scorecards")]
    guidance: f.Text


class Job(Record):
    about: ClassVar[About] = About("job", "jobs", prefix="REQ-", key="title")

    title: f.Title
    department: f.Label
    location: f.Place
    status: JobStatus
    hiring_manager_email: f.Email
    recruiter_email: f.Email
    openings: Annotated[int, f.count("openings")]
    salary_min: f.Money
    salary_max: f.Money
    currency: f.Label
    description: f.Text
    target_start: f.Date
    opened_on: f.Date | None = None


class Candidate(Record):
    about: ClassVar[About] = About("candidate", "candidates", prefix="CAN-", key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone
    current_company: f.Organisation
    current_title: f.Title
    source: Source
    referred_by: f.Email | None = None
    do_not_contact: bool = False
    added_on: f.Date


class Attachment(Record):
    about: ClassVar[About] = About("attachment", "attachments", prefix="ATT-", key="filename", carrier="document")

    candidate_id: Annotated[str, f.ref("candidates")]
    filename: f.Title
    content: f.Text
    uploaded_on: f.Date


class Application(Record):
    about: ClassVar[About] = About("application", "applications", prefix="APP-", key="")

    candidate_id: Annotated[str, f.ref("candidates")]
    job_id: Annotated[str, f.ref("jobs")]
    stage_id: Annotated[str, f.ref("stages")]
    status: ApplicationStatus
    applied_at: f.SystemTime
    stage_since: f.SystemTime
    rejection_reason: RejectionReason | None = None
    closed_on: f.Date | None = None


class Interview(Record):
    about: ClassVar[About] = About("interview", "interviews", prefix="INT-", key="")

    application_id: Annotated[str, f.ref("applications")]
    stage_id: Annotated[str, f.ref("stages")]
    interviewer_emails: tuple[f.Email, ...]
    start: f.Timestamp
    minutes: Annotated[int, f.duration("minutes")]
    place: f.Place
    status: InterviewStatus


class Scorecard(Record):
    about: ClassVar[About] = About("scorecard", "scorecards", prefix="SC-", key="")

    interview_id: Annotated[str, f.ref("interviews")]
    interviewer_email: f.Email
    recommendation: Recommendation
    notes: f.Text
    submitted_at: f.SystemTime


class Offer(Record):
    about: ClassVar[About] = About("job offer", "job offers", prefix="OFR-", key="")

    application_id: Annotated[str, f.ref("applications")]
    salary: f.Money
    start_date: f.Date
    terms: f.Text
    status: OfferStatus
    approved_by: tuple[f.Email, ...] = ()
    expires_on: f.Date | None = None
    decline_reason: f.Text = ""


class Note(Record):
    about: ClassVar[About] = About("candidate note", "candidate notes", prefix="NOTE-", key="", carrier="note")

    candidate_id: Annotated[str, f.ref("candidates")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class RecruitingState(State):
    users: Table[User]
    stages: Table[Stage]
    jobs: Table[Job]
    candidates: Table[Candidate]
    attachments: Table[Attachment]
    applications: Table[Application]
    interviews: Table[Interview]
    scorecards: Table[Scorecard]
    offers: Table[Offer]
    notes: Table[Note]


service = Service(
    "recruiting",
    title="Recruiting",
    domain="people",
    description="Applicant tracking: jobs, candidates and their documents, interviews, scorecards, offers, approvals.",
    state=RecruitingState,
    files=sources(__file__),
)
