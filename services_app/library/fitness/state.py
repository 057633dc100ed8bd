"""What a fitness account holds. Paces, wear of gear, progress and ranks follow from the activities."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Sport = Annotated[Literal["run", "ride", "swim", "walk", "hike", "strength", "yoga"], LABEL]
Visibility = Annotated[Literal["everyone", "followers", "only_me"], LABEL]
GearKind = Annotated[Literal["shoes", "bike"], LABEL]
Measure = Annotated[Literal["distance", "time", "activities"], LABEL]
Period = Annotated[Literal["week", "month", "year"], LABEL]
Intensity = Annotated[Literal["easy", "moderate", "hard"], LABEL]
FollowStatus = Annotated[Literal["following", "requested"], LABEL]
PostStatus = Annotated[Literal["current", "superseded"], LABEL]
Kilometres = Annotated[float, f.Semantic("count", unit="kilometres")]
Minutes = Annotated[int, f.duration("minutes")]

GEAR_OF = {"run": "shoes", "walk": "shoes", "hike": "shoes", "ride": "bike"}


class Athlete(Record):
    about: ClassVar[About] = About("athlete", "athletes", prefix="ATH-", width=3, key="email")

    name: f.Person
    email: f.Email
    city: f.Place
    company: f.Organisation
    private: bool
    """Whether new followers have to be accepted."""
    bio: f.Text = ""


class Follow(Record):
    """That the signed-in athlete follows somebody."""

    about: ClassVar[About] = About("follow", "follows", prefix="FOL-", key="")

    athlete_id: Annotated[str, f.ref("athletes")]
    status: FollowStatus
    since: f.SystemTime


class Gear(Record):
    about: ClassVar[About] = About("piece of gear", "pieces of gear", prefix="GEAR-", width=3, key="name")

    name: f.Title
    kind: GearKind
    model: f.Product
    bought_on: f.Date
    earlier_distance: Kilometres
    """Kilometres before the account was opened."""
    lasts: Kilometres
    retired: bool = False


class Activity(Record):
    about: ClassVar[About] = About("activity", "activities", prefix="ACT-", key="name")

    athlete_id: Annotated[str, f.ref("athletes")]
    name: f.Title
    sport: Sport
    started_at: f.Timestamp
    minutes: Minutes
    distance: Kilometres
    climb: Annotated[int, f.count("metres")]
    description: f.Text = ""
    gear_id: Annotated[str | None, f.ref("gear")] = None
    visibility: Visibility


class Kudo(Record):
    about: ClassVar[About] = About("kudo", "kudos", prefix="KUD-", key="")

    activity_id: Annotated[str, f.ref("activities")]
    athlete_id: Annotated[str, f.ref("athletes")]
    given_at: f.SystemTime


class ActivityComment(Record):
    about: ClassVar[About] = About("activity comment", "activity comments", prefix="ACM-", key="", carrier="note")

    activity_id: Annotated[str, f.ref("activities")]
    athlete_id: Annotated[str, f.ref("athletes")]
    text: f.Text
    written_at: f.SystemTime


class Goal(Record):
    about: ClassVar[About] = About("goal", "goals", prefix="GOAL-", width=3, key="")

    sport: Sport
    measure: Measure
    period: Period
    target: Annotated[float, f.Semantic("count", unit="goal")]
    """Kilometres, minutes or activities, as the measure says."""
    set_on: f.Date


class Workout(Record):
    about: ClassVar[About] = About("planned workout", "planned workouts", prefix="WO-", key="title")

    title: f.Title
    date: f.Date
    sport: Sport
    minutes: Minutes
    intensity: Intensity
    notes: f.Text = ""
    activity_id: Annotated[str | None, f.ref("activities")] = None
    """The activity with which it was done."""


class Challenge(Record):
    about: ClassVar[About] = About("challenge", "challenges", prefix="CHL-", width=3, key="title")

    title: f.Title
    organiser_email: f.Email
    sport: Sport
    measure: Measure
    target: Annotated[float, f.Semantic("count", unit="goal")]
    at_least: Kilometres
    """Shorter activities do not count."""
    starts_on: f.Date
    ends_on: f.Date
    places: Annotated[int, f.count("places")]
    rules: f.Text


class Participation(Record):
    about: ClassVar[About] = About("participation", "participations", prefix="PAR-", key="")

    challenge_id: Annotated[str, f.ref("challenges")]
    athlete_id: Annotated[str, f.ref("athletes")]
    joined_at: f.SystemTime


class ClubPost(Record):
    about: ClassVar[About] = About("club post", "club posts", prefix="POST-", width=3, key="title", carrier="document")

    title: f.Title
    author_name: f.Person
    status: PostStatus
    body: f.Text
    posted_on: f.Date


class FitnessState(State):
    athletes: Table[Athlete]
    follows: Table[Follow]
    gear: Table[Gear]
    activities: Table[Activity]
    kudos: Table[Kudo]
    activity_comments: Table[ActivityComment]
    goals: Table[Goal]
    workouts: Table[Workout]
    challenges: Table[Challenge]
    participations: Table[Participation]
    club_posts: Table[ClubPost]


service = Service(
    "fitness",
    title="Fitness",
    domain="health",
    description="Your workouts: activities, gear, goals, a training plan, challenges and the people you follow.",
    state=FitnessState,
    files=sources(__file__),
)
